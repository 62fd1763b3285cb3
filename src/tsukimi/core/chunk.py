# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""The games of a batch that one thread steps: positions in one block of memory, everything else in NumPy arrays.

They are stepped without the GIL. Each game has its own generator, so the result does not depend on the
number of threads.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from tsukimi.core.game import Game
    from tsukimi.core.rng import Rng

    # The same as in chunk.pxd.
    WIN = 0  # places in REWARDS
    SCORE = 1
    STEP = 1  # orders to a thread
    END = 2

REWARDS = ("win", "score", "rank")
RESTARTS = 1000  # attempts to start a game in which a given seat decides anything
PATIENCE = 200_000  # nanoseconds that a thread spins, waiting for its next order, before it sleeps: waking takes 50,000


def view_of(array: Any) -> Any:
    """An array whose items are plain Python numbers when read uncompiled."""
    return array if cython.compiled else memoryview(array)


def read_only(array: Any) -> Any:
    """The same numbers, read-only: the batch relies on them."""
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
        """Use these positions and arrays from now on."""
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
        """Which rewards to give, whether to observe for all seats or only for the actor, and whether each game draws
        the seat to control."""
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
            raise TypeError("chunks are created by a batch")

    def step(self) -> None:
        self.check_bound()
        with cython.nogil:
            self.step_games()
        self.worker.raise_failure()

    def refresh(self) -> None:
        """List the legal moves and the observations of the games as they are."""
        self.check_bound()
        with cython.nogil:
            self.refresh_games()
        self.worker.raise_failure()

    # ---- a thread for each chunk except the first -----------------------------------------------

    def order(self, what):
        """Give the chunk's thread an order; True if the thread sleeps and must be woken."""
        self.finish()  # Ctrl-C may have interrupted the last wait
        self.busy = True
        exchange(cython.address(self.given), what)
        return exchange(cython.address(self.asleep), 0) != 0

    def finish(self):
        """Wait until the thread has finished its order."""
        if self.busy:
            with cython.nogil:
                while not load(cython.address(self.done)):
                    rest()
            exchange(cython.address(self.done), 0)
            self.busy = False
            self.worker.raise_failure()
        return 0

    def serve(self):
        """The thread's loop: execute orders until none comes for a while (True: sleep) or it should end (False)."""
        self.check_bound()
        with cython.nogil:
            order = self.next_order()
            while order == STEP:
                self.step_games()
                exchange(cython.address(self.done), 1)
                order = self.next_order()
        return order != END

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
        """Take the positions of all games in the batch from saved data."""
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
        """The first game whose chosen move is illegal; -1 if there is none."""
        self.check_bound()
        with cython.nogil:
            game = self.first_wrong()
        return game

    # ---- without the GIL ---------------------------------------------------------

    def next_order(self):
        """The next order, or 0 if none comes for a while: then the thread counts as asleep."""
        until = now() + PATIENCE
        while now() < until:
            if load(cython.address(self.given)):
                return exchange(cython.address(self.given), 0)
            rest()
        exchange(cython.address(self.asleep), 1)
        # Work may have been assigned meanwhile: whoever clears the flag has seen that the thread sleeps.
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
        """Restart the marked games."""
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
        """A new game, played up to the first decision of the controlled seat; one that ends earlier is not counted."""
        for _ in range(RESTARTS):
            self.worker.copy_from(self.start)
            self.worker.resolve_chance(self.rng)
            if self.random_seats:
                self.seats[game] = self.rng.below(self.worker.players)
            self.play_others(game)
            if not self.worker.is_over():
                break

    def play_others(self, game):
        """If only one seat is controlled: random moves by the others until it decides, or until the end."""
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
        """The seat to decide: the game's controlled seat, if it has one, else the first that may act."""
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
        """The scores, and each seat's reward at the end."""
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
        """From 1 for first to 0 for last, ties averaged: winners first, then by score."""
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
            elif 0 <= self.columns[i] + value < encoded.shape[1]:  # a game may describe its fields wrongly
                encoded[row, self.columns[i] + value] = 1.0

    def see(self, row, seat):
        """Write what a seat knows into a row, in the batch's encoding."""
        self.observe_into(self.observations, row, seat)
        if self.onehot:
            self.encode_into(self.encoded, self.observations, row)

    def clear_masks(self):
        """Clear the listed moves from the masks."""
        if not self.masked:
            return
        place: cython.Py_ssize_t = 0
        for game in range(self.low, self.high):
            for i in range(self.counts[game]):
                self.masks[game, self.moves[place + i]] = 0
            place += self.counts[game]

    def refresh_from(self, game):
        """Refresh the games from `game` on, as far as there is room for their moves; return the first not refreshed."""
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
