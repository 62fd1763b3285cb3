"""Structured logs: one line per event, as JSON or as readable text.

A line is a short message with named fields: `log.info("request", extra=fields(status=200))`. Never log credentials
(cookies, tokens, personal links, table ids) or what people say or play. Requests are logged by their route
pattern, so that no path with a secret in it reaches the log.
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


def new_request_id() -> str:
    return secrets.token_hex(6)


def fields(**named: object) -> dict[str, dict[str, object]]:
    """The named fields of a line, for `extra`."""
    return {"fields": named}


def configure(level: str = "info", format: str = "text", stream: TextIO | None = None) -> None:
    """Send all logs to one stream. Only warnings are kept from uvicorn: its access log would contain paths."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if format == "json" else TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio", "websockets"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    logging.getLogger("uvicorn.error").addFilter(is_error)


NO_ERRORS = (
    "ASGI callable returned without completing handshake",  # a WebSocket was refused with a status
    "ASGI callable returned without completing response",  # the database failed during a download, which is reported
    "Invalid UTF-8 sequence received from client",
)


def is_error(record: logging.LogRecord) -> bool:
    """False for messages that uvicorn logs as errors but that are not."""
    return not record.getMessage().startswith(NO_ERRORS)


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": _time(record),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage(),
        }
        if current := request_id.get():
            line["request"] = current
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


class TextFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        parts = [_time(record), record.levelname.lower().ljust(7), _one_line(record.getMessage())]
        parts += [f"{name}={_one_line(value)}" for name, value in getattr(record, "fields", {}).items()]
        if current := request_id.get():
            parts.append(f"request={current}")
        line = " ".join(parts)
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _time(record: logging.LogRecord) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"


def _one_line(value: object) -> str:
    """Escaped if necessary, so that no input can forge a log line."""
    text = str(value)
    return text if text.isprintable() else repr(text)
