"""Profiles and ratings."""

from __future__ import annotations

import time

import msgspec

from tsukimi.server.common import api
from tsukimi.server.common.api import Profile, Ranked
from tsukimi.server.common.errors import not_found
from tsukimi.server.http.handlers.games import game_of
from tsukimi.server.http.routes import Context, route
from tsukimi.store import Person, Store

LEADERBOARD_MAX_AGE_S = 10.0
PROFILE_GAMES = 20


@route("GET", "/api/people/{who}", Profile, access="public", errors=(404,))
async def profile(ctx: Context) -> Profile:
    """A person's public profile."""
    person = await ctx.store.person_by_handle(ctx.path("who"))
    if person is None:
        raise not_found()
    ratings = api.standings(await ctx.store.ratings_of(person.id))
    return Profile(person.name, person.account, ratings, await _public_games(ctx, person))


async def _public_games(ctx: Context, person: Person) -> list[api.PlayedGame]:
    """A person's latest games, except those at private tables, whose ids are secret."""
    games, _ = await ctx.tables.games_of(person, 0)
    summaries = await ctx.store.tables_of(person.id, limit=100)
    public = {summary.table for summary in summaries if summary.public}
    ended = [game for game in games if game.ended is not None and game.id in public]
    return [msgspec.structs.replace(game, yours=False, asked=False) for game in ended[:PROFILE_GAMES]]


@route("GET", "/api/ratings/{game}", list[Ranked], access="public", errors=(404,))
async def ratings(ctx: Context) -> bytes:
    """The best players of a game."""
    game = game_of(ctx)
    # The list is the same for everyone, so it is cached for a few seconds.
    cache: dict[str, tuple[float, bytes]] = ctx.request.app.state.leaderboards
    at, data = cache.get(game, (0.0, b""))
    if not data or time.monotonic() - at > LEADERBOARD_MAX_AGE_S:
        data = msgspec.json.encode(await _leaderboard(ctx.store, game))
        cache[game] = (time.monotonic(), data)
    return data


async def _leaderboard(store: Store, game: str) -> list[Ranked]:
    best = await store.leaderboard(game, 50)
    return [Ranked(person.handle, person.name, api.displayed_rating(rating), rating.games) for person, rating in best]
