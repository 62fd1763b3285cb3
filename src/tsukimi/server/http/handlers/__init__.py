"""The handlers of the HTTP API (docs/http.md). Importing this package fills the table of routes."""

from tsukimi.server.http.handlers import games, me, people, tables

__all__ = ["games", "me", "people", "tables"]
