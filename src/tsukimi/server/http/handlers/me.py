"""The calling person: identity, personal link, tokens, games."""

from __future__ import annotations

import msgspec

from tsukimi.server.accounts import people
from tsukimi.server.accounts.sessions import LINK, token_id
from tsukimi.server.common import api
from tsukimi.server.common.api import Link, Me, PlayedGames, Token
from tsukimi.server.common.errors import ServerError
from tsukimi.server.http.languages import preferred_language
from tsukimi.server.http.routes import Context, route


@route("GET", "/api/me", Me, access="public", errors=(403,))
async def me(ctx: Context) -> Me:
    """Who I am. The first call creates a guest and sets a cookie that identifies it."""
    if ctx.person is None:
        # A page on another site must not be able to replace a browser's identity.
        if ctx.request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise ServerError("server-origin", 403)
        ctx.limit("guest", ctx.caller.key)
        ctx.person = await ctx.people.create_guest(preferred_language(ctx.request.headers))
        ctx.cookie = ctx.person
    elif "authorization" not in ctx.request.headers:
        session = await ctx.people.sessions.use(ctx.person, ctx.request.headers)
        if session is not None:
            ctx.cookie, ctx.session = ctx.person, session
    return await who_am_i(ctx)


@route("PATCH", "/api/me", Me, body=api.ChangeMe)
async def change_me(ctx: Context) -> Me:
    """Change my name or language."""
    change: api.ChangeMe = ctx.body
    fields = {name: value for name, value in msgspec.structs.asdict(change).items() if value is not msgspec.UNSET}
    ctx.person = await ctx.people.change(ctx.me, **fields)
    return await who_am_i(ctx)


@route("POST", "/api/me/link", Link, access="browser")
async def new_link(ctx: Context) -> Link:
    """A personal link, which takes this identity to another device. The previous link stops working."""
    ctx.limit("token", ctx.me.id)
    return Link("/p/" + await ctx.people.create_token(ctx.me, LINK))


@route("DELETE", "/api/me/link", Me, access="browser")
async def end_link(ctx: Context) -> Me:
    """Revoke the personal link."""
    await ctx.people.delete_tokens(ctx.me, LINK)
    return await who_am_i(ctx)


@route("POST", "/api/me/token", Token, access="browser", body=api.NewToken, errors=(409,))
async def new_token(ctx: Context) -> Token:
    """A bearer token for a program that plays as me."""
    new: api.NewToken = ctx.body
    ctx.limit("token", ctx.me.id)
    return Token(await ctx.people.create_token(ctx.me, people.TOKEN, new.label))


@route("GET", "/api/me/token", list[api.TokenInfo], access="browser")
async def tokens(ctx: Context) -> list[api.TokenInfo]:
    """My bearer tokens, newest first."""
    return await _tokens(ctx)


@route("DELETE", "/api/me/token/{id}", list[api.TokenInfo], access="browser", errors=(404,))
async def end_token(ctx: Context) -> list[api.TokenInfo]:
    """Revoke one of my bearer tokens; the response lists the others."""
    await ctx.people.delete_token(ctx.me, ctx.path("id"))
    return await _tokens(ctx)


@route("DELETE", "/api/me/token", Me, access="browser")
async def end_tokens(ctx: Context) -> Me:
    """Revoke all my bearer tokens."""
    await ctx.people.delete_tokens(ctx.me, people.TOKEN)
    return await who_am_i(ctx)


@route("GET", "/api/me/games", PlayedGames, query=api.Page)
async def my_games(ctx: Context) -> PlayedGames:
    """My games, running and finished, newest first."""
    page: api.Page = ctx.query
    games, more = await ctx.tables.games_of(ctx.me, page.page)
    return PlayedGames(games, more)


async def who_am_i(ctx: Context) -> Me:
    person = ctx.me
    ratings = api.standings(await ctx.store.ratings_of(person.id))
    return Me(person.handle, person.name, person.lang, person.account, ratings, await ctx.is_admin())  # type: ignore[arg-type]


async def _tokens(ctx: Context) -> list[api.TokenInfo]:
    return [api.TokenInfo(token_id(token), token.label, token.at) for token in await ctx.people.tokens(ctx.me)]
