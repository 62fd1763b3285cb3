"""The language of a browser."""

from __future__ import annotations

from starlette.datastructures import Headers

from tsukimi.core.catalogue import LANGUAGES


def preferred_language(headers: Headers) -> str | None:
    """The first supported language in the Accept-Language header; browsers list them by preference."""
    for part in headers.get("accept-language", "").split(",")[:10]:
        if (lang := part.strip()[:2].lower()) in LANGUAGES:
            return lang
    return None
