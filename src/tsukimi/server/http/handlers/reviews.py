"""Reviews of finished games, imported records, and playing on from a finished game."""

from __future__ import annotations

from tsukimi.core.errors import BadRecord, TsukimiError
from tsukimi.server.common import review_api
from tsukimi.server.common.api import Created, InLanguage
from tsukimi.server.common.review_api import ReviewStatus
from tsukimi.server.http.routes import Context, route


@route("GET", "/api/tables/{id}/review", ReviewStatus, access="public", query=InLanguage, errors=(403, 404))
async def review(ctx: Context) -> ReviewStatus:
    """The review of a finished game, or its progress."""
    ctx.limit("replay", ctx.caller.key)
    return await ctx.tables.review(ctx.path("id"), ctx.query.lang)


@route("POST", "/api/tables/{id}/review", ReviewStatus, query=InLanguage, errors=(403, 404))
async def ask_review(ctx: Context) -> ReviewStatus:
    """Request a review of a finished game, unless it is already done or queued."""
    ctx.limit_person_and_address("review")
    return await ctx.tables.ask_review(ctx.path("id"), ctx.me, ctx.caller.key, ctx.query.lang)


@route("POST", "/api/records", Created, body=review_api.Record, query=InLanguage, errors=(409,))
async def bring(ctx: Context) -> Created:
    """Import a record: a table with its game, to be replayed and reviewed.

    For a bad one, the error has the line and the problem in the requested language.
    """
    record: review_api.Record = ctx.body
    ctx.limit_person_and_address("review")
    ctx.limit("table-address", ctx.caller.key)
    try:
        return Created(await ctx.tables.bring(record.text, ctx.people.clean_name, ctx.me, ctx.caller.key))
    except BadRecord as bad:
        raise BadRecord(bad.code, **_worded(bad, ctx.query.lang)) from bad


def _worded(bad: BadRecord, lang: str) -> dict[str, object]:
    """The parameters of an error, with nested errors as sentences."""
    return {key: value.message(lang) if isinstance(value, TsukimiError) else value for key, value in bad.params.items()}


@route("POST", "/api/tables/{id}/play-on", Created, body=review_api.PlayOn, errors=(403, 404, 409))
async def play_on(ctx: Context) -> Created:
    """Play on from a step of a finished game, in any seat, against bots."""
    ctx.limit_person_and_address("table", "table-address")
    return Created(await ctx.tables.play_on(ctx.path("id"), ctx.body, ctx.me, ctx.caller.key))
