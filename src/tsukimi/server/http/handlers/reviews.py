"""Reviews of ended games, records brought in, and playing on from a moment of an ended game."""

from __future__ import annotations

from tsukimi.core.errors import BadRecord, TsukimiError
from tsukimi.server.common import review_api
from tsukimi.server.common.api import Created, InLanguage
from tsukimi.server.common.review_api import ReviewStatus
from tsukimi.server.http.routes import Context, route


@route("GET", "/api/tables/{id}/review", ReviewStatus, access="public", query=InLanguage, errors=(403, 404))
async def review(ctx: Context) -> ReviewStatus:
    """The review of an ended game, or how far it is."""
    ctx.limit("replay", ctx.caller.key)
    return await ctx.tables.review(ctx.path("id"), ctx.query.lang)


@route("POST", "/api/tables/{id}/review", ReviewStatus, query=InLanguage, errors=(403, 404))
async def ask_review(ctx: Context) -> ReviewStatus:
    """Have an ended game reviewed, unless it is or will be."""
    ctx.limit_person_and_address("review")
    return await ctx.tables.ask_review(ctx.path("id"), ctx.me, ctx.caller.key, ctx.query.lang)


@route("POST", "/api/records", Created, body=review_api.Record, query=InLanguage, errors=(409,))
async def bring(ctx: Context) -> Created:
    """Bring a record in: a table with its game, to be replayed and reviewed.

    Of a bad one the error says the line, and what is wrong there in the requested language.
    """
    record: review_api.Record = ctx.body
    ctx.limit_person_and_address("review")
    ctx.limit("table-address", ctx.caller.key)
    try:
        return Created(await ctx.tables.bring(record.text, ctx.people.clean_name, ctx.me, ctx.caller.key))
    except BadRecord as bad:
        raise BadRecord(bad.code, **_worded(bad, ctx.query.lang)) from bad


def _worded(bad: BadRecord, lang: str) -> dict[str, object]:
    """The parameters of an error, with an error among them as its sentence."""
    return {key: value.message(lang) if isinstance(value, TsukimiError) else value for key, value in bad.params.items()}


@route("POST", "/api/tables/{id}/play-on", Created, body=review_api.PlayOn, errors=(403, 404, 409))
async def play_on(ctx: Context) -> Created:
    """Play on from a step of an ended game, on any seat, against bots."""
    ctx.limit_person_and_address("table", "table-address")
    return Created(await ctx.tables.play_on(ctx.path("id"), ctx.body, ctx.me, ctx.caller.key))
