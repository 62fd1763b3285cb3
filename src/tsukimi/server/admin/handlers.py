"""`/api/admin`: administration over HTTP, for administrators only. Importing this adds the routes."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tsukimi.server.admin import tables
from tsukimi.server.admin.operations import Admin, now_ms
from tsukimi.server.admin.views import (
    ActionView,
    BanView,
    PersonDetails,
    PersonView,
    QuarantineView,
    ReportView,
    TableDetails,
    TableView,
)
from tsukimi.server.common.api import RawName
from tsukimi.server.common.errors import ServerError, not_found
from tsukimi.server.http.routes import Context, route
from tsukimi.server.http.security import contains
from tsukimi.server.moderation.bans import parse_network
from tsukimi.store.moderation import Stats

Page = Annotated[int, Meta(ge=0, le=10_000)]
Hours = Annotated[int, Meta(ge=1, le=100_000)]
Reason = Annotated[str, Meta(max_length=300)]
Words = Annotated[list[Annotated[str, Meta(max_length=60)]], Meta(max_length=300)]


class _Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class FindPeople(msgspec.Struct, frozen=True):
    text: Annotated[str, Meta(max_length=100)] = ""
    page: Page = 0


class FindTables(msgspec.Struct, frozen=True):
    status: Literal["", "open", "playing", "over", "aborted", "quarantined"] = ""
    page: Page = 0


class FindReports(msgspec.Struct, frozen=True):
    resolved: bool = False
    page: Page = 0


class Paged(msgspec.Struct, frozen=True):
    page: Page = 0


class Rename(_Request, frozen=True):
    name: RawName


class NewBan(_Request, frozen=True):
    """On a person (by handle), or on an address or network."""

    who: Annotated[str, Meta(max_length=40)] = ""
    network: Annotated[str, Meta(max_length=60)] = ""
    reason: Reason = ""
    hours: Hours | None = None
    addresses: bool = False
    """Also the addresses the person is connected from now."""


class Resolve(_Request, frozen=True):
    resolution: Reason = ""


class ChangeWords(_Request, frozen=True):
    add: Words = []
    remove: Words = []


class FilteredWords(msgspec.Struct, frozen=True):
    words: list[str]


class NoBody(_Request, frozen=True):
    pass


def admin(ctx: Context) -> Admin:
    return Admin(ctx.store, ctx.me.account or ctx.me.handle)


async def effective(ctx: Context) -> None:
    """A change is in effect on this worker when the response arrives, on the others within a second."""
    await ctx.request.app.state.moderation.refresh()


def number(ctx: Context) -> int:
    text = ctx.path("number")
    if not (text.isascii() and text.isdecimal() and len(text) <= 15):
        raise not_found()
    return int(text)


@route("GET", "/api/admin/stats", Stats, access="admin")
async def admin_stats(ctx: Context) -> Stats:
    """People, tables, games per day, storage size."""
    return await admin(ctx).stats()


@route("GET", "/api/admin/people", list[PersonView], access="admin", query=FindPeople)
async def admin_people(ctx: Context) -> list[PersonView]:
    """People by name, account or handle; newest first."""
    return await admin(ctx).find_people(ctx.query.text, ctx.query.page)


@route("GET", "/api/admin/people/{who}", PersonDetails, access="admin", errors=(404,))
async def admin_person(ctx: Context) -> PersonDetails:
    """A person with their bans, tables and ratings."""
    return await admin(ctx).show_person(await _handle(ctx))


@route("PATCH", "/api/admin/people/{who}", PersonView, access="admin", body=Rename, errors=(404, 409))
async def admin_rename(ctx: Context) -> PersonView:
    """Change a person's name, including at the tables where they sit."""
    renamed = await admin(ctx).rename(await _handle(ctx), ctx.body.name)
    await effective(ctx)
    return renamed


@route("GET", "/api/admin/tables", list[TableView], access="admin", query=FindTables)
async def admin_tables(ctx: Context) -> list[TableView]:
    """Tables, most recently used first."""
    return await admin(ctx).find_tables(ctx.query.status or None, ctx.query.page)


@route("GET", "/api/admin/tables/{id}", TableDetails, access="admin", errors=(404, 410))
async def admin_table(ctx: Context) -> TableDetails:
    """A table with its chat."""
    return await tables.show(ctx.store, ctx.path("id"))


@route("POST", "/api/admin/tables/{id}/close", TableView, access="admin", body=NoBody, errors=(404, 409, 410))
async def admin_close_table(ctx: Context) -> TableView:
    """End a table without a result."""
    closed = await admin(ctx).close_table(ctx.path("id"))
    await effective(ctx)
    return closed


@route("GET", "/api/admin/bans", list[BanView], access="admin")
async def admin_bans(ctx: Context) -> list[BanView]:
    """All bans, newest first."""
    return await admin(ctx).bans()


@route("POST", "/api/admin/bans", BanView, access="admin", body=NewBan, errors=(404, 409))
async def admin_ban(ctx: Context) -> BanView:
    """Ban a person, an address or a network; their sockets are closed."""
    new: NewBan = ctx.body
    if bool(new.who) == bool(new.network):
        raise ServerError("server-bad-request", 400, problem="either `who` or `network`")
    for_ms = None if new.hours is None else new.hours * 3_600_000
    if new.who:
        if new.who == ctx.me.handle:
            raise ServerError("server-admin-self", 409)
        made = await admin(ctx).ban_person(new.who, new.reason, for_ms, new.addresses)
    else:
        _refuse_own_address(ctx, new.network)
        made = await admin(ctx).ban_network(new.network, new.reason, for_ms)
    await effective(ctx)
    return made


def _refuse_own_address(ctx: Context, text: str) -> None:
    try:
        network = parse_network(text)
    except ValueError:
        return  # reported where it is used
    if contains((network,), ctx.caller.address):
        raise ServerError("server-admin-self", 409)


@route("DELETE", "/api/admin/bans/{number}", BanView, access="admin", errors=(404,))
async def admin_unban(ctx: Context) -> BanView:
    """Remove a ban."""
    removed = await admin(ctx).remove_ban(number(ctx))
    await effective(ctx)
    return removed


@route("GET", "/api/admin/reports", list[ReportView], access="admin", query=FindReports)
async def admin_reports(ctx: Context) -> list[ReportView]:
    """What players reported, newest first, with the surrounding chat."""
    return await admin(ctx).reports(ctx.query.resolved, ctx.query.page)


@route("POST", "/api/admin/reports/{number}", ReportView, access="admin", body=Resolve, errors=(404, 409))
async def admin_resolve(ctx: Context) -> ReportView:
    """Mark a report as resolved."""
    return await admin(ctx).resolve(number(ctx), ctx.body.resolution)


@route("GET", "/api/admin/filter", FilteredWords, access="admin")
async def admin_filter(ctx: Context) -> FilteredWords:
    """The filtered words."""
    return FilteredWords(await ctx.store.filtered_words())


@route("PATCH", "/api/admin/filter", FilteredWords, access="admin", body=ChangeWords, errors=(409,))
async def admin_change_filter(ctx: Context) -> FilteredWords:
    """Add and remove filtered words."""
    words = await admin(ctx).change_words(ctx.body.add, ctx.body.remove)
    await effective(ctx)
    return FilteredWords(words)


@route("GET", "/api/admin/quarantine", list[QuarantineView], access="admin")
async def admin_quarantine(ctx: Context) -> list[QuarantineView]:
    """Tables whose log cannot be read, and why."""
    return await tables.quarantined(ctx.store)


@route("GET", "/api/admin/quarantine/{id}", str, access="admin", errors=(404,))
async def admin_export(ctx: Context) -> str:
    """The log of a table as JSON lines."""
    id = ctx.path("id")
    text = await tables.export(ctx.store, id)
    ctx.headers["content-disposition"] = f'attachment; filename="tsukimi-{id}.jsonl"'
    return text


@route("POST", "/api/admin/quarantine/{id}", TableView, access="admin", body=NoBody, errors=(404, 409, 410))
async def admin_retry(ctx: Context) -> TableView:
    """Resume a table if its log can be read now."""
    id = ctx.path("id")
    await tables.retry(ctx.store, id, now_ms(), admin(ctx).by)
    return await tables.view(ctx.store, id)


@route("DELETE", "/api/admin/quarantine/{id}", list[QuarantineView], access="admin", errors=(404, 409))
async def admin_drop(ctx: Context) -> list[QuarantineView]:
    """Delete a quarantined table permanently; the response lists the others."""
    await tables.drop(ctx.store, ctx.path("id"), now_ms(), admin(ctx).by)
    return await tables.quarantined(ctx.store)


@route("GET", "/api/admin/actions", list[ActionView], access="admin", query=Paged)
async def admin_actions(ctx: Context) -> list[ActionView]:
    """The audit log, newest first."""
    return await admin(ctx).actions(ctx.query.page)


async def _handle(ctx: Context) -> str:
    """The handle in the path; 404 if nobody has it."""
    handle = ctx.path("who")
    if await ctx.store.person_by_handle(handle) is None:
        raise not_found()
    return handle
