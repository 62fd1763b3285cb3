"""The networks of China Moon, one for each number of players on the shipped pond (`networks.npz`)."""

from __future__ import annotations

import zlib
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from tsukimi.bots.china_moon.evaluator import ChinaMoonEvaluator
from tsukimi.bots.china_moon.network import NetworkEvaluator

Arrays = dict[str, Any]
FEATURES, FIRST, SECOND = 16, 64, 32


def evaluator(pond: Any, players: int, networks: dict[int, Arrays] | None = None) -> ChinaMoonEvaluator:
    """The network's evaluator, where there is one for this pond and number of players; else the linear one."""
    found = (shipped() if networks is None else networks).get(players)
    if found is None or found["pond"] != fingerprint(pond):
        return ChinaMoonEvaluator(pond)
    return NetworkEvaluator(pond, players, {name: array for name, array in found.items() if name != "pond"})


def shapes(players: int, inputs: int, rows: int) -> dict[str, tuple[int, ...]]:
    """What a network consists of. The last column of `value` is its bias; `scales` are those of the rating and of the
    linear evaluator's values."""
    return {
        "sparse": (inputs, FIRST),
        "dense": (players * FEATURES + 2, FIRST),
        "first_bias": (FIRST,),
        "second": (FIRST, SECOND),
        "second_bias": (SECOND,),
        "value": (players, SECOND + 1),
        "policy": (rows, SECOND),
        "policy_bias": (rows,),
        "rating": (SECOND,),
        "scales": (2,),
    }


def fingerprint(pond: Any) -> int:
    """A checksum of the paths and kinds of a pond, to recognise the one the networks were trained on."""
    board = pond.board
    return zlib.crc32(repr((board.first, board.nexts, board.kinds)).encode())


@cache
def shipped() -> dict[int, Arrays]:
    """The networks of this package by number of players."""
    with as_file(files("tsukimi.bots.china_moon").joinpath("networks.npz")) as path:
        return load(path) if path.exists() else {}


def load(path: Path) -> dict[int, Arrays]:
    """The networks in a file, as one-dimensional arrays in C order."""
    networks: dict[int, Arrays] = {}
    with np.load(path, allow_pickle=False) as data:
        for key in data.files:
            players, _, name = key.partition("/")
            networks.setdefault(int(players), {})[name] = data[key]
    return {players: {**flat(found), "pond": int(found["pond"])} for players, found in networks.items()}


def flat(arrays: Arrays) -> Arrays:
    """The arrays as the evaluator expects them: one-dimensional, in single precision."""
    return {name: np.ascontiguousarray(array, np.float32).ravel() for name, array in arrays.items() if name != "pond"}


def save(path: Path, networks: dict[int, Arrays]) -> None:
    """Half precision is enough."""
    arrays: Arrays = {
        f"{players}/{name}": np.int64(value) if name == "pond" else np.asarray(value, np.float16)
        for players, network in networks.items()
        for name, value in network.items()
    }
    np.savez_compressed(path, **arrays)
