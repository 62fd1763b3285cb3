"""A server in this process: the real store in memory, tables that answer from a list, and browsers that talk to it."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from types import SimpleNamespace

import msgspec
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient

from tsukimi.server import app
from tsukimi.server.accounts import passwords
from tsukimi.server.accounts.accounts import Accounts
from tsukimi.server.accounts.people import People
from tsukimi.server.accounts.sessions import Sessions
from tsukimi.server.common.account_api import GameData, SaidLine
from tsukimi.server.common.api import PlayedGame, Replay, Step
from tsukimi.server.common.limits import RateLimiter
from tsukimi.server.common.review_api import ReviewStatus
from tsukimi.server.config import Config
from tsukimi.server.messages import ChatLine, Fairness, Listed, Lobby, SeatInfo, TableInfo
from tsukimi.store import Rating, RatingChanges, Row, Summary, connect
from tsukimi.table.errors import TableError
from tsukimi.table.settings import Settings

HERE = "http://testserver"
CHANGES = {"X-Tsukimi": "1", "Origin": HERE}
passwords.MEMORY_KIB = 64  # passwords in tests need not cost much


class FakeTables:
    """Remembers what was asked; knows the table "known", which runs, and "ended"."""

    def __init__(self, store, bus, config, metrics):
        self.asked = []
        self.running = False

    async def start(self):
        self.running = True

    async def stop(self):
        self.running = False

    async def create(self, new, person, address):
        self.asked.append((new, person))
        return "known"

    async def match(self, person, game, players, address):
        self.asked.append((person, game, players))
        return "known"

    async def info(self, table):
        if table == "broken":
            raise RuntimeError("a fault with a secret in it")
        if table not in ("known", "ended"):
            raise TableError("table-unknown", status=404)
        seats = [SeatInfo("person", "Ana"), SeatInfo("free")]
        return TableInfo(
            id=table, game="daruma", players=2, options={}, settings=Settings(), status="open", seats=seats, spectators=0,
            proposal=None, fairness=Fairness("c", [], None), result=None, rematch=None, thinking=[],
        )  # fmt: skip

    async def record(self, table):
        await self.info(table)
        if table != "ended":
            raise TableError("table-not-ended", status=403)
        return "tsukimi 1\n"

    async def replay(self, table, seat, start, count):
        await self.record(table)
        self.asked.append((seat, start, count))
        return Replay(1, "daruma", ["Ana"], [SeatInfo("person", "Ana")], [Step(1, [], {}, None, None)])

    async def review(self, table, lang):
        await self.record(table)
        return ReviewStatus("none")

    async def ask_review(self, table, person, address, lang):
        await self.record(table)
        return ReviewStatus("waiting", 0, 60, 1)

    async def bring(self, text, name, person, address):
        return "ended"

    async def play_on(self, table, wanted, person, address):
        await self.record(table)
        return "known"

    async def play_puzzle(self, state, seat, level, person, address):
        self.asked.append((state.game, seat, level))
        return "known"

    async def chat(self, table):
        await self.info(table)
        return [ChatLine(n, n, f"handle{n % 2}", "Ana", None, f"line {n}") for n in range(40)]

    def log_changed(self, table):
        self.asked.append(("log_changed", table))

    async def lobby(self, person):
        return Lobby(open=[], running=[], yours=[listed("mine")] if person else [], online=0)

    async def data_of(self, person):
        yield GameData("public", "daruma", [0], "over", 1, "tsukimi 1\n", [SaidLine("public", 2, "hello")])
        yield SaidLine("watched", 3, "well played")

    async def forget(self, person):
        self.asked.append(("forget", person.id))

    async def games_of(self, person, page):
        games = [PlayedGame(**msgspec.structs.asdict(listed(name)), ended=5, scores=[1, 2], winners=[1], seat=0)
                 for name in ("public", "private")]  # fmt: skip
        games.append(PlayedGame(**msgspec.structs.asdict(listed("public-running"))))
        return games, page == 0


def listed(name):
    return Listed(name, "daruma", 2, {}, "over", ["Ana", None], "none", 1, yours=True, asked=True)


async def echo_lobby(socket):
    await echo(socket)


async def echo(socket):
    """A socket that says who is there."""
    person = await socket.app.state.people.authenticate(socket.headers)
    await socket.accept()
    await socket.send_text(person.name if person else "nobody")
    await socket.close()


@contextmanager
def world(make_tables=FakeTables, **settings):
    """A running server; yields its application."""
    config = Config(**{"database": "sqlite://:memory:", "secret": "s" * 40, **settings})
    sockets = [WebSocketRoute("/ws/table/{id}", echo), WebSocketRoute("/ws/lobby", echo_lobby)]
    built = app.build(config, make_tables, sockets)
    with TestClient(built, client=("198.51.100.7", 5000)) as client:
        built.test_portal = client.portal
        yield built


def browser(built, known=True, address="198.51.100.7", **headers):
    """A browser of its own (with its own cookies), as a page of the server itself; `known`: it has asked who it is."""
    client = TestClient(built, client=(address, 5000), headers={**CHANGES, **headers}, raise_server_exceptions=False)
    client.portal = built.test_portal  # all talk to the one running loop
    if known:
        assert client.get("/api/me").status_code == 200
    return client


def program(built, token=None):
    """A program without cookies and Origin."""
    headers = {"X-Tsukimi": "1"} | ({"Authorization": f"Bearer {token}"} if token else {})
    client = TestClient(built, client=("198.51.100.9", 5000), headers=headers, raise_server_exceptions=False)
    client.portal = built.test_portal
    return client


def person_of(built, client):
    """The internal id of the person whom a browser's cookie names."""
    return built.state.people.sessions.cookies.read(client.cookies["tsukimi"]).person


@asynccontextmanager
async def without_server():
    """People and accounts on a store in memory: `store`, `people`, `accounts`."""
    store = connect("sqlite://:memory:")
    await store.open()
    people = People(store, Sessions(store, b"k" * 32))
    accounts = Accounts(store, people, RateLimiter(), lambda purpose: purpose.encode() * 8, "Tsukimi")
    try:
        yield SimpleNamespace(store=store, people=people, accounts=accounts)
    finally:
        accounts.close()
        await store.close()


def refused(response, status, code):
    """The answer is a refusal of that kind, in the API's form."""
    assert response.status_code == status, response.text
    data = response.json()
    assert data["code"] == code, data
    assert data.keys() == {"code", "params", "message"}
    assert data["message"]
    return data


def rated(built, game: str, ratings: dict[str, Rating]) -> None:
    """A game that ended with these ratings."""
    store, call = built.state.store, built.test_portal.call
    call(store.create, Summary(f"rated-{game}", game, 2, "over", False, 1, 1, None, [], b"{}"), [])
    call(store.append, f"rated-{game}", [Row(0, 1, b"")], None, RatingChanges(game, {}, ratings))
