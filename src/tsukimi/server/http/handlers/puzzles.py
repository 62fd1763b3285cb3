"""Puzzles: what there is, the next one near my rating, my answer and what it was worth. The answer is checked here and
not sent beforehand."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import NamedTuple

import msgspec

from tsukimi.core.puzzle import Puzzle, expectation, of_the_day, puzzles
from tsukimi.core.spec import Spec
from tsukimi.core.words import Words
from tsukimi.core.zones import zones
from tsukimi.games import names, spec
from tsukimi.server.accounts import progress
from tsukimi.server.common import puzzle_api as api
from tsukimi.server.common.api import Created, InLanguage
from tsukimi.server.common.errors import ServerError, not_found
from tsukimi.server.common.puzzle_api import Answered, PuzzleProgress, PuzzleStanding
from tsukimi.server.http.handlers.games import game_of
from tsukimi.server.http.routes import Context, route
from tsukimi.table.commands import BOT_NAMES

STORED = "puzzles"  # the name under which progress is stored
SHOWN_MOVES = 4
NEAR = 8  # the next puzzle is one of this many with the nearest ratings
MOST_DONE = 1000  # this many answered puzzles are remembered per person
# Elo is enough when one side's rating is known and fixed: no deviation has to be tracked. Newcomers move faster.
FACTOR, FIRST_FACTOR, FIRST_TRIES = 24, 48, 15


class Shown(NamedTuple):
    """A position as its seat knows it, encoded."""

    view: msgspec.Raw
    events: list[msgspec.Raw]
    moves: list[str]


@route("GET", "/api/puzzles", api.Puzzles, query=InLanguage)
async def overview(ctx: Context) -> api.Puzzles:
    """The puzzles of every game by theme, the puzzle of the day, and my rating."""
    mine, specs = await _progress(ctx), [spec(name) for name in names()]
    found = of_the_day(specs, _today())
    day = None
    if found is not None:
        game, puzzle = found
        day = api.PuzzleOfTheDay(game.name, puzzle.id, _today().isoformat(), puzzle.id in mine.done.get(game.name, ()))
    games = [_game(spec, ctx.query.lang, mine) for spec in specs if puzzles(spec)]
    return api.Puzzles(games, day, _standing(mine))


@route("GET", "/api/puzzles/next", api.PuzzleId, query=api.NextPuzzle, errors=(404,))
async def next_puzzle(ctx: Context) -> api.PuzzleId:
    """A puzzle near my rating that I have not answered, optionally of one game and theme."""
    wanted: api.NextPuzzle = ctx.query
    mine = await _progress(ctx)
    found = [
        (game.name, puzzle)
        for game in map(spec, names())
        if wanted.game in ("", game.name)
        for puzzle in puzzles(game).values()
        if not wanted.theme or wanted.theme in puzzle.themes
    ]
    fresh = [(game, puzzle) for game, puzzle in found if puzzle.id not in mine.done.get(game, ())]
    near = sorted(fresh or found, key=lambda one: abs(one[1].rating - mine.rating))[:NEAR]
    if not near:
        raise not_found()
    game, puzzle = random.choice(near)
    return api.PuzzleId(game, puzzle.id)


@route("GET", "/api/puzzles/{game}/{id}", api.Puzzle, errors=(404,))
async def puzzle(ctx: Context) -> api.Puzzle:
    """A position to solve."""
    game, found = _found(ctx)
    mine = await _progress(ctx)
    shown = await asyncio.to_thread(_shown, game, found.id)
    return api.Puzzle(
        game=game.name,
        id=found.id,
        players=found.players,
        seat=found.seat,
        names=_names(ctx, found),
        rating=found.rating,
        view=shown.view,
        events=shown.events,
        moves=shown.moves,
        done=found.id in mine.done.get(game.name, ()),
    )


@route("POST", "/api/puzzles/{game}/{id}", Answered, body=api.Answer, query=InLanguage, errors=(404, 409, 503))
async def answer(ctx: Context) -> Answered:
    """My move. The first answer to a puzzle changes my rating."""
    game, found = _found(ctx)
    moves = (await asyncio.to_thread(_shown, game, found.id)).moves
    given: api.Answer = ctx.body
    if given.move not in moves:
        raise ServerError("illegal-now", 409)
    right, before = given.move == found.answer, PuzzleProgress()

    def after(stored: PuzzleProgress | None) -> PuzzleProgress:
        nonlocal before
        before = stored or PuzzleProgress()
        return _after(before, game.name, found, right)

    mine = await progress.change(ctx.store, ctx.me.id, STORED, PuzzleProgress, after)
    best = sorted(moves, key=lambda move: -found.share(moves, move))[:SHOWN_MOVES]
    shown = best if given.move in best else [*best[:-1], given.move]
    words = Words(game.name, ctx.query.lang, _names(ctx, found))
    counted = mine.tried != before.tried
    return Answered(
        right=right,
        answer=found.answer,
        moves=[(move, found.share(moves, move)) for move in shown],
        sentence=words.why(*found.why),
        exact=found.exact,
        themes=[words.theme(theme) for theme in found.themes],
        change=round(mine.rating) - round(before.rating) if counted else None,
        standing=_standing(mine),
    )


@route("POST", "/api/puzzles/{game}/{id}/play-on", Created, body=api.PlayOnPuzzle, errors=(403, 404, 409))
async def play_on_puzzle(ctx: Context) -> Created:
    """Play on from the position of a puzzle that I have answered, against bots."""
    game, found = _found(ctx)
    if found.id not in (await _progress(ctx)).done.get(game.name, ()):
        raise ServerError("puzzle-unanswered", 403)
    ctx.limit_person_and_address("table", "table-address")
    wanted: api.PlayOnPuzzle = ctx.body
    state = await asyncio.to_thread(found.state, game)
    return Created(await ctx.tables.play_puzzle(state, found.seat, wanted.level, ctx.me, ctx.caller.key))


def _found(ctx: Context) -> tuple[Spec, Puzzle]:
    game = spec(game_of(ctx))
    found = puzzles(game).get(ctx.path("id"))
    if found is None:
        raise not_found()
    return game, found


@lru_cache(64)
def _shown(game: Spec, id: str) -> Shown:
    found = puzzles(game)[id]
    state = found.state(game)
    view = state.view(found.seat)
    if not game.web_board:
        view |= {"zones": zones(view)}
    events = [msgspec.Raw(msgspec.json.encode(event)) for event in state.events(found.seat)]
    return Shown(msgspec.Raw(msgspec.json.encode(view)), events, state.legal(found.seat))


def _names(ctx: Context, found: Puzzle) -> list[str]:
    """I take the seat to move."""
    others = iter([name for name in BOT_NAMES if name != ctx.me.name])
    return [ctx.me.name if seat == found.seat else next(others) for seat in range(found.players)]


def _today() -> date:
    return datetime.now(UTC).date()


# ---- my rating -----------------------------------------------------------------------------------


async def _progress(ctx: Context) -> PuzzleProgress:
    return await progress.read(ctx.store, ctx.me.id, STORED, PuzzleProgress) or PuzzleProgress()


def _after(mine: PuzzleProgress, game: str, puzzle: Puzzle, right: bool) -> PuzzleProgress:
    """What the first answer to a puzzle changes; later ones change nothing."""
    if puzzle.id in mine.done.get(game, ()):
        return mine
    factor = FIRST_FACTOR if mine.tried < FIRST_TRIES else FACTOR
    streak = mine.streak + 1 if right else 0
    done = {**mine.done, game: [*mine.done.get(game, ()), puzzle.id]}
    if sum(map(len, done.values())) > MOST_DONE:
        longest = max(done, key=lambda one: len(done[one]))
        done[longest] = done[longest][1:]
    return PuzzleProgress(
        mine.rating + factor * (right - expectation(mine.rating, puzzle.rating)),
        mine.tried + 1,
        mine.solved + right,
        streak,
        max(streak, mine.best_streak),
        done,
    )


def _standing(mine: PuzzleProgress) -> PuzzleStanding:
    return PuzzleStanding(round(mine.rating), mine.tried, mine.solved, mine.streak, mine.best_streak)


def _game(game: Spec, lang: str, mine: PuzzleProgress) -> api.PuzzleGame:
    found = puzzles(game).values()
    words = Words(game.name, lang, [])
    keys = dict.fromkeys(theme for puzzle in found for theme in puzzle.themes)
    themes = [api.PuzzleTheme(key, words.theme(key), sum(key in puzzle.themes for puzzle in found)) for key in keys]
    done = puzzles(game).keys() & set(mine.done.get(game.name, ()))
    return api.PuzzleGame(game.name, len(found), len(done), sorted(themes, key=lambda theme: theme.name))
