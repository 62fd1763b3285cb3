"""The handlers of the HTTP API (docs/http.md). Importing this package fills the table of routes."""

from tsukimi.server.http.handlers import (
    account,
    components,
    games,
    me,
    own_data,
    people,
    progress,
    puzzles,
    reviews,
    tables,
)

__all__ = ["account", "components", "games", "me", "own_data", "people", "progress", "puzzles", "reviews", "tables"]
