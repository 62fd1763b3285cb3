"""`tsukimi serve` as a process of its own: it starts, serves, rejects abuse, and stops cleanly."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import pytest

from tsukimi.server.transport import heads

COMMAND = [sys.executable, "-m", "tsukimi.cli", "serve"]


@contextmanager
def serving(tmp_path, *options, **env):
    """A running server; yields the process and its address."""
    process = subprocess.Popen(
        [*COMMAND, "--port", "0", *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean(tmp_path, **env),
    )  # fmt: skip
    try:
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, (line, process.stderr.read())
        yield process, found.group()
    finally:
        process.kill()
        process.communicate()


def clean(tmp_path, **env):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TSUKIMI_", "LC_", "LANG"))}
    return {**kept, "XDG_DATA_HOME": str(tmp_path), "TSUKIMI_BOT_PROCESSES": "1", **env}


def fails(tmp_path, *options, **env):
    """What the command says before it ends with 2."""
    done = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=60, env=clean(tmp_path, **env))
    assert done.returncode == 2, done
    assert done.stdout == "" and len(done.stderr.splitlines()) == 1, done
    return done.stderr


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.status, answer.read(), answer.headers


def connect(address):
    port = int(address.rpartition(":")[2])
    found = socket.create_connection(("127.0.0.1", port), timeout=20)
    return found, port


def test_it_starts_with_nothing_but_a_port_and_stops_cleanly_on_a_signal(tmp_path):
    with serving(tmp_path, "--log-format", "json") as (process, address):
        assert json.loads(get(f"{address}/healthz")[1])["fine"] is True
        status, body, headers = get(f"{address}/api/me")
        assert status == 200 and json.loads(body)["name"] and "server" not in headers
        assert b"tsukimi_http_requests_total" in get(f"{address}/metrics")[1]

        # A second one on the same file is refused before it could do harm.
        assert "tsukimi:" in fails(tmp_path, "--port", "0")
        port = address.rpartition(":")[2]
        assert f"Port {port} of 127.0.0.1 is taken" in fails(tmp_path, "--port", port)
        assert f"El puerto {port}" in fails(tmp_path, "--port", port, "--lang", "es")

        opened = upgraded(address)
        abusive_clients_are_rejected(address)
        process.send_signal(signal.SIGTERM)
        assert (1012).to_bytes(2, "big") in rest(opened)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 0, errors
        lines = [json.loads(line) for line in errors.splitlines()]
        assert any(line.get("route") == "/api/me" for line in lines)
        assert "Traceback" not in errors
    assert {path.name for path in (tmp_path / "tsukimi").iterdir()} >= {"secret", "tsukimi.db"}


def upgraded(address):
    """A WebSocket to the lobby, by hand."""
    found, port = connect(address)
    found.sendall(
        f"GET /ws/lobby HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {address}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    assert found.recv(4096).startswith(b"HTTP/1.1 101 ")
    return found


def rest(found):
    data = b""
    with found:
        while more := found.recv(4096):
            data += more
    return data


def abusive_clients_are_rejected(address):
    unfinished = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + b"a" * 40_000
    for head in (unfinished, unfinished + b"\r\n\r\n", b"nonsense\r\n\r\n"):
        found, _ = connect(address)
        found.sendall(head)
        assert rest(found).startswith(b"HTTP/1.1 400 ")
    found, port = connect(address)
    found.sendall(
        f"GET /ws/lobby HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://evil.example\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    answer = found.recv(4096)
    assert answer.startswith(b"HTTP/1.1 403 ") and b"content-security-policy" in answer.lower()
    found.close()
    assert get(f"{address}/healthz")[0] == 200


def test_bad_settings_are_reported_in_one_line(tmp_path):
    assert "mysql" in fails(tmp_path, "--database", "mysql://me:hunter2@host/db")
    assert "none.toml" in fails(tmp_path, "--config", str(tmp_path / "none.toml"))


def test_a_database_that_does_not_answer_is_reported_in_one_line(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    pytest.importorskip("asyncpg")
    text = fails(tmp_path, "--port", "0", "--database", f"postgresql://me:hunter2@127.0.0.1:{port}/db")
    assert "hunter2" not in text


def test_a_head_that_does_not_end_is_waited_for_no_longer_than_seconds(monkeypatch):
    """Without a process: the protocol alone, with a clock of the test's patience."""
    import asyncio

    import uvicorn
    from uvicorn.server import ServerState

    monkeypatch.setattr(heads, "HEAD_TIMEOUT_S", 0.2)

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async def scene():
        config = uvicorn.Config(app, lifespan="off", log_config=None, ws="none")
        config.load()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: heads.LimitedHttpProtocol(config, ServerState(), {}), "127.0.0.1", 0)
        where = server.sockets[0].getsockname()
        times = []
        for first in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /again HTTP/1.1\r\nHo"):
            reader, writer = await asyncio.open_connection(*where)
            started = time.monotonic()
            writer.write(first)
            data = await asyncio.wait_for(reader.read(), 10)
            times.append(time.monotonic() - started)
            assert data.startswith(b"HTTP/1.1 204 ") == first.endswith(b"Ho")
            writer.close()
        reader, writer = await asyncio.open_connection(*where)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        await asyncio.sleep(0.4)  # a connection that has asked may stay
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)).startswith(b"HTTP/1.1 204 ")
        writer.close()
        server.close()
        return times

    assert all(0.15 < one < 5 for one in asyncio.run(scene()))
