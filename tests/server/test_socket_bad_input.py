"""What no honest client sends: nonsense, floods, connections that stand still. The server answers with a code, stays up,
and nobody else notices."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import logging
import os
import random
import socket as sockets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.live import Live, serving
from server.sockets import RawSocket, around, fresh, play_one, raw_socket, refusal, until
from tsukimi.client import Client, Refused
from tsukimi.server import messages
from tsukimi.server import messages as m
from tsukimi.server.monitoring import logs
from tsukimi.server.sockets import connection
from tsukimi.server.tables.committed import read_table

pytestmark = pytest.mark.compiled
SCHEMA = Path(__file__).parents[2] / "docs" / "protocol.schema.json"
_answer = msgspec.json.Decoder(messages.Answer).decode


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("bad"), bot_processes=1) as server:
        yield server


BAD = [
    b"",
    "",
    "{",
    "null",
    "[]",
    "17",
    '"hello"',
    "{}",
    "\ufeff{}",
    b"\xff\xfe\x00",
    b'{"type": "\xff"}',
    b"\x00" * 100,
    '{"type": 7}',
    '{"type": "dance"}',
    '{"type": null}',
    '{"type": "hello"}',
    '{"type": "hello", "v": "1"}',
    '{"type": "hello", "v": 1, "seen": 1.5}',
    '{"type": "hello", "v": 1, "look": 5}',
    '{"type": "hello", "v": 1, "look": -1}',
    '{"type": "hello", "v": 1, "secret": true}',
    '{"type": "play", "id": "", "decision": 1, "move": "roll"}',
    '{"type": "play", "id": "a b", "decision": 1, "move": "roll"}',
    '{"type": "play", "id": "' + "a" * 41 + '", "decision": 1, "move": "roll"}',
    '{"type": "play", "id": "a", "decision": true, "move": "roll"}',
    '{"type": "play", "id": "a", "decision": 1, "move": ""}',
    '{"type": "play", "id": "a", "decision": 1, "move": ' + json.dumps("x" * 201) + "}",
    '{"type": "play", "id": "a", "decision": 1, "move": ["roll"]}',
    '{"type": "sit", "id": "a", "nonce": "xyz"}',
    '{"type": "sit", "id": "a", "nonce": "' + "a" * 65 + '"}',
    '{"type": "bot", "id": "a", "level": "god"}',
    '{"type": "change", "id": "a", "players": 99}',
    '{"type": "change", "id": "a", "options": {"edition": 5}}',
    '{"type": "change", "id": "a", "settings": {"delay": -1}}',
    '{"type": "change", "id": "a", "settings": {"clock": {"kind": "live", "reserve": 99999999}}}',
    '{"type": "say", "id": "a", "text": ""}',
    '{"type": "say", "id": "a", "text": ' + json.dumps("x" * 501) + "}",
    '{"type": "vote", "id": "a", "yes": 1}',
    '{"type": "ping"}',
    '{"type": "ping", "t": "now"}',
    '{"type": "ping", "t": NaN}',
    '{"type": "ping", "t": 1e999}',
    '{"type": "ping", "t": ' + "9" * 5000 + "}",
    '{"type": "welcome"}',
    "[" * 8000,
    '{"type": "change", "id": "a", "options": ' + '{"a":' * 1000 + "1" + "}" * 1001,
    '{"type": "hello", "v": 1} {"type": "hello", "v": 1}',
]


@pytest.mark.parametrize("hello", [True, False])
def test_a_message_that_is_not_understood_is_answered_by_a_code_and_after_many_the_connection_ends(
    live: Live, hello: bool
) -> None:
    async def work() -> None:
        client = live.client(*fresh("Ana"))
        table = await client.create("daruma", 2)
        rest = list(BAD)
        while rest:
            part, rest = rest[:20], rest[20:]
            async with raw_socket(live, client, table, hello) as one:
                for message in part:
                    said = await one.ask(message)
                    assert said["code"] == "table-bad-message", message
                    assert said["id"] is None
                    assert len(said["message"]) < 400
                if len(part) == 20:
                    await one.send("{")
                    assert await one.ends() == 4000
                else:
                    assert (await one.ask({"type": "hello", "v": 1}))["type"] == "welcome"

    asyncio.run(work())


def test_numbers_of_any_size_do_no_harm(live: Live) -> None:
    async def work() -> None:
        async with around(live, "daruma", *fresh("Ana", "Bruno")) as (one, _):
            assert one.table is not None
            async with raw_socket(live, one._client, one.table.id) as other:
                for number in (-1, 2**63, -(2**63), 2**64, 10**60):
                    said = await other.ask({"type": "play", "id": "a", "decision": number, "move": "roll"})
                    assert said["code"] in ("table-stale", "table-bad-message")
                    assert (await other.ask({"type": "hello", "v": 1, "seen": number}))["type"] in ("welcome", "error")
                    said = await other.ask({"type": "ping", "t": number, "echo": number})
                    assert said["type"] in ("pong", "error")

    asyncio.run(work())


def test_nothing_is_done_before_hello(live: Live) -> None:
    async def work() -> None:
        client = live.client(*fresh("Ana"))
        table = await client.create("daruma", 2)
        async with raw_socket(live, client, table, hello=False) as one:
            for message in (
                m.Say("a", "psst"),
                m.Bot("b", "novice"),
                m.Stand("c"),
                m.Why("d", "roll"),
                m.AskStakes("f", 1),
                m.Rematch("e"),
            ):
                said = await one.ask(msgspec.json.encode(message).decode())
                assert (said["code"], said["id"]) == ("table-say-hello", message.id)  # type: ignore[attr-defined]
            assert (await one.ask({"type": "ping", "t": 1}))["type"] == "pong"
            said = await one.ask({"type": "hello", "v": 1})
            assert said["chat"] == []
            assert [seat["kind"] for seat in said["table"]["seats"]] == ["person", "free"]

    asyncio.run(work())


def test_a_message_that_is_too_large_ends_only_its_connection(live: Live) -> None:
    async def work() -> None:
        async with around(live, "daruma", *fresh("Ana", "Bruno")) as (one, two):
            assert one.table is not None
            for text in ("x" * 20_000, b"x" * 200_000):
                async with raw_socket(live, one._client, one.table.id) as other:
                    try:
                        await other.send(text)
                        assert await other.ends() in (1009, 0)
                    except ConnectionClosed:
                        pass
            await play_one((one, two))

    asyncio.run(work())


def test_a_connection_that_never_says_hello_is_closed(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "GREETING_WITHIN", 0.5)

    async def work() -> None:
        client = live.client(*fresh("Ana"))
        table = await client.create("daruma", 2)
        async with (
            raw_socket(live, client, table, hello=False) as silent,
            raw_socket(live, client, table, hello=False) as pinging,
        ):

            async def ping() -> None:
                while True:
                    await pinging.send({"type": "ping", "t": 1})
                    await asyncio.sleep(0.1)

            task = asyncio.create_task(ping())
            assert await silent.ends() == 4009
            assert await pinging.ends() == 4009
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(work())


def test_whoever_says_nothing_for_long_is_not_there_any_more(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "SILENT_FOR", 0.5)

    async def work() -> None:
        client = live.client(*fresh("Ana"))
        table = await client.create("daruma", 2)
        async with raw_socket(live, client, table) as silent:
            assert await silent.ends() == 4009

    asyncio.run(work())


# ---- connections that stand still ------------------------------------------------------------------------


def raw(live: Live, client: Client, table: str, said: bytes = b"") -> sockets.socket:
    """A WebSocket by hand, with hardly any room for what the server sends."""
    place = urlsplit(live.url)
    one = sockets.socket()
    one.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 2048)
    one.connect((place.hostname, place.port))
    key = base64.b64encode(os.urandom(16)).decode()
    one.sendall(
        f"GET /ws/table/{table} HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer {client.token}\r\n\r\n".encode()
    )
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += one.recv(1)
    assert b"101" in answer.splitlines()[0]
    one.sendall(framed(said) if said else b"")
    return one


def framed(text: bytes) -> bytes:
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text)]) + bytes(4) + text


def test_invalid_text_and_a_close_at_once_leave_no_error(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    client = live.client(*fresh("Ana"))
    table = asyncio.run(client.create("daruma", 2))
    with contextlib.closing(raw(live, client, table)) as one:
        one.settimeout(20)
        one.sendall(framed(b"\xff\xfe") + b"\x88\x80" + bytes(4))
        while one.recv(1000):
            pass
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR and logs.is_error(record)]
    assert errors == []


def test_a_reader_that_stands_still_is_dropped_and_the_others_do_not_notice(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "CLOSE_WITHIN", 0.2)
    monkeypatch.setattr(connection, "MOST_WAITING", 10_000)
    monkeypatch.setattr(connection, "MOST_BYTES", 2**30)

    async def work() -> None:
        ana, bruno = fresh("Ana", "Bruno")
        async with around(live, "daruma", ana, bruno) as (one, two):
            assert one.table is not None
            stalled = raw(live, live.client(*fresh("Stone")), one.table.id, b'{"type":"hello","v":1}')
            try:
                await until(one, lambda: one.table.spectators == 1)  # type: ignore[union-attr]
                await asyncio.gather(*(one.ask(m.Say(f"n{number}", "x" * 500)) for number in range(50)))
                stalled.sendall(framed(b'{"type":"hello","v":1}') * 400)  # each is answered by all of the chat
                live_table = live.app.state.tables.registry._live[one.table.id]
                async with asyncio.timeout(20):  # until all is answered, and nothing of it leaves any more
                    waiting = [0, 1]
                    while waiting[-1] < 50 or waiting[-1] != waiting[-2]:
                        await asyncio.sleep(0.2)
                        waiting.append(max(visitor.waiting for visitor in list(live_table.presence.viewers)))
                monkeypatch.setattr(connection, "MOST_WAITING", 16)
                slowest = 0.0
                while one.table.spectators:
                    began = time.perf_counter()
                    await play_one((one, two))
                    slowest = max(slowest, time.perf_counter() - began)
                    await asyncio.sleep(0.01)
                await until(one, lambda: one.table.spectators == 0)  # type: ignore[union-attr]
                assert slowest < 10.0  # on a busy machine; who waits for the reader waits for ever
                assert len(live_table.presence.viewers) == 2
                assert (await two.ask(m.Say("done", "all well"))) == m.Done("done")
            finally:
                stalled.close()

    asyncio.run(work())


def test_half_open_connections_hold_nobody_up(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """Handshakes that never end, frames that never end, sockets that are gone without a word."""

    async def work() -> None:
        async with around(live, "daruma", *fresh("Ana", "Bruno")) as (one, two):
            assert one.table is not None
            stone, place = live.client(*fresh("Stone")), urlsplit(live.url)
            open_: list[sockets.socket] = []
            try:
                for _ in range(10):
                    half = sockets.create_connection((place.hostname, place.port))
                    half.sendall(b"GET /ws/table/x HTTP/1.1\r\nHost: ")
                    unfinished = raw(live, stone, one.table.id)
                    unfinished.sendall(bytes([0x81, 0xFE, 0x30, 0x00]) + bytes(4) + b'{"type":')
                    open_ += [half, unfinished]
                    vanishing = raw(live, stone, one.table.id, b'{"type":"hello","v":1}')
                    vanishing.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
                    vanishing.close()
                began = time.perf_counter()
                for _ in range(5):
                    await play_one((one, two))
                assert time.perf_counter() - began < 20
                await until(one, lambda: one.table.spectators == 0)  # type: ignore[union-attr]
            finally:
                for socket in open_:
                    socket.close()

    asyncio.run(work())


# ---- what opens nothing -----------------------------------------------------------------------------------


def test_a_seat_at_one_table_opens_nothing_at_another(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe, diego = fresh("Ana", "Bruno", "Chloe", "Diego")
        async with (
            around(live, "daruma", ana, bruno) as (one, _),
            around(live, "daruma", chloe, diego) as (three, four),
        ):
            assert three.table is not None
            question = (three.game and three.game.question) or (four.game and four.game.question)
            assert question
            async with live.client(ana).table(three.table.id) as stranger:
                assert stranger.you is not None
                assert (stranger.you.seats, stranger.you.host, stranger.you.look) == ([], False, None)
                for seat in (None, 0, 1):
                    request = m.Play("a", question.decision, question.moves[0], seat)
                    assert await refusal(stranger, request) == "table-not-seated"
                assert await refusal(stranger, m.Kick("b", 1)) == "table-host-only"
                assert await refusal(stranger, m.Resign("c")) == "table-not-seated"
            assert one.table is not None
            assert three.table.status == "playing"

    asyncio.run(work())


def test_without_a_token_no_socket_is_opened(live: Live) -> None:
    async def work() -> None:
        table = await live.client(*fresh("Ana")).create("daruma", 2)
        with pytest.raises(InvalidStatus) as refused:
            async with raw_socket(live, None, table, hello=False):
                pass
        assert refused.value.response.status_code == 403

    asyncio.run(work())


# ---- at random ----------------------------------------------------------------------------------------------


class Fuzzer:
    """Messages made from the published schema, most of them a little wrong."""

    def __init__(self, seed: int) -> None:
        schema = json.loads(SCHEMA.read_text())
        self._defs: dict[str, Any] = schema["$defs"]
        names = [kind.__name__ for kind in messages.Request.__args__]  # type: ignore[attr-defined]
        self._kinds = [self._defs[name] for name in names]
        self.chance = random.Random(seed)
        self.words: list[str] = ["roll", "pass", "p1", "a", "0"]

    def message(self, right: float) -> str | bytes:
        chance = self.chance
        made: Any = self._value(chance.choice(self._kinds))
        if chance.random() < right:
            return json.dumps(made)
        for _ in range(chance.randint(1, 2)):
            made = self._spoilt(made)
        text = json.dumps(made)
        kind = chance.random()
        if kind < 0.1:
            at = chance.randrange(len(text) or 1)
            text = text[:at] + chance.choice(["", "\x00", '"', "{", "\U0001f600", "9" * 40]) + text[at + 1 :]
        elif kind < 0.15:
            return bytes(chance.randrange(256) for _ in range(chance.randrange(60)))
        return text.encode() if chance.random() < 0.1 else text

    def _value(self, schema: Any) -> Any:
        chance = self.chance
        if "$ref" in schema:
            return self._value(self._defs[schema["$ref"].rpartition("/")[2]])
        if "anyOf" in schema:
            return self._value(chance.choice(schema["anyOf"]))
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return chance.choice(schema["enum"])
        kind = schema.get("type")
        if kind == "object" and "properties" in schema:
            needed = schema.get("required", [])
            return {
                name: self._value(one)
                for name, one in schema["properties"].items()
                if name in needed or name == "type" or chance.random() < 0.6
            }
        if kind == "object":
            return {chance.choice(["edition", "first", "seed", "x"]): chance.choice(self.words) for _ in range(2)}
        if kind == "integer":
            return chance.choice([0, 1, 2, 3, chance.randint(schema.get("minimum", -2), schema.get("maximum", 40))])
        if kind == "number":
            return chance.choice([0, 1.5, -1e300, chance.random()])
        if kind == "boolean":
            return chance.random() < 0.5
        if kind == "null":
            return None
        return chance.choice(self.words)

    def _spoilt(self, made: Any) -> Any:
        chance = self.chance
        wrong = chance.choice([None, True, -1, 2**70, 1e308, "", "x" * 300, "\u202e", [], {}, [[[]]], {"type": "play"}])
        if not isinstance(made, dict) or not made:
            return wrong
        name = chance.choice(list(made))
        how = chance.random()
        if how < 0.2:
            return {key: value for key, value in made.items() if key != name}
        if how < 0.4:
            return {**made, chance.choice(["extra", "__proto__", "id", "type", "seat"]): wrong}
        return {**made, name: wrong}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whatever_it_receives_the_server_answers_and_the_table_stays_consistent(
    live: Live, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds of messages made by chance from the schema, by two who sit and one who does not."""
    broken: list[str] = []
    monkeypatch.setattr(
        "tsukimi.server.sockets.session._log.error", lambda *a, **k: broken.append(str(k.get("exc_info")))
    )

    async def work() -> None:
        names = fresh("Ana", "Bruno", "Zoe")
        fuzzer = Fuzzer(seed)
        async with around(live, "daruma", *names[:2], players=3, bots=["random"], start=False) as (one, _):
            assert one.table is not None
            table = one.table.id
            for number in range(300):
                client = live.client(names[number // 5 % 3])
                async with raw_socket(live, client, table, hello=False) as other:
                    said = await other.ask({"type": "hello", "v": 1})
                    if said["type"] == "error":
                        assert said["code"] == "table-no-spectators"
                        continue
                    if number == 20 and said["table"]["status"] == "open":
                        with contextlib.suppress(Refused):  # chance may have given the table another host
                            await one.ask(m.Start("go"))
                    for _ in range(3):
                        if not await _one_message(other, fuzzer):
                            break
            await _still_a_table(live, table)
        # ... and others play on as if nothing had been.
        async with around(live, "daruma", *fresh("Ana", "Bruno")) as seats:
            await play_one(seats)

    asyncio.run(work())
    assert broken == []


async def _one_message(other: RawSocket, fuzzer: Fuzzer) -> bool:
    """Say something; everything that comes back must be an answer of the protocol. False: the server closed."""
    last = None
    async with asyncio.timeout(30):
        try:
            await other.send(fuzzer.message(0.6))
            await other.send({"type": "ping", "t": 4711})
            while not (isinstance(last, m.Pong) and last.t == 4711):
                last = _answer(await other.socket.recv())
                if isinstance(last, m.Error):
                    assert last.code
                    assert last.message
                if isinstance(last, m.Game | m.Welcome) and last.game and last.game.question:
                    fuzzer.words = ["roll", "p1", "0", fuzzer.chance.choice(last.game.question.moves), "es"]
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            assert closed.rcvd.code == 4003, "only a hello that is refused ends a connection at once"
            assert isinstance(last, m.Error)
            return False
    return True


async def _still_a_table(live: Live, table: str) -> None:
    """What is in memory is what the log says."""

    async def check() -> None:
        live_table = await live.app.state.tables.live(table)
        async with live_table._committed._lock:
            rows = await live.app.state.store.read(table)
            again = read_table(rows)
            assert again.status == live_table.table.status
            assert again.rows == live_table.table.rows
            assert (again.state is None) == (live_table.table.state is None)
            if again.state is not None and live_table.table.state is not None:
                assert again.state.lines() == live_table.table.state.lines()

    await asyncio.to_thread(live.run, check())


def test_searching_for_unknown_tables_leaves_nothing_behind(live: Live) -> None:
    async def work() -> None:
        client = live.client(*fresh("Ana"))
        before = len(live.app.state.tables.registry._live)
        for number in range(20):
            async with raw_socket(live, client, f"nothing{number}", hello=False) as one:
                assert await one.ends() == 4004
        assert len(live.app.state.tables.registry._live) == before
        assert len(live.app.state.tables.registry._loading) == 0

    asyncio.run(work())
