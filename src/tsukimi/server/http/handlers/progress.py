"""What I have learned and set, shared between all my devices."""

from __future__ import annotations

from typing import TypeVar

from tsukimi.server.accounts import progress
from tsukimi.server.common.account_api import LessonProgress, Preferences, Progress
from tsukimi.server.http.routes import Context, route

T = TypeVar("T", LessonProgress, Preferences)
CLIENT = "client"


@route("GET", "/api/me/progress", Progress)
async def my_progress(ctx: Context) -> Progress:
    """My lessons and preferences."""
    return await progress.read(ctx.store, ctx.me.id, CLIENT, Progress) or Progress()


@route("POST", "/api/me/progress", Progress, body=Progress, errors=(503,))
async def change_progress(ctx: Context) -> Progress:
    """Merge in what this device knows. For each lesson, and for the preferences, the later one wins; returns the result."""
    mine: Progress = ctx.body
    return await progress.change(ctx.store, ctx.me.id, CLIENT, Progress, lambda stored: _merged(stored, mine))


def _merged(stored: Progress | None, mine: Progress) -> Progress:
    if stored is None:
        return mine
    lessons = {
        game: _later(stored.lessons.get(game), mine.lessons.get(game)) for game in {**stored.lessons, **mine.lessons}
    }
    found = {game: lesson for game, lesson in lessons.items() if lesson is not None}
    return Progress(found, _later(stored.preferences, mine.preferences))


def _later(stored: T | None, mine: T | None) -> T | None:
    if stored is None or mine is None:
        return stored or mine
    return mine if mine.at >= stored.at else stored
