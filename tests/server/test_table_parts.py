"""The parts of a live table, each alone: what is committed, who is present, what is scheduled, what is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from tsukimi.server import messages as m
from tsukimi.server.tables import scheduler as scheduling
from tsukimi.server.tables.broadcaster import NOT_ALLOWED, Broadcaster
from tsukimi.server.tables.clock import clock
from tsukimi.server.tables.committed import CommittedTable, Decide
from tsukimi.server.tables.encoder import encode, older_events, table_info
from tsukimi.server.tables.fair_queue import Owner
from tsukimi.server.tables.presence import Presence
from tsukimi.server.tables.replay import replay
from tsukimi.server.tables.scheduler import Scheduler
from tsukimi.store import Conflict, Person, Row, Unavailable
from tsukimi.table import commands
from tsukimi.table import events as e
from tsukimi.table.errors import TableError
from tsukimi.table.pending import successor
from tsukimi.table.settings import Clock, Settings
from tsukimi.table.table import Table

QUIET = Settings(forced=False, round_pause=False)
_answer = msgspec.json.Decoder(m.Answer).decode


def events_of_a_table(people: int = 2, bots: int = 0, settings: Settings = QUIET, start: bool = True) -> list[e.Event]:
    names = ["ana", "bruno", "chloe"][:people]
    first, events = {"first": "p1"}, list[e.Event]()
    table = Table()

    def add(more: list[e.Event]) -> None:
        nonlocal table
        table, complete = successor(table, more, clock())
        events.extend(complete)

    add(
        commands.open_table("T", "ana", "china-moon" if people + bots > 2 else "daruma", people + bots, first, settings)
    )
    for name in names:
        add(commands.sit(table, name, f"h-{name}", name.title(), None, ""))
    for _ in range(bots):
        add(commands.bot(table, "ana", "random", None))
    if start:
        add(commands.start(table, "ana"))
    return events


def a_table(**wanted: Any) -> Table:
    return successor(Table(), events_of_a_table(**wanted), clock())[0]


def move(table: Table) -> list[e.Event]:
    seat = table.asked[0]
    return commands.play(table, table.seats[seat].person, seat, table.decisions[seat], next(iter(table.choices(seat))))


def whole_turn(table: Table) -> Table:
    """The table after all moves that the first seat has now."""
    while 0 in table.asked:
        table, _ = successor(table, move(table), clock())
    return table


# ---- committed ---------------------------------------------------------------------------------------------


class FakeStore:
    """A log in memory. `problems` are raised by the next appends; `late`: though the rows are written."""

    def __init__(self, events: list[e.Event]) -> None:
        self.rows = [Row(number, clock(), e.encode(event)) for number, event in enumerate(events)]
        self.problems: list[Exception] = []
        self.late = self.gone = False

    async def append(self, table: str, rows: list[Row], summary: object = None, ratings: object = None) -> None:
        problem = self.problems.pop(0) if self.problems else None
        if problem is None or self.late:
            if rows[0].seq != len(self.rows):
                raise Conflict
            self.rows += rows
        if problem is not None:
            raise problem

    async def read(self, table: str, since: int = 0) -> list[Row]:
        if self.gone:
            raise Unavailable
        return self.rows[since:]


def committed(store: FakeStore, shared: bool = False) -> tuple[CommittedTable, list[tuple[Table, Table, Any]]]:
    changes: list[tuple[Table, Table, Any]] = []
    table = successor(Table(), [e.decode(row.data) for row in store.rows], clock())[0]
    return CommittedTable(store, table, shared, lambda *change: changes.append(change)), changes  # type: ignore[arg-type]


def test_a_committed_table_is_replaced_and_never_changed() -> None:
    async def work() -> None:
        found, changes = committed(FakeStore(events_of_a_table()))
        before = found.table
        lines, seats, decisions = before.playing.lines(), list(before.seats), list(before.decisions)
        for _ in range(10):
            await found.submit(move)
        assert found.table is not before
        assert (before.playing.lines(), before.seats, before.decisions) == (lines, seats, decisions)
        assert changes[0][0] is before
        assert changes[-1][1] is found.table

    asyncio.run(work())


def test_a_failed_append_leaves_the_table_as_it_was() -> None:
    async def work() -> None:
        store = FakeStore(events_of_a_table())
        found, changes = committed(store)
        before = found.table
        store.problems = [Unavailable()]
        with pytest.raises(Unavailable):
            await found.submit(lambda table: commands.resign(table, "ana"))
        assert found.table is before
        assert changes == []
        assert not found.closed

    asyncio.run(work())


def test_rows_that_were_written_though_the_append_failed_are_read() -> None:
    async def work() -> None:
        store = FakeStore(events_of_a_table())
        found, changes = committed(store)
        store.problems, store.late = [Unavailable()], True
        with pytest.raises(Unavailable):
            await found.submit(lambda table: commands.resign(table, "ana"))
        assert found.table.status == "over"
        assert [type(event) for event in changes[0][2]] == [e.Resigned]

    asyncio.run(work())


def test_when_durability_is_unknown_nothing_more_is_accepted() -> None:
    async def work() -> None:
        store = FakeStore(events_of_a_table())
        found, _ = committed(store)
        store.problems, store.gone = [Unavailable()], True
        for _ in range(2):
            with pytest.raises(Unavailable):
                await found.submit(move)
            assert found.closed
        assert len(store.rows) == found.table.rows

    asyncio.run(work())


def test_what_another_worker_has_written_is_read_before_the_command_is_decided_again() -> None:
    async def work() -> None:
        store = FakeStore(events_of_a_table())
        (one, _), (two, changes) = committed(store, True), committed(store, True)
        await one.submit(move)
        decision = two.table.decisions[0]
        with pytest.raises(TableError, match="no longer open"):
            await two.submit(
                lambda table: commands.play(table, "ana", 0, decision, next(iter(two.table.choices(0)), "-"))
            )
        assert two.table.rows == one.table.rows
        assert [type(event) for _, _, events in changes for event in events] == [e.Moved]

    asyncio.run(work())


def test_a_log_that_became_shorter_is_read_from_its_beginning() -> None:
    async def work() -> None:
        store = FakeStore(events_of_a_table())
        found, changes = committed(store)
        for _ in range(3):
            await found.submit(move)
        del store.rows[-2:]
        await found.submit(lambda table: commands.say(table, "ana", "h-ana", "Ana", "hello"))
        assert found.table.rows == len(store.rows)
        assert [len(events) for _, _, events in changes] == [1, 1, 1, 0, 1]

    asyncio.run(work())


# ---- presence ----------------------------------------------------------------------------------------------


@dataclass(eq=False)
class FakeViewer:
    person: Person
    viewpoint: int | None = None
    address: str = ""
    greeted: bool = True
    log_from: int = 0
    sent: list[Any] = field(default_factory=list)
    later: list[tuple[float, Any]] = field(default_factory=list)
    closed: int | None = None

    def send(self, message: bytes) -> None:
        self.sent.append(_answer(message))

    def send_later(self, message: bytes, seconds: float) -> None:
        self.later.append((seconds, _answer(message)))

    def cancel_later(self) -> None:
        self.later.clear()

    def close(self, code: int) -> None:
        self.closed = code

    def close_if_silent(self, now: float) -> None:
        pass


def viewer(name: str, viewpoint: int | None = None) -> FakeViewer:
    return FakeViewer(Person(name, f"h-{name}", name.title(), 1), viewpoint)


def test_present_is_who_was_greeted_here_or_is_connected_elsewhere() -> None:
    presence = Presence()
    ana, zoe = viewer("ana", 0), viewer("zoe")
    presence.viewers |= {ana, zoe}
    zoe.greeted = False
    assert (presence.people(), presence.spectators()) == ({"ana"}, 0)
    zoe.greeted = True
    assert presence.set_elsewhere("other", frozenset({"bruno"}), 2)
    assert not presence.set_elsewhere("other", frozenset({"bruno"}), 2)
    assert (presence.people(), presence.spectators()) == ({"ana", "bruno", "zoe"}, 3)
    assert presence.forget_workers({"other", "unknown"})
    assert (presence.people(), presence.spectators()) == ({"ana", "zoe"}, 1)


def test_absence_counts_from_when_someone_went() -> None:
    presence, table = Presence(), a_table()
    ana = viewer("ana", 0)
    presence.viewers.add(ana)
    presence.update_absences(table, 100)
    presence.update_absences(table, 200)
    assert (presence.absent_since("ana"), presence.absent_since("bruno")) == (None, 100)
    presence.viewers.clear()
    presence.update_absences(table, 300)
    assert (presence.absent_since("ana"), presence.absent_since("bruno")) == (300, 100)


# ---- scheduler ---------------------------------------------------------------------------------------------


class Scene:
    """A scheduler with a table of its own, and a bot that plays the first legal move."""

    def __init__(self, table: Table) -> None:
        self.table, self.presence, self.thinking = table, Presence(), set[int]()
        self.shown = 0
        self.scheduler = Scheduler(lambda: self.table, self.presence, self, self.submit, self.thinking, self.show)

    async def choose(self, table: str, state: Any, seat: int, level: str, owners: Any) -> str:
        return str(state.legal(seat)[0])

    async def submit(self, decide: Decide) -> None:
        if events := decide(self.table):
            self.table, _ = successor(self.table, events, clock())
            self.scheduler.wake()

    def show(self) -> None:
        self.shown += 1

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not true():
                await asyncio.sleep(0.005)


def scheduled(table: Table, work: Callable[[Scene], Awaitable[None]]) -> None:
    async def both() -> None:
        scene = Scene(table)
        scene.presence.viewers.add(viewer("ana", 0))
        scene.presence.update_absences(table, clock())
        try:
            await work(scene)
        finally:
            scene.scheduler.close()

    asyncio.run(both())


def test_bots_move_only_at_the_worker_that_holds_the_lease() -> None:
    async def work(scene: Scene) -> None:
        scene.table = whole_turn(scene.table)
        scene.scheduler.wake()
        await asyncio.sleep(0.05)
        assert scene.table.asked == (1,)
        scene.scheduler.active = True
        scene.scheduler.wake()
        await scene.until(lambda: scene.table.asked == (0,))
        assert {made.seat for made in scene.table.made} == {0, 1, 2}

    scheduled(a_table(people=1, bots=2), work)


def test_when_the_time_is_up_a_bot_moves() -> None:
    async def work(scene: Scene) -> None:
        scene.scheduler.active = True
        scene.scheduler.wake()
        await scene.until(lambda: bool(scene.table.made))
        assert scene.table.seats[0].timeouts >= 1
        assert scene.table.made[0].person == ""

    scheduled(a_table(settings=Settings(forced=False, clock=Clock("live", 0, 0))), work)


def test_a_bot_takes_over_for_an_absent_person_if_someone_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "AWAY_AFTER", 50)

    async def work(scene: Scene) -> None:
        scene.scheduler.active = True
        scene.scheduler.wake()
        await scene.until(lambda: scene.table.seats[1].away)
        assert not scene.table.seats[0].away

    scheduled(a_table(), work)


def test_a_bot_that_thinks_for_long_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "THINKING_SHOWN_AFTER", 0.02)

    async def work(scene: Scene) -> None:
        decided = asyncio.Event()

        async def choose(table: str, state: Any, seat: int, level: str, owners: Any) -> str:
            await decided.wait()
            return str(state.legal(seat)[0])

        monkeypatch.setattr(scene, "choose", choose)
        scene.table = whole_turn(scene.table)
        scene.scheduler.active = True
        scene.scheduler.wake()
        await scene.until(lambda: scene.thinking == {1})
        assert scene.shown == 1
        decided.set()
        await scene.until(lambda: 1 not in scene.table.asked)
        assert 1 not in scene.thinking

    scheduled(a_table(people=1, bots=2), work)


def test_a_bot_whose_person_is_back_is_no_longer_shown_to_be_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "THINKING_SHOWN_AFTER", 0.02)

    async def work(scene: Scene) -> None:
        decided = asyncio.Event()

        async def choose(table: str, state: Any, seat: int, level: str, owners: Any) -> str:
            await decided.wait()
            return str(state.legal(seat)[0])

        monkeypatch.setattr(scene, "choose", choose)
        await scene.submit(lambda table: commands.stand(table, "ana"))
        scene.scheduler.active = True
        scene.scheduler.wake()
        await scene.until(lambda: scene.thinking == {0})
        await scene.submit(lambda table: commands.come_back(table, "ana"))
        decided.set()
        await scene.until(lambda: scene.shown == 2)
        assert not scene.thinking
        assert not scene.table.made

    scheduled(a_table(people=1, bots=2), work)


def test_bots_think_on_the_account_of_the_players_who_are_there_or_else_of_the_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work(scene: Scene) -> None:
        asked: list[list[Owner]] = []

        async def choose(table: str, state: Any, seat: int, level: str, owners: list[Owner]) -> str:
            asked.append(sorted(owners))
            return str(state.legal(seat)[0])

        async def owners_now() -> list[Owner]:
            scene.presence.update_absences(scene.table, clock())
            while scene.table.asked != (2,):
                scene.table, _ = successor(scene.table, move(scene.table), clock())
            scene.scheduler.wake()
            await scene.until(lambda: scene.table.asked != (2,))
            return asked[-1]

        monkeypatch.setattr(scene, "choose", choose)
        scene.scheduler.active = True
        [ana] = scene.presence.viewers
        ana.address = "192.0.2.1"
        assert await owners_now() == [Owner("ana", "192.0.2.1"), Owner("bruno")]  # who may be on the way
        monkeypatch.setattr(scheduling, "EXPECTED_FOR", 0)
        assert await owners_now() == [Owner("ana", "192.0.2.1")]
        scene.presence.set_elsewhere("another worker", frozenset({"bruno"}), 0)
        assert await owners_now() == [Owner("ana", "192.0.2.1"), Owner("bruno")]
        scene.presence.viewers.clear()
        scene.presence.forget_workers({"another worker"})
        assert await owners_now() == [Owner("ana", attended=False)]

    scheduled(a_table(people=2, bots=1), work)


# ---- broadcaster -------------------------------------------------------------------------------------------


def broadcast(before: Table, decide: Decide, *viewers: FakeViewer) -> Table:
    presence = Presence()
    presence.viewers |= set(viewers)
    after, events = successor(before, decide(before), clock())
    Broadcaster(presence, table_info, set()).committed(before, after, events)
    return after


def test_a_step_is_sent_to_every_viewpoint_with_what_it_knows() -> None:
    ana, bruno, zoe = viewer("ana", 0), viewer("bruno", 1), viewer("zoe")
    before = a_table()
    after = broadcast(before, move, ana, bruno, zoe)
    for person in (ana, bruno, zoe):
        [sent] = person.sent
        assert isinstance(sent, m.Game)
        assert sent.game.since == len(before.events)
        assert len(sent.game.events) == len(after.events) - len(before.events)
        assert sent.game.view == after.playing.view(person.viewpoint)
        assert (sent.game.question is not None) == (person.viewpoint in after.asked)
        assert sent.table is None


def test_what_changes_the_table_is_sent_along_with_the_step() -> None:
    bruno = viewer("bruno", 1)
    broadcast(a_table(), lambda table: commands.resign(table, "ana"), bruno)
    [sent] = bruno.sent
    assert sent.table.status == "over"
    assert sent.table.fairness.secret is not None


def test_chat_goes_to_all_and_nothing_else_does() -> None:
    zoe = viewer("zoe")
    broadcast(a_table(), lambda table: commands.say(table, "ana", "h-ana", "Ana", "hello"), zoe)
    assert [type(sent) for sent in zoe.sent] == [m.Chat]


def played_and_undone(times: int) -> Table:
    """A table after one person alone has made a move and taken it back, again and again."""
    table = a_table(people=1, bots=1)
    for _ in range(times):
        table, _ = successor(table, move(table), clock())
        table, _ = successor(table, commands.undo(table, "ana", 0), clock())
    return table


def test_a_welcome_stays_small_however_long_the_game_was_and_the_older_events_can_be_asked_for() -> None:
    ana, table = viewer("ana", 0), played_and_undone(1500)
    for number in range(50):
        table, _ = successor(table, commands.say(table, "ana", "h-ana", "Ana", f"{number}" + "月" * 490), clock())
    sent = list[bytes]()
    ana.send = sent.append  # type: ignore[method-assign]
    Broadcaster(Presence(), table_info, set()).welcome(ana, table, 0)
    assert len(sent[0]) < 64 * 1024
    welcome = _answer(sent[0])
    assert isinstance(welcome, m.Welcome) and welcome.game is not None
    events, pages = welcome.game.events, 0
    assert welcome.game.since == ana.log_from == events[0]["index"] > 0
    assert welcome.chat[-1].text.startswith("49")
    while events[0]["index"]:
        since, older = older_events(table, 0, 0, events[0]["index"])
        text = encode(m.Events("e", since, older))
        assert len(text) < 64 * 1024
        events = msgspec.json.decode(text)["events"] + events
        assert events[0]["index"] == since
        pages += 1
    assert pages > 1
    assert [event["index"] for event in events] == list(range(len(table.events)))


def test_delayed_spectators_get_a_step_later() -> None:
    ana, zoe = viewer("ana", 0), viewer("zoe")
    broadcast(a_table(settings=Settings(forced=False, spectators="delayed", delay=30)), move, ana, zoe)
    assert len(ana.sent) == 1
    assert zoe.sent == []
    assert [seconds for seconds, _ in zoe.later] == [30]


def test_spectators_are_disconnected_when_a_closed_game_starts() -> None:
    ana, zoe = viewer("ana", 0), viewer("zoe")
    table = a_table(settings=Settings(spectators="closed"), start=False)
    broadcast(table, lambda table: commands.start(table, "ana"), ana, zoe)
    assert zoe.closed == NOT_ALLOWED
    assert zoe.sent == []
    assert len(ana.sent) == 1


# ---- replay ------------------------------------------------------------------------------------------------


def test_a_replay_comes_in_answers_of_a_bounded_size_that_together_are_the_whole_game() -> None:
    table = a_table(people=3)
    for _ in range(40):
        table, _ = successor(table, move(table), clock())
    table, _ = successor(table, [e.Aborted()], clock())
    steps, answers = list[Any](), 0
    while len(steps) < len(table.step_ends):
        text = encode(replay(table, "open", len(steps), 200))
        assert len(text) < 256 * 1024
        steps += msgspec.json.decode(text)["steps"]
        answers += 1
    assert answers > 1
    assert steps[-1]["view"] == msgspec.json.decode(encode(table.playing.view(None)))
