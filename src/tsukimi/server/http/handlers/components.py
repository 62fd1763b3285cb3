"""Component sets: a game's own, and what people make of them in the workshop."""

from __future__ import annotations

from tsukimi.games import spec
from tsukimi.server.common import components_api as api
from tsukimi.server.common.api import InLanguage
from tsukimi.server.common.errors import not_found
from tsukimi.server.http import component_sets
from tsukimi.server.http.handlers.games import CACHE, game_of
from tsukimi.server.http.routes import Context, route


@route("GET", "/api/games/{game}/components", api.CheckedComponents, access="public", errors=(404,))
async def shipped(ctx: Context) -> api.CheckedComponents:
    """A game's own set of components."""
    ctx.headers["cache-control"] = CACHE
    return component_sets.shipped(_game(ctx))


@route("POST", "/api/games/{game}/components", api.CheckedComponents, body=api.Draft, query=InLanguage, errors=(404,))
async def check(ctx: Context) -> api.CheckedComponents:
    """Check a set of components: nothing is stored. Problems are described in the requested language."""
    game = _game(ctx)
    ctx.limit_person_and_address("components")
    return await ctx.tables.check_components(game, ctx.body, ctx.query.lang, ctx.me, ctx.caller.key)


@route("POST", "/api/games/{game}/balance", api.ComponentReport, body=api.NewComponentReport, errors=(404, 409))
async def balance(ctx: Context) -> api.ComponentReport:
    """A few games between simple bots with a set of components: is it balanced, how long is it, what never gets used."""
    game = _game(ctx)
    ctx.limit_person_and_address("balance")
    return await ctx.tables.balance(game, ctx.body, ctx.me, ctx.caller.key)


def _game(ctx: Context) -> str:
    name = game_of(ctx)
    if not spec(name).has_components:
        raise not_found()
    return name
