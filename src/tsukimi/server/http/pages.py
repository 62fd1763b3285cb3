"""The few pages that the server renders itself, in three languages: links that do something, a missing client."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tsukimi.core import catalogue
from tsukimi.server.accounts.people import People
from tsukimi.server.accounts.recovery import Recovery
from tsukimi.server.common.errors import error_response, too_many
from tsukimi.server.http.languages import preferred_language
from tsukimi.server.http.security import caller

catalogue.register("server", Path(__file__).parent / "messages")

TOKEN = re.compile(r"[A-Za-z0-9_-]{20,100}")
_PAGE = """<!doctype html>
<html lang="{lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><link rel="icon" href="/favicon.svg" type="image/svg+xml"><title>Tsukimi</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }}
main {{ max-width: 30rem; padding: 2rem; text-align: center; }}
button {{ font: inherit; min-height: 44px; padding: .5rem 1.5rem; border-radius: 999px; border: 0; background: #24365e; color: #fff; cursor: pointer; }}
code {{ overflow-wrap: anywhere; }}
</style></head>
<body><main><h1>Tsukimi</h1>{content}</main></body>
</html>
"""


def page(name: str, request: Request, status: int = 200, /, **fields: str) -> Response:
    """A page with one paragraph and, if the catalogue has one, a button that posts a form to the same address."""
    lang = preferred_language(request.headers) or "en"
    escaped = {key: escape(value) for key, value in fields.items()}
    content = f"<p>{catalogue.say('page', f'server.{name}', escaped, lang)}</p>"
    if name in catalogue.messages("server", lang)["button"]:
        button = catalogue.say("button", f"server.{name}", escaped, lang)
        content += f'<form method="post"><button type="submit">{button}</button></form>'
    return HTMLResponse(_PAGE.format(lang=lang, content=content), status, {"cache-control": "no-store"})


async def personal_link(request: Request) -> Response:
    """/p/TOKEN: opening it changes nothing, since link previews open it too; its button does."""
    people: People = request.app.state.people
    visitor = caller(request.scope)
    try:
        if wait := request.app.state.limiter.acquire("link", visitor.key):
            raise too_many(wait)
        token = request.path_params["token"]
        person = await people.by_link(token) if TOKEN.fullmatch(token) else None
    except Exception as problem:
        return error_response(problem)
    if person is None:
        return page("no-link", request, 404)
    if request.method != "POST":
        return page("link", request, name=person.name)
    response = RedirectResponse("/", 303, {"cache-control": "no-store"})
    session = await people.sessions.start(person, request.headers)
    people.sessions.set_cookie(response, person, visitor.secure, session)
    return response


async def confirm_address(request: Request) -> Response:
    """/e/TOKEN: the link sent to an e-mail address; its button confirms the address."""
    recovery: Recovery = request.app.state.recovery
    token = request.path_params["token"]
    try:
        if wait := request.app.state.limiter.acquire("link", caller(request.scope).key):
            raise too_many(wait)
        address = await recovery.address_of(token) if TOKEN.fullmatch(token) else None
        if address is None:
            return page("no-email", request, 404)
        if request.method != "POST":
            return page("email", request, address=address)
        confirmed = await recovery.confirm_address(token)
    except Exception as problem:
        return error_response(problem)
    return RedirectResponse("/me", 303, {"cache-control": "no-store"}) if confirmed else page("no-email", request, 404)
