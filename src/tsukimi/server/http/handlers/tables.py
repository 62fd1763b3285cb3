"""Tables: opening, finding and replaying them."""

from __future__ import annotations

import time
from typing import Literal

import msgspec

from tsukimi.server import messages
from tsukimi.server.common import api
from tsukimi.server.common.api import Created, Replay, Reported
from tsukimi.server.common.errors import ServerError, not_found
from tsukimi.server.http.routes import Context, route
from tsukimi.store.moderation import Report, ReportedLine

LINES_AROUND = 10  # before and after the reported line
MOST_OPEN_REPORTS = 20  # of one person


@route("POST", "/api/tables", Created, body=api.NewTable, errors=(409, 503))
async def new_table(ctx: Context) -> Created:
    """Open a table."""
    new: api.NewTable = ctx.body
    ctx.limit_person_and_address("table", "table-address")
    name = None if new.name is None else ctx.people.clean_name(new.name)
    names = None if new.names is None else [ctx.people.clean_name(name) for name in new.names]
    new = msgspec.structs.replace(new, name=name, names=names)
    return Created(await ctx.tables.create(new, ctx.me, ctx.caller.key))


@route("POST", "/api/lessons", Created, body=api.NewLesson, errors=(404, 409, 503))
async def new_lesson(ctx: Context) -> Created:
    """Start a game's lesson: my own table, where chance and the bots follow a prepared line."""
    wanted: api.NewLesson = ctx.body
    ctx.limit_person_and_address("table", "table-address")
    return Created(await ctx.tables.learn(ctx.me, wanted.game, ctx.caller.key))


@route("POST", "/api/match", Created, body=api.Match, errors=(409, 503))
async def match(ctx: Context) -> Created:
    """Quick match: the table where I wait for opponents. Repeated while I wait, it may return another one."""
    wanted: api.Match = ctx.body
    ctx.limit_person_and_address("table", "table-address")
    return Created(await ctx.tables.match(ctx.me, wanted.game, wanted.players, ctx.caller.key))


@route("GET", "/api/tables/{id}", messages.TableInfo, access="public", errors=(404,))
async def table(ctx: Context) -> messages.TableInfo:
    """A table as anyone with its link may see it."""
    return await ctx.tables.info(ctx.path("id"))


@route("GET", "/api/tables/{id}/record", str, access="public", errors=(403, 404, 409))
async def record(ctx: Context) -> str:
    """The record of a finished game, for `tsukimi replay`."""
    id = ctx.path("id")
    ctx.limit("replay", ctx.caller.key)
    text = await ctx.tables.record(id)
    ctx.headers["content-disposition"] = f'attachment; filename="tsukimi-{id}.txt"'
    return text


@route("GET", "/api/tables/{id}/replay", Replay, access="public", query=api.ReplayPart, errors=(403, 404, 409))
async def replay(ctx: Context) -> Replay:
    """A finished game step by step, as a seat or a spectator saw it, or open."""
    part: api.ReplayPart = ctx.query
    ctx.limit("replay", ctx.caller.key)
    seat: int | Literal["open"] | None = None
    if part.seat != "spectator":
        seat = "open" if part.seat == "open" else int(part.seat)
    return await ctx.tables.replay(ctx.path("id"), seat, part.start, part.count)


@route("POST", "/api/tables/{id}/report", Reported, body=api.NewReport, errors=(404, 409))
async def report(ctx: Context) -> Reported:
    """Report someone at a table to the host; the surrounding chat is included."""
    new: api.NewReport = ctx.body
    table = ctx.path("id")
    seats, chat = (await ctx.tables.info(table)).seats, await ctx.tables.chat(table)
    present = {seat.who for seat in seats} | {line.who for line in chat}
    person = await ctx.store.person_by_handle(new.who) if new.who in present else None
    if person is None:
        raise not_found()
    if person.id == ctx.me.id:
        raise ServerError("server-report-self", 409)
    ctx.limit_person_and_address("report")
    around = [line for line in chat if new.line is None or abs(line.number - new.line) <= LINES_AROUND]
    lines = [
        ReportedLine(line.number, line.at, line.who, line.name, line.text) for line in around[-2 * LINES_AROUND - 1 :]
    ]
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in new.text).split())
    now = int(1000 * time.time())
    made = Report(0, now, ctx.me.id, person.id, table, new.reason, text, lines, new.line)
    number = await ctx.store.add_report(made, MOST_OPEN_REPORTS)
    if number is None:
        raise ServerError("server-reports-many", 429, retry=3600)
    ctx.request.app.state.metrics.reports.inc()
    return Reported(number)


@route("GET", "/api/lobby", messages.Lobby, access="public")
async def lobby(ctx: Context) -> messages.Lobby:
    """Open public tables, games to watch, my running games. /ws/lobby sends the same."""
    return await ctx.tables.lobby(ctx.person)
