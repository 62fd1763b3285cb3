"""A game being played: the position, its history, and the source of its chance. This is what users hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from tsukimi.core import events
from tsukimi.core.errors import BadOptions, IllegalMove, MalformedMove, NotYourTurn
from tsukimi.core.events import EventLog, step, walk
from tsukimi.core.game import Game
from tsukimi.core.resampling import resampled
from tsukimi.core.source import Seed, Source, rng_of
from tsukimi.core.spec import CHANCE, SPECTATOR, UNDO, History, Json, Spec


class State:
    """Made by `tsukimi.new` and `tsukimi.replay`; see docs/api.md."""

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
        self._line: list[int] = []
        self._log: EventLog | None = None
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
        """The position itself, for programs that need speed. It is live: copy it before you play on it."""
        return self._core

    @property
    def chance(self) -> bool:
        """Whether a chance event waits for its outcome (with chance="manual" only)."""
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
    def events_so_far(self) -> int:
        """How long the history is."""
        return len(self._history)

    def scores(self) -> list[int]:
        """What the game would count now, secrets included."""
        return self._core.scores()

    def winners(self) -> list[int]:
        """The winning seats, several when the win is shared; [] before the end."""
        return self._core.winners() if self.over else []

    # ---- moves as text ---------------------------------------------------------------------

    def legal(self, seat: int | None = None) -> list[str]:
        """Every legal move of a seat (default: the first actor); at chance, without a seat, every outcome."""
        if self.chance:
            return [text for text, _ in self.outcomes()] if seat is None else []
        mover = self._first_actor() if seat is None else seat
        return [self.spec.text(self._core, mover, move) for move in self._moves(mover)]

    def choices(self, seat: int) -> dict[str, int]:
        """Every legal move of a seat, in order: its text and its number."""
        return events.choices(self.spec, self._core, seat) if self._may_act(seat) else {}

    def outcomes(self) -> list[tuple[str, float]]:
        """At chance: every outcome with its probability."""
        if not self.chance:
            return []
        return [(self.spec.text(self._core, CHANCE, what), p) for what, p in self.spec.outcomes(self._core)]

    def play(self, text: str, seat: int | None = None) -> State:
        """Parse, check, apply. On an error the state is what it was."""
        mover = self._mover(seat)
        self._apply(mover, self._parse(mover, text))
        return self

    def make(self, mover: int, move: int) -> None:
        """A move (or with CHANCE an outcome) of which it is known that it can be made now."""
        self._do(mover, move)
        self._settle()

    def fresh(self) -> Game:
        """The position before the first event."""
        return self._start.copy()

    def text(self, move: int, seat: int | None = None) -> str:
        """The text of a legal move (at chance: of an outcome)."""
        mover = self._mover(seat)
        self._check(mover, move)
        return self.spec.text(self._core, mover, move)

    def parse(self, text: str, seat: int | None = None) -> int:
        """The number of a move's text, legal or not; `MalformedMove` if it is none."""
        return self._parse(self._mover(seat), text)

    # ---- moves as numbers ------------------------------------------------------------------

    def actions(self, seat: int | None = None) -> list[int]:
        """`legal`, as numbers."""
        if self.chance:
            return [what for what, _ in self.spec.outcomes(self._core)] if seat is None else []
        return self._moves(self._first_actor() if seat is None else seat)

    def apply(self, move: int, seat: int | None = None) -> State:
        """`play`, by number."""
        self._apply(self._mover(seat), move)
        return self

    # ---- what each seat knows --------------------------------------------------------------

    def view(self, seat: int | None) -> Json:
        """What that seat may know (None: a spectator), as JSON-able data."""
        own = self.own(seat)
        return deepcopy({**self.public(), **own})

    def public(self) -> Json:
        """The part of the view that is the same for all, to be read only: games keep what does not change."""
        return events.public(self.spec, self._core, self.options)

    def own(self, seat: int | None) -> Json:
        """The part of the view that depends on who looks, to be read only."""
        self._observer(seat)
        return events.own(self.spec, self._core, seat)

    def events(self, seat: int | None, since: int = 0) -> list[Json]:
        """What happened, as that seat saw it: one event per line of the record, from number `since` on."""
        return deepcopy(self._event_log().seen_by(self._observer(seat), since))

    # ---- other games ------------------------------------------------------------------------

    def copy(self) -> State:
        """An independent game from here on. Its dice to come are its own: a copy does not tell the future."""
        twin = State.__new__(State)
        twin.__dict__.update(self.__dict__)
        twin.options, twin.names, twin.proof = dict(self.options), dict(self.names), list(self.proof)
        twin._core, twin._history, twin._line = self._core.copy(), list(self._history), list(self._line)
        twin._source = None if self._source is None else self._source.fork()
        twin._log = None
        return twin

    def resample(self, seat: int | None, seed: Seed = None) -> State:
        """A game with its history and its future, drawn among all that agree with what that seat knows."""
        observer = self._observer(seat)
        history = resampled(self.spec, self._start, self._history, observer, rng_of(seed))
        return self._twin(history, None if self._source is None else Source.of(seed).fork())

    def undo(self, moves: int = 1) -> State:
        """Take back the last moves with the chance that followed them. The dice that come instead are new ones."""
        made = [i for i, where in enumerate(self._line) if self._history[where][0] >= 0]
        if not 1 <= moves <= len(made):
            raise IllegalMove("undo-too-far", moves=moves, made=len(made))
        self._history.append((UNDO, moves))
        del self._line[made[-moves] :]
        self._core = self._start.copy()
        for where in self._line:
            step(self._core, *self._history[where])
        return self

    def record(self) -> str:
        """The game as a text that a person can read and `tsukimi.replay` understands."""
        from tsukimi.core.record import write

        return write(self)

    def lines(self) -> list[str]:
        """The record's lines, without its head and foot."""
        return [_line(self.spec, *step) for step in walk(self._start, self._history)]

    # ---- within -----------------------------------------------------------------------------

    def _event_log(self) -> EventLog:
        """All events so far; they are built when somebody asks for them."""
        if self._log is None:
            self._log, self._walk = EventLog(self.spec, self.players), walk(self._start, self._history)
        while len(self._log) < len(self._history):  # the walk sees the history grow
            self._log.add(*next(self._walk))
        return self._log

    def _moves(self, seat: int) -> list[int]:
        return self._core.actions(seat) if self._may_act(seat) else []

    def _may_act(self, seat: object) -> bool:
        return type(seat) is int and seat in self.actors

    def _first_actor(self) -> int:
        return self.actors[0] if self.actors else CHANCE

    def _observer(self, seat: int | None) -> int:
        if seat is None:
            return SPECTATOR
        if type(seat) is not int or not 0 <= seat < self.players:
            raise BadOptions("no-such-seat", seat=_shown(seat), players=self.players)
        return seat

    def _mover(self, seat: int | None) -> int:
        """Who acts: that seat if it may, CHANCE for None at chance."""
        if self.over:
            raise NotYourTurn("game-over")
        if self.chance:
            if seat is not None:
                raise NotYourTurn("chance-waits")
            return CHANCE
        mover = self._first_actor() if seat is None else seat
        if not self._may_act(mover):
            raise NotYourTurn("not-your-turn", who=", ".join(f"p{s + 1}" for s in self.actors))
        return mover

    def _parse(self, mover: int, text: str) -> int:
        if type(text) is not str or not text.isascii() or len(text) > 1000:
            raise MalformedMove("malformed-move", text=_shown(text))
        return self.spec.parse(self._core, mover, text)

    def _check(self, mover: int, move: int) -> None:
        if mover == CHANCE:
            if move not in self.actions():
                raise IllegalMove("impossible-outcome", legal=self.legal())
        elif type(move) is not int or move not in self._core.actions(mover):
            if type(move) is not int or not 0 <= move < self._core.move_ids:
                raise MalformedMove("no-such-move", move=_shown(move))
            code, params = self.spec.reason(self._core, mover, move)
            raise IllegalMove(code, legal=self.legal(mover), **params)

    def _apply(self, mover: int, move: int) -> None:
        self._check(mover, move)
        self._do(mover, move)
        self._settle()

    def _do(self, mover: int, move: int) -> None:
        step(self._core, mover, move)
        self._line.append(len(self._history))
        self._history.append((mover, move))

    def _settle(self) -> None:
        if self._source is not None:
            while self._core.chance:
                self._do(CHANCE, self._core.sample_outcome(self._source.next()))

    def _twin(self, history: History, source: Source | None) -> State:
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

    def __reduce__(self) -> tuple[Any, ...]:
        return _revive, (self.game, self.players, self.options, self.components, self._history, self._source)

    def __repr__(self) -> str:
        where = "over" if self.over else "chance" if self.chance else f"actors={self.actors}"
        return f"<tsukimi {self.game} players={self.players} events={len(self._history)} {where}>"


def _line(spec: Spec, before: Game, mover: int, move: int, after: Game) -> str:
    if mover == UNDO:
        return f"undo {move}"
    text = spec.text(before, mover, move)
    return text if mover == CHANCE else f"p{mover + 1} {text}"


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:60] + ".."


def _revive(game: str, players: int, options: Any, components: Any, history: History, source: Any) -> State:
    import tsukimi

    fresh = tsukimi.new(game, players=players, chance="manual", components=components, **options)
    return fresh._twin(history, source)
