"""Perft-like counts and checksums of random games: cheap numbers that change when any rule does."""

from __future__ import annotations

import hashlib
from typing import Any

from conformance.variants import ALL, Variant, name, new
from tsukimi.core.game import Game
from tsukimi.core.rng import Rng


def perft(core: Game, depth: int) -> int:
    """How many lines of play of that many decisions there are (all actors' moves; chance drawn from a fixed seed)."""
    if core.is_over() or depth == 0:
        return 1
    total = 0
    for seat in core.acting():
        moves = core.moves(seat)
        if depth == 1:
            total += len(moves)
            continue
        for move in moves:
            child = core.copy()
            child.apply(seat, move)
            child.settle(Rng(depth))
            total += perft(child, depth - 1)
    return total


def start_of(variant: Variant) -> Game:
    core = new(variant, 0, chance="manual").core.copy()
    core.settle(Rng(1))
    return core


def counts(variant: Variant, most: int = 3000) -> list[int]:
    """perft(1), perft(2), .. as long as the count stays small."""
    start, found = start_of(variant), [1]
    while found[-1] <= most and len(found) < 7:
        found.append(perft(start, len(found)))
    return found[1:]


def checksum(variant: Variant, games: int = 3) -> str:
    """A digest of every decision, outcome and score of some random games."""
    digest = hashlib.sha256()
    start = new(variant, 0, chance="manual").core
    for seed in range(games):
        core, rng = start.copy(), Rng(seed)
        while not core.is_over():
            if core.at_chance():
                what = core.draw_outcome(rng)
                core.apply_outcome(what)
                digest.update(b"chance %d\n" % what)
                continue
            for seat in core.acting():
                digest.update(f"{seat}: {core.moves(seat)}\n".encode())
            seat = core.acting()[rng.randrange(len(core.acting()))]
            move = core.random(seat, rng)
            core.apply(seat, move)
            digest.update(b"%d plays %d\n" % (seat, move))
        digest.update(f"{core.points()} {core.winning()} {core.observation(0)}\n".encode())
        worker = start.copy()
        digest.update(b"%d decisions\n" % worker.playout(Rng(1000 + seed)))
    return digest.hexdigest()[:32]


def everything() -> dict[str, Any]:
    return {name(variant): {"perft": counts(variant), "checksum": checksum(variant)} for variant in ALL}
