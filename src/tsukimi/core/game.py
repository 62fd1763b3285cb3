# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""The base of every game: a position made of plain data, played with integers.

`Game` is the fast level. It has no text, no history and no seed: `State` adds those.
A game overrides the upper half; the lower half is for Python callers and is the same for all.

Seats are 0-based, sets of seats are bit masks (bit s = seat s), a move or a chance outcome is an int.
"""

from __future__ import annotations

import hashlib
import pickle
from typing import Any

import cython

from tsukimi.core.checks import between, number_of, observer_of, seat_of, shown
from tsukimi.core.errors import BadOptions, IllegalMove, MalformedMove, NotYourTurn
from tsukimi.core.source import rng_of

if not cython.compiled:
    from tsukimi.core.rng import Rng

CHANCE = -1
HEAP_TYPE = 1 << 9
BUILD = 1  # of the data in pickled positions: increase it when fields change
_UNUSED = object()
MAX_PLAYERS = 5
MAX_MOVES = 8192


class Table:
    """The components of a game, read once and never changed: many positions share one table.

    `data` is the component data of a game that needs nothing faster; `origin` says where the table comes from
    (game, players, custom components or None), so that a position can be pickled.
    """

    if not cython.compiled:
        data: Any = None
        origin: Any = None
        made = False

    def __init__(self, data: Any = None) -> None:
        self.data = data

    def make_once(self) -> None:
        """Positions rely on their table being unchanged: it cannot be initialised twice."""
        if self.made:
            raise TypeError("a table can be initialised only once")
        self.made = True


class Game:
    """One position. A subclass declares a reference to its `Table` first, followed by C data only.

    Its `__init__` sets `move_ids` when everything else that compiled code relies on is in place.
    """

    if not cython.compiled:
        table = None
        move_ids = 0

    def __init__(self, table: Table, players: object) -> None:
        if self.table is not None:
            raise TypeError("a position can be initialised only once")
        if not isinstance(table, Table):
            raise TypeError(f"a position needs a table of components, not {type(table).__name__}")
        self.players = between("players", players, 1, MAX_PLAYERS)
        self.table = table
        self.max_moves = MAX_MOVES
        self.move_ids = 0
        self.observation_size = 0
        self.failure = None
        self.failed = False
        if cython.compiled:
            self.offset = cython.cast("char *", cython.address(self.players)) - cython.cast(
                "char *", cython.cast("void *", self)
            )
            kind = type(self)
            while kind.__flags__ & HEAP_TYPE:  # a Python subclass adds the interpreter's own pointers
                kind = kind.__base__
            self.size = kind.__basicsize__ - self.offset

    # ---- what a game overrides -------------------------------------------------------------

    def is_over(self):
        """Whether the game has ended."""
        return True

    def at_chance(self):
        """Whether a chance event waits."""
        return False

    def actor_mask(self):
        """The seats that may decide now, as a mask; 0 at chance and at the end."""
        return 0

    def list_moves(self, seat, moves):
        """Write every legal move of that seat into `moves`; give their number (0 when it may not act)."""
        return 0

    def random_move(self, seat, rng):
        """One legal move of a seat that may act, uniformly at random."""
        moves: cython.int[8192]
        if not cython.compiled:
            moves = [0] * self.max_moves
        count = self.list_moves(seat, moves)
        return moves[rng.below(count)]

    def make_move(self, move, seat):
        """Carry out a move that is known to be legal."""

    def draw_outcome(self, rng):
        """Draw an outcome of the pending chance event (nothing changes yet)."""
        return 0

    def outcome_possible(self, outcome):
        """Whether the pending chance event can have this outcome."""
        return False

    def make_outcome(self, outcome):
        """Carry out an outcome of the pending chance event."""

    def resolve_chance(self, rng):
        """Draw and execute chance events until none is pending."""
        while self.at_chance():
            self.make_outcome(self.draw_outcome(rng))

    def score(self, seat):
        """The seat's score as it would count now, including hidden points."""
        return 0

    def winner_mask(self):
        """The seats that would win if the game ended here, as a mask."""
        return 0

    def resample_hidden(self, seat, rng):
        """Resample everything that this seat (-1: a spectator) cannot know, with the right probabilities."""

    def observe(self, seat, numbers):
        """Write what that seat knows as `observation_size` small numbers, for learning."""

    # ---- the same for all games -----------------------------------------------------------------

    def copy_from(self, other):
        """Become equal to a position of the same table and players."""
        if cython.compiled:
            memcpy(
                cython.cast("char *", cython.cast("void *", self)) + self.offset,
                cython.cast("char *", cython.cast("void *", other)) + self.offset,
                self.size,
            )
        else:
            for name, value in vars(other).items():
                setattr(self, name, value[:] if type(value) is list else value)

    def first_actor(self):
        """The lowest seat that may decide; -1 if there is none."""
        actors = self.actor_mask()
        if actors == 0:
            return -1
        seat = 0
        while not actors >> seat & 1:
            seat += 1
        return seat

    def load(self, block, slot):
        """Load the position in that slot of a block of positions."""
        if cython.compiled:
            data = cython.cast("char *", cython.cast("void *", self)) + self.offset
            memcpy(data, block + slot * self.size, self.size)
        else:
            self.copy_from(block[slot])

    def store(self, block, slot):
        """Store this position in that slot of a block of positions."""
        if cython.compiled:
            data = cython.cast("char *", cython.cast("void *", self)) + self.offset
            memcpy(block + slot * self.size, data, self.size)
        else:
            block[slot].copy_from(self)

    def rollout(self, rng):
        """Play randomly to the end; return the number of decisions made."""
        decisions = 0
        while not self.is_over():
            if self.at_chance():
                self.resolve_chance(rng)
            else:
                seat = self.first_actor()
                self.make_move(self.random_move(seat, rng), seat)
                decisions += 1
        return decisions

    def has_typed_table(self):
        """Whether the data start with a reference to the table: the field that subclasses declare first."""
        if not cython.compiled:
            return False
        place = cython.cast("char *", cython.cast("void *", self)) + self.typed_table_offset()
        return cython.cast("void **", place)[0] == cython.cast("void *", self.table)

    def typed_table_offset(self):
        here = cython.cast("char *", cython.cast("void *", self))
        end = cython.cast("char *", cython.address(self.observation_size)) + cython.sizeof(cython.int)
        return end - here

    def restore(self, data):
        """Become the position with these data."""
        if not cython.compiled:
            for name, value in pickle.loads(data):
                setattr(self, name, value)
            return
        if len(data) != self.size:
            raise BadOptions("wrong-data", kind=type(self).__name__)
        typed = self.has_typed_table()
        start: cython.p_char = data
        here = cython.cast("char *", cython.cast("void *", self)) + self.offset
        memcpy(here, start, self.size)
        if typed:
            place = cython.cast("char *", cython.cast("void *", self)) + self.typed_table_offset()
            cython.cast("void **", place)[0] = cython.cast("void *", self.table)

    # ---- for Python callers: checked ---------------------------------------------------------

    def copy(self) -> Game:
        self.ready()
        twin: Game = type(self).__new__(type(self))
        if cython.compiled:
            twin.table, twin.offset, twin.size = self.table, self.offset, self.size
            twin.players, twin.max_moves = self.players, self.max_moves
            twin.move_ids, twin.observation_size = self.move_ids, self.observation_size
            if self.has_typed_table():  # the reference that is about to be copied with the data
                Py_INCREF(self.table)
                Py_DECREF(None)
        twin.copy_from(self)
        return twin

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        if self.data() != other.data():  # which ensures that both are initialised
            return False
        return self.table is other.table or (self.table.origin is not None and self.table.origin == other.table.origin)

    def __hash__(self) -> int:
        return hash(self.data())

    def __reduce__(self) -> tuple[Any, ...]:
        self.ready()
        if self.table.origin is None:
            raise TypeError("a position whose table was created by hand cannot be pickled")
        data = self.data()
        return _revive, (self.table.origin, data, checksum(self, data))

    def data(self) -> bytes:
        """Everything the position consists of apart from its table, as bytes of this build."""
        self.ready()
        if not cython.compiled:
            values = {name: value for name, value in vars(self).items() if value is not self.table}
            return pickle.dumps([(name, values[name]) for name in sorted(values) if not name.startswith("fail")])
        here = cython.cast("char *", cython.cast("void *", self)) + self.offset
        block = bytearray(here[: self.size])
        if self.has_typed_table():
            place = self.typed_table_offset() - self.offset
            block[place : place + cython.sizeof(cython.p_void)] = bytes(cython.sizeof(cython.p_void))
        return bytes(block)

    def assign(self, other: Game) -> None:
        """Become equal to another position of the same game, table and players."""
        self.same_kind(other)
        self.copy_from(other)

    def block_size(self) -> int:
        """How many bytes a position takes in a block (0 in plain Python, where a block is a list)."""
        return self.size if cython.compiled else 0

    @property
    def over(self) -> bool:
        self.ready()
        over = bool(self.is_over())
        self.raise_failure()
        return over

    @property
    def chance(self) -> bool:
        self.ready()
        chance = bool(self.at_chance())
        self.raise_failure()
        return chance

    @property
    def actors(self) -> tuple[int, ...]:
        self.ready()
        mask = self.actor_mask()
        self.raise_failure()
        return tuple([seat for seat in range(self.players) if mask >> seat & 1])

    def actions(self, seat: object = None) -> list[int]:
        """The legal moves of a seat (default: the first that may act); [] for one that may not act."""
        moves: cython.int[8192]
        self.ready()
        if not cython.compiled:
            moves = [0] * self.max_moves
        mover: cython.int = self.first_actor() if seat is None else observer_of(seat, self.players)
        if mover < 0 or not self.actor_mask() >> mover & 1:
            self.raise_failure()
            return []
        count = self.list_moves(mover, moves)
        self.raise_failure()
        return [moves[i] for i in range(count)]

    def apply(self, move: object, seat: object = None) -> None:
        """Make a legal move for a seat (default: the first that may act); at chance, without a seat, an outcome."""
        self.ready()
        number: cython.int = number_of(move)
        if self.at_chance():
            if seat is not None and seat != CHANCE:
                raise NotYourTurn("chance-waits")
            if not self.outcome_possible(number):
                self.raise_failure()
                raise IllegalMove("impossible-outcome")
            self.make_outcome(number)
        else:
            mover: cython.int = self.mover(seat)
            if not self.move_legal(number, mover):
                self.raise_failure()
                if not 0 <= number < self.move_ids:
                    raise MalformedMove("no-such-move", move=shown(move))
                raise IllegalMove("illegal-now", move=number)
            self.make_move(number, mover)
        self.raise_failure()

    def random_action(self, seat: object, rng: Rng) -> int:
        """One legal move of a seat that may act, uniformly at random."""
        self.ready(rng)
        mover: cython.int = self.mover(seat)
        move = self.random_move(mover, rng)
        self.raise_failure()
        return move

    def sample_outcome(self, rng: Rng) -> int:
        """An outcome of the pending chance event, drawn by its probability; nothing changes yet."""
        self.ready(rng)
        if not self.at_chance():
            self.raise_failure()
            raise NotYourTurn("no-chance-waits")
        outcome = self.draw_outcome(rng)
        self.raise_failure()
        return outcome

    def sample_chance(self, rng: Rng) -> None:
        """Draw and execute chance events until none is pending."""
        self.ready(rng)
        self.resolve_chance(rng)
        self.raise_failure()

    def scores(self) -> list[int]:
        """The scores as they would count now, including hidden points."""
        self.ready()
        scores = [self.score(seat) for seat in range(self.players)]
        self.raise_failure()
        return scores

    def winners(self) -> list[int]:
        """The seats that would win if the game ended here."""
        self.ready()
        mask = self.winner_mask()
        self.raise_failure()
        return [seat for seat in range(self.players) if mask >> seat & 1]

    def resample(self, seat: object, seed: Any = None) -> Game:
        """A copy of this position with everything that the seat (None: a spectator) cannot know resampled."""
        self.ready()
        observer: cython.int = observer_of(seat, self.players)
        rng: Rng = seed if isinstance(seed, Rng) else rng_of(seed)
        twin: Game = self.copy()
        twin.resample_hidden(observer, rng)
        twin.raise_failure()
        return twin

    def observation(self, seat: object) -> list[int]:
        """What that seat (None: a spectator) knows, as small numbers for learning."""
        numbers: cython.short[4096]
        self.ready()
        if not cython.compiled:
            numbers = [0] * self.observation_size
        observer: cython.int = observer_of(seat, self.players)
        for i in range(self.observation_size):
            numbers[i] = 0
        self.observe(observer, numbers)
        self.raise_failure()
        return [int(numbers[i]) for i in range(self.observation_size)]

    def playout(self, rng: Rng) -> int:
        """Play randomly to the end without the GIL; return the number of decisions made."""
        self.ready(rng)
        with cython.nogil:
            decisions = self.rollout(rng)
        self.raise_failure()
        return decisions

    def playouts(self, rng: Rng, games: object) -> int:
        """Random games from this position, repeatedly; the position is left unchanged."""
        self.ready(rng)
        worker: Game = self.copy()
        times: cython.int = between("games", games, 1, 2**31 - 1)
        decisions: cython.longlong = 0
        with cython.nogil:
            for _ in range(times):
                worker.copy_from(self)
                decisions += worker.rollout(rng)
        worker.raise_failure()
        return decisions

    def copies(self, other: Game, times: object) -> None:
        """Copy back and forth, to measure the cost of a copy."""
        self.same_kind(other)
        count: cython.int = between("times", times, 1, 2**31 - 1)
        with cython.nogil:
            for _ in range(count):
                other.copy_from(self)
                self.copy_from(other)

    def raise_failure(self) -> None:
        """Raise the exception of a game's Python methods that compiled code could not propagate."""
        if self.failed:
            problem, self.failure, self.failed = self.failure, None, False
            raise problem

    # ---- the checks ----------------------------------------------------------------------------

    def ready(self, rng=_UNUSED):
        """Refuse a position that was not initialised, or something that is not a generator."""
        if self.move_ids < 1:
            raise TypeError("this position was not initialised")
        if rng is not _UNUSED and not isinstance(rng, Rng):
            raise TypeError(f"a generator (tsukimi.core.rng.Rng) is needed, not {type(rng).__name__}")

    def same_kind(self, other):
        self.ready()
        if type(self) is not type(other) or self.table is not other.table:
            raise TypeError("only positions of the same game and table can be copied into each other")
        if self.players != other.players:
            raise TypeError("only positions with the same number of players can be copied into each other")

    def check_seat(self, seat):
        """Refuse a seat that does not exist; for subclasses' own methods."""
        self.ready()
        if not 0 <= seat < self.players:
            raise BadOptions("no-such-seat", seat=str(seat), players=self.players)

    def mover(self, seat):
        """The seat to move: the requested one if it may act now, by default the first that may."""
        actors = self.actor_mask()
        if actors == 0:
            self.raise_failure()
            raise NotYourTurn("chance-waits" if self.at_chance() else "game-over")
        mover: cython.int = self.first_actor() if seat is None else seat_of(seat, self.players)
        if not actors >> mover & 1:
            raise NotYourTurn("not-your-turn", who=", ".join([f"p{seat + 1}" for seat in self.actors]))
        return mover

    def move_legal(self, move, seat):
        """Whether a seat that may act has this move."""
        moves: cython.int[8192]
        if not cython.compiled:
            moves = [0] * self.max_moves
        count = self.list_moves(seat, moves)
        for i in range(count):
            if moves[i] == move:
                return True
        return False


def checksum(game: Game, data: bytes) -> bytes:
    """A checksum used to refuse data from another build: compiled code relies on them."""
    kind = f"{type(game).__qualname__} {game.players} {cython.compiled} {BUILD}".encode()
    return hashlib.blake2b(data, digest_size=16, key=hashlib.sha256(kind).digest()).digest()


def _revive(origin: tuple[str, int, Any], data: bytes, expected: bytes) -> Game:
    """An unpickled position."""
    import tsukimi

    name, players, components = origin
    game: Game = tsukimi.new(name, players, chance="manual", components=components).core
    if type(data) is not bytes or checksum(game, data) != expected:
        raise BadOptions("wrong-data", kind=type(game).__name__)
    game.restore(data)
    return game
