"""Before the game begins: hello, seats, bots, the host's rights, the options; and what is refused, with its code."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from server.live import Live, serving
from server.sockets import around, fresh, raw_socket, refusal, until
from tsukimi.client import Gone, Refused, new_id
from tsukimi.server import messages as m
from tsukimi.server.tables import scheduler
from tsukimi.table.settings import Clock, Settings

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("opening"), bot_processes=1) as server:
        yield server


# ---- hello -----------------------------------------------------------------------------------------


def test_hello_is_answered_by_everything_that_one_may_know(live: Live) -> None:
    async def work() -> None:
        ana, bruno = fresh("Ana", "Bruno")
        client = live.client(ana)
        table = await client.create("daruma", 2, options={"edition": "es"})
        async with raw_socket(live, client, table, hello=False) as one:
            said = await one.ask({"type": "hello", "v": 1})
            assert said["v"] == m.PROTOCOL
            assert said["you"] == {
                "name": ana, "who": f"handle-{ana.lower()}", "seats": [0], "host": True, "look": 0, "muted": False, "silenced": [],
            }  # fmt: skip
            assert said["table"]["id"] == table
            assert said["table"]["options"]["edition"] == "es"
            assert said["table"]["status"] == "open"
            assert said["table"]["fairness"]["nonces"] == ["", ""]
            assert said["table"]["fairness"]["secret"] is None
            assert said["game"] is None
        async with raw_socket(live, live.client(bruno), table, hello=False) as other:
            said = await other.ask({"type": "hello", "v": 1})
            assert (said["you"]["seats"], said["you"]["host"], said["you"]["look"]) == ([], False, None)

    asyncio.run(work())


def test_another_protocol_version_is_refused_with_the_supported_one(live: Live) -> None:
    async def work() -> None:
        client = live.client(*fresh("Ana"))
        table = await client.create("daruma", 2)
        async with raw_socket(live, client, table, hello=False) as one:
            said = await one.ask({"type": "hello", "v": 99})
            assert (said["code"], said["params"]) == ("table-protocol", {"spoken": 1})
            assert await one.ends() == 4003

    asyncio.run(work())


def test_a_table_that_is_not_there_is_said_to_be_so(live: Live) -> None:
    async def work() -> None:
        client = live.client(*fresh("Ana"))
        async with raw_socket(live, client, "nowhere", hello=False) as one:
            assert (await one.receive())["code"] == "table-unknown"
            assert await one.ends() == 4004
        with pytest.raises(Gone) as gone:
            async with client.table("nowhere"):
                pass
        assert isinstance(gone.value.__cause__, Refused)
        assert gone.value.__cause__.code == "table-unknown"

    asyncio.run(work())


def test_a_wrong_token_opens_no_socket_and_the_client_does_not_try_for_ever(live: Live) -> None:
    async def work() -> None:
        client = live.client(*fresh("Ana"))
        table = await client.create("daruma", 2)
        client.token = "another-token-that-nobody-has-0000"
        with pytest.raises(Gone):
            await asyncio.wait_for(client.table(table).__aenter__(), 10)

    asyncio.run(work())


def test_hello_again_sends_only_the_events_that_are_new(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe = fresh("Ana", "Bruno", "Chloe")
        async with around(live, "china-moon", ana, bruno, chloe, options={"first": "p1"}) as (one, *_):
            before = len(one.events)
            await one.play(one.game.question.moves[0])  # type: ignore[union-attr]
            await until(one, lambda: len(one.events) > before)
            events, table = list(one.events), one.table
            assert table is not None
            async with raw_socket(live, live.client(ana), table.id, hello=False) as again:
                for seen, since in ((0, 0), (2, 2), (len(events), len(events)), (10**6, 0), (-3, 0)):
                    said = await again.ask({"type": "hello", "v": 1, "seen": seen})
                    assert said["game"]["since"] == since
                    assert said["game"]["events"] == events[since:]
                    assert said["game"]["question"] is not None or not one.game.question  # type: ignore[union-attr]

    asyncio.run(work())


def test_pass_and_play_has_the_viewpoint_of_the_named_seat(live: Live) -> None:
    async def work() -> None:
        ana = fresh("Ana")[0]
        names = ["Mother", "Father", "Child"]
        more = {"names": names, "players": 3, "options": {"first": "p2"}}
        async with around(live, "charuma", ana, **more) as (family,):
            assert family.table is not None
            assert family.table.local
            assert [seat.name for seat in family.table.seats] == names
            assert family.you is not None
            assert family.you.seats == [0, 1, 2]
            assert family.game is not None
            assert family.game.question is None
            assert family.game.asked == [1]
            await family.view_from(1)
            assert family.game.question is not None
            assert family.game.view["seat"] == 1
            await family.play(family.game.question.moves[0])
            async with raw_socket(live, live.client(ana), family.table.id, hello=False) as other:
                assert (await other.ask({"type": "hello", "v": 1, "look": 2}))["you"]["look"] == 2
                assert (await other.ask({"type": "hello", "v": 1, "look": 4}))["you"]["look"] == 2

    asyncio.run(work())


def test_nobody_looks_as_someone_elses_seat(live: Live) -> None:
    async def work() -> None:
        ana, bruno, zoe = fresh("Ana", "Bruno", "Zoe")
        async with around(live, "charuma", ana, bruno) as (one, _):
            assert one.table is not None
            for name, look in ((bruno, 1), (zoe, None)):
                async with raw_socket(live, live.client(name), one.table.id, hello=False) as other:
                    said = await other.ask({"type": "hello", "v": 1, "look": 0})
                    assert said["you"]["look"] == look
                    assert said["game"]["view"]["seat"] == look

    asyncio.run(work())


# ---- seats -----------------------------------------------------------------------------------------


def test_people_sit_down_and_stand_up(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe = fresh("Ana", "Bruno", "Chloe")
        async with around(live, "daruma", ana, watching=[bruno, chloe], players=3, start=False) as (one, two, three):
            await two.ask(m.Sit("s", 2, "  Bru   no ", "c0ffee"))
            await until(one, lambda: one.table.seats[2].name == "Bru no")  # type: ignore[union-attr]
            assert one.table is not None
            assert one.table.fairness.nonces == ["", "", "c0ffee"]
            assert one.table.seats[2].online
            assert await refusal(two, m.Sit("t", 1)) == "table-seated"
            await two.ask(m.Sit("t2", 2, "Bruno"))  # there already: another name
            await until(one, lambda: one.table.seats[2].name == "Bruno")  # type: ignore[union-attr]
            assert one.table.fairness.nonces == ["", "", "c0ffee"]
            assert await refusal(three, m.Sit("u", 2)) == "table-seat-taken"
            assert await refusal(three, m.Sit("v", 3)) == "table-no-seat"
            assert await refusal(three, m.Sit("w", None, "\u202eevil")) == "server-name"
            assert await refusal(three, m.Stand("x")) == "table-not-seated"
            await two.ask(m.Stand("y"))
            await until(one, lambda: one.table.seats[2].kind == "free")  # type: ignore[union-attr]
            await three.ask(m.Sit("z"))
            await until(three, lambda: three.you.seats == [1] and three.you.look == 1)  # type: ignore[union-attr]
            await two.ask(m.Sit("zz", 2))
            async with raw_socket(live, live.client(*fresh("Diego")), one.table.id) as late:
                assert (await late.ask({"type": "sit", "id": "a"}))["code"] == "table-full"
            await one.ask(m.Start("go"))
            async with raw_socket(live, live.client(*fresh("Eiko")), one.table.id) as late:
                assert (await late.ask({"type": "sit", "id": "a"}))["code"] == "table-is-playing"

    asyncio.run(work())


def test_the_same_request_sent_again_is_answered_again_but_counts_once(live: Live) -> None:
    async def work() -> None:
        ana, bruno = fresh("Ana", "Bruno")
        async with around(live, "daruma", ana, players=2, start=False) as (one,):
            assert one.table is not None
            async with raw_socket(live, live.client(bruno), one.table.id) as two:
                for _ in range(3):
                    assert await two.ask({"type": "sit", "id": "mine"}) == {"type": "done", "id": "mine", "table": None}
                for _ in range(2):
                    assert (await two.ask({"type": "say", "id": "line", "text": "hello"}))["type"] == "done"
            async with raw_socket(live, live.client(bruno), one.table.id) as two:  # after a broken connection as well
                assert (await two.ask({"type": "say", "id": "line", "text": "hello"}))["type"] == "done"
                assert (await two.ask({"type": "sit", "id": "other"}))["code"] == "table-seated"
            await until(one, lambda: one.chat)
            assert [line.text for line in one.chat] == ["hello"]
            await one.ask(m.Say("line", "my own name for it"))  # ids are each person's own
            await until(one, lambda: len(one.chat) == 2)

    asyncio.run(work())


def test_the_host_kicks_adds_bots_and_changes_levels(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe = fresh("Ana", "Bruno", "Chloe")
        async with around(live, "daruma", ana, bruno, watching=[chloe], players=3, start=False) as (one, two, three):
            for request in (m.Bot("a", "novice"), m.Kick("b", 0), m.Start("c"), m.Mute("e", "x"), m.Abort("f")):
                assert await refusal(two, request) == "table-host-only"
                assert await refusal(three, request) == "table-host-only"
            assert await refusal(one, m.Kick("d", 0)) == "table-cannot-kick"
            assert await refusal(one, m.Kick("e", 2)) == "table-cannot-kick"
            assert await refusal(one, m.Kick("f", 4)) == "table-no-seat"
            assert await refusal(one, m.Start("g")) == "table-seats-free"
            await one.ask(m.Kick("h", 1))
            await until(two, lambda: two.you.seats == [] and two.you.look is None)  # type: ignore[union-attr]
            await one.ask(m.Bot("i", "greedy"))
            await one.ask(m.Bot("j", "random", 2))
            assert await refusal(one, m.Bot("k", "novice")) == "table-full"
            assert await refusal(one, m.Bot("l", "novice", 0)) == "table-full"
            await one.ask(m.Bot("m", "novice", 1))
            await until(one, lambda: one.table.seats[1].level == "novice")  # type: ignore[union-attr]
            assert one.table is not None
            assert [seat.kind for seat in one.table.seats] == ["person", "bot", "bot"]
            await one.ask(m.Kick("n", 2))
            await until(one, lambda: one.table.seats[2].kind == "free")  # type: ignore[union-attr]
            assert await refusal(one, m.Bot("o", "novice", 0)) == "table-seat-taken"

    asyncio.run(work())


def test_the_host_changes_settings_players_and_options(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe = fresh("Ana", "Bruno", "Chloe")
        async with around(live, "daruma", ana, bruno, chloe, start=False) as (one, two, _):
            settings = Settings(public=True, clock=Clock("days", 0, 86400), hints=True)
            assert await refusal(two, m.Change("a", settings)) == "table-host-only"
            await one.ask(m.Change("a", settings, 4, {"edition": "es", "first": "p4"}))
            await until(two, lambda: two.table.players == 4)  # type: ignore[union-attr]
            assert two.table is not None
            assert two.table.settings == settings
            assert two.table.options["edition"] == "es"
            await one.ask(m.Change("b", players=3))
            await until(two, lambda: two.table.players == 3)  # type: ignore[union-attr]
            assert two.table.options["first"] == "random", "there is no fourth seat any more"
            assert await refusal(one, m.Change("c", players=2)) == "table-seats-taken"
            assert await refusal(one, m.Change("d", options={"edition": "xx"})) == "bad-option"
            for name in ("colour", "seed", "players", "game", "chance", "components", "self"):
                assert await refusal(one, m.Change("e", options={name: "1"})) == "unknown-option"
            await one.ask(m.Start("f"))
            assert await refusal(one, m.Change("g", players=2)) == "table-is-playing"
            assert await refusal(one, m.Bot("h", "novice")) == "table-is-playing"
            assert await refusal(one, m.Start("i")) == "table-is-playing"

    asyncio.run(work())


def test_a_number_of_players_that_the_game_does_not_know_is_refused(live: Live) -> None:
    async def work() -> None:
        async with around(live, "china-moon", *fresh("Ana"), players=3, start=False) as (one,):
            assert await refusal(one, m.Change("a", players=2)) in ("bad-players", "table-seats-taken")

    asyncio.run(work())


def test_the_host_passes_on_when_standing_up(live: Live) -> None:
    async def work() -> None:
        ana, bruno = fresh("Ana", "Bruno")
        async with around(live, "daruma", ana, bruno, start=False) as (one, two):
            await one.ask(m.Stand("a"))
            await until(two, lambda: two.you.host and two.table.seats[1].host)  # type: ignore[union-attr]
            await until(one, lambda: not one.you.host)  # type: ignore[union-attr]
            await two.ask(m.Bot("b", "random"))
            assert await refusal(one, m.Start("c")) == "table-host-only"

    asyncio.run(work())


def test_the_host_passes_on_when_gone_for_long(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "HOST_GONE_AFTER", 150)

    async def work() -> None:
        ana, bruno, chloe = fresh("Ana", "Bruno", "Chloe")
        async with around(live, "daruma", ana, bruno, chloe, start=False) as (one, two, three):
            await one.__aexit__(None, None, None)
            await until(two, lambda: two.you.host)  # type: ignore[union-attr]
            await until(three, lambda: three.table.seats[1].host)  # type: ignore[union-attr]
            assert three.table is not None
            assert not three.table.seats[0].online

    asyncio.run(work())


def test_the_host_ends_a_table_that_has_not_begun(live: Live) -> None:
    async def work() -> None:
        ana, bruno = fresh("Ana", "Bruno")
        async with around(live, "daruma", ana, bruno, start=False) as (one, two):
            assert await refusal(two, m.Rematch("a")) == "table-not-ended"
            await one.ask(m.Abort("b"))
            await until(two, lambda: two.over)
            assert await refusal(two, m.Abort("c")) == "table-ended"
            assert await refusal(one, m.Start("d")) == "table-is-aborted"
            assert await refusal(one, m.Stand("e")) == "table-ended"

    asyncio.run(work())


# ---- requests of the game, before it has begun -------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (m.Play("a", 0, "roll"), "table-is-open"),
        (m.Plan("a", "pass"), "table-no-plan"),
        (m.Hint("a"), "table-no-hints"),
        (m.Undo("a"), "table-nothing-to-undo"),
        (m.Vote("a", True), "table-no-proposal"),
        (m.Resign("a"), "table-is-open"),
        (m.Pause("a", True), "table-is-open"),
        (m.Ready("a"), "table-is-open"),
        (m.Time("a", 1), "table-is-open"),
        (m.Rematch("a"), "table-not-ended"),
    ],
)
def test_what_belongs_to_the_game_is_refused_before_it_begins(live: Live, request_: object, code: str) -> None:
    async def work() -> None:
        async with around(live, "daruma", *fresh("Ana", "Bruno"), start=False) as (one, _):
            assert await refusal(one, request_) == code
            reason = await one.ask(m.Why(new_id(), "roll"))
            assert isinstance(reason, m.Reason)
            assert (reason.legal, reason.code) == (False, "table-is-open")

    asyncio.run(work())
