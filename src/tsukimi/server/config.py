"""The server's settings: command line > environment (TSUKIMI_*) > TOML file > defaults. See docs/hosting.md.

Every field of `Config` is a key of the file and, in capitals with the prefix `TSUKIMI_`, an environment variable.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import tomllib
from collections.abc import Mapping
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from tsukimi.core.errors import BadOptions
from tsukimi.core.folders import data_folder
from tsukimi.server.messages.fields import NetworkName

MIN_SECRET_LENGTH = 32


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8377
    database: str = ""
    """`sqlite:///FILE` or `postgresql://..`; empty: `tsukimi.db` in the data folder."""
    bus: str = ""
    """`redis://..`; empty: in-process."""
    public_url: str = ""
    """The URL at which people reach the server, such as https://games.example.org."""
    data: str = ""
    """The folder for the database and the secret; empty: `tsukimi` in the user's data folder."""
    web: str = ""
    """The folder of the built client; empty: the packaged one."""
    secret: str = ""
    """Signs cookies; the same for all workers. Empty: read from `secret_file`."""
    secret_file: str = ""
    """The file of the secret; empty: `secret` in the data folder. Created if missing."""
    origins: list[str] = []
    """Other web origins that may use the API with a person's cookie."""
    proxies: list[str] = []
    """Addresses or networks of reverse proxies whose X-Forwarded-For and -Proto are trusted."""
    smtp: str = ""
    """Sends e-mails: `smtp://USER:PASSWORD@HOST:587` or `smtps://..:465`; empty: no e-mails."""
    mail_from: str = ""
    """The sender of these e-mails."""
    metrics_from: list[str] = []
    """Addresses or networks that may read /metrics, besides this machine."""
    metrics_token: str = ""
    """A bearer token that may read /metrics from anywhere."""
    rate: Annotated[float, Meta(ge=0)] = 1.0
    """A factor for all rate limits; 0: no limits (for tests)."""
    connections_per_address: Annotated[int, Meta(ge=1)] = 400
    """Simultaneous connections; an IPv6 /64 counts as one address."""
    sockets_per_person: Annotated[int, Meta(ge=1)] = 40
    """Simultaneous WebSockets: tables in tabs, devices."""
    tables_per_person: Annotated[int, Meta(ge=1)] = 60
    """Opened by one person and not ended."""
    tables_per_address: Annotated[int, Meta(ge=1)] = 300
    expire_waiting: Annotated[float, Meta(gt=0)] = 24.0
    """Hours after which a public table that has not started is closed if nobody was connected to it."""
    expire_abandoned: Annotated[float, Meta(gt=0)] = 60.0
    """Days after which any table is closed if nobody was connected to it and no clock is running."""
    bytes_per_second: Annotated[int, Meta(ge=1024)] = 128 * 1024
    """Read from one address; anything beyond waits."""
    max_queued: Annotated[int, Meta(ge=1)] = 128
    """Megabytes that may be queued for slow readers in total."""
    write_timeout: Annotated[float, Meta(gt=0)] = 30.0
    """Seconds after which a connection that does not read is dropped."""
    bot_processes: Annotated[int, Meta(ge=0, le=256)] = 0
    """Processes for bots; 0: one fewer than the number of cores."""
    bot_ms: Annotated[float, Meta(ge=1, le=60_000)] = 1000.0
    """Milliseconds a `master` thinks per move; weaker levels take less."""
    networks: dict[NetworkName, str] = {}
    """Neural networks to play against: names and files. In the environment: `NAME=FILE, ..`."""
    grace: Annotated[int, Meta(ge=1, le=600)] = 10
    """Seconds allowed for running requests when the server stops."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["text", "json"] = "text"

    def __repr__(self) -> str:
        return f"Config({self.host}:{self.port})"  # the rest contains passwords and the secret

    def key(self, purpose: str) -> bytes:
        """A key derived from the secret, a different one for each purpose."""
        return hmac.digest(self.secret.encode(), f"tsukimi {purpose}".encode(), hashlib.sha256)


def load(
    options: Mapping[str, object] | None = None,
    env: Mapping[str, str] | None = None,
    file: str | None = None,
    create: bool = True,
) -> Config:
    """The effective settings, checked and complete; `BadOptions` says in one line what is wrong.

    `create`: create the data folder and the secret if missing; else the secret stays empty.
    """
    env = os.environ if env is None else env
    path = file or env.get("TSUKIMI_CONFIG") or None
    found = {**_from_file(path), **_from_environment(env)}
    found |= {name: value for name, value in (options or {}).items() if value is not None}
    try:
        config = msgspec.convert(found, Config, strict=False)
    except msgspec.ValidationError as problem:
        raise BadOptions("server-config", problem=str(problem)) from problem
    _check(config)
    return _complete(config, env, create)


def _from_file(path: str | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        return tomllib.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else str(problem)
        raise BadOptions("server-config-file", path=path, problem=reason or "") from problem


def _from_environment(env: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(Config):
        text = env.get(f"TSUKIMI_{field.name.upper()}")
        if text is not None:
            parts = [part.strip() for part in text.split(",") if part.strip()]
            if field.default_factory is list:
                found[field.name] = parts
            elif field.default_factory is dict:
                found[field.name] = {
                    name.strip(): value.strip() for name, _, value in (p.partition("=") for p in parts)
                }
            else:
                found[field.name] = text
    return found


def _check(config: Config) -> None:
    _check_url("database", config.database, {"sqlite": "apsw", "postgresql": "asyncpg", "postgres": "asyncpg"})
    _check_url("bus", config.bus, {"redis": "redis", "rediss": "redis"})
    _check_url("smtp", config.smtp, {"smtp": "smtplib", "smtps": "smtplib"})
    if config.smtp and not (config.public_url and "@" in config.mail_from):
        raise BadOptions("server-smtp")  # a link in an e-mail must not depend on the host named by a request
    for name, text in [("public_url", config.public_url), *(("origins", origin) for origin in config.origins)]:
        parts = urlsplit(text)
        if text and (parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/")):
            raise BadOptions("server-url", name=name, url=text, known="https://HOST, http://HOST:PORT")
    for name in ("proxies", "metrics_from"):
        for text in getattr(config, name):
            try:
                ip_network(text, strict=False)
            except ValueError as problem:
                raise BadOptions("server-network", name=name, text=text) from problem
    if config.secret and len(config.secret) < MIN_SECRET_LENGTH:
        raise BadOptions("server-secret-short", least=MIN_SECRET_LENGTH)


def _check_url(name: str, url: str, modules: Mapping[str, str]) -> None:
    """Check that the service is known and its package installed. The URL may contain a password: errors show only the scheme."""
    if not url:
        return
    scheme, colon, _ = url.partition("://")
    if not colon or scheme not in modules:
        known = ", ".join(f"{module}://.." for module in modules if module not in ("postgres", "rediss"))
        raise BadOptions("server-url", name=name, url=f"{scheme[:20]}://.." if colon else "..", known=known)
    if find_spec(modules[scheme]) is None:
        extra = {"asyncpg": "tsukimi[postgres]", "redis": "tsukimi[redis]"}.get(modules[scheme], modules[scheme])
        raise BadOptions("server-extra", name=name, extra=extra)


def _complete(config: Config, env: Mapping[str, str], create: bool) -> Config:
    data = Path(config.data) if config.data else data_folder(env)
    database = config.database or f"sqlite:///{(data / 'tsukimi.db').absolute()}"
    if not create:
        return msgspec.structs.replace(config, data=str(data), database=database)
    try:
        if not config.database or not (config.secret or config.secret_file):
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
        secret = config.secret or _secret_from(Path(config.secret_file) if config.secret_file else data / "secret")
    except OSError as problem:
        raise BadOptions(
            "server-data", path=str(problem.filename or data), problem=problem.strerror or str(problem)
        ) from problem
    return msgspec.structs.replace(config, data=str(data), database=database, secret=secret)


def _secret_from(path: Path) -> str:
    """The secret in a file, which is created if missing, readable only by its owner from the start."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        text = path.read_text("utf-8").strip()
        if len(text) < MIN_SECRET_LENGTH:
            raise BadOptions("server-secret-short", least=MIN_SECRET_LENGTH) from None
        return text
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        text = secrets.token_urlsafe(48)
        file.write(text + "\n")
    return text
