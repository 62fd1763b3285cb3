"""A trained network as a bot, `net:PATH`: no search, one evaluation of the observation. It needs only NumPy.

The file is an .npz with the layers `weight0`, `bias0`, .. (the last one outputs a number per move), and `about`: JSON
with the game, the number of players, the options and the encoding it was trained with. `tsukimi.lab.ppo` writes it.
"""

from __future__ import annotations

import json
import zipfile
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import tsukimi
from tsukimi.core.encoding import Encoding
from tsukimi.core.errors import BadOptions, TsukimiError
from tsukimi.core.source import rng_of
from tsukimi.core.spec import Json
from tsukimi.core.state import State


class Network:
    """Layers of weights and biases with ReLU between them."""

    def __init__(self, layers: list[tuple[Any, Any]], about: Json) -> None:
        self.layers, self.about = layers, about

    def logits(self, observations: Any) -> Any:
        """A number per move, for one encoded observation or many."""
        for weight, bias in self.layers[:-1]:
            observations = np.maximum(observations @ weight + bias, 0)
        weight, bias = self.layers[-1]
        return observations @ weight + bias

    def save(self, path: Path) -> None:
        arrays: dict[str, Any] = {"about": np.array(json.dumps(self.about))}
        for number, (weight, bias) in enumerate(self.layers):
            arrays |= {f"weight{number}": weight, f"bias{number}": bias}
        unfinished = path.with_name(path.name + ".new.npz")
        np.savez(unfinished, **arrays)
        unfinished.replace(path)

    @staticmethod
    def load(path: Path) -> Network:
        if not zipfile.is_zipfile(path):
            raise ValueError("not an .npz file" if path.exists() else "no such file")
        with np.load(path, allow_pickle=False) as data:
            about = json.loads(str(data["about"]))
            count = sum(name.startswith("weight") for name in data.files)
            layers = [(data[f"weight{number}"], data[f"bias{number}"]) for number in range(count)]
        sizes = [(weight.shape, bias.shape) for weight, bias in layers]
        for (rows, columns), bias in sizes:
            if bias != (columns,) or rows < 1:
                raise ValueError("weights and biases do not fit")
        if not sizes or any(before[0][1] != after[0][0] for before, after in pairwise(sizes)):
            raise ValueError("the layers do not fit together")
        return Network(layers, about)


class NetBot:
    """Samples from the network's probabilities, or plays (`about["play"] == "best"`) its most probable move."""

    def __init__(self, state: State, seed: int, path: str) -> None:
        self._network = _loaded(path)
        self._encoding = Encoding(state.spec, state.core, "onehot")
        self._rng = np.random.default_rng(rng_of(seed).number())
        self._best = self._network.about.get("play") == "best"
        about = {"game": state.game, "players": state.players, "options": _rules(state.options)}
        trained = {key: self._network.about.get(key) for key in about} | {
            "options": _rules(self._network.about.get("options") or {})
        }
        if trained != about:
            raise BadOptions("bad-network", path=path[:200], problem=f"{trained} != {about}")
        wanted, found = (self._encoding.size, state.core.move_ids), self._network.layers
        if (found[0][0].shape[0], found[-1][0].shape[1]) != wanted:
            raise BadOptions("bad-network", path=path[:200], problem=f"{wanted[0]} -> {wanted[1]}")

    def choose(self, state: State, seat: int) -> int:
        actions = state.actions(seat)
        if len(actions) == 1:
            return actions[0]
        observation = self._encoding.encode(np.array(state.core.observation(seat), np.int16))
        logits = self._network.logits(observation)[actions].astype(np.float64)
        if self._best:
            return actions[int(np.argmax(logits))]
        chances = np.exp(logits - logits.max())
        return actions[int(self._rng.choice(len(actions), p=chances / chances.sum()))]


def trained_for(path: str) -> Json:
    """The game, the number of players and the options that a network plays; `BadOptions` if they are not supported."""
    about = _loaded(path).about
    try:
        state = tsukimi.new(about["game"], about["players"], chance="manual", **about["options"])
    except (KeyError, TypeError, TsukimiError) as problem:
        raise BadOptions("bad-network", path=path[:200], problem=str(problem)[:200]) from problem
    NetBot(state, 0, path)
    return {"game": state.game, "players": state.players, "options": _rules(state.options)}


def _rules(options: Json) -> Json:
    """The options without the starting player, which does not matter to a network."""
    return {name: value for name, value in options.items() if name != "first"}


def _loaded(path: str) -> Network:
    try:
        return _load(path, Path(path).stat().st_mtime_ns)
    except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as problem:
        raise BadOptions("bad-network", path=path[:200], problem=str(problem)[:200]) from problem


@lru_cache(maxsize=4)
def _load(path: str, changed: int) -> Network:
    return Network.load(Path(path))
