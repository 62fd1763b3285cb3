"""Drawing a history among all that look the same to a seat: the game's own method, or enumeration."""

from __future__ import annotations

from dataclasses import dataclass, field

from tsukimi.core.errors import TsukimiError
from tsukimi.core.events import step, taken_back
from tsukimi.core.game import Game
from tsukimi.core.rng import Rng
from tsukimi.core.spec import CHANCE, UNDO, History, Json, Spec

MOST = 20_000


def resampled(spec: Spec, start: Game, history: History, observer: int, rng: Rng) -> History:
    """A history that looks the same to a seat (or SPECTATOR), with everything it cannot know resampled."""
    if spec.resample is not None:
        return spec.resample(start.copy(), list(history), observer, rng)
    candidates = _indistinguishable(spec, start, history, observer)
    place = rng.number() / 2**64 * sum(candidate.weight for candidate in candidates)
    for candidate in candidates:
        place -= candidate.weight
        if place < 0:
            return candidate.history
    return candidates[-1].history


@dataclass
class _Candidate:
    """A history that looks the same so far, and its probability."""

    core: Game
    weight: float = 1.0
    history: History = field(default_factory=list)
    line: History = field(default_factory=list)


def _indistinguishable(spec: Spec, start: Game, history: History, observer: int) -> list[_Candidate]:
    real, candidates = _Candidate(start.copy()), [_Candidate(start.copy())]
    for mover, move in history:
        if mover == UNDO:
            for candidate in (real, *candidates):
                _take_back(candidate, start, move)
            continue
        before = real.core.copy()
        _advance(real, mover, move)
        seen = _seen(spec, before, mover, move, real.core, observer)
        longer: list[_Candidate] = []
        for candidate in candidates:
            for outcome, weight in _possible(spec, candidate.core, mover, move, observer):
                after = _Candidate(
                    candidate.core.copy(), candidate.weight * weight, list(candidate.history), list(candidate.line)
                )
                _advance(after, mover, outcome)
                if _seen(spec, candidate.core, mover, outcome, after.core, observer) == seen:
                    longer.append(after)
            if len(longer) > MOST:
                raise TsukimiError("too-many-histories", game=spec.name, most=MOST)
        candidates = longer
    return candidates


def _possible(spec: Spec, core: Game, mover: int, move: int, observer: int) -> list[tuple[int, float]]:
    """What could have happened instead of this event, with its weight. A seat knows its own moves."""
    if mover == CHANCE:
        return spec.outcomes(core) if core.chance else []
    if mover not in core.actors:
        return []
    moves = core.actions(mover)
    if mover == observer:
        return [(move, 1.0)] if move in moves else []
    return [(other, 1.0) for other in moves]


def _seen(spec: Spec, before: Game, mover: int, move: int, after: Game, observer: int) -> tuple[Json, Json, object]:
    """What an observer sees of an event and after it."""
    event = spec.event(before, mover, move, after, observer)
    moves = after.actions(observer) if observer >= 0 else None
    return event, spec.view(after, observer), (moves, after.actors, after.over)


def _advance(candidate: _Candidate, mover: int, move: int) -> None:
    step(candidate.core, mover, move)
    candidate.history.append((mover, move))
    candidate.line.append((mover, move))


def _take_back(candidate: _Candidate, start: Game, moves: int) -> None:
    candidate.line = taken_back(candidate.line, moves)
    candidate.history.append((UNDO, moves))
    candidate.core.assign(start)
    for earlier in candidate.line:
        step(candidate.core, *earlier)
