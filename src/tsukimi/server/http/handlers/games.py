"""The installed games and their texts."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from tsukimi.games import names
from tsukimi.server.common import api
from tsukimi.server.common.errors import not_found
from tsukimi.server.http import game_texts
from tsukimi.server.http.routes import Context, route
from tsukimi.server.http.static import respond

CACHE = "public, max-age=300"  # a newly installed game appears soon


@route("GET", "/api/games", list[api.GameInfo], access="public", query=api.InLanguage)
async def games(ctx: Context) -> bytes:
    """The installed games: their numbers of players, options and texts in a language."""
    ctx.headers["cache-control"] = CACHE
    return game_texts.games(ctx.query.lang, ctx.request.app.state.networks)


@route("GET", "/api/games/{game}/messages", dict[str, Any], access="public", query=api.InLanguage, errors=(404,))
async def game_messages(ctx: Context) -> Response:
    """A game's message catalogue in a language: questions, log sentences, words, errors, its board's texts.

    A newer client must not get an older version's texts from a cache, so they are revalidated.
    """
    return respond(ctx.request, game_texts.messages(game_of(ctx), ctx.query.lang))


@route("GET", "/api/games/{game}/guide", api.Guide, access="public", query=api.InLanguage, errors=(404,))
async def game_guide(ctx: Context) -> api.Guide:
    """A game's rules in a language, as HTML."""
    name = game_of(ctx)
    ctx.headers["cache-control"] = CACHE
    return game_texts.guide(name, ctx.query.lang)


@route("GET", "/api/games/{game}/lesson", api.Lesson, access="public", errors=(404,))
async def game_lesson(ctx: Context) -> api.Lesson:
    """A game's guided first game; its texts are in the game's messages."""
    found = game_texts.lesson(game_of(ctx))
    if found is None:
        raise not_found()
    ctx.headers["cache-control"] = CACHE
    return found


def game_of(ctx: Context) -> str:
    """The installed game in the path."""
    name = ctx.path("game")
    if name not in names():
        raise not_found()
    return name
