# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Thousands of games stepped together: moves, legal moves, observations and rewards in NumPy arrays.

A batch holds its positions in one block of memory and steps them in chunks, one per thread, without the
interpreter lock. Each game has a generator of its own, so the result does not depend on the number of threads.
"""

from __future__ import annotations

import weakref
from itertools import pairwise
from threading import Lock, Thread
from typing import Any

import cython
import numpy as np

from tsukimi.core.checks import between, seat_of, shown
from tsukimi.core.errors import BadOptions, IllegalMove
from tsukimi.core.game import checksum

if not cython.compiled:
    from tsukimi.core.game import Game
    from tsukimi.core.rng import Rng


REWARDS = ("win", "score", "rank")
OBSERVERS = ("actor", "all")
WIN = 0  # places in REWARDS
SCORE = 1
RESTARTS = 1000  # tries to begin a game in which a given seat decides anything
STEP = 1  # orders to a thread
END = 2
PATIENCE = 200_000  # nanoseconds that a thread looks out for its next order before it sleeps: waking takes 50,000


def view_of(array: Any) -> Any:
    """An array whose items are plain Python numbers when it is read uncompiled."""
    return array if cython.compiled else memoryview(array)


def read_only(array: Any) -> Any:
    """The same numbers, not to be written: the batch relies on them."""
    view = array.view()
    view.flags.writeable = False
    return view


class Chunk:
    """The games from `low` to `high`, stepped by one thread."""

    def __init__(self, start: Game, low: int, high: int) -> None:
        self.bound = False
        self.start = start
        self.worker = start.copy()
        self.rng = Rng(0)
        self.low = low
        self.high = high
        self.used = 0
        self.room(4096)

    def room(self, size):
        """Make room for that many legal moves, keeping what is there."""
        grown = np.zeros(size, np.int32)
        if self.used:
            grown[: self.used] = self.moves_array[: self.used]
        self.moves_array = grown
        self.moves = view_of(grown)

    def bind(self, block, arrays):
        """Work on these positions and arrays from now on."""
        self.block_array = block
        if cython.compiled:
            self.block_view = block
            self.block = cython.cast("char *", cython.address(self.block_view[0]))
        else:
            self.block = block
        self.generators = view_of(arrays["generators"])
        self.actors = view_of(arrays["actors"])
        self.counts = view_of(arrays["counts"])
        self.chosen = view_of(arrays["chosen"])
        self.over = view_of(arrays["over"])
        self.rewards = view_of(arrays["rewards"])
        self.scores = view_of(arrays["scores"])
        self.fresh = view_of(arrays["fresh"])
        self.seats = view_of(arrays["seats"])
        self.observations = view_of(arrays["observations"])
        self.terminal = "terminal" in arrays
        self.terminal_observations = view_of(arrays["terminal" if self.terminal else "observations"])
        self.masked = "masks" in arrays
        if self.masked:
            self.masks = view_of(arrays["masks"])
        self.onehot = "encoded" in arrays
        if self.onehot:
            self.columns = view_of(arrays["columns"])
            self.lows = view_of(arrays["lows"])
            self.spans = view_of(arrays["spans"])
            self.encoded = view_of(arrays["encoded"])
            self.terminal_encoded = view_of(arrays["terminal_encoded" if self.terminal else "encoded"])
        self.bound = True

    def configure(self, reward, everybody, random_seats):
        """Which rewards to give, whether to observe for all seats or for the actor alone, and whether each game draws
        the seat that is asked."""
        self.reward_kind = reward
        self.everybody = everybody
        self.random_seats = random_seats

    def begin(self) -> None:
        self.check_bound()
        with cython.nogil:
            self.begin_games()
        self.worker.raise_failure()
        self.refresh()

    def check_bound(self):
        if not self.bound:
            raise TypeError("a chunk belongs to a batch, which makes it")

    def step(self) -> None:
        self.check_bound()
        with cython.nogil:
            self.step_games()
        self.worker.raise_failure()

    def refresh(self) -> None:
        """List the legal moves and the observations of the games as they stand."""
        self.check_bound()
        with cython.nogil:
            self.refresh_games()
        self.worker.raise_failure()

    # ---- a thread for each chunk but the first ---------------------------------------------------

    def order(self, what):
        """Give the chunk's thread an order; True if the thread sleeps and must be woken."""
        self.finish()  # Ctrl-C may have ended the last waiting
        self.busy = True
        exchange(cython.address(self.given), what)
        return exchange(cython.address(self.asleep), 0) != 0

    def finish(self):
        """Wait until the thread has done what was ordered."""
        if self.busy:
            with cython.nogil:
                while not load(cython.address(self.done)):
                    rest()
            exchange(cython.address(self.done), 0)
            self.busy = False
            self.worker.raise_failure()
        return 0

    def serve(self):
        """What the thread does: carry out orders until none comes for a while (True: sleep) or it is to end (False)."""
        self.check_bound()
        with cython.nogil:
            what = self.next_order()
            while what == STEP:
                self.step_games()
                exchange(cython.address(self.done), 1)
                what = self.next_order()
        return what != END

    def listed(self) -> Any:
        """The legal moves of all its games, one after the other."""
        return read_only(self.moves_array[: self.used])

    def saved(self) -> list[bytes]:
        """The data of each position."""
        self.check_bound()
        found = []
        for game in range(self.low, self.high):
            self.worker.load(self.block, game)
            found.append(self.worker.data())
        return found

    def restore(self, positions: list[bytes]) -> None:
        """Take the positions of all games of the batch from what was saved."""
        self.check_bound()
        for game in range(self.low, self.high):
            self.worker.restore(positions[game])
            self.worker.store(self.block, game)
        self.refresh()

    def pick(self) -> None:
        self.check_bound()
        with cython.nogil:
            self.pick_random()

    def wrong(self) -> int:
        """The first game whose chosen move is not legal; -1 if there is none."""
        self.check_bound()
        with cython.nogil:
            game = self.first_wrong()
        return game

    # ---- without the interpreter lock ---------------------------------------------------------

    def next_order(self):
        """The next order, or 0 if none comes for a while: then the thread counts as asleep."""
        until = now() + PATIENCE
        while now() < until:
            if load(cython.address(self.given)):
                return exchange(cython.address(self.given), 0)
            rest()
        exchange(cython.address(self.asleep), 1)
        # An order that was given meanwhile: whoever takes the mark away knows about the sleep.
        if load(cython.address(self.given)) and exchange(cython.address(self.asleep), 0):
            return exchange(cython.address(self.given), 0)
        return 0

    def step_games(self):
        self.play_chosen()
        if not self.worker.failed:
            self.refresh_games()

    def refresh_games(self):
        self.clear_masks()
        self.used = 0
        done = self.refresh_from(self.low)
        while done < self.high and not self.worker.failed:
            with cython.gil:
                self.room(2 * self.moves_array.shape[0])
            done = self.refresh_from(done)

    def begin_games(self):
        """Restart the games that are marked."""
        for game in range(self.low, self.high):
            if not self.fresh[game]:
                continue
            self.fresh[game] = False
            self.rng.state = self.generators[game]
            self.restart(game)
            self.generators[game] = self.rng.state
            self.worker.store(self.block, game)
            self.over[game] = False
            for seat in range(self.worker.players):
                self.rewards[game, seat] = 0

    def restart(self, game):
        """A new game, played on to the first decision of the seat that is asked; one that ends before is not counted."""
        for _ in range(RESTARTS):
            self.worker.copy_from(self.start)
            self.worker.resolve_chance(self.rng)
            if self.random_seats:
                self.seats[game] = self.rng.below(self.worker.players)
            self.play_others(game)
            if not self.worker.is_over():
                break

    def play_others(self, game):
        """Where one seat alone is asked: random moves of the others until it decides, or until the end."""
        seat = self.seats[game]
        if seat < 0:
            return
        while not self.worker.is_over():
            actors = self.worker.actor_mask()
            if actors == 0 or actors >> seat & 1:
                return
            other = self.worker.first_actor()
            self.worker.make_move(self.worker.random_move(other, self.rng), other)
            self.worker.resolve_chance(self.rng)

    def decider(self, game):
        """The seat that is asked: the game's own, where it has one, else the first that may act."""
        seat = self.seats[game]
        if seat >= 0 and self.worker.actor_mask() >> seat & 1:
            return seat
        return self.worker.first_actor()

    def play_chosen(self):
        for game in range(self.low, self.high):
            self.worker.load(self.block, game)
            self.rng.state = self.generators[game]
            self.worker.make_move(self.chosen[game], self.actors[game])
            self.worker.resolve_chance(self.rng)
            self.play_others(game)
            self.over[game] = self.worker.is_over()
            if self.over[game]:
                self.reward(game)
                if self.terminal:
                    for seat in range(self.worker.players):
                        row = game * self.worker.players + seat
                        self.observe_into(self.terminal_observations, row, seat)
                        if self.onehot:
                            self.encode_into(self.terminal_encoded, self.terminal_observations, row)
                self.restart(game)
            else:
                for seat in range(self.worker.players):
                    self.rewards[game, seat] = 0
            self.generators[game] = self.rng.state
            self.worker.store(self.block, game)

    def reward(self, game):
        """The scores, and what each seat gets at the end."""
        players = self.worker.players
        winners = self.worker.winner_mask()
        count = 0
        for seat in range(players):
            self.scores[game, seat] = self.worker.score(seat)
            if winners >> seat & 1:
                count += 1
        for seat in range(players):
            won = winners >> seat & 1
            if self.reward_kind == WIN:
                self.rewards[game, seat] = 1.0 / count if won else 0.0
            elif self.reward_kind == SCORE:
                self.rewards[game, seat] = self.scores[game, seat]
            else:
                self.rewards[game, seat] = self.rank(game, seat, winners)

    def rank(self, game, seat, winners):
        """From 1 for the first to 0 for the last, the mean for equal ones: winners first, then by the scores."""
        halves = 0
        won = winners >> seat & 1
        for other in range(self.worker.players):
            theirs = winners >> other & 1
            if other == seat:
                continue
            if won != theirs:
                halves += 2 if won else 0
            elif won or self.scores[game, seat] == self.scores[game, other]:
                halves += 1
            elif self.scores[game, seat] > self.scores[game, other]:
                halves += 2
        return halves / (2.0 * (self.worker.players - 1)) if self.worker.players > 1 else 1.0

    def observe_into(self, rows, row, seat):
        """Write what a seat knows into a row of observations."""
        if not self.worker.observation_size:
            return
        if cython.compiled:
            numbers = cython.address(rows[row, 0])
            memset(numbers, 0, 2 * self.worker.observation_size)
            self.worker.observe(seat, numbers)
        else:
            for i, number in enumerate(self.worker.observation(seat)):
                rows[row, i] = number

    def encode_into(self, encoded, rows, row):
        """Write a row of observations one-hot."""
        if cython.compiled:
            memset(cython.address(encoded[row, 0]), 0, 4 * encoded.shape[1])
        else:
            for column in range(encoded.shape[1]):
                encoded[row, column] = 0.0
        for i in range(self.columns.shape[0]):
            value = rows[row, i] - self.lows[i]
            if self.spans[i] > 0:
                encoded[row, self.columns[i]] = value / self.spans[i]
            elif 0 <= self.columns[i] + value < encoded.shape[1]:  # a game may say wrong things of its fields
                encoded[row, self.columns[i] + value] = 1.0

    def see(self, row, seat):
        """Write what a seat knows into a row, in the batch's encoding."""
        self.observe_into(self.observations, row, seat)
        if self.onehot:
            self.encode_into(self.encoded, self.observations, row)

    def clear_masks(self):
        """Take the moves that are listed out of the masks."""
        if not self.masked:
            return
        place: cython.Py_ssize_t = 0
        for game in range(self.low, self.high):
            for i in range(self.counts[game]):
                self.masks[game, self.moves[place + i]] = 0
            place += self.counts[game]

    def refresh_from(self, game):
        """Refresh the games from `game` on, as far as there is room for their moves; the first that was not refreshed."""
        while game < self.high:
            if self.used + self.worker.max_moves > self.moves.shape[0]:
                return game
            self.worker.load(self.block, game)
            seat = self.decider(game)
            self.actors[game] = seat
            if seat < 0:  # chance alone has ended it, or its rules have failed
                self.counts[game] = 0
                game += 1
                continue
            if cython.compiled:
                count = self.worker.list_moves(seat, cython.address(self.moves[self.used]))
            else:
                listed = [0] * self.worker.max_moves
                count = self.worker.list_moves(seat, listed)
                for i in range(count):
                    self.moves[self.used + i] = listed[i]
            if self.masked:
                for i in range(count):
                    self.masks[game, self.moves[self.used + i]] = 1
            self.counts[game] = count
            self.used += count
            if self.everybody:
                for observer in range(self.worker.players):
                    self.see(game * self.worker.players + observer, observer)
            else:
                self.see(game, seat)
            game += 1
        return game

    def pick_random(self):
        place: cython.Py_ssize_t = 0
        for game in range(self.low, self.high):
            self.rng.state = self.generators[game]
            self.chosen[game] = -1
            if self.counts[game]:
                self.chosen[game] = self.moves[place + self.rng.below(self.counts[game])]
            self.generators[game] = self.rng.state
            place += self.counts[game]

    def first_wrong(self):
        place: cython.Py_ssize_t = 0
        for game in range(self.low, self.high):
            found = False
            for i in range(self.counts[game]):
                if self.moves[place + i] == self.chosen[game]:
                    found = True
                    break
            if not found:
                return game
            place += self.counts[game]
        return -1


def _serve(chunk: Chunk, wake: Lock) -> None:
    while chunk.serve():
        wake.acquire()


def _dismiss(threads: list[tuple[Chunk, Lock]]) -> None:
    for one, wake in threads:
        chunk: Chunk = one
        if chunk.order(END):
            wake.release()


class Batch:
    """Many games at once; made by `tsukimi.batch`, see docs/batches.md.

    The arrays are the batch's own and are overwritten by every step: copy what you want to keep.
    """

    def __init__(
        self,
        start: Game,
        games: object,
        rng: Rng,
        threads: object = 1,
        reward: str = "win",
        observe: str = "actor",
        terminal: bool = False,
        masks: bool = False,
        seat: object = None,
        layout: Any = None,
    ) -> None:
        games = between("games", games, 1, 2**24)
        threads = min(between("threads", threads, 1, 256), games)
        for name, value, known in (("reward", reward, REWARDS), ("observe", observe, OBSERVERS)):
            if value not in known:
                raise BadOptions("bad-option", option=name, value=shown(value), known=", ".join(known))
        if start.over:
            raise BadOptions("game-over")
        self.games = games
        self.players = start.players
        self.move_ids = start.move_ids
        self._start = start
        self._counts = np.zeros(games, np.int32)
        self._chosen = np.zeros(games, np.int32)
        size, seats = max(1, start.observation_size), start.players if observe == "all" else 1
        chosen_seat = -1 if seat in (None, "random") else seat_of(seat, start.players)
        self._arrays = arrays = {
            "seats": np.full(games, chosen_seat, np.int32),
            "generators": np.array([rng.number() for _ in range(games)], np.uint64),
            "actors": np.zeros(games, np.int32),
            "counts": self._counts,
            "chosen": self._chosen,
            "fresh": np.ones(games, np.uint8),
            "over": np.zeros(games, np.uint8),
            "rewards": np.zeros((games, start.players), np.float32),
            "scores": np.zeros((games, start.players), np.int32),
            "observations": np.zeros((games * seats, size), np.int16),
        }
        if terminal:
            arrays["terminal"] = np.zeros((games * start.players, size), np.int16)
        if masks:
            arrays["masks"] = np.zeros((games, start.move_ids), np.uint8)
        seen, ended = arrays["observations"], arrays.get("terminal")
        if layout is not None:
            arrays["columns"], arrays["lows"], arrays["spans"] = layout.arrays()
            arrays["encoded"] = seen = np.zeros((len(seen), layout.size), np.float32)
            if terminal:
                arrays["terminal_encoded"] = ended = np.zeros((len(ended), layout.size), np.float32)
        self.masks = read_only(arrays["masks"]).view(np.bool_) if masks else None
        self.seats = read_only(arrays["seats"])
        self.actors = read_only(arrays["actors"])
        self.over, self.rewards, self.scores = arrays["over"], arrays["rewards"], arrays["scores"]
        everybody = observe == "all"
        self.observations = seen.reshape(games, start.players, -1) if everybody else seen
        self.state = seen.reshape(games, -1) if everybody else None
        self.terminal_observations = ended.reshape(games, start.players, -1) if terminal else None
        self._offsets = np.zeros(games + 1, np.int64)
        self.offsets = read_only(self._offsets)
        self.moves = np.zeros(0, np.int32)
        size = start.block_size()
        block = np.zeros(games * size, np.int8) if size else [start.copy() for _ in range(games)]
        edges = [games * i // threads for i in range(threads + 1)]
        self._chunks = [Chunk(start, low, high) for low, high in pairwise(edges)]
        for made in self._chunks:
            chunk: Chunk = made
            chunk.bind(block, arrays)
            chunk.configure(REWARDS.index(reward), everybody, seat == "random")
        self._threads = []
        if cython.compiled:  # plain Python runs one thread at a time anyway
            for chunk in self._chunks[1:]:
                wake = Lock()
                wake.acquire()
                Thread(target=_serve, args=(chunk, wake), daemon=True, name="tsukimi-batch").start()
                self._threads.append((chunk, wake))
            weakref.finalize(self, _dismiss, self._threads)
        self._each("begin")
        self._gather()

    def reset(self, games: Any = None, seeds: Any = None) -> None:
        """Restart these games (a list of their numbers; None: all of them).

        With `seeds`, an integer for each of them, a game is the same whenever its seed and its moves are the same,
        whatever batch it is in; without, its generator goes on.
        """
        which = np.arange(self.games) if games is None else self._integers("games", games)
        if which.size and not 0 <= which.min() <= which.max() < self.games:
            raise BadOptions("out-of-range", name="games", value=shown(games), low=0, high=self.games - 1)
        if seeds is not None:
            sown = self._integers("seeds", seeds)
            if sown.shape != which.shape:
                raise BadOptions("out-of-range", name="seeds", value=sown.size, low=which.size, high=which.size)
            self._arrays["generators"][which] = sown.astype(np.uint64)
        self._arrays["fresh"][which] = True
        self._each("begin")
        self._gather()

    def save(self) -> dict[str, Any]:
        """All that `load` needs to go on from here, in a batch of the same game and build; it can be pickled."""
        positions = [data for part in self._each("saved") for data in part]
        kept = ("generators", "over", "rewards", "scores", "seats", "terminal", "terminal_encoded")
        arrays = {name: array.copy() for name, array in self._arrays.items() if name in kept}
        return {
            "origin": self._start.table.origin,
            "positions": positions,
            "checksum": checksum(self._start, b"".join(positions)),
            **arrays,
        }

    def load(self, saved: dict[str, Any]) -> None:
        """Go on from what `save` gave."""
        positions, arrays = saved["positions"], {name: saved[name] for name in saved if name in self._arrays}
        sound = len(positions) == self.games and checksum(self._start, b"".join(positions)) == saved["checksum"]
        sound = sound and saved["origin"] == self._start.table.origin  # positions index into their own components
        if not sound or any(array.shape != self._arrays[name].shape for name, array in arrays.items()):
            raise BadOptions("wrong-data", kind=type(self._start).__name__)
        for name, array in arrays.items():
            self._arrays[name][:] = array
        self._each("restore", positions)
        self._gather()

    def step(self, moves: Any) -> None:
        """Play one move in every game, for the seat in `actors`. A game that ends begins again at once.

        `IllegalMove` names the first game whose move is not legal; then nothing has changed.
        """
        chosen = self._integers("moves", moves)
        if chosen.shape != (self.games,):
            shape = " x ".join(map(str, chosen.shape)) or "1"
            raise BadOptions("moves-number", games=self.games, number=shape)
        self._chosen[:] = np.clip(chosen, -1, 2**31 - 1)
        wrong = [game for game in self._each("wrong") if game >= 0]
        if wrong:
            raise IllegalMove("illegal-in-batch", game=min(wrong), move=int(chosen[min(wrong)]))
        chunk: Chunk
        for one, wake in self._threads:
            chunk = one
            if chunk.order(STEP):
                wake.release()
        try:
            for here in self._chunks[: len(self._chunks) - len(self._threads)]:  # the first one, or all
                here.step()
        finally:
            for one, _ in self._threads:
                chunk = one
                chunk.finish()
        self._gather()

    def pick(self) -> Any:
        """A legal move of every game, at random, as a new array."""
        self._each("pick")
        return self._chosen.copy()

    def mask(self) -> Any:
        """The legal moves as a dense array of booleans, games x move_ids. Large: Daruma has thousands of moves."""
        mask = np.zeros((self.games, self.move_ids), np.bool_)
        mask[np.repeat(np.arange(self.games), self._counts), self.moves] = True
        return mask

    def _integers(self, name: str, numbers: Any) -> Any:
        array = np.asarray(numbers)
        if array.dtype.kind not in "iu":
            if name == "moves":
                raise BadOptions("moves-not-integers", kind=str(array.dtype))
            raise BadOptions("not-an-integer", name=name, kind=str(array.dtype))
        return array

    def _each(self, what: str, *arguments: Any) -> list[Any]:
        return [getattr(chunk, what)(*arguments) for chunk in self._chunks]

    def _gather(self) -> None:
        np.cumsum(self._counts, out=self._offsets[1:])
        parts = [chunk.listed() for chunk in self._chunks]
        self.moves = parts[0] if len(parts) == 1 else np.concatenate(parts)
