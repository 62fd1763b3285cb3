"""A table as it stands: built from its log, entry by entry. It asks nobody and tells nobody.

`Table.apply` is the only way to change it, and the same log always gives the same table. What people may wish
for, and which entry grants it, stands in `wishes.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

import tsukimi
from tsukimi.core import events as game_events
from tsukimi.core.state import State
from tsukimi.table import entries as log
from tsukimi.table import fair
from tsukimi.table.clocks import Clocks
from tsukimi.table.entries import Made

KEYS_KEPT = 64  # the last wishes of each person that are recognised when they are sent again
CHAT_KEPT = 200
TIMEOUTS_UNTIL_AWAY = 2
MOST_LOOKING = 60_000  # ms after a round, where clocks count


@dataclass
class Seat:
    name: str = ""
    person: str = ""
    handle: str = ""
    nonce: str = ""
    level: str = ""
    """The bot that plays here; empty where a person does."""
    away: bool = False
    """A bot plays until the person is back."""
    gone: bool = False
    """A bot plays for good."""
    resigned: bool = False
    ready: bool = True
    timeouts: int = 0

    @property
    def taken(self) -> bool:
        return bool(self.person or self.level)

    @property
    def by_bot(self) -> bool:
        return bool(self.level) or self.away or self.gone or self.resigned

    @property
    def here(self) -> bool:
        """Whether a person decides on this seat."""
        return bool(self.person) and not (self.gone or self.resigned)


@dataclass
class Proposal:
    what: str
    seat: int
    moves: int
    votes: dict[int, bool] = field(default_factory=dict)


class Table:
    def __init__(self, rows: Iterable[tuple[int, log.Entry]] = ()) -> None:
        self.rows = 0
        self.at = 0
        self.created = 0
        self.state: State | None = None
        self.seats: list[Seat] = []
        self.host = ""
        self.status = "open"
        self.proposal: Proposal | None = None
        self.plans: dict[int, str] = {}
        self.decisions: list[int] = []
        self.asked: tuple[int, ...] = ()
        """Seats that must decide now, and have not."""
        self.made: list[Made] = []
        """The moves that stand: those that were taken back are gone."""
        self.step_times: list[int] = []
        """When the setup, every move and every undo was made."""
        self.step_ends: list[int] = []
        """How many events there were after each of them."""
        self.chat: deque[tuple[int, int, log.Said]] = deque(maxlen=CHAT_KEPT)
        self.lines = 0
        self.muted: set[str] = set()
        self.rematch: str | None = None
        self._granted: dict[str, dict[str, None]] = {}
        """The last wishes of each person, in order."""
        self._choices: dict[int, dict[str, int]] = {}
        self._own: list[list[int]] = []
        """For each seat: which of the moves that stand its person decided."""
        self._final: list[bool] = []
        """For each seat: whether since its last own move something was revealed, or another person acted."""
        for at, entry in rows:
            self.apply(entry, at)

    # ---- what is known --------------------------------------------------------------------------

    @property
    def id(self) -> str:
        return self.opened.table

    @property
    def ended(self) -> bool:
        return self.status in ("over", "aborted")

    @property
    def running(self) -> bool:
        return self.state is not None and not self.ended

    @property
    def nonces(self) -> list[str]:
        return [seat.nonce for seat in self.seats]

    def seats_of(self, person: str) -> list[int]:
        return [seat for seat, one in enumerate(self.seats) if person and one.person == person and not one.gone]

    def people(self) -> list[str]:
        """The persons who sit here and have not left for good, each once."""
        return list(dict.fromkeys(seat.person for seat in self.seats if seat.here))

    def choices(self, seat: int) -> dict[str, int]:
        """The moves of a seat that is asked: texts and numbers."""
        found = self._choices.get(seat)
        if found is None:
            state = self._playing()
            found = self._choices[seat] = game_events.choices(state.spec, state.core, seat)
        return found

    def alone(self, seat: int) -> bool:
        """Whether nobody but this seat's person decides here."""
        me = self.seats[seat].person
        for one in self.seats:
            if one.person != me and one.here:
                return False
        return True

    def since_own(self, seat: int) -> tuple[int, bool]:
        """How many moves were made since the seat's last own one, with it (0: there is none); whether since then
        something was revealed, or another person acted."""
        own = self._own[seat]
        return (len(self.made) - own[-1] if own else 0), self._final[seat]

    def granted(self, person: str, key: str) -> bool:
        """Whether this wish of this person was granted before."""
        return bool(key) and key in self._granted.get(person, ())

    def winners(self) -> list[int]:
        """Who won; a seat that resigned never does."""
        state = self.state
        if state is None or self.status != "over":
            return []
        if state.over:
            won = [seat for seat in state.winners() if not self.seats[seat].resigned]
            return won or [seat for seat in range(self.players) if not self.seats[seat].resigned]
        return [seat for seat in range(self.players) if not self.seats[seat].resigned]

    def looked_until(self) -> int | None:
        """When a pause to look ends by itself; None: there is none, or it may last."""
        if self.status != "round" or self.settings.clock.kind != "live":
            return None
        return self.step_times[-1] + MOST_LOOKING

    def record(self) -> str:
        """The game as a record, with the proof of its chance when it has ended."""
        assert self.state is not None
        self.state.names = {seat: one.name for seat, one in enumerate(self.seats)}
        self.state.proof = fair.proof(self.opened.secret, self.id, self.nonces) if self.ended else []
        return self.state.record()

    def wakes(self) -> int | None:
        """When the table wants to be looked at next without anybody asking: bots, clocks."""
        if self.status != "playing":
            return self.looked_until()
        if self.settings.clock.kind == "live" or any(self.seats[seat].by_bot for seat in self.asked):
            return self.created  # it is awake, and if it was not (after a crash) it is late already
        times = [time for seat in self.asked if (time := self.clocks.deadline(seat)) is not None]
        return min(times, default=None)

    # ---- how it changes -------------------------------------------------------------------------

    def apply(self, entry: log.Entry, at: int) -> None:
        """The table after an entry of its log."""
        _CHANGES[type(entry)](self, entry, at)
        self.rows += 1
        self.at = at
        if entry.key:
            known = self._granted.setdefault(entry.by, {})
            known[entry.key] = None
            if len(known) > KEYS_KEPT:
                del known[next(iter(known))]

    def grant(self, entry: log.Entry, at: int) -> log.Entry:
        """Apply an entry that is new. The chance that follows it falls now; the entry comes back with it."""
        self._fallen: list[str] = []
        self.apply(entry, at)
        return msgspec.structs.replace(entry, chance=self._fallen) if self._fallen else entry

    def _chance(self, known: list[str]) -> None:
        """What the log says that chance did; beyond the log's end, new dice (which never fall twice, undo or not)."""
        state = self._playing()
        for text in known:
            state.happen(text)
        self._dice.count += len(known)
        while state.chance:
            self._fallen.append(state.draw(self._dice))

    def _open(self, entry: log.Opened, at: int) -> None:
        self.opened, self.created = entry, at
        self.game, self.players, self.options = entry.game, entry.players, dict(entry.options)
        self.settings, self.local, self.host = entry.settings, entry.local, entry.by
        self.seats = [Seat() for _ in range(entry.players)]

    def _change(self, entry: log.Changed, at: int) -> None:
        self.settings, self.options, self.players = entry.settings, dict(entry.options), entry.players
        del self.seats[entry.players :]
        self.seats += [Seat() for _ in range(entry.players - len(self.seats))]

    def _sit(self, entry: log.Sat, at: int) -> None:
        self.seats[entry.seat] = Seat(entry.name, entry.person, entry.handle, entry.nonce, entry.level)

    def _leave(self, entry: log.Left, at: int) -> None:
        self.seats[entry.seat] = Seat()

    def _hosted(self, entry: log.Hosted, at: int) -> None:
        self.host = entry.person

    def _start(self, entry: log.Started, at: int) -> None:
        self.state, self.status = self._fresh(), "playing"
        self._dice = fair.source(self.opened.secret, self.id, self.nonces)
        self._chance(entry.chance)
        self.clocks = Clocks(self.players, self.settings.clock)
        self.decisions = [0] * self.players
        self._own, self._final = [[] for _ in range(self.players)], [False] * self.players
        self._stepped(at, ())

    def _fresh(self) -> State:
        return tsukimi.new(
            self.game, players=self.players, chance="manual", components=self.opened.components, **self.options
        )

    def _move(self, entry: log.Moved, at: int) -> None:
        state = self._playing()
        before, count = state.spec.rounds(state.core), self._dice.count
        known = self._choices.get(entry.seat, {}).get(entry.move)
        move = state.parse(entry.move, entry.seat) if known is None else known
        reveals = state.spec.reveals(state.core, entry.seat, move)
        if known is None:
            state.apply(move, entry.seat)
        else:
            state.make(entry.seat, move)
        self._chance(entry.chance)
        self.clocks.decided(entry.seat, at, entry.lag)
        seat = self.seats[entry.seat]
        seat.timeouts = seat.timeouts + 1 if entry.maker == "clock" else 0 if entry.maker == "person" else seat.timeouts
        person = seat.person if entry.maker in ("person", "plan") else ""
        self._note(Made(entry.seat, person, reveals or self._dice.count > count))
        self.plans.pop(entry.seat, None)
        self.proposal = self.proposal if self.proposal and self.proposal.what == "abort" else None
        self._stepped(at, (entry.seat,))
        if state.spec.rounds(state.core) > before > 0 and self.status == "playing":
            self._pause_to_look(at)

    def _note(self, made: Made) -> None:
        """A move stands, for now."""
        if made.person:
            self._own[made.seat].append(len(self.made))
            self._final[made.seat] = False
        self.made.append(made)
        for seat, one in enumerate(self.seats):
            if made.shown or (made.person and made.person != one.person):
                self._final[seat] = True

    def _pause_to_look(self, at: int) -> None:
        """Not where a decision takes days: no clock would run for who does not come to say that they are ready."""
        if not self.settings.round_pause or self.settings.clock.kind == "days":
            return
        waiting = [seat for seat in self.seats if seat.here and not seat.by_bot]
        for seat in waiting:
            seat.ready = False
        if waiting:
            self.status = "round"
            self.clocks.run((), at)

    def _undo(self, entry: log.Undone, at: int) -> None:
        self._playing().undo(entry.moves)
        standing = self.made[: len(self.made) - entry.moves]
        self.made, self._own, self._final = [], [[] for _ in self.seats], [False] * self.players
        for made in standing:
            self._note(made)
        for seat in range(self.players):
            self.clocks.forget(seat)
        for one in self.seats:
            one.ready = True
        if self.status == "round":
            self.status = "playing"
        self.proposal = None
        self._stepped(at, range(self.players))

    def _stepped(self, at: int, anew: Collection[int]) -> None:
        """After every step of the game: who is asked, with which number; whose clock runs; what is still planned."""
        state = self._playing()
        before, self.asked = [seat for seat in self.asked if seat not in anew], state.actors
        self._choices.clear()
        for seat in self.asked:
            if seat not in before:
                self.decisions[seat] += 1
        for seat in before:
            if seat not in self.asked:
                self.clocks.forget(seat)
        if self.plans:
            self.plans = {seat: move for seat, move in self.plans.items() if self._still_planned(seat, move)}
        self.step_times.append(at)
        self.step_ends.append(state.events_so_far)
        if state.over:
            self.status, self.proposal = "over", None
        self.clocks.run(self.asked if self.status == "playing" else (), at)

    def _still_planned(self, seat: int, move: str) -> bool:
        state = self._playing()
        return move in (self.choices(seat) if seat in self.asked else state.spec.advance(state.core, seat))

    def _plan(self, entry: log.Planned, at: int) -> None:
        if entry.move is None:
            self.plans.pop(entry.seat, None)
        else:
            self.plans[entry.seat] = entry.move

    def _propose(self, entry: log.Proposed, at: int) -> None:
        self.proposal = Proposal(entry.what, entry.seat, entry.moves, {entry.seat: True})

    def _vote(self, entry: log.Voted, at: int) -> None:
        if self.proposal is not None:
            self.proposal.votes[entry.seat] = entry.yes
            if not entry.yes:
                self.proposal = None

    def _away(self, entry: log.Away, at: int) -> None:
        seat = self.seats[entry.seat]
        seat.away, seat.gone, seat.ready = True, entry.gone, True
        if entry.gone:  # a proposal might wait for this very answer
            self.proposal = None
        self._all_ready(at)

    def _back(self, entry: log.Back, at: int) -> None:
        self.seats[entry.seat].away, self.seats[entry.seat].timeouts = False, 0

    def _pause(self, entry: log.Paused, at: int) -> None:
        self.status = "paused" if entry.on else "playing"
        self.clocks.run(() if entry.on else self.asked, at)

    def _ready(self, entry: log.Ready, at: int) -> None:
        self.seats[entry.seat].ready = True
        self._all_ready(at)

    def _all_ready(self, at: int) -> None:
        if self.status == "round" and all(seat.ready for seat in self.seats):
            self.status = "playing"
            self.clocks.run(self.asked, at)

    def _give_time(self, entry: log.Given, at: int) -> None:
        self.clocks.gift[entry.seat] += entry.ms

    def _resign(self, entry: log.Resigned, at: int) -> None:
        self.seats[entry.seat].resigned = self.seats[entry.seat].ready = True
        self.proposal = None
        if sum(not seat.resigned for seat in self.seats) == 1:
            self.status = "over"
            self.clocks.run((), at)
        else:
            self._all_ready(at)

    def _abort(self, entry: log.Aborted, at: int) -> None:
        self.status, self.proposal = "aborted", None
        if self.state is not None:
            self.clocks.run((), at)

    def _say(self, entry: log.Said, at: int) -> None:
        self.chat.append((self.lines, at, entry))
        self.lines += 1

    def _mute(self, entry: log.Muted, at: int) -> None:
        (self.muted.add if entry.on else self.muted.discard)(entry.handle)

    def _again(self, entry: log.Again, at: int) -> None:
        self.rematch = entry.table

    def _playing(self) -> State:
        assert self.state is not None
        return self.state


_CHANGES: dict[type[log.Entry], Callable[[Table, Any, int], None]] = {
    log.Opened: Table._open,
    log.Changed: Table._change,
    log.Sat: Table._sit,
    log.Left: Table._leave,
    log.Hosted: Table._hosted,
    log.Started: Table._start,
    log.Moved: Table._move,
    log.Undone: Table._undo,
    log.Planned: Table._plan,
    log.Proposed: Table._propose,
    log.Voted: Table._vote,
    log.Away: Table._away,
    log.Back: Table._back,
    log.Paused: Table._pause,
    log.Ready: Table._ready,
    log.Given: Table._give_time,
    log.Resigned: Table._resign,
    log.Aborted: Table._abort,
    log.Said: Table._say,
    log.Muted: Table._mute,
    log.Again: Table._again,
}
