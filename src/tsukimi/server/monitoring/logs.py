"""Structured logs: one line per event, as JSON for machines or as readable text.

A line is a short sentence and named values: `log.info("request", extra=values(status=200))`. Never log what opens
something (cookies, tokens, personal links, table ids) nor what people say or play; requests are named by their
route's pattern, so that no path with a secret in it reaches a line.
"""

from __future__ import annotations

import json
import logging
import secrets
import sys
import time
from contextvars import ContextVar
from typing import Any, TextIO

request_id: ContextVar[str] = ContextVar("request_id", default="")
LEVELS = ("debug", "info", "warning", "error")


def new_id() -> str:
    return secrets.token_hex(6)


def values(**named: object) -> dict[str, dict[str, object]]:
    """The named values of a line, for `extra`."""
    return {"values": named}


def set_up(level: str = "info", form: str = "text", stream: TextIO | None = None) -> None:
    """Send all logs to one stream. uvicorn's own lines are kept to what went wrong: it would log paths."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio", "websockets"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": _time(record),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage(),
        }
        if here := request_id.get():
            line["request"] = here
        line |= getattr(record, "values", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


class TextLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        parts = [_time(record), record.levelname.lower().ljust(7), _plain(record.getMessage())]
        parts += [f"{name}={_plain(value)}" for name, value in getattr(record, "values", {}).items()]
        if here := request_id.get():
            parts.append(f"request={here}")
        line = " ".join(parts)
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _time(record: logging.LogRecord) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"


def _plain(value: object) -> str:
    """A value on one line: nobody can forge a line of the log by what they send."""
    text = str(value)
    return text if text.isprintable() else repr(text)
