"""What is stored about me: exporting all of it, and deleting it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec
from starlette.responses import StreamingResponse

from tsukimi.server.accounts.codes import codes_left
from tsukimi.server.accounts.sessions import LINK, token_id
from tsukimi.server.common.account_api import Confirm, OwnData, RatingData, ReportData, SaidLine
from tsukimi.server.common.api import Me, TokenInfo
from tsukimi.server.http.handlers.account import become_guest, my_sessions
from tsukimi.server.http.routes import Context, route


@route("GET", "/api/me/export", OwnData, access="browser")
async def export(ctx: Context) -> StreamingResponse:
    """Everything stored about me, as one file."""
    ctx.limit("export", ctx.me.id)
    ctx.headers["content-disposition"] = 'attachment; filename="tsukimi.json"'
    about = {name: msgspec.json.encode(value) for name, value in (await _about(ctx)).items()}
    return StreamingResponse(_streamed(ctx, about), media_type="application/json")


async def _about(ctx: Context) -> dict[str, Any]:
    me = ctx.me
    links = await ctx.store.tokens_of(me.id, LINK)
    tokens = await ctx.people.tokens(me)
    ratings = await ctx.store.ratings_of(me.id)
    return {
        "who": me.handle,
        "name": me.name,
        "created": me.created,
        "lang": me.lang,
        "account": me.account,
        "email": me.email,
        "totp": me.totp is not None,
        "recovery_codes": await codes_left(ctx.store, me),
        "sessions": await my_sessions(ctx),
        "tokens": [TokenInfo(token_id(token), token.label, token.at) for token in tokens],
        "personal_link": links[0].at if links else None,
        "reports": [
            ReportData(report.table, report.at, report.reason, report.text)
            for report in await ctx.store.reports_by(me.id)
        ],
        "progress": {name: msgspec.Raw(data) for name, data in (await ctx.store.progress(me.id)).items()},
        "ratings": {game: RatingData(*rating) for game, rating in ratings.items()},
    }


async def _streamed(ctx: Context, about: dict[str, bytes]) -> AsyncIterator[bytes]:
    """Game by game: someone may have played thousands, and the records need not be in memory together."""
    yield b"{" + b"".join(b'"%s":%s,\n' % (name.encode(), value) for name, value in about.items()) + b'"games":['
    chat, first = list[SaidLine](), True
    async for found in ctx.tables.data_of(ctx.me):
        if isinstance(found, SaidLine):
            chat.append(found)
        else:
            yield (b"" if first else b",\n") + msgspec.json.encode(found)
            first = False
    yield b'],\n"chat":' + msgspec.json.encode(chat) + b"}\n"


@route("POST", "/api/me/delete", Me, access="browser", body=Confirm, errors=(409, 503))
async def delete_me(ctx: Context) -> Me:
    """Delete me and my account. Games are kept without my name; I become a new guest."""
    given: Confirm = ctx.body
    ctx.limit("guest", ctx.caller.key)
    me = ctx.me
    if me.account is not None:
        await ctx.accounts.check_password(me, given.password)
    await ctx.people.disconnect(me)  # so that nobody plays on meanwhile
    await ctx.tables.forget(me)
    await ctx.people.delete(me)
    return await become_guest(ctx, me)
