# mypy: ignore-errors
"""Thousands of games stepped together: moves, legal moves, observations and rewards in NumPy arrays.

A batch steps its games in chunks, one per thread (chunk.py).
"""

from __future__ import annotations

import weakref
from itertools import pairwise
from threading import Lock, Thread
from typing import Any

import cython
import numpy as np

from tsukimi.core.checks import between, seat_of, shown
from tsukimi.core.chunk import REWARDS, read_only
from tsukimi.core.errors import BadOptions, IllegalMove
from tsukimi.core.game import checksum

if not cython.compiled:
    from tsukimi.core.chunk import END, STEP, Chunk
    from tsukimi.core.game import Game
    from tsukimi.core.rng import Rng

OBSERVERS = ("actor", "all")


def _serve(chunk: Chunk, wake: Lock) -> None:
    while chunk.serve():
        wake.acquire()


def _dismiss(threads: list[tuple[Chunk, Lock]]) -> None:
    for one, wake in threads:
        chunk: Chunk = one
        if chunk.order(END):
            wake.release()


class Batch:
    """Many games at once; created by `tsukimi.batch`, see docs/batches.md.

    The arrays belong to the batch and are overwritten by every step: copy what you want to keep.
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

        With `seeds`, one integer per game, the same seed and moves give the same game,
        whatever batch it is in; without, its generator continues.
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
        """Everything that `load` needs to continue from here, in a batch of the same game and build; it can be pickled."""
        positions = [data for part in self._each("saved") for data in part]
        stored = ("generators", "over", "rewards", "scores", "seats", "terminal", "terminal_encoded")
        arrays = {name: array.copy() for name, array in self._arrays.items() if name in stored}
        return {
            "origin": self._start.table.origin,
            "positions": positions,
            "checksum": checksum(self._start, b"".join(positions)),
            **arrays,
        }

    def load(self, saved: dict[str, Any]) -> None:
        """Continue from what `save` returned."""
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
        """Play one move in every game, for the seat in `actors`. A game that ends is restarted immediately.

        `IllegalMove` names the first game whose move is illegal; nothing is changed then.
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
        """A random legal move for every game, as a new array."""
        self._each("pick")
        return self._chosen.copy()

    def mask(self) -> Any:
        """The legal moves as a dense boolean array, games x move_ids. Large: Daruma has thousands of moves."""
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
