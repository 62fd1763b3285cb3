"""Real servers for tests: Debian's PostgreSQL and Redis on loopback, in folders that go away afterwards.

One of each per pytest process, started when first asked for. They can be killed and started again, for tests of
what happens then. Use the fixtures, `from services import postgres, redis_server  # noqa: F401` in a conftest, or the
classes as context managers.
"""

from __future__ import annotations

import atexit
import functools
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO, TypeVar

import pytest

WAIT_S = 20.0
S = TypeVar("S", bound="Service")


class Service:
    """A server process with a folder and a port of its own."""

    user: str | None = None  # who runs it, if not we
    watched = False  # whether something will stop it

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="tsukimi-"))
        self._process: subprocess.Popen[bytes] | None = None

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _answers(self) -> bool:
        raise NotImplementedError

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Return when it answers; nothing to do if it does already."""
        if self.running:
            return
        with self._log() as log:
            self._process = spawn(self._command(), self.folder, log, self.user)
        wait_for(self._answers, f"{type(self).__name__} does not start", self)

    def kill(self) -> None:
        """SIGKILL to the whole family, as a power cut would."""
        if self._process is None:
            return
        pid = self._process.pid
        if self.running:
            os.kill(pid, signal.SIGSTOP)  # so that it has no more children while they are counted
            family = [pid, *children(pid)]
            for member in family:
                send(member, signal.SIGKILL)
            self._process.wait()
            wait_for(lambda: not any(map(alive, family)), f"{type(self).__name__} does not die")
        self._process = None

    def stop_gently(self) -> None:
        """As an operator does it: PostgreSQL closes all connections first."""
        if self._process is not None and self.running:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(WAIT_S)
        self._process = None

    def restart(self) -> None:
        self.kill()
        self.start()

    def stop(self) -> None:
        """For good."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _log(self) -> IO[bytes]:
        return (self.folder / "log").open("ab")

    def log(self) -> str:
        """What the server has said."""
        return (self.folder / "log").read_text("utf-8", "replace")


class Postgres(Service):
    """A cluster with fsync on, as in production; everyone on loopback is trusted."""

    def __init__(self) -> None:
        self._bin = postgres_binaries()
        super().__init__()
        self._names = itertools.count(1)
        if os.getuid() == 0:  # which PostgreSQL refuses to be
            self.user = "postgres"
            shutil.chown(self.folder, "postgres", "postgres")
        options = ["-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"]
        with self._log() as log:
            command = [str(self._bin / "initdb"), *options, "-D", str(self.folder / "data")]
            code = spawn(command, self.folder, log, self.user).wait()
        if code:
            raise RuntimeError(f"initdb failed:\n{self.log()}")

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def database(self) -> str:
        """The URL of a fresh, empty place: a schema, which takes 300 files and 100 ms less than a database."""
        name = f"test_{next(self._names)}"
        self.sql(f"create schema {name}")
        return f"{self.url}?options=-csearch_path%3D{name}"

    def sql(self, statement: str, url: str | None = None) -> str:
        """The output of psql."""
        command = [self._bin / "psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-d", url or self.url]
        done = subprocess.run([*command, "-c", statement], check=True, capture_output=True, text=True, timeout=60)
        return done.stdout.strip()

    def _command(self) -> list[str]:
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": "on",
            "max_connections": 60,
            "shared_buffers": "64MB",
            "max_wal_size": "2GB",
        }
        options = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
        return [str(self._bin / "postgres"), "-D", str(self.folder / "data"), *options]

    def _answers(self) -> bool:
        ask = [self._bin / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(ask, check=False).returncode == 0


class Redis(Service):
    """A server without persistence."""

    def __init__(self) -> None:
        binary = shutil.which("redis-server")
        if binary is None:
            pytest.skip("redis-server is NOT INSTALLED: the Redis bus is untested here")
        super().__init__()
        self._binary = binary

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def _command(self) -> list[str]:
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": self.folder}
        return [self._binary, *(word for key, value in options.items() for word in (f"--{key}", str(value)))]

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


@functools.cache
def _postgres() -> Postgres:
    server = Postgres()
    atexit.register(server.stop)
    return server


@functools.cache
def _redis() -> Redis:
    server = Redis()
    atexit.register(server.stop)
    return server


def shared_postgres() -> Postgres:
    """This process's PostgreSQL, running."""
    server = _postgres()
    server.start()
    return server


def shared_redis() -> Redis:
    """This process's Redis, running."""
    server = _redis()
    server.start()
    return server


@pytest.fixture
def postgres(request: pytest.FixtureRequest) -> Postgres:
    return ended_with(request.config, shared_postgres())


@pytest.fixture
def redis_server(request: pytest.FixtureRequest) -> Redis:
    return ended_with(request.config, shared_redis())


def ended_with(config: pytest.Config, server: S) -> S:
    """Have the server stopped with pytest: its xdist workers do not always come to their exit handlers."""
    if not server.watched:
        server.watched = True
        config.add_cleanup(server.stop)
    return server


def postgres_binaries() -> Path:
    """Debian keeps the server off the PATH, one folder per version; the newest, then."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name))
    folders += [Path(found).parent for found in [shutil.which("initdb")] if found]
    for folder in folders:
        if (folder / "initdb").exists():
            return folder
    pytest.skip("PostgreSQL's server is NOT INSTALLED: the PostgreSQL store is untested here")


def spawn(command: list[str], folder: Path, log: IO[bytes], user: str | None) -> subprocess.Popen[bytes]:
    as_user = {}
    if user is not None:
        account = pwd.getpwnam(user)
        as_user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    # A session of its own: Ctrl-C in the terminal is for pytest, which then stops the servers.
    return subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, start_new_session=True, **as_user)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(done, complaint: str, service: Service | None = None) -> None:
    end = time.monotonic() + WAIT_S
    while not done():
        if time.monotonic() > end or (service is not None and not service.running):
            raise RuntimeError(f"{complaint}:\n{service.log() if service else ''}")
        time.sleep(0.02)


def stat(pid: int) -> tuple[str, int] | None:
    """A process's state and its parent."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[:2]
        return state, int(parent)
    except OSError:
        return None


def children(pid: int) -> list[int]:
    found = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
    return [child for child in found if (stat(child) or ("", 0))[1] == pid]


def alive(pid: int) -> bool:
    found = stat(pid)
    return found is not None and found[0] not in "ZX"


def send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass
