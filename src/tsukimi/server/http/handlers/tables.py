"""Tables: opening, finding and replaying them."""

from __future__ import annotations

from typing import Literal

import msgspec

from tsukimi.server import messages
from tsukimi.server.accounts.names import clean_name
from tsukimi.server.common import api
from tsukimi.server.common.api import Created, Replay
from tsukimi.server.http.routes import Context, route


@route("POST", "/api/tables", Created, body=api.NewTable, errors=(409, 503))
async def new_table(ctx: Context) -> Created:
    """Open a table."""
    new: api.NewTable = ctx.body
    ctx.limit("table", ctx.me.id)
    name = None if new.name is None else clean_name(new.name)
    names = None if new.names is None else [clean_name(one) for one in new.names]
    return Created(await ctx.tables.create(msgspec.structs.replace(new, name=name, names=names), ctx.me))


@route("POST", "/api/match", Created, body=api.Match, errors=(409, 503))
async def match(ctx: Context) -> Created:
    """Quick match: the table where I wait for opponents. Asked again while I wait, it may be another one."""
    wanted: api.Match = ctx.body
    ctx.limit("table", ctx.me.id)
    return Created(await ctx.tables.match(ctx.me, wanted.game, wanted.players))


@route("GET", "/api/tables/{id}", messages.TableInfo, access="public", errors=(404,))
async def table(ctx: Context) -> messages.TableInfo:
    """A table as anybody with its link may see it."""
    return await ctx.tables.info(ctx.path("id"))


@route("GET", "/api/tables/{id}/record", str, access="public", errors=(403, 404, 409))
async def record(ctx: Context) -> str:
    """The record of an ended game, for `tsukimi replay`."""
    id = ctx.path("id")
    text = await ctx.tables.record(id)
    ctx.headers["content-disposition"] = f'attachment; filename="tsukimi-{id}.txt"'
    return text


@route("GET", "/api/tables/{id}/replay", Replay, access="public", query=api.ReplayPart, errors=(403, 404, 409))
async def replay(ctx: Context) -> Replay:
    """An ended game step by step, as a seat or a spectator saw it, or open."""
    part: api.ReplayPart = ctx.query
    seat: int | Literal["open"] | None = None
    if part.seat != "spectator":
        seat = "open" if part.seat == "open" else int(part.seat)
    return await ctx.tables.replay(ctx.path("id"), seat, part.start, part.count)


@route("GET", "/api/lobby", messages.Lobby, access="public")
async def lobby(ctx: Context) -> messages.Lobby:
    """Open public tables, games to watch, my running games. /ws/lobby sends the same."""
    return await ctx.tables.lobby(ctx.person)
