"""What every game must satisfy, whoever wrote it: `tsukimi check GAME`, and tests/conformance for our own.

Each check is a function that plays a variant at random and raises `Failed` when something does not hold. None of them
knows a game by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tsukimi.check import copies, learning, lessons, play, secrecy, words
from tsukimi.check.trial import Check, Failed, Trial, Variant, variants
from tsukimi.games import spec

CHECKS: tuple[Check, ...] = (
    *play.CHECKS,
    *copies.CHECKS,
    *secrecy.CHECKS,
    *learning.CHECKS,
    *words.CHECKS,
    *lessons.CHECKS,
)

__all__ = ["CHECKS", "Check", "Failed", "Result", "Trial", "Variant", "run", "sentence", "variants"]


@dataclass(frozen=True)
class Result:
    """What one check found: `detail` says where it failed first, and how."""

    name: str
    ok: bool
    detail: str = ""


def run(game: str, seed: int = 0, games: int = 20) -> Iterator[Result]:
    """Run every check on all variants and numbers of players of a game; `games` is how many playouts each gets."""
    found = variants(spec(game))
    for check in CHECKS:
        yield _result(check, [Trial(variant, seed, games) for variant in found])


def sentence(check: Check) -> str:
    """What a check says about a game."""
    return check.__name__.replace("_", " ")


def _result(check: Check, trials: list[Trial]) -> Result:
    for trial in trials:
        try:
            check(trial)
        except Exception as problem:  # whatever a game does wrong is a finding
            text = str(problem) if isinstance(problem, Failed) else f"{type(problem).__name__}: {problem}"
            return Result(sentence(check), False, f"{trial.variant}: {text}")
    return Result(sentence(check), True)
