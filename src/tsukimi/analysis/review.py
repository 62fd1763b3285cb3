"""Review of a game: what each decision cost, every seat's chances throughout, and how much was luck.

A decision is judged by what its seat could know at the time: the engine searches that seat's information set. Between two
decisions the chances change by what nobody decided, and that is luck. The sum of all changes is the result, so luck
and play add up to it. `judge` looks at one decision, independently of the others: decisions can be judged in any
order, in several processes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

import tsukimi
from tsukimi.bots.budget import Budget
from tsukimi.bots.engine import engine_for
from tsukimi.bots.tree import Candidate
from tsukimi.core.rng import Rng
from tsukimi.core.source import rng_of
from tsukimi.core.spec import UNDO, History
from tsukimi.core.state import State
from tsukimi.core.words import Words

REVIEW_BUDGET = Budget(200.0, clock="cpu")
SHOWN_MOVES = 4
TURNING_POINTS = 3
TURNING_POINT = 0.05  # the smallest change that counts as a turning point
FORCED_PART = 0.25  # of the budget, for a forced decision
HIDDEN_DRAWS = 4  # draws after which nothing counts as hidden if all were the same
STEEPNESS = 4.35  # of the accuracy: a loss of 0.1 makes 65, one of 0.3 makes 27
STAKES = 0.02  # the weight of a decision where nothing is at stake

# By the loss of a decision, in shares of the win.
JUDGEMENTS = (("best", 0.01), ("good", 0.03), ("inaccuracy", 0.08), ("mistake", 0.16), ("blunder", math.inf))

Shares = list[float]


@dataclass(frozen=True)
class Judged:
    """One decision as judged by `judge`. Shares are by seat and add up to 1."""

    event: int
    seat: int
    moves: list[tuple[str, float]]
    """The moves, best first, including the one played: text and share of the win."""
    played: int
    """The index of the played one."""
    choices: int
    """How many legal moves there were."""
    stakes: float
    """By how much the best move is better than the mean of all."""
    hidden: bool
    """Whether anything was hidden from the seat."""
    before: Shares
    after: Shares
    open_before: Shares
    open_after: Shares
    why: tuple[str, Mapping[str, Any]] | None = None


@dataclass(frozen=True)
class Decision:
    """A judged decision in its game."""

    event: int
    """The number of its line in the record's body, from 0."""
    seat: int
    move: str
    best: str
    share: float
    best_share: float
    loss: float
    judgement: str
    """best, good, inaccuracy, mistake or blunder; forced if there was no choice."""
    moves: list[tuple[str, float]]
    why: tuple[str, Mapping[str, Any]] | None
    before: Shares
    """Every seat's chance of winning, given what the deciding seat could know."""
    after: Shares
    open_before: Shares
    """The same with all hidden information revealed."""
    open_after: Shares
    luck: Shares
    """What then changed until the next decision, without being decided."""


@dataclass(frozen=True)
class Player:
    """A seat's game. `result` = 1 / players + `luck` + `own` + `others`."""

    result: float
    """The share of the win; for an unfinished game, the chance of winning at the end of the record."""
    luck: float
    own: float
    """What the seat's own decisions changed."""
    others: float
    """What the others' decisions changed."""
    accuracy: int | None
    """From 0 to 100; None for a seat that had nothing to decide."""
    counts: dict[str, int] = field(default_factory=dict)
    """The number of decisions by judgement."""


@dataclass(frozen=True)
class TurningPoint:
    decision: int
    """Its index in the list of decisions."""
    cause: str
    """"move": the decision itself lost so much; "luck": what followed it, undecided, changed so much."""
    seat: int
    """Whose chances changed most."""
    change: float
    drawn: tuple[int, ...] = ()
    """Of luck: the numbers of the events that it was."""


@dataclass(frozen=True)
class Review:
    game: str
    players: int
    over: bool
    deal: Shares
    """The luck before the first decision: the deal, who starts."""
    decisions: list[Decision]
    turning_points: list[TurningPoint]
    """The three largest changes, largest first."""
    seats: list[Player]


def review(
    state: State,
    budget: Budget = REVIEW_BUDGET,
    seed: int = 0,
    winners: Sequence[int] = (),
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> Review:
    """The review of a game. `winners`: of a game that ended early, by resignation."""
    judged = []
    places = decisions(state)
    for number, place in enumerate(places):
        progress(number, len(places))
        judged.append(judge(state, place, budget, seed))
    progress(len(places), len(places))
    return assemble(state, judged, winners)


def decisions(state: State) -> list[int]:
    """The events of a game that are decisions and were not taken back."""
    return [event for event, (mover, _) in _line(state.history) if mover >= 0]


def _line(history: History) -> list[tuple[int, tuple[int, int]]]:
    """The events that were not taken back, with their numbers."""
    line: list[tuple[int, tuple[int, int]]] = []
    for event, (mover, move) in enumerate(history):
        if mover == UNDO:
            made = [place for place, (_, (other, _)) in enumerate(line) if other >= 0]
            del line[made[-move] :]
        else:
            line.append((event, (mover, move)))
    return line


def judge(state: State, event: int, budget: Budget = REVIEW_BUDGET, seed: int = 0) -> Judged:
    """The decision made by this event."""
    here, seat, move = at(state, event)
    engine = engine_for(here, rng_of(f"{seed}/{event}").number())
    after = here.core.copy()
    after.apply(move, seat)
    hidden = _hides(here, seat, engine.rng)
    open_before, open_after = (engine.shares(game) for game in (here.core, after))
    known = engine.shares(here.core, seat) if hidden else open_before
    legal = here.actions(seat)
    # Even for a forced decision, the search says what the seat can expect, in the same terms as elsewhere.
    within = budget if len(legal) > 1 else budget.scaled(FORCED_PART, least=8)
    candidates = _by_share(engine.believable(here.core, engine.judge(here, seat, move, within)), move)
    place = next(place for place, one in enumerate(candidates) if one.move == move)
    compared = [candidates[0], candidates[place]] if place else candidates  # with what was played
    why = engine.reason(here, seat, compared) if len(legal) > 1 else None
    shown = candidates[:SHOWN_MOVES] if place < SHOWN_MOVES else [*candidates[: SHOWN_MOVES - 1], candidates[place]]
    best, played = candidates[0].share, candidates[place].share
    return Judged(
        event,
        seat,
        [(here.text(candidate.move, seat), candidate.share) for candidate in shown],
        min(place, SHOWN_MOVES - 1),
        len(legal),
        max(0.0, best - sum(candidate.share for candidate in candidates) / len(candidates)),
        hidden,
        _with(known, seat, best),
        _with(known, seat, played),
        open_before if hidden else _with(open_before, seat, best),
        open_after if hidden else _with(open_after, seat, played),
        why,
    )


def at(state: State, event: int) -> tuple[State, int, int]:
    """The game before an event, and the event: who made it, and what."""
    here = tsukimi.new(state.game, state.players, chance="manual", components=state.components, **state.options)
    here.names = dict(state.names)
    for number, (mover, move) in _line(state.history):
        if number == event:
            return here, mover, move
        here.make(mover, move)
    raise ValueError(f"event {event} does not exist or was taken back")


def _by_share(candidates: list[Candidate], played: int) -> list[Candidate]:
    """The played move before equally good ones: whoever found one of several best moves has found the best."""
    best = candidates[0].share
    first = [candidate for candidate in candidates if candidate.move == played and candidate.share >= best]
    return [*first, *(candidate for candidate in candidates if candidate not in first)]


def _hides(here: State, seat: int, rng: Rng) -> bool:
    """Whether anything is hidden from a seat."""
    return any(here.core.resample(seat, rng) != here.core for _ in range(HIDDEN_DRAWS))


def _with(shares: Shares, seat: int, share: float) -> Shares:
    """The same with this share for a seat; the others keep their proportions of the rest."""
    share = min(1.0, max(0.0, share))
    rest = sum(shares) - shares[seat]
    others = len(shares) - 1
    return [
        share if one == seat else (1 - share) * (value / rest if rest > 1e-9 else 1 / others)
        for one, value in enumerate(shares)
    ]


# ---- all decisions together ----------------------------------------------------------------------


def assemble(state: State, judged: Sequence[Judged], winners: Sequence[int] = ()) -> Review:
    """The review of a game all of whose decisions have been judged, in order."""
    players = state.players
    even = [1 / players] * players
    luck, own, others = ([0.0] * players for _ in range(3))
    result = _result(state, judged, winners)
    deal = _change(even, judged[0].before if judged else result)
    _add(luck, deal)
    drawn = _chance_after(state)
    found = []
    for place, judgement in enumerate(judged):
        later = judged[place + 1] if place + 1 < len(judged) else None
        then = result if later is None else later.before
        moved, rest = _change(judgement.before, judgement.after), _change(judgement.after, then)
        if not (judgement.event in drawn or judgement.hidden or (later is not None and later.hidden)):
            # Nothing was hidden or drawn: the next position only gives a better estimate of what this move was worth.
            moved, rest = _change(judgement.before, then), [0.0] * players
        _add(luck, rest)
        for seat, change in enumerate(moved):
            (own if seat == judgement.seat else others)[seat] += change
        found.append(_decision(judgement, rest))
    turning = _turning_points(found, judged, drawn)
    seats = [
        _player(seat, found, judged, result[seat], own[seat], others[seat], 1 / players) for seat in range(players)
    ]
    return Review(state.game, players, state.over, [_rounded(x) for x in deal], found, turning, seats)


def _result(state: State, judged: Sequence[Judged], winners: Sequence[int]) -> Shares:
    won = state.winners() if state.over else list(winners)
    if won:
        return [1 / len(won) if seat in won else 0.0 for seat in range(state.players)]
    return judged[-1].after if judged else [1 / state.players] * state.players


def _chance_after(state: State) -> dict[int, tuple[int, ...]]:
    """The decisions followed by draws before the next one, and these."""
    found: dict[int, tuple[int, ...]] = {}
    last = -1
    for event, (mover, _) in _line(state.history):
        if mover >= 0:
            last = event
        else:
            found[last] = (*found.get(last, ()), event)
    return found


def _decision(one: Judged, luck: Shares) -> Decision:
    best_share, share = one.moves[0][1], one.moves[one.played][1]
    loss = max(0.0, best_share - share)
    judgement = next(word for word, most in JUDGEMENTS if loss < most)
    return Decision(
        one.event,
        one.seat,
        one.moves[one.played][0],
        one.moves[0][0],
        _rounded(share),
        _rounded(best_share),
        _rounded(loss),
        "forced" if one.choices == 1 else judgement,
        [(text, _rounded(value)) for text, value in one.moves],
        one.why,
        _rounded_shares(one.before),
        _rounded_shares(one.after),
        _rounded_shares(one.open_before),
        _rounded_shares(one.open_after),
        [_rounded(change) for change in luck],
    )


def _turning_points(
    found: Sequence[Decision], judged: Sequence[Judged], drawn: Mapping[int, tuple[int, ...]]
) -> list[TurningPoint]:
    points = [TurningPoint(place, "move", one.seat, -one.loss) for place, one in enumerate(found)]
    for place, (one, later) in enumerate(pairwise(judged)):
        if one.event in drawn:
            seat, change = max(enumerate(_drawn(one, later)), key=lambda pair: abs(pair[1]))
            points.append(TurningPoint(place, "luck", seat, _rounded(change), drawn[one.event]))
    points = [point for point in points if abs(point.change) >= TURNING_POINT]
    return sorted(points, key=lambda point: -abs(point.change))[:TURNING_POINTS]


def _drawn(one: Judged, later: Judged) -> Shares:
    """What chance changed between two decisions. If two different seats decide, they know different things, so what
    counts is the chances with all hidden information revealed."""
    if one.hidden and one.seat != later.seat:
        return _change(one.open_after, later.open_before)
    return _change(one.after, later.before)


def _player(
    seat: int,
    found: Sequence[Decision],
    judged: Sequence[Judged],
    result: float,
    own: float,
    others: float,
    even: float,
) -> Player:
    """Luck is the remainder of the rounded numbers, so that they add up as shown."""
    counts: dict[str, int] = {}
    total = weights = 0.0
    for one, how in zip(found, judged, strict=True):
        if one.seat == seat:
            counts[one.judgement] = counts.get(one.judgement, 0) + 1
            if how.choices > 1:
                weight = STAKES + how.stakes
                total, weights = total + weight * math.exp(-STEEPNESS * one.loss), weights + weight
    own, others, result = _rounded(own), _rounded(others), _rounded(result)
    luck = _rounded(result - even - own - others)
    return Player(result, luck, own, others, round(100 * total / weights) if weights else None, counts)


def _add(sums: Shares, change: Shares) -> None:
    for seat, value in enumerate(change):
        sums[seat] += value


def _change(before: Shares, after: Shares) -> Shares:
    return [b - a for a, b in zip(before, after, strict=True)]


def _rounded(value: float) -> float:
    return round(value, 4) + 0.0


def _rounded_shares(shares: Shares) -> Shares:
    """Rounded, and still adding up to 1."""
    rounded = [_rounded(share) for share in shares]
    largest = max(range(len(rounded)), key=rounded.__getitem__)
    rounded[largest] = _rounded(1 - sum(rounded) + rounded[largest])
    return rounded


# ---- as data -------------------------------------------------------------------------------------


def data(found: Review) -> dict[str, Any]:
    """A review as JSON-compatible data, without names and language-independent."""
    return asdict(found)


def worded(found: Mapping[str, Any], names: Sequence[str], lang: str) -> dict[str, Any]:
    """That data with a sentence for every decision instead of `why`: why the best move is best."""
    words = Words(found["game"], lang, names)
    decisions = []
    for decision in found["decisions"]:
        why = decision["why"]
        sentence = "" if why is None else words.why(*why)
        decisions.append({**{key: value for key, value in decision.items() if key != "why"}, "sentence": sentence})
    return {**found, "decisions": decisions}
