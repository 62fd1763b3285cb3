# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""What every game is: a position made of plain data, played with whole numbers.

`Game` is the fast level. It knows no text, no history and no seed: `State` adds those.
A game overrides the upper half; the lower half is for Python callers and is the same for all.

Seats are 0-based, sets of seats are bit masks (bit s = seat s), a move or a chance outcome is an int.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from tsukimi.core.rng import Rng

MAX_PLAYERS = 5
MAX_MOVES = 8192


class Table:
    """The components of a game, read once and then never changed: many positions share one table."""


class Game:
    """One position. Subclasses hold C data only, and a reference to a `Table` in a field of their own."""

    def __init__(self, table: Table, players: int) -> None:
        self.table = table
        self.players = players
        self.max_moves = MAX_MOVES
        self.move_ids = 0
        self.observation_size = 0
        if cython.compiled:
            self.offset = cython.cast("char *", cython.address(self.players)) - cython.cast(
                "char *", cython.cast("void *", self)
            )
            self.size = type(self).__basicsize__ - self.offset

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
        """One legal move of a seat that may act, each as likely as the others."""
        moves: cython.int[8192]
        if not cython.compiled:
            moves = [0] * self.max_moves
        count = self.list_moves(seat, moves)
        return moves[rng.below(count)]

    def make_move(self, move, seat):
        """Carry out a move that is known to be legal."""

    def draw_outcome(self, rng):
        """Draw the waiting chance event's outcome by its law, and give it (nothing changes yet)."""
        return 0

    def make_outcome(self, outcome):
        """Carry out an outcome of the waiting chance event."""

    def resolve_chance(self, rng):
        """Draw and carry out chance events until none waits."""
        while self.at_chance():
            self.make_outcome(self.draw_outcome(rng))

    def score(self, seat):
        """What the game would count for that seat now, secrets included."""
        return 0

    def winner_mask(self):
        """The seats that would win if the game ended here, as a mask."""
        return 0

    def resample_hidden(self, seat, rng):
        """Draw anew all that this seat (-1: a spectator) cannot know, by the laws of chance."""

    def observe(self, seat, numbers):
        """Write what that seat knows as `observation_size` small numbers, for learning programs."""

    # ---- the same for all ------------------------------------------------------------------

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
        """Become the position kept in that slot of a block of positions."""
        if cython.compiled:
            data = cython.cast("char *", cython.cast("void *", self)) + self.offset
            memcpy(data, block + slot * self.size, self.size)
        else:
            self.copy_from(block[slot])

    def store(self, block, slot):
        """Keep this position in that slot of a block of positions."""
        if cython.compiled:
            data = cython.cast("char *", cython.cast("void *", self)) + self.offset
            memcpy(block + slot * self.size, data, self.size)
        else:
            block[slot].copy_from(self)

    def rollout(self, rng):
        """Play at random to the end; give the number of decisions made."""
        decisions = 0
        while not self.is_over():
            if self.at_chance():
                self.resolve_chance(rng)
            else:
                seat = self.first_actor()
                self.make_move(self.random_move(seat, rng), seat)
                decisions += 1
        return decisions

    # ---- for Python callers ----------------------------------------------------------------

    def spawn(self) -> Game:
        """Another position of the same table and players, at its start."""
        raise NotImplementedError

    def copy(self) -> Game:
        twin = self.spawn()
        twin.assign(self)
        return twin

    def assign(self, other: Game) -> None:
        if type(self) is not type(other) or self.table is not other.table:
            raise TypeError("only positions of the same game and table can be copied into each other")
        self.copy_from(other)

    def block_size(self) -> int:
        """How many bytes a position takes in a block (0 in plain Python, where a block is a list)."""
        return self.size if cython.compiled else 0

    @property
    def over(self) -> bool:
        return self.is_over()

    @property
    def chance(self) -> bool:
        return self.at_chance()

    @property
    def actors(self) -> tuple[int, ...]:
        mask = self.actor_mask()
        return tuple([seat for seat in range(self.players) if mask >> seat & 1])

    def actions(self, seat: cython.int) -> list[int]:
        moves: cython.int[8192]
        if not cython.compiled:
            moves = [0] * self.max_moves
        if not 0 <= seat < self.players:
            return []
        count = self.list_moves(seat, moves)
        return [moves[i] for i in range(count)]

    def apply(self, move: cython.int, seat: cython.int = -1) -> None:
        """Carry out a legal move of a seat or, without one, an outcome of the waiting chance event."""
        if seat < 0:
            self.make_outcome(move)
        else:
            self.make_move(move, seat)

    def random_action(self, seat: cython.int, rng: Rng) -> int:
        return self.random_move(seat, rng)

    def sample_outcome(self, rng: Rng) -> int:
        """An outcome of the waiting chance event, by its law; nothing changes yet."""
        return self.draw_outcome(rng)

    def sample_chance(self, rng: Rng) -> None:
        """Draw and carry out chance events until none waits."""
        self.resolve_chance(rng)

    def scores(self) -> list[int]:
        return [self.score(seat) for seat in range(self.players)]

    def winners(self) -> list[int]:
        mask = self.winner_mask()
        return [seat for seat in range(self.players) if mask >> seat & 1]

    def resample(self, seat: cython.int, rng: Rng) -> Game:
        """A position like this one, with all that the seat (-1: a spectator) cannot know drawn anew."""
        twin: Game = self.copy()
        twin.resample_hidden(seat, rng)
        return twin

    def observation(self, seat: cython.int) -> list[int]:
        numbers: cython.short[4096]
        if not cython.compiled:
            numbers = [0] * self.observation_size
        for i in range(self.observation_size):
            numbers[i] = 0
        self.observe(seat, numbers)
        return [int(numbers[i]) for i in range(self.observation_size)]

    def playout(self, rng: Rng) -> int:
        """Play at random to the end without the interpreter lock; give the number of decisions made."""
        with cython.nogil:
            decisions = self.rollout(rng)
        return decisions

    def playouts(self, rng: Rng, games: cython.int) -> int:
        """Random games from this position, again and again; the position is left as it was."""
        worker = self.spawn()
        return self._playouts(worker, rng, games)

    def _playouts(self, worker: Game, rng: Rng, games: cython.int) -> int:
        decisions: cython.longlong = 0
        with cython.nogil:
            for _ in range(games):
                worker.copy_from(self)
                decisions += worker.rollout(rng)
        return decisions

    def copies(self, other: Game, times: cython.int) -> None:
        """Copy to and fro, to measure what a copy costs."""
        if type(self) is not type(other) or self.table is not other.table:
            raise TypeError("only positions of the same game and table can be copied into each other")
        with cython.nogil:
            for _ in range(times):
                other.copy_from(self)
                self.copy_from(other)
