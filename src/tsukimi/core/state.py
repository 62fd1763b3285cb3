"""A game being played: the position, its history, and its source of chance. This is what users hold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import count
from typing import Any

from tsukimi.core import events
from tsukimi.core.checks import integer, number_of, observer_of, shown
from tsukimi.core.errors import BadOptions, IllegalMove, MalformedMove, NotYourTurn, TsukimiError
from tsukimi.core.events import EventLog, step, walk
from tsukimi.core.game import Game
from tsukimi.core.resampling import resampled
from tsukimi.core.source import Seed, Source, rng_of
from tsukimi.core.spec import CHANCE, SPECTATOR, UNDO, History, Json, Spec


class State:
    """Created by `tsukimi.new` and `tsukimi.replay`; see docs/api.md."""

    def __init__(
        self,
        spec: Spec,
        start: Game,
        options: Mapping[str, str],
        source: Source | None,
        components: Mapping[str, Any] | None = None,
    ) -> None:
        self.spec = spec
        self.options = dict(options)
        self.components = components
        self.names: dict[int, str] = {}
        self.proof: list[str] = []
        self._start = start
        self._core = start.copy()
        self._source = source
        self._history: History = []
        self._shared = False  # whether a copy of this game has the same lists
        self._line: list[int] | None = None  # the events not taken back; None: all of them
        self._log: EventLog | None = None
        self._sheet: list[Json] | None = None
        self._walk: Iterator[Any] = iter(())
        self._settle()

    # ---- where we are ----------------------------------------------------------------------

    @property
    def game(self) -> str:
        return self.spec.name

    @property
    def players(self) -> int:
        return self._core.players

    @property
    def core(self) -> Game:
        """The position itself, for programs that need speed. It is live: copy it before you change it."""
        return self._core

    @property
    def chance(self) -> bool:
        """Whether a chance event is pending (only with chance="manual")."""
        return self._core.chance

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that may decide now."""
        return self._core.actors

    @property
    def over(self) -> bool:
        return self._core.over

    @property
    def history(self) -> History:
        """Every event so far as numbers: (seat, move), (CHANCE, outcome), (UNDO, how many)."""
        return list(self._history)

    @property
    def standing(self) -> History:
        """The history without moves that were taken back."""
        return self.history if self._line is None else [self._history[where] for where in self._line]

    @property
    def events_so_far(self) -> int:
        """The length of the history."""
        return len(self._history)

    def scores(self) -> list[int]:
        """The scores as they would count now, including hidden points."""
        return self._core.scores()

    def winners(self) -> list[int]:
        """The winning seats, several when the win is shared; [] before the end."""
        return self._core.winners() if self.over else []

    def score_sheet(self) -> list[Json]:
        """The breakdown of the scores, in rows that add up to them; read-only. [] before the end."""
        if not self.over:
            return []
        if self._sheet is None:
            events = [self.spec.event(*step, SPECTATOR) for step in walk(self._start, self.standing)]
            self._sheet = self.spec.score_sheet(self._core, events)
        return self._sheet

    # ---- moves as text ---------------------------------------------------------------------

    def legal(self, seat: int | None = None) -> list[str]:
        """Every legal move of a seat (default: the first actor); at chance, without a seat, every outcome."""
        if self.chance:
            return [text for text, _ in self.outcomes()] if seat is None else []
        mover = self._first_actor() if seat is None else self._seat(seat)
        return [self.spec.text(self._core, mover, move) for move in self._moves(mover)]

    def choices(self, seat: int) -> dict[str, int]:
        """Every legal move of a seat, in order: its text and its number."""
        return events.choices(self.spec, self._core, self._seat(seat))

    def stakes(self, seat: int | None = None) -> dict[str, list[Json]]:
        """What each legal move of a seat (default: the first actor) gains, risks or costs, as far as that seat may know."""
        return events.stakes(self.spec, self._core, self._first_actor() if seat is None else self._seat(seat))

    def outcomes(self) -> list[tuple[str, float]]:
        """At chance: every outcome with its probability."""
        if not self.chance:
            return []
        return [(self.spec.text(self._core, CHANCE, outcome), p) for outcome, p in self.spec.outcomes(self._core)]

    def play(self, text: str, seat: int | None = None) -> State:
        """Parse, check, apply. On an error the state is unchanged."""
        mover = self._mover(seat)
        self._apply(mover, self._parse(mover, text))
        return self

    def make(self, mover: int, move: int) -> None:
        """Make a move (or with CHANCE an outcome) that is known to be possible now."""
        self._do(mover, move)
        self._settle()

    def fresh(self) -> Game:
        """The position before the first event."""
        return self._start.copy()

    def text(self, move: int, seat: int | None = None) -> str:
        """The text of a legal move (at chance: of an outcome)."""
        mover, number = self._mover(seat), number_of(move)
        if number not in (self.actions() if mover == CHANCE else self._core.actions(mover)):
            raise self._refusal(mover, number)
        return self.spec.text(self._core, mover, number)

    def parse(self, text: str, seat: int | None = None) -> int:
        """The number of a move's text, legal or not; `MalformedMove` if it is not a move."""
        return self._parse(self._mover(seat), text)

    # ---- moves as numbers ------------------------------------------------------------------

    def actions(self, seat: int | None = None) -> list[int]:
        """`legal`, as numbers."""
        if self.chance:
            return [outcome for outcome, _ in self.spec.outcomes(self._core)] if seat is None else []
        return self._moves(self._first_actor() if seat is None else self._seat(seat))

    def apply(self, move: int, seat: int | None = None) -> State:
        """`play`, by number."""
        self._apply(self._mover(seat), move)
        return self

    # ---- what each seat knows --------------------------------------------------------------

    def view(self, seat: int | None) -> Json:
        """What that seat may know (None: a spectator), as JSON-compatible data."""
        own = self.own(seat)
        return deepcopy({**self.public(), **own})

    def public(self) -> Json:
        """The part of the view that is the same for everyone; read-only: games keep what does not change."""
        return events.public(self.spec, self._core, self.options)

    def own(self, seat: int | None) -> Json:
        """The part of the view that depends on the observer; read-only."""
        observer = self._observer(seat)
        return events.own(self.spec, self._core, None if observer == SPECTATOR else observer)

    def events(self, seat: int | None, since: int = 0) -> list[Json]:
        """What happened, as that seat saw it: one event per line of the record, from number `since` on."""
        return deepcopy(self._event_log().seen_by(self._observer(seat), since))

    def infoset(self, seat: int | None) -> bytes:
        """A key for everything this seat has seen: equal exactly for states that it cannot tell apart.

        It is the same in every process and build, and includes what was seen in moves taken back.
        """
        seen = {
            "components": self.components,
            "view": {**self.public(), **self.own(seat)},
            "events": self._event_log().seen_by(self._observer(seat)),
            "legal": self.legal(seat) if seat is not None else [],
        }
        text = json.dumps(seen, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=20).digest()

    # ---- copies, records ------------------------------------------------------------------------

    def copy(self) -> State:
        """An independent game from here on, with its own future dice: a copy does not reveal the future."""
        return self._clone(None if self._source is None else self._source.fork())

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self._clone(deepcopy(self._source))

    def resample(self, seat: int | None, seed: Seed = None) -> State:
        """A game with history and future, sampled from all those consistent with what that seat knows."""
        rng = rng_of(seed)
        history = resampled(self.spec, self._start, self._history, self._observer(seat), rng)
        return self._twin(history, None if self._source is None else Source.of(rng if seed is rng else seed).fork())

    def undo(self, moves: int = 1) -> State:
        """Take back the last moves and the chance that followed them. The dice that come instead are new."""
        line = range(len(self._history)) if self._line is None else self._line
        made = [i for i, where in enumerate(line) if self._history[where][0] >= 0]
        number = integer(moves)
        if number is None or not 1 <= number <= len(made):
            raise IllegalMove("undo-too-far", moves=shown(moves), made=len(made))
        self._own_lists()
        self._line = list(line[: made[-number]])
        self._history.append((UNDO, number))
        self._core, self._sheet = self._start.copy(), None
        for where in self._line:
            step(self._core, *self._history[where])
        return self

    def record(self) -> str:
        """The game as human-readable text that `tsukimi.replay` understands."""
        from tsukimi.core.record import write

        return write(self)

    def lines(self) -> list[str]:
        """The record's lines, without header and footer."""
        return [_line(self.spec, *step) for step in walk(self._start, self._history)]

    # ---- internal -----------------------------------------------------------------------------

    def _event_log(self) -> EventLog:
        """All events so far; they are built on demand."""
        if self._log is None:
            self._log, self._walk = EventLog(self.spec, self.players), walk(self._start, self._events())
        while len(self._log) < len(self._history):
            self._log.add(*next(self._walk))
        return self._log

    def _events(self) -> Iterator[tuple[int, int]]:
        """The history as it grows."""
        for place in count():
            yield self._history[place]

    def _moves(self, seat: int) -> list[int]:
        return self._core.actions(seat) if seat >= 0 else []

    def _may_act(self, seat: int) -> bool:
        return seat in self.actors

    def _first_actor(self) -> int:
        return self.actors[0] if self.actors else CHANCE

    def _seat(self, seat: object) -> int:
        """The seat as an integer; -1 if there is no such seat."""
        number = integer(seat)
        return number if number is not None and 0 <= number < self.players else -1

    def _observer(self, seat: object) -> int:
        if seat == SPECTATOR:
            raise BadOptions("no-such-seat", seat=shown(seat), players=self.players)
        return observer_of(seat, self.players)

    def _mover(self, seat: int | None) -> int:
        """Who acts: that seat if it may, CHANCE for None at chance."""
        if self.over:
            raise NotYourTurn("game-over")
        if self.chance:
            if seat is not None:
                raise NotYourTurn("chance-waits")
            return CHANCE
        mover = self._first_actor() if seat is None else self._seat(seat)
        if not self._may_act(mover):
            raise NotYourTurn("not-your-turn", who=", ".join(f"p{s + 1}" for s in self.actors))
        return mover

    def _parse(self, mover: int, text: str) -> int:
        if type(text) is not str or not text.isascii() or len(text) > 1000:
            raise MalformedMove("malformed-move", text=shown(text))
        return self.spec.parse(self._core, mover, text)

    def _apply(self, mover: int, move: int) -> None:
        try:
            self._do(mover, move)
        except IllegalMove:
            raise self._refusal(mover, int(move)) from None
        self._settle()

    def _refusal(self, mover: int, move: int) -> TsukimiError:
        """Why this is not legal now."""
        if mover == CHANCE:
            return IllegalMove("impossible-outcome", legal=self.legal())
        if not 0 <= move < self._core.move_ids:
            return MalformedMove("no-such-move", move=shown(move))
        code, params = self.spec.reason(self._core, mover, move)
        return IllegalMove(code, legal=self.legal(mover), **params)

    def _do(self, mover: int, move: int) -> None:
        """Make a move or an outcome; the position refuses illegal ones."""
        step(self._core, mover, move)
        self._own_lists()
        if self._line is not None:
            self._line.append(len(self._history))
        self._history.append((mover, int(move)))

    def _own_lists(self) -> None:
        """Before the lists grow: a copy shares those of its original, so that copying costs the same at any length."""
        if self._shared:
            self._history, self._shared = list(self._history), False
            self._line = None if self._line is None else list(self._line)

    def _settle(self) -> None:
        if self._source is not None:
            while self._core.chance:
                self._do(CHANCE, self._core.sample_outcome(self._source.next()))

    def _clone(self, source: Source | None) -> State:
        """This game, with that source of chance."""
        twin = State.__new__(State)
        twin.spec, twin.options, twin.components = self.spec, dict(self.options), self.components
        twin.names, twin.proof = dict(self.names), list(self.proof)
        twin._start, twin._core, twin._source = self._start, self._core.copy(), source
        twin._history, twin._line = self._history, self._line
        self._shared = twin._shared = True
        twin._log, twin._walk, twin._sheet = None, iter(()), self._sheet
        return twin

    def _twin(self, history: History, source: Source | None) -> State:
        """A game with the same start, that history and that source of chance."""
        twin = State(self.spec, self._start, self.options, None, self.components)
        twin.names, twin.proof = dict(self.names), list(self.proof)
        for mover, move in history:
            if mover == UNDO:
                twin.undo(move)
            else:
                twin._do(mover, move)
        twin._source = source
        twin._settle()
        return twin

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State) and self._identity() == other._identity() and self.components == other.components
        )

    def __hash__(self) -> int:
        game, players, options, history = self._identity()
        return hash((game, players, tuple(options.items()), tuple(history)))

    def _identity(self) -> tuple[str, int, dict[str, str], History]:
        return self.game, self.players, self.options, self._history

    def __reduce__(self) -> tuple[Any, ...]:
        made = (self.game, self.players, self.options, self.components, self._history, self._source)
        return _revive, (*made, self.names, self.proof)

    def __repr__(self) -> str:
        where = "over" if self.over else "chance" if self.chance else f"actors={self.actors}"
        return f"<tsukimi {self.game} players={self.players} events={len(self._history)} {where}>"


def _line(spec: Spec, before: Game, mover: int, move: int, after: Game) -> str:
    if mover == UNDO:
        return f"undo {move}"
    text = spec.text(before, mover, move)
    return text if mover == CHANCE else f"p{mover + 1} {text}"


def _revive(
    game: str,
    players: int,
    options: Any,
    components: Any,
    history: History,
    source: Any,
    names: dict[int, str],
    proof: list[str],
) -> State:
    import tsukimi

    fresh = tsukimi.new(game, players=players, chance="manual", components=components, **options)
    fresh.names, fresh.proof = names, proof
    return fresh._twin(history, source)
