"""One address that takes what it can: control frames, unread answers, messages, tables. Others do not notice."""

from __future__ import annotations

import asyncio
import base64
import gc
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest
import uvicorn
from uvicorn.server import ServerState

from server.live import Live, serving
from server.sockets import QUIET, fresh, raw_socket, until
from tsukimi.bus.local import LocalBus
from tsukimi.client import Client, Seat, new_id
from tsukimi.server import app as application
from tsukimi.server import config as configuration
from tsukimi.server import listen
from tsukimi.server import messages as m
from tsukimi.server.common import limits, workers
from tsukimi.server.common.errors import ServerError
from tsukimi.server.common.quotas import Quota, Quotas
from tsukimi.server.sockets import connection
from tsukimi.server.transport.connection import Connection

pytestmark = pytest.mark.compiled
ELSEWHERE = "127.0.0.9"  # another address of the loopback interface


def connected(port: int, address: str = ELSEWHERE, room: int = 2048) -> socket.socket:
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    one.settimeout(20)
    one.bind((address, 0))
    one.connect(("127.0.0.1", port))
    return one


def upgraded(port: int, path: str, token: str, address: str = ELSEWHERE) -> socket.socket:
    """A WebSocket by hand."""
    one = connected(port, address)
    key = base64.b64encode(os.urandom(16)).decode()
    one.sendall(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    )
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += one.recv(1)
    assert answer.startswith(b"HTTP/1.1 101 "), answer
    return one


class Process:
    """`tsukimi serve` as it is run: with uvloop and in a process of its own, so that its memory can be seen."""

    def __init__(self, folder: Path, **env: str) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TSUKIMI_")}
        command = [sys.executable, "-m", "tsukimi.cli", "serve", "--port", "0", "--log-level", "warning"]
        env = {**kept, "XDG_DATA_HOME": str(folder), "TSUKIMI_BOT_PROCESSES": "1", **env}
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env, start_new_session=True)
        assert self._process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)", self._process.stdout.readline())
        assert found
        self.url, self.port = found.group(), int(found.group(1))

    def memory(self) -> float:
        """Resident, in MB."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def metric(self, name: str) -> float:
        with urllib.request.urlopen(f"{self.url}/metrics", timeout=10) as answer:
            lines = [line.rpartition(" ") for line in answer.read().decode().splitlines()]
        return sum(float(value) for key, _, value in lines if key.partition("{")[0] == name or key == name)

    def connect(self, address: str = ELSEWHERE, room: int = 2048) -> socket.socket:
        """A connection with hardly any room for what is not read."""
        return connected(self.port, address, room)

    def upgraded(self, path: str, token: str, address: str = ELSEWHERE) -> socket.socket:
        return upgraded(self.port, path, token, address)

    def stop(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)  # with its bots
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def process(folder: Path, **env: str) -> Iterator[Process]:
    one = Process(folder, **env)
    try:
        yield one
    finally:
        one.stop()


@asynccontextmanager
async def a_table(server: Process) -> AsyncIterator[Seat]:
    """A game that its player goes through alone, for all seats; no dice, which could pass the first turn on."""
    async with Client(server.url, name="Ana") as ana:
        names = ["Ana", "Bruno", "Chloe"]
        table = await ana.create("china-moon", 3, names=names, start=True, options={"first": "p1"}, settings=QUIET)
        async with ana.table(table, viewpoint=0) as seat:
            await until(seat, lambda: seat.game is not None and seat.game.question is not None)
            yield seat


async def move_times(seat: Seat, seconds: float) -> list[float]:
    """How long moves took until they were acknowledged; each is taken back."""
    times, end = list[float](), time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter()
        await seat.play(seat.game.question.moves[0])  # type: ignore[union-attr]
        times.append(time.perf_counter() - began)
        await seat.ask(m.Undo(new_id(), 0))
        await until(seat, lambda: seat.game is not None and seat.game.question is not None)
        await asyncio.sleep(0.1)
    return sorted(times)


async def nobody_waits(seat: Seat, seconds: float) -> bool:
    """Whether moves are acknowledged soon; three tries, since other programs may take this machine's time."""
    for _ in range(3):
        times = await move_times(seat, seconds)
        if times[len(times) * 9 // 10] < 0.25 and times[-1] < 1.0:
            return True
    return False


@contextmanager
def flooding(sockets: list[socket.socket], data: bytes) -> Iterator[list[int]]:
    """Meanwhile a thread writes this to the sockets as fast as it can; how many bytes it got rid of comes at the end."""
    sent, stopping = [0], threading.Event()

    def write() -> None:
        for peer in sockets:
            peer.setblocking(False)
        while not stopping.wait(0.005):
            for peer in sockets:
                with suppress(OSError):
                    sent[0] += peer.send(data)
                with suppress(OSError):
                    peer.recv(65536)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    try:
        yield sent
    finally:
        stopping.set()
        thread.join()
        for one in sockets:
            one.close()


# ---- what is read ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("frame", "sockets"), [(b"\x89\x80abcd", 1), (b"\x8a\x80abcd", 1), (b"\x89\x80abcd", 30)])
def test_whoever_floods_control_frames_makes_nobody_wait(tmp_path: Path, frame: bytes, sockets: int) -> None:
    """Pings and pongs, from one socket and from many."""

    async def work() -> None:
        with process(tmp_path) as server:
            async with a_table(server) as seat, Client(server.url, name="Flood") as flood:
                assert seat.table is not None
                path = f"/ws/table/{seat.table.id}"
                opened = [server.upgraded(path, str(flood.token)) for _ in range(sockets)]
                with flooding(opened, frame * 10_000) as sent:
                    assert await nobody_waits(seat, 4.0)
                assert sent[0] > 10_000

    asyncio.run(work())


def test_one_socket_that_floods_does_not_hold_up_others_at_the_same_address(tmp_path: Path) -> None:
    async def work() -> None:
        with process(tmp_path) as server:
            async with a_table(server) as seat, Client(server.url, name="Flood") as flood:
                assert seat.table is not None
                opened = server.upgraded(f"/ws/table/{seat.table.id}", str(flood.token), "127.0.0.1")
                with flooding([opened], b"\x89\x80abcd" * 10_000):
                    assert await nobody_waits(seat, 3.0)

    asyncio.run(work())


@pytest.mark.parametrize("pieces", [1, 7, 4000])
def test_a_head_may_have_32_kilobytes_and_not_one_more(tmp_path: Path, pieces: int) -> None:
    """However it is filled, and in however many pieces it comes."""
    with process(tmp_path) as server:
        begin = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Long:".encode()

        def head(size: int, filled: bytes) -> bytes:
            room = size - len(begin) - len(b"a\r\n\r\n")
            return begin + (filled * room)[:room] + b"a\r\n\r\n"

        def status(data: bytes) -> bytes:
            with server.connect(room=65536) as one:
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                step = -(-len(data) // pieces)
                with suppress(ConnectionError):
                    for at in range(0, len(data), step):
                        one.sendall(data[at : at + step])
                return one.recv(65536)[9:12]

        for filled in (b"b", b" ", b"\r\nX: y" if pieces == 1 else b"c"):
            assert status(head(32 * 1024, filled)) == b"200", filled
            assert status(head(32 * 1024 + 1, filled)) == b"400", filled
        # A request before it, with or without a body, changes nothing.
        body = b"{}" * 50
        post = (
            f"POST /api/none HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        )
        if pieces > 1:
            return
        for first in (begin + b"\r\n\r\n", post + body):
            for size, wanted in ((32 * 1024, b"200"), (32 * 1024 + 1, b"400")):
                with server.connect(room=65536) as one:
                    one.sendall(first + head(size, b"b") + (head(200, b"b") if size <= 32 * 1024 else b""))
                    data = b""
                    while data.count(b"HTTP/1.1 ") < 2:
                        more = one.recv(65536)
                        assert more, data
                        data += more
                    assert data.split(b"HTTP/1.1 ")[2][:3] == wanted


# ---- what is not read ---------------------------------------------------------------------------------------


async def a_long_game(server: Process) -> str:
    """A table whose game has ended, with large steps."""
    async with Client(server.url, name="Ana") as ana:
        table = await ana.create("china-moon", 3, names=["Ana", "Bruno", "Chloe"], start=True, settings=QUIET)
        async with ana.table(table) as seat:
            for _ in range(30):
                await until(seat, lambda: seat.game is not None)
                [asked, *_] = seat.game.asked  # type: ignore[union-attr]
                await seat.view_from(asked)
                await until(seat, lambda: seat.game is not None and seat.game.question is not None)
                await seat.play(seat.game.question.moves[0])  # type: ignore[union-attr]
                await asyncio.sleep(0.06)  # within the limits
            await seat.ask(m.Abort(new_id()))
    return table


def test_answers_that_nobody_reads_take_a_bounded_amount_of_memory(tmp_path: Path) -> None:
    async def work() -> None:
        with process(tmp_path, TSUKIMI_RATE="0", TSUKIMI_WRITE_TIMEOUT="600", TSUKIMI_MAX_QUEUED="1") as server:
            table = await a_long_game(server)
            async with a_table(server) as seat:
                request = (
                    f"GET /api/tables/{table}/replay?seat=open&count=200 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
                )
                opened = [server.connect() for _ in range(300)]
                before = server.memory()
                for one in opened:
                    one.sendall(request)
                times = await move_times(seat, 6.0)
                assert server.memory() - before < 128
                assert times[len(times) // 2] < 0.5
                assert server.metric('tsukimi_dropped_total{reason="queued"}') > 0
                assert 0 < server.metric("tsukimi_queued_bytes") <= 2**20
                for one in opened:
                    one.close()
                await asyncio.sleep(0.5)
                assert server.metric("tsukimi_queued_bytes") == 0

    asyncio.run(work())


def _rest(one: socket.socket) -> bytes:
    data = b""
    with one, suppress(ConnectionError):
        while more := one.recv(65536):
            data += more
    return data


def test_whoever_does_not_read_an_answer_is_dropped_after_a_while(tmp_path: Path) -> None:
    async def work() -> None:
        with process(tmp_path, TSUKIMI_WRITE_TIMEOUT="1") as server:
            table = await a_long_game(server)
            one = server.connect()
            one.sendall(
                f"GET /api/tables/{table}/replay?seat=open&count=200 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
            )
            await asyncio.sleep(2.5)
            assert server.metric('tsukimi_dropped_total{reason="write-timeout"}') == 1
            assert len(_rest(one)) < 180_000, "the answer is not complete"

    asyncio.run(work())


def test_a_socket_that_is_not_read_is_dropped_by_the_bytes_that_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MOST_WAITING", 10_000)
    monkeypatch.setattr(connection, "CLOSE_WITHIN", 0.2)

    async def work() -> None:
        with serving(tmp_path, bot_processes=1) as live:
            client, port = live.client(*fresh("Stone")), int(live.url.rpartition(":")[2])
            table = await client.create("daruma", 2, names=["A", "B"], start=True)
            async with client.table(table) as seat:
                for number in range(50):
                    await seat.ask(m.Say(f"n{number}", "x" * 500))
                one = upgraded(port, f"/ws/table/{table}", str(client.token))
                quotas, waiting = live.app.state.quotas, list[int]()
                reserve = quotas.reserve

                def noted(quota: Quota, size: int) -> bool:
                    room = bool(reserve(quota, size))
                    waiting.append(quotas.queued)
                    return room

                monkeypatch.setattr(quotas, "reserve", noted)
                hello = b'{"type":"hello","v":1}'
                one.sendall((bytes([0x81, 0x80 | len(hello)]) + bytes(4) + hello) * 800)
                async with asyncio.timeout(20):
                    while dropped(live, "slow") == 0:
                        await asyncio.sleep(0.01)
                assert 0 < max(waiting) <= connection.MOST_BYTES
                await until(seat, lambda: len(live.app.state.tables.registry._live[table].presence.viewers) == 1)
                assert quotas.queued == 0
                one.close()

    asyncio.run(work())


def dropped(live: Live, reason: str) -> float:
    return float(live.app.state.metrics.dropped.labels(reason)._value.get())


# ---- what is asked for, by person and by address -------------------------------------------------------------


def test_a_thread_that_computes_gives_way_to_the_event_loop_within_a_millisecond(tmp_path: Path) -> None:
    """A replay is computed in a thread, and each callback of the loop waits until that thread gives way."""
    config = configuration.load({"data": str(tmp_path), "port": 0}, env={})
    before, intervals = (sys.getswitchinterval(), gc.get_threshold()), list[float]()

    def ready() -> None:
        intervals.append(sys.getswitchinterval())
        raise InterruptedError

    try:
        with listen.bind(config) as listening, pytest.raises(InterruptedError):
            listen.run(application.build(config), config, listening, ready)
    finally:
        sys.setswitchinterval(before[0])
        gc.set_threshold(*before[1])
    assert intervals[0] <= 0.001


def test_messages_chat_and_hints_are_counted_for_the_person_not_for_the_socket(tmp_path: Path) -> None:
    async def work() -> None:
        with serving(tmp_path, bot_processes=1, rate=1.0) as live:
            ana, bruno = (live.client(name) for name in fresh("Ana", "Bruno"))
            first, second = [await ana.create("daruma", 2, names=["A", "B"], start=True) for _ in range(2)]
            async with raw_socket(live, ana, first) as one, raw_socket(live, ana, second) as two:
                said = [await one.ask({"type": "say", "id": f"a{n}", "text": "x"}) for n in range(4)]
                said += [await two.ask({"type": "say", "id": f"b{n}", "text": "x"}) for n in range(4)]
                assert [answer["type"] for answer in said[:5]] == ["done"] * 5
                assert [answer.get("code") for answer in said[6:]] == ["table-too-fast"] * 2
                async with raw_socket(live, bruno, second) as three:
                    assert (await three.ask({"type": "say", "id": "c", "text": "x"}))["type"] == "done"

    asyncio.run(work())


def test_people_behind_one_address_share_what_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    limiter = limits.RateLimiter(clock=lambda: 0.0)
    refused = list[str]()
    limiter.on_refused = refused.append
    burst = int(limits.RATES["chat-address"].burst)
    waits = [limiter.acquire_for("chat", f"person-{number}", "198.51.100.7") for number in range(burst + 2)]
    assert not any(waits[:burst]) and all(waits[burst:])
    assert refused == ["chat-address"] * 2
    assert not limiter.acquire_for("chat", "somebody", "198.51.100.8")


def test_several_workers_divide_what_is_allowed() -> None:
    limiter = limits.RateLimiter(clock=lambda: 0.0)
    limiter.share(3)
    waits = [limiter.acquire("message", "ana") for _ in range(21)]
    assert not any(waits[:20]) and waits[20]
    quotas = Quotas(1.0, connections=30, sockets=6, bytes_per_second=1000, max_queued=800, write_timeout=1.0)
    quotas.share(3)
    with quotas.socket("ana", person=True), quotas.socket("ana", person=True):
        with pytest.raises(ServerError) as problem, quotas.socket("ana", person=True):
            pass
        assert problem.value.status == 429
        with quotas.socket("bruno", person=True):
            pass
    with quotas.socket("ana", person=True):
        pass


def test_workers_count_each_other_over_the_bus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "EVERY", 0.02)
    monkeypatch.setattr(workers, "SILENT_AFTER", 2.0)

    async def work() -> None:
        bus, counted = LocalBus(), {"one": [1], "two": [1]}
        one = workers.Workers(bus, counted["one"].append)
        await asyncio.sleep(0.05)
        assert counted["one"] == [1]
        two = workers.Workers(bus, counted["two"].append)
        await true(lambda: counted == {"one": [1, 2], "two": [1, 2]})
        await one.close()
        await true(lambda: counted["two"] == [1, 2, 1])
        await two.close()

    asyncio.run(work())


def test_a_worker_whose_bus_fails_goes_on_announcing_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "EVERY", 0.02)

    async def work() -> None:
        bus, counted, failures = LocalBus(), list[int](), 3
        publish = bus.publish

        def failing(topic: str, message: bytes) -> None:
            nonlocal failures
            failures -= 1
            if failures >= 0:
                raise ConnectionError
            publish(topic, message)

        monkeypatch.setattr(bus, "publish", failing)
        both = [workers.Workers(bus, counted.append) for _ in range(2)]
        await true(lambda: counted == [2, 2])
        for one in both:
            await one.close()

    asyncio.run(work())


async def true(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


def test_bytes_that_wait_are_bounded_for_each_and_for_all_but_nobody_is_left_without() -> None:
    quotas = Quotas(1.0, connections=30, sockets=6, bytes_per_second=1000, max_queued=800, write_timeout=1.0)
    greedy, others = quotas.of("greedy"), [quotas.of(f"other {number}") for number in range(8)]
    assert quotas.reserve(greedy, 90)
    assert not quotas.reserve(greedy, 20), "an eighth of all"
    assert [quotas.reserve(one, 100) for one in others] == [True] * 8, "the first always"
    assert not quotas.reserve(others[0], 1)
    quotas.release(greedy, 90)
    assert quotas.queued == 800


def test_an_address_has_so_many_connections_and_others_come_in(tmp_path: Path) -> None:
    with process(tmp_path, TSUKIMI_CONNECTIONS_PER_ADDRESS="5") as server:
        held = [server.connect() for _ in range(8)]
        request = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()

        def answers(one: socket.socket) -> bool:
            with suppress(ConnectionError):
                one.sendall(request)
                return one.recv(4096).startswith(b"HTTP/1.1 200")
            return False

        assert [answers(one) for one in held] == [True] * 5 + [False] * 3
        assert server.metric('tsukimi_dropped_total{reason="connections"}') == 3
        held[0].close()
        time.sleep(0.3)
        another = server.connect()
        assert answers(another)
        for one in [*held, another]:
            one.close()


def test_two_connections_never_read_into_the_same_bytes(tmp_path: Path) -> None:
    async def work() -> None:
        config = uvicorn.Config(live.app)
        config.load()
        first, second = (Connection(config, ServerState(), {}) for _ in range(2))
        first.get_buffer(-1)[:5] = b"first"
        second.get_buffer(-1)[:5] = b"other"
        assert bytes(first.get_buffer(-1)[:5]) == b"first"

    with serving(tmp_path) as live:
        asyncio.run(work())
