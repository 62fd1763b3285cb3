"""The few pages that the server writes itself, in three languages: the client's own are the client's."""

from __future__ import annotations

from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tsukimi.core import catalogue

catalogue.register("server", Path(__file__).parent / "messages")

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


def language(request: Request) -> str:
    """The first of the browser's languages that we speak."""
    for part in request.headers.get("accept-language", "").split(",")[:10]:
        if (found := part.strip()[:2].lower()) in catalogue.LANGUAGES:
            return found
    return "en"


def page(which: str, request: Request, status: int = 200, /, **fields: str) -> Response:
    """A page of one paragraph; where the catalogue names one, also a button that sends a form to this same address."""
    lang = language(request)
    safe = {key: escape(value) for key, value in fields.items()}
    content = f"<p>{catalogue.say('page', f'server.{which}', safe, lang)}</p>"
    if which in catalogue.messages("server", lang)["button"]:
        button = catalogue.say("button", f"server.{which}", safe, lang)
        content += f'<form method="post"><button type="submit">{button}</button></form>'
    return HTMLResponse(_PAGE.format(lang=lang, content=content), status, {"cache-control": "no-store"})
