"""Perft-like counts and checksums of random games: cheap numbers that change when any rule does."""

from __future__ import annotations

import hashlib
from typing import Any

from conformance.variants import OURS, Variant, name, new
from tsukimi.core.game import Game
from tsukimi.core.rng import Rng


def perft(core: Game, depth: int) -> int:
    """How many lines of play of that many decisions there are (all actors' moves; chance drawn from a fixed seed)."""
    if core.over or depth == 0:
        return 1
    total = 0
    for seat in core.actors:
        moves = core.actions(seat)
        if depth == 1:
            total += len(moves)
            continue
        for move in moves:
            child = core.copy()
            child.apply(move, seat)
            child.sample_chance(Rng(depth))
            total += perft(child, depth - 1)
    return total


def start_of(variant: Variant) -> Game:
    core = new(variant, 0, chance="manual").core.copy()
    core.sample_chance(Rng(1))
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
        while not core.over:
            if core.chance:
                what = core.sample_outcome(rng)
                core.apply(what)
                digest.update(b"chance %d\n" % what)
                continue
            for seat in core.actors:
                digest.update(f"{seat}: {core.actions(seat)}\n".encode())
            seat = core.actors[rng.randrange(len(core.actors))]
            move = core.random_action(seat, rng)
            core.apply(move, seat)
            digest.update(b"%d plays %d\n" % (seat, move))
        digest.update(f"{core.scores()} {core.winners()} {core.observation(0)}\n".encode())
        worker = start.copy()
        digest.update(b"%d decisions\n" % worker.playout(Rng(1000 + seed)))
    return digest.hexdigest()[:32]


def everything() -> dict[str, Any]:
    return {name(variant): {"perft": counts(variant), "checksum": checksum(variant)} for variant in OURS}
