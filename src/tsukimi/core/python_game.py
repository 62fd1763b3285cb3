# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Games written in plain Python: `PythonGame` calls ordinary methods where other games run compiled code.

The position of such a game is a block of small integers, declared as class attributes:

    class Leduc(PythonGame):
        MOVES = ("fold", "call", "raise")
        card = PerSeat(names=("jack", "queen", "king"), start=-1, secret=True)
        pot = Cell(high=30)

So it is copied, compared, batched and pickled like every other position. docs/adding-a-game.md is the guide.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import cython

if not cython.compiled:
    from tsukimi.core.game import Game
    from tsukimi.core.rng import Rng

    # The same as in python_game.pxd. The first cells of every position are its own:
    STATUS = 0  # CHANCE, OVER, FIRST or SEATS
    ACTORS = 1  # the seats that may decide, as a mask
    FIRST_OPTION = 2  # the option `first`: a seat, or -1 for "random"
    OPTION_CELLS = 3  # which value each option has
    RESERVED = 12
    MAX_CELLS = 2048

    CHANCE = -1
    OVER = -2
    FIRST = -3
    SEATS = 0

FIELDS_OF_GAME = {
    "table",
    "players",
    "max_moves",
    "move_ids",
    "observation_size",
    "failure",
    "failed",
    "cells",
    "offset",
    "size",
}


class Cell:
    """One small integer of a position.

    `low` and `high` bound it; `names` are the names of its values 0, 1, .. in views, and -1 is then an empty place;
    `start` is its value before `begin`, by default the lowest; nobody sees a `secret` one; `meaning` is for the
    documentation.
    """

    def __init__(
        self,
        low: int | None = None,
        high: int | None = None,
        names: Sequence[str] = (),
        start: int | None = None,
        secret: bool = False,
        meaning: str = "",
    ) -> None:
        self._declare(1, 1, False, low, high, names, start, secret, meaning)

    def _declare(
        self,
        length: int,
        each: int,
        per_seat: bool,
        low: int | None,
        high: int | None,
        names: Sequence[str],
        start: int | None,
        secret: bool,
        meaning: str,
    ) -> None:
        self.name, self.offset, self.length, self.each, self.per_seat = "", 0, length, each, per_seat
        self.names, self.secret, self.meaning = tuple(names), secret, meaning
        lowest = (-1 if names else 0) if low is None else low
        self.start = lowest if start is None else start
        self.low = min(lowest, self.start)
        self.high = high if high is not None else len(self.names) - 1 if names else 32767
        if length < 1 or each < 1 or not -32768 <= self.low <= self.start <= self.high <= 32767:
            raise ValueError("a cell holds a 16-bit integer between its `low` and `high`")

    def __set_name__(self, owner: Any, name: str) -> None:
        self.name = name
        self.offset = owner.USED
        owner.USED = self.offset + self.length
        owner.CELLS = (*owner.CELLS, self)
        if owner.USED > MAX_CELLS:
            raise ValueError(f"a position has at most {MAX_CELLS - RESERVED} cells")

    def checked(self, value):
        number = operator.index(value)
        if not self.low <= number <= self.high:
            raise ValueError(f"{self.name} is {self.low}..{self.high}, not {number}")
        return number

    def __get__(self, game: Any, owner: Any) -> Any:
        if game is None:
            return self
        here: PythonGame = _position(game)
        return here.cells[self.offset]

    def __set__(self, game: Any, value: Any) -> None:
        here: PythonGame = _position(game)
        here.cells[self.offset] = self.checked(value)

    def empty(self, value: int) -> bool:
        """Whether the place is visibly empty: a negative value where the others have names."""
        return bool(self.names) and value < 0

    def word(self, value: int) -> object:
        """A value as views show it."""
        if not self.names:
            return value
        return None if self.empty(value) else self.names[value]


class Cells(Cell):
    """Several small integers: an attribute that can be indexed, sliced and iterated over like a fixed-length list."""

    def __init__(
        self,
        length: int,
        low: int | None = None,
        high: int | None = None,
        names: Sequence[str] = (),
        start: int | None = None,
        secret: bool = False,
        meaning: str = "",
    ) -> None:
        self._declare(length, length, False, low, high, names, start, secret, meaning)

    def __get__(self, game: Any, owner: Any) -> Any:
        return self if game is None else _cells(_position(game), self, self.offset, self.length)

    def __set__(self, game: Any, value: Any) -> None:
        CellArray(game, self, self.offset, self.length)[:] = value


class PerSeat(Cell):
    """`each` small integers for every seat: `game.hand[seat]` is a number, or a fixed-length list if `each` > 1.

    If it is `secret`, every seat sees only its own, and what `knows` adds.
    """

    def __init__(
        self,
        each: int = 1,
        low: int | None = None,
        high: int | None = None,
        names: Sequence[str] = (),
        start: int | None = None,
        secret: bool = False,
        meaning: str = "",
    ) -> None:
        self._declare(5 * each, each, True, low, high, names, start, secret, meaning)

    def __get__(self, game: Any, owner: Any) -> Any:
        if game is None:
            return self
        if self.each == 1:
            here: PythonGame = _position(game)
            return _cells(here, self, self.offset, here.players)
        return tuple(self.of(game, seat) for seat in range(game.players))

    def __set__(self, game: Any, value: Any) -> None:
        for seat, one in enumerate(_exactly(value, game.players)):
            self.of(game, seat)[:] = (one,) if self.each == 1 else one

    def of(self, game: Any, seat: int) -> CellArray:
        """What belongs to one seat."""
        return CellArray(game, self, self.offset + seat * self.each, self.each)


class CellArray:
    """Some cells of a position, read and written like a fixed-length list."""

    def __init__(self, game: PythonGame, cell: Cell, offset: int, length: int) -> None:
        if not 0 <= offset <= offset + length <= MAX_CELLS:
            raise ValueError("there are no such cells")
        _position(game)
        self.game, self.cell, self.offset, self.length = game, cell, offset, length

    def __len__(self) -> int:
        return self.length  # 0 before `__init__`, so that no cell of no position is reached

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(self)[index]
        return self.game.cells[self.offset + self._place(index)]

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            places = range(self.length)[index]
            numbers = [self.cell.checked(one) for one in _exactly(value, len(places))]
            for place, number in zip(places, numbers, strict=True):
                self.game.cells[self.offset + place] = number
        else:
            place = self._place(index)
            self.game.cells[self.offset + place] = self.cell.checked(value)

    def _place(self, index):
        place: cython.Py_ssize_t = operator.index(index)
        if place < 0:
            place += self.length
        if not 0 <= place < self.length:
            raise IndexError(f"there are {self.length} cells")
        return place

    def __iter__(self) -> Iterator[int]:
        return iter([self.game.cells[self.offset + place] for place in range(self.length)])

    def __contains__(self, value: object) -> bool:
        return value in list(self)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, CellArray | list | tuple) else NotImplemented

    def __repr__(self) -> str:
        return repr(list(self))

    def count(self, value: int) -> int:
        return list(self).count(value)

    def index(self, value: int) -> int:
        return list(self).index(value)


def _position(game):
    if not isinstance(game, PythonGame):
        raise TypeError(f"cells belong to a PythonGame, not to {type(game).__name__}")
    return game


def _cells(game, cell, offset, length):
    """A `CellArray` of cells that are known to exist."""
    made: CellArray = CellArray.__new__(CellArray)
    made.game, made.cell, made.offset, made.length = game, cell, offset, length
    return made


def _exactly(values: Iterable[Any], count: int) -> list[Any]:
    found = list(values)
    if len(found) != count:
        raise ValueError(f"{count} values are needed, not {len(found)}")
    return found


class PythonGame(Game):
    """A position whose rules are Python methods: override those in the first part, and declare cells."""

    MOVES: Sequence[str] = ()
    """The texts of the moves; move number n is MOVES[n]. Or set MOVE_IDS and override `move_text`."""
    MOVE_IDS = 0
    OPTIONS: Mapping[str, Sequence[str]] = {}
    """The game's options and their values, the first being the default."""
    USED = RESERVED
    CELLS: tuple[Cell, ...] = ()

    # ---- what a game overrides -------------------------------------------------------------

    def begin(self, first: int) -> None:
        """Set up the position; `first` is the starting player. Set `turn` here."""
        raise NotImplementedError("a game needs `begin`")

    def legal_moves(self, seat: int) -> Collection[int]:
        """The legal moves of a seat that may decide now."""
        raise NotImplementedError("a game needs `legal_moves`")

    def on_move(self, move: int, seat: int) -> None:
        """Carry out a legal move."""
        raise NotImplementedError("a game needs `on_move`")

    def chance_outcomes(self) -> Mapping[int, float]:
        """The outcomes of the pending chance event, each with its weight (with any sum; integers are exact)."""
        return {}

    def on_outcome(self, outcome: int) -> None:
        """Carry out an outcome of the pending chance event."""

    def points(self, seat: int) -> int:
        """The seat's score as it would count now."""
        return 0

    def leaders(self) -> Iterable[int]:
        """Who would win if the game ended here: those with the most points."""
        points = [self.points(seat) for seat in range(self.players)]
        return [seat for seat in range(self.players) if points[seat] == max(points)]

    def resample_secrets(self, seat: int, rng: Rng) -> None:
        """Resample everything that this seat (-1: a spectator) cannot know, with the right probabilities."""

    def knows(self, seat: int, owner: int) -> bool:
        """Whether a seat (-1: a spectator) sees the secret cells of an owner."""
        return seat == owner

    def sees_outcome(self, outcome: int, seat: int) -> bool:
        """Whether a seat (-1: a spectator) sees which outcome the pending chance event has."""
        return True

    def sees_move(self, move: int, mover: int, seat: int) -> bool:
        """Whether a seat (-1: a spectator) other than the mover sees which move is made."""
        return True

    def move_text(self, move: int) -> str:
        """A move in notation."""
        return self.MOVES[move]

    def outcome_text(self, outcome: int) -> str:
        """An outcome of the pending chance event in notation."""
        return f"chance {outcome}"

    def phase(self) -> str:
        """The current phase of the game."""
        return {CHANCE: "chance", FIRST: "chance", OVER: "over"}.get(self.cells[STATUS], "play")

    def ask(self) -> str:
        """The key of the question to those who may decide, in the table [ask] of the messages."""
        return "move"

    # ---- what it may use -------------------------------------------------------------------

    @property
    def turn(self) -> Any:
        """Who decides: a seat, several seats as a tuple, or CHANCE or OVER."""
        if self.cells[STATUS] != SEATS:
            return OVER if self.cells[STATUS] == OVER else CHANCE
        seats = tuple([seat for seat in range(self.players) if self.cells[ACTORS] >> seat & 1])
        return seats[0] if len(seats) == 1 else seats

    @turn.setter
    def turn(self, value: Any) -> None:
        if isinstance(value, int):
            seats: tuple[Any, ...] = (value,)
        else:
            seats = tuple(value) if isinstance(value, Iterable) else (operator.index(value),)
        if seats in ((CHANCE,), (OVER,)):
            self.cells[STATUS], self.cells[ACTORS] = seats[0], 0
            return
        mask = 0
        for seat in seats:
            if not 0 <= operator.index(seat) < self.players:
                raise ValueError(f"turn is a seat, some seats, CHANCE or OVER, not {value!r}")
            mask |= 1 << seat
        if not mask:
            raise ValueError(f"turn is a seat, some seats, CHANCE or OVER, not {value!r}")
        self.cells[STATUS], self.cells[ACTORS] = SEATS, mask

    @property
    def first_waits(self) -> bool:
        """Whether the pending chance event is the draw of the starting player."""
        return self.cells[STATUS] == FIRST

    @property
    def options(self) -> dict[str, str]:
        """The value of every option of this game."""
        first = self.cells[FIRST_OPTION]
        chosen = {"first": "random" if first < 0 else f"p{first + 1}"}
        for place, (name, values) in enumerate(self.OPTIONS.items()):
            chosen[name] = values[self.cells[OPTION_CELLS + place]]
        return chosen

    # ---- the same for all games ------------------------------------------------------------

    def __init__(self, table: Any, players: object, options: Mapping[str, str] | None = None) -> None:
        super().__init__(table, players)
        if cython.compiled:
            here = cython.cast("char *", cython.address(self.cells[0]))
            self.offset = here - cython.cast("char *", cython.cast("void *", self))
            self.size = 2 * cython.cast(cython.int, type(self).USED)
        else:
            self.cells = [0] * self.USED
        self.move_ids = len(self.MOVES) or self.MOVE_IDS
        self.max_moves = min(self.move_ids, 8192)
        self.observation_size = 2 + sum([_observed(cell, self.players) for cell in self.CELLS])
        if self.observation_size > 4096 or len(self.OPTIONS) > RESERVED - OPTION_CELLS:
            raise ValueError("an observation has at most 4096 numbers, a game at most 9 options")
        for cell in self.CELLS:
            for place in range(cell.length):
                self.cells[cell.offset + place] = cell.start
        chosen = options or {}
        for place, (name, values) in enumerate(self.OPTIONS.items()):
            self.cells[OPTION_CELLS + place] = list(values).index(chosen.get(name, values[0]))
        first = chosen.get("first", "random")
        self.cells[FIRST_OPTION] = -1 if first == "random" else int(first[1:]) - 1
        self.cells[STATUS] = FIRST
        if first != "random":
            self.start_with(self.cells[FIRST_OPTION])

    def start_with(self, first: int) -> None:
        self.cells[STATUS] = FIRST
        self.begin(first)
        if self.cells[STATUS] == FIRST:
            raise ValueError("`begin` must set `turn`")

    def has_typed_table(self):
        return False

    def __setattr__(self, name: str, value: object) -> None:
        if not hasattr(type(self), name) and (cython.compiled or name not in FIELDS_OF_GAME):
            raise AttributeError(f"a position's data are cells: declare `{name} = Cell()` in the class")
        if cython.compiled:
            PyObject_GenericSetAttr(self, name, value)
        else:
            object.__setattr__(self, name, value)

    def fail(self, problem):
        """Keep an exception from the game's methods; the Python call that led there raises it."""
        if not cython.compiled:
            raise problem
        if not self.failed:
            self.failure = problem
            self.failed = True

    def is_over(self):
        return self.failed or self.cells[STATUS] == OVER

    def at_chance(self):
        return not self.failed and (self.cells[STATUS] == CHANCE or self.cells[STATUS] == FIRST)

    def actor_mask(self):
        if self.failed or self.cells[STATUS] != SEATS:
            return 0
        return self.cells[ACTORS]

    def list_moves(self, seat, moves):
        if not self.actor_mask() >> seat & 1:
            return 0
        with cython.gil:
            return self.write_moves(seat, moves)

    def write_moves(self, seat, moves):
        try:
            count: cython.int = 0
            for move in self.legal_moves(seat):
                number = operator.index(move)
                if count == self.max_moves or not 0 <= number < self.move_ids:
                    count = 0
                    break
                moves[count] = number
                count += 1
            if not count:
                raise ValueError(f"legal_moves must return 1 to {self.max_moves} moves below {self.move_ids}")
            return count
        except BaseException as problem:
            self.fail(problem)
        return 0

    def make_move(self, move, seat):
        if self.failed:
            return
        with cython.gil:
            try:
                self.on_move(move, seat)
            except BaseException as problem:
                self.fail(problem)

    def draw_outcome(self, rng):
        if self.cells[STATUS] == FIRST:
            return rng.below(self.players)
        outcome: cython.int = 0
        with cython.gil:
            try:
                outcome = draw(self.chance_outcomes(), rng)
            except BaseException as problem:
                self.fail(problem)
        return outcome

    def outcome_possible(self, outcome):
        if self.cells[STATUS] == FIRST:
            return 0 <= outcome < self.players
        possible: cython.bint = False
        with cython.gil:
            try:
                possible = self.chance_outcomes().get(outcome, 0) > 0
            except BaseException as problem:
                self.fail(problem)
        return possible

    def make_outcome(self, outcome):
        if self.failed:
            return
        with cython.gil:
            try:
                if self.cells[STATUS] == FIRST:
                    self.start_with(outcome)
                else:
                    self.on_outcome(outcome)
            except BaseException as problem:
                self.fail(problem)

    def score(self, seat):
        points: cython.int = 0
        with cython.gil:
            try:
                points = operator.index(self.points(seat))
            except BaseException as problem:
                self.fail(problem)
        return points

    def winner_mask(self):
        mask: cython.uint = 0
        with cython.gil:
            try:
                mask = _mask(self.leaders())
            except BaseException as problem:
                self.fail(problem)
        return mask

    def resample_hidden(self, seat, rng):
        if self.failed or self.cells[STATUS] == FIRST:
            return
        with cython.gil:
            try:
                self.resample_secrets(seat, rng)
            except BaseException as problem:
                self.fail(problem)

    def observe(self, seat, numbers):
        """The seat, who is to decide, then every cell that is not secret, and what the seat knows of the others."""
        with cython.gil:
            self.write_numbers(seat, numbers)

    def write_numbers(self, seat, numbers):
        """One below a cell's lowest value stands for a value that the seat does not see."""
        numbers[0] = seat
        numbers[1] = self.cells[ACTORS]
        written: cython.int = 2
        try:
            for declared in self.CELLS:
                cell: Cell = declared
                if cell.secret and not cell.per_seat:
                    continue
                for owner in range(self.players if cell.per_seat else 1):
                    known: cython.bint = not cell.secret or self.knows(seat, owner)
                    start = cell.offset + owner * cell.each
                    for place in range(start, start + cell.each):
                        value = self.cells[place]
                        numbers[written] = value if known or (value < 0 and cell.names) else cell.low - 1
                        written += 1
        except BaseException as problem:
            self.fail(problem)


def _observed(cell: Cell, players: int) -> int:
    """How many numbers a cell has in an observation."""
    if cell.per_seat:
        return cell.each * players
    return 0 if cell.secret else cell.length


def _mask(seats: Iterable[int]) -> int:
    return sum({1 << operator.index(seat) for seat in seats})


def draw(weights: Mapping[int, float], rng: Rng) -> int:
    """A random key of a mapping, with probability proportional to its weight; for `resample_secrets`."""
    total = sum(weights.values())
    if not total > 0 or min(weights.values()) < 0:
        raise ValueError("chance_outcomes must return weights above 0 while chance has the turn")
    if isinstance(total, int):
        place = rng.randrange(total)
    else:
        place = rng.number() / 2**64 * total
    for outcome, weight in weights.items():
        place -= weight
        if place < 0:
            return outcome
    return max(weights, key=weights.get)
