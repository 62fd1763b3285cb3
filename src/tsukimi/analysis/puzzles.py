"""Puzzles mined from games that bots play against each other.

A decision is a puzzle if one move stands out, given what the seat to move can know: the engine's exact solution says so
or, if there is none, two long independent searches. How hard it is follows from which bot levels
find the move. Everything depends only on the seed, whatever the number of processes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial

import tsukimi
from tsukimi.bots import Budget, engine_for, make
from tsukimi.bots.tree import Candidate
from tsukimi.core import catalogue
from tsukimi.core.puzzle import BadPuzzle, Puzzle, expectation, identify
from tsukimi.core.rng import Rng
from tsukimi.core.source import rng_of
from tsukimi.core.spec import UNDO
from tsukimi.core.state import State
from tsukimi.games import spec

QUICK = Budget(playouts=600)
"""For the games themselves, and to see where a closer look is worthwhile."""
LONG = Budget(playouts=60_000)
"""For each of the two searches if there is no exact solution."""
MASTER = Budget(playouts=4_000)
"""The budget of the levels that try to find the move; the weaker ones use a part of it."""
MARGIN = 0.05
"""By how much the best move is better than the second, in shares of the win."""
SEARCHED_MARGIN = 0.08
"""The same if two searches say so."""
CHECKED_PART = 0.75
"""Of the margins: what is enough when a puzzle is solved again, possibly on a machine that rounds differently."""
HOPEFUL = 0.7
"""Of the margin: what a quick analysis must show."""
ERROR = 0.03
"""How far two searches may differ about the best move."""
TRIES = 6
WEAK_PART = 0.3
"""How often a game continues with a move other than the best, so that positions resemble those in people's games."""
EASY_PART = 0.1
"""The fraction kept of the puzzles whose answer looks best at first sight."""
APART = 12
"""The minimum number of events between two puzzles of one game: the decisions in a turn are often one idea."""

# The rating of each level as a puzzle solver; an even chance gives the puzzle's rating.
LEVELS = {"greedy": 1150, "novice": 1400, "regular": 1650, "master": 2000}
LOWEST, HIGHEST = 700, 2300
RANDOM = 600


def mine(
    game: str,
    games: int,
    seed: int = 0,
    processes: int = 1,
    progress: Callable[[int], object] = lambda done: None,
) -> Iterator[Puzzle]:
    """Every puzzle in that many games, in the order of the games."""
    work = partial(_from_game, game, seed)
    if processes == 1:
        for number in range(games):
            yield from work(number)
            progress(number + 1)
        return
    with ProcessPoolExecutor(processes) as pool:
        for number, found in enumerate(pool.map(work, range(games))):
            yield from found
            progress(number + 1)


def choose(found: Sequence[Puzzle], most: int) -> list[Puzzle]:
    """That many of them, spread evenly over themes, numbers of players and levels of difficulty."""
    groups: dict[tuple[object, ...], list[Puzzle]] = defaultdict(list)
    for puzzle in {one.id: one for one in found}.values():
        groups[puzzle.themes[:1], puzzle.rating // 200].append(puzzle)
    for group in groups.values():
        group.sort(key=lambda one: (not one.exact, one.id))
    chosen: list[Puzzle] = []
    while groups and len(chosen) < most:
        for key in sorted(groups, key=str):
            if len(chosen) < most:
                chosen.append(groups[key].pop(0))
            if not groups[key]:
                del groups[key]
    return sorted(chosen, key=lambda one: (one.rating, one.id))


def check(game: str, puzzle: Puzzle) -> None:
    """Solve a puzzle again; `BadPuzzle` says what does not hold."""
    _again(puzzle.state(spec(game)), puzzle)
    for lang in catalogue.LANGUAGES:
        known = catalogue.messages(game, lang).get("theme", {})
        if unknown := set(puzzle.themes) - known.keys():
            raise BadPuzzle("puzzle-theme", id=puzzle.id, theme=min(unknown))


def renew(game: str, puzzle: Puzzle) -> Puzzle:
    """A puzzle solved again, with its current shares, themes and reason; `BadPuzzle` if it does not hold."""
    state = puzzle.state(spec(game))
    candidates, exact = _again(state, puzzle)
    return replace(_made(state, puzzle.seat, candidates, exact, puzzle.rating), id=puzzle.id)


def _again(state: State, puzzle: Puzzle) -> tuple[list[Candidate], bool]:
    solved = solve(state, puzzle.seat, part=CHECKED_PART)
    if solved is None:
        raise BadPuzzle("puzzle-no-best", id=puzzle.id)
    candidates, exact = solved
    if state.text(candidates[0].move, puzzle.seat) != puzzle.answer or exact != puzzle.exact:
        raise BadPuzzle("puzzle-other-answer", id=puzzle.id, answer=state.text(candidates[0].move, puzzle.seat))
    return solved


def solve(state: State, seat: int, search: bool = True, part: float = 1.0) -> tuple[list[Candidate], bool] | None:
    """Every move, best first, and whether that is exact; None if no move clearly stands out. Without `search`
    only exact solutions count; `part` of the margins is enough."""
    engine = engine_for(state, 0)
    exact = engine.exact(state, seat)
    if exact is not None:
        found = engine.believable(state.core, exact)
        return (found, True) if _gap(found) >= part * MARGIN else None
    if not search:
        return None
    once, again = (_searched(state, seat, seed) for seed in (1, 2))
    alike = once[0].move == again[0].move and abs(once[0].share - again[0].share) <= ERROR
    clear = min(_gap(once), _gap(again)) >= part * SEARCHED_MARGIN
    return (once, False) if alike and clear else None


def _searched(state: State, seat: int, seed: int) -> list[Candidate]:
    engine = engine_for(state, seed)
    return engine.believable(state.core, engine.analyse(state, seat, LONG))


def _gap(candidates: Sequence[Candidate]) -> float:
    return candidates[0].share - candidates[1].share


# ---- one game ------------------------------------------------------------------------------------


def _from_game(game: str, seed: int, number: int) -> list[Puzzle]:
    """The puzzles of one game."""
    rng = rng_of(f"{game}/{seed}/{number}")
    seats = spec(game).seats
    state = tsukimi.new(game, seats[number % len(seats)], seed=rng.number())
    engines = [engine_for(state, rng.number()) for _ in range(state.players)]
    found: list[Puzzle] = []
    next_look = 0
    while not state.over:
        seat = state.actors[0]
        moves = state.actions(seat)
        if len(moves) == 1:
            state.apply(moves[0], seat)
            continue
        candidates = engines[seat].believable(state.core, engines[seat].analyse(state, seat, QUICK))
        if (
            state.events_so_far >= next_look
            and _gap(candidates) >= HOPEFUL * MARGIN
            and not _too_easy(state, seat, candidates[0].move, rng)
            and (puzzle := _puzzle(state, seat, _gap(candidates))) is not None
        ):
            found.append(puzzle)
            next_look = state.events_so_far + APART
        state.apply(_played(candidates, rng), seat)
    return found


def _too_easy(state: State, seat: int, best: int, rng: Rng) -> bool:
    """Most puzzles whose answer looks best at first sight are left out too."""
    easy = engine_for(state, rng.number()).greedy(state, seat)[0].move == best
    return rng.randrange(1000) >= 1000 * EASY_PART if easy else False


def _played(candidates: Sequence[Candidate], rng: Rng) -> int:
    """The best move, or occasionally one of the next three."""
    if rng.randrange(1000) >= 1000 * WEAK_PART:
        return candidates[0].move
    return candidates[rng.randrange(min(4, len(candidates)))].move


def _puzzle(state: State, seat: int, gap: float) -> Puzzle | None:
    """This decision as a puzzle, if it is one; `gap` is what a quick analysis showed."""
    here = _without_source(state)
    solved = solve(here, seat, search=gap >= HOPEFUL * SEARCHED_MARGIN)
    if solved is None:
        return None
    return _made(here, seat, *solved, _rating(here, seat, solved[0][0].move))


def _made(here: State, seat: int, candidates: list[Candidate], exact: bool, rating: int) -> Puzzle:
    answer = candidates[0].move
    engine = engine_for(here, 0)
    why = engine.reason(here, seat, candidates)
    shares = {candidate.move: candidate.share for candidate in candidates}
    events = tuple(here.lines())
    return Puzzle(
        identify(here.players, here.options, events),
        here.players,
        _unusual(here),
        events,
        seat,
        here.text(answer, seat),
        tuple(_rounded(shares[move]) for move in here.actions(seat)),
        rating,
        tuple(engine.themes_of(here, seat, answer, why)),
        why,
        exact,
    )


def _rounded(share: float) -> float:
    """Rounded to thousandths, so that it gives the same percentage as before: never half a percent."""
    thousandths = round(1000 * share)
    if thousandths % 10 == 5:
        thousandths += 1 if 1000 * share >= thousandths else -1
    return thousandths / 1000


def _without_source(state: State) -> State:
    """The same game as stored in the file: with nothing but its history."""
    here = tsukimi.new(state.game, state.players, chance="manual", components=state.components, **state.options)
    for mover, move in state.history:
        assert mover != UNDO
        here.make(mover, move)
    return here


def _unusual(state: State) -> dict[str, str]:
    """The options that are not the default."""
    usual = tsukimi.new(state.game, state.players, chance="manual").options
    return {name: value for name, value in state.options.items() if usual[name] != value}


def _rating(state: State, seat: int, answer: int) -> int:
    """The rating at which these players would be expected to solve a puzzle as often as they did."""
    results = [(RANDOM, 1 / len(state.actions(seat)))]
    for level, rating in LEVELS.items():
        right = sum(make(level, state, seed, MASTER).choose(state, seat) == answer for seed in range(TRIES))
        results.append((rating, right / TRIES))
    low, high = float(LOWEST), float(HIGHEST)
    while high - low > 1:
        middle = (low + high) / 2
        expected = sum(expectation(rating, middle) for rating, _ in results)
        low, high = (middle, high) if expected > sum(part for _, part in results) else (low, middle)
    return round(middle)
