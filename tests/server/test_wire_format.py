"""The bytes of messages: however they come in, the message is the same; what goes out is the protocol's."""

from __future__ import annotations

import asyncio
import json
import random
import socket as sockets
from collections.abc import Iterator

import msgspec
import pytest
from websockets.frames import Frame, Opcode

import tsukimi
from server.live import Live, serving
from server.sockets import around, fresh
from server.test_socket_bad_input import raw
from tsukimi.core.zones import zones
from tsukimi.server import messages as m
from tsukimi.server.tables.encoder import GameEncoder, encode
from tsukimi.server.tables.live_table import LiveTable
from tsukimi.table.settings import Settings

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("wire"), bot_processes=1) as server:
        yield server


def ping(number: int) -> bytes:
    return json.dumps({"type": "ping", "t": number}).encode()


def masked(opcode: Opcode, data: bytes, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)


def answers(one: sockets.socket, number: int) -> list[object]:
    """So many answers, or the code with which the connection ended."""
    one.settimeout(60)
    buffer, found = b"", []
    while len(found) < number:
        while len(buffer) < 2 or len(buffer) < 2 + buffer[1]:
            more = one.recv(4096)
            if not more:
                return [*found, "gone"]
            buffer += more
        opcode, size = buffer[0] & 15, buffer[1]
        data, buffer = buffer[2 : 2 + size], buffer[2 + size :]
        if opcode == Opcode.CLOSE:
            return [*found, int.from_bytes(data[:2], "big")]
        if opcode == Opcode.TEXT:
            found.append(json.loads(data)["t"])
    return found


def visiting(live: Live) -> sockets.socket:
    async def table() -> str:
        return await live.client(*fresh("Ana")).create("daruma", 2)

    return raw(live, live.client(*fresh("Bruno")), asyncio.run(table()))


def test_messages_that_come_together_or_in_pieces_are_all_received_in_their_order(live: Live) -> None:
    chance = random.Random(1)
    for _ in range(8):
        one = visiting(live)
        kinds = (
            lambda n: masked(Opcode.TEXT, ping(n)),
            lambda n: masked(Opcode.TEXT, b" " * 200 + ping(n)),
            lambda n: masked(Opcode.BINARY, ping(n)),
            lambda n: masked(Opcode.PING, b"?") + masked(Opcode.TEXT, ping(n)),
            lambda n: masked(Opcode.TEXT, ping(n)[:5], False) + masked(Opcode.CONT, ping(n)[5:]),
        )
        data = b"".join(chance.choice(kinds)(number) for number in range(30))
        with one:
            while data:
                size = chance.choice((1, 2, 5, 7, 40, 300))
                one.sendall(data[:size])
                data = data[size:]
            assert answers(one, 30) == list(range(30))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (masked(Opcode.TEXT, b'"\xff\xfe"'), 1007),
        (Frame(Opcode.TEXT, ping(1)).serialize(mask=False), 1002),
        (bytes([0xC1]) + masked(Opcode.TEXT, ping(1))[1:], 1002),
        (bytes([0x81, 0xFF]) + (1 << 40).to_bytes(8, "big") + bytes(4), 1009),
        (masked(Opcode.CLOSE, (1000).to_bytes(2, "big")), 1000),
    ],
    ids=["not utf-8", "not masked", "a reserved bit", "too large", "goodbye"],
)
def test_what_is_not_a_message_ends_the_connection_with_its_code(live: Live, data: bytes, code: int) -> None:
    with visiting(live) as one:
        one.sendall(masked(Opcode.TEXT, ping(7)))
        assert answers(one, 1) == [7]
        one.sendall(data + masked(Opcode.TEXT, ping(8)))
        assert answers(one, 1) == [code]


@pytest.mark.parametrize("game", ["daruma", "charuma", "dojo", "china-moon"])
def test_the_game_as_it_is_encoded_is_the_message_of_the_protocol(live: Live, game: str) -> None:
    read = msgspec.json.Decoder(m.Game, strict=True).decode

    async def work() -> None:
        settings = Settings(forced=False, round_pause=False, spectators="open")
        async with around(live, game, *fresh("Ana", "Bruno", "Chloe"), settings=settings) as seats:
            assert seats[0].table is not None
            found: LiveTable = live.app.state.tables.registry._live[seats[0].table.id]
            chance = random.Random(3)
            for _ in range(40):
                table = found.table
                assert table.state is not None
                for viewpoint in (None, 0, 1, 2):
                    for since in (0, table.state.events_so_far - 1):
                        text = encode(m.Game(GameEncoder(table, since, 5).game(viewpoint)))
                        said = read(text)
                        assert encode(said) == text
                        assert said.game.view == table.state.view(viewpoint)
                        assert said.game.events == table.state.events(viewpoint, since)
                        asked = viewpoint is not None and viewpoint in table.asked
                        assert (said.game.question is not None) == asked
                asking = [seat for seat in seats if seat.game is not None and seat.game.question is not None]
                if not asking:
                    break
                one = chance.choice(asking)
                assert one.game is not None
                assert one.game.question is not None
                await one.play(chance.choice(one.game.question.moves))

    asyncio.run(work())


@pytest.fixture
def boardless() -> Iterator[str]:
    """A game for which the web client has no board."""
    spec = tsukimi.new("charuma", players=2).spec
    board = spec.web_board
    object.__setattr__(spec, "web_board", "")
    yield spec.name
    object.__setattr__(spec, "web_board", board)


def test_the_view_of_a_game_without_a_web_board_has_its_zones_live_and_in_the_replay(
    live: Live, boardless: str
) -> None:
    def check(view: dict[str, object]) -> None:
        rest = dict(view)
        assert rest.pop("zones") == zones(rest) != []

    async def work() -> None:
        async with around(live, boardless, *fresh("Ana", "Bruno")) as seats:
            for seat in seats:
                assert seat.game is not None
                check(seat.game.view)
            assert seats[0].table is not None
            await seats[0].ask(m.Resign("enough"))
            await seats[0].until(lambda: seats[0].over)
            path = f"/api/tables/{seats[0].table.id}/replay?seat="
            [watched, everything] = [await live.client("Zoe").call("GET", path + who) for who in ("0", "open")]
            check(watched["steps"][-1]["view"])
            for view in everything["steps"][-1]["views"]:
                check(view)

    asyncio.run(work())
