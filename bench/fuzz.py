"""A protocol fuzzer: random and mutated messages over WebSockets and HTTP, while calls to the store fail.

    python bench/fuzz.py [--seconds 600] [--seed 1] [--rate 0.01]

Messages are generated from their types and from the OpenAPI document, with real ids, decisions and moves, and then often
damaged. Checked: no answer is a 500, no crash, no unhandled exception in the log, every answer is as documented; memory,
descriptors and tasks do not grow; no event reaches a person who may not know it.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import random
import re
import string
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from endless import asked_status
from servers import Server
from tsukimi.client import Client
from tsukimi.core.events import SPECTATOR
from tsukimi.server import messages as m
from tsukimi.server.http import handlers  # noqa: F401  # fills the table of routes
from tsukimi.server.http.openapi import document
from tsukimi.server.tables.committed import Unreadable, read_table
from tsukimi.store import connect as open_store
from tsukimi.table.errors import OldRules

REQUESTS = {request.__struct_config__.tag: request for request in m.Request.__args__}
_, COMPONENTS = msgspec.json.schema_components(list(REQUESTS.values()), ref_template="#/components/schemas/{name}")
PARTS = {**document()["components"]["schemas"], **COMPONENTS}
BY_TYPE = {schema["properties"]["type"]["const"] if "const" in schema["properties"]["type"] else schema["properties"]["type"]["enum"][0]: schema for schema in COMPONENTS.values() if "type" in schema.get("properties", {})}  # fmt: skip
PATHS = document()["paths"]
GAMES = ["daruma", "charuma", "dojo", "china-moon"]
LEVELS = ["random", "greedy"]
LIVE = {"kind": "live", "reserve": 5, "extra": 2}  # rarely: such a game runs to its end without anyone
CLOSED = {1000, 1001, 1002, 1003, 1007, 1006, 1008, 1009, 1012, 1013, 4000, 4003, 4004, 4008, 4009, 4010, 4029}
EXPECTED = {"server-unavailable", "server-busy", "server-too-many", "table-store-away", "table-busy", "503", "429"}
PROBLEMS = ("Traceback", "Exception in ASGI", "never retrieved", "was destroyed", "request failed", "a session failed")
ODD = [
    "",
    "\x00",
    "ï¿¿",
    "𝕏" * 50,
    "../..",
    "'; drop table log; --",
    "-1",
    "null",
    "A" * 5000,
    "\ud83d",
    "%00",
    "é",
    " ",
]
_answer = msgspec.json.Decoder(m.Answer).decode


@dataclass
class Found:
    """What was observed, and what is wrong."""

    sent: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=lambda: ["x"])
    received: dict[tuple[str, int], dict[int, Any]] = field(default_factory=dict)
    """By table and viewpoint: the events received, by index."""
    viewers: set[tuple[str, int, str]] = field(default_factory=set)
    """Table, seat, and the handle of each person who was shown that seat's view."""


# ---- what is sent ---------------------------------------------------------------------------------------


class Maker:
    """Generates values for JSON schemas, mostly valid ones."""

    def __init__(self, chance: random.Random, found: Found) -> None:
        self.chance, self.found = chance, found

    def value(self, schema: dict[str, Any], name: str = "", depth: int = 0) -> Any:
        chance = self.chance
        if "$ref" in schema:
            return self.value(PARTS[schema["$ref"].rpartition("/")[2]], name, depth + 1)
        if "anyOf" in schema:
            return self.value(chance.choice(schema["anyOf"]), name, depth + 1)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return chance.choice(schema["enum"])
        kind = schema.get("type")
        if kind == "object" or "properties" in schema:
            properties = schema.get("properties", {})
            needed = schema.get("required", [])
            made = {
                key: self.value(part, key, depth + 1)
                for key, part in properties.items()
                if key in needed or chance.random() < 0.4
            }
            if not properties:
                made = {self.text(schema, name): self.text(schema, name) for _ in range(chance.randrange(3))}
            return made
        if kind == "array":
            return [self.value(schema.get("items", {}), name, depth + 1) for _ in range(chance.randrange(4))]
        if kind == "integer":
            low, high = schema.get("minimum", -3), schema.get("maximum", 6)
            return chance.choice([low, high, chance.randint(int(low), int(high))])
        if kind == "number":
            return chance.choice([0, -1.5, 1e308, chance.random()])
        if kind == "boolean":
            return chance.random() < 0.5
        if kind == "null":
            return None
        return self.text(schema, name)

    def text(self, schema: dict[str, Any], name: str) -> str:
        chance = self.chance
        if name == "game":
            return chance.choice(GAMES)
        if name == "nonce":
            return f"{chance.getrandbits(64):x}"
        if name in ("id", "who", "person", "table") and chance.random() < 0.7:
            return chance.choice(self.found.ids)
        if chance.random() < 0.15:
            return chance.choice(ODD)
        letters = string.ascii_letters + string.digits + "_-"
        return "".join(chance.choice(letters) for _ in range(max(schema.get("minLength", 1), chance.randrange(1, 12))))

    def damaged(self, value: Any) -> Any:
        """The same with one part missing, added or of the wrong type."""
        chance = self.chance
        if isinstance(value, dict) and value and chance.random() < 0.8:
            key = chance.choice(list(value))
            other = dict(value)
            what = chance.randrange(4)
            if what == 0:
                del other[key]
            elif what == 1:
                other[self.text({}, "")] = self.any()
            else:
                other[key] = self.damaged(value[key])
            return other
        return self.any()

    def any(self) -> Any:
        chance = self.chance
        return chance.choice([None, True, -1, 2**63, 2**70, 1e400, 0.5, [], {}, [[[]]], chance.choice(ODD), {"a": [1]}])

    def encoded(self, value: Any) -> bytes:
        """As JSON, sometimes with damaged bytes."""
        chance = self.chance
        data = json.dumps(value).encode()
        if chance.random() < 0.08:
            at = chance.randrange(len(data) + 1)
            piece = chance.choice([b"", b"\xff\xfe", b"[" * 600, b'"', b"\x00", data[:50], b"9" * 400])
            data = data[:at] + piece + data[at + chance.randrange(4) :]
        return data


# ---- over WebSockets ------------------------------------------------------------------------------------


class Guest:
    """Somebody who sends nonsense at tables."""

    def __init__(self, server: Server, found: Found, seed: int) -> None:
        self.server, self.found, self.chance = server, found, random.Random(seed)
        self.make = Maker(self.chance, found)
        self.client = Client(server.url)
        self.table = self.mine = self.who = ""
        self.look: int | None = None
        self.question: m.Question | None = None

    async def run(self, until: float) -> None:
        while time.monotonic() < until:
            try:
                if self.client.token is None or self.chance.random() < 0.03:
                    self.client = await Client(self.server.url).__aenter__()
                if not self.found.tables or self.chance.random() < 0.2:
                    await self.open()
                await self.sit_down(until)
            except (InvalidStatus, InvalidHandshake) as problem:
                status = problem.response.status_code if isinstance(problem, InvalidStatus) else 0
                self.found.answers[f"handshake {status}"] += 1
                if status in (0, 500):
                    self.found.wrong.append(f"a handshake was answered with {status}: {problem}")
                self.client.token = None
            except Exception as problem:  # the store fails for HTTP requests too
                if not _expected(problem):
                    raise
                self.client.token = None
                await asyncio.sleep(0.05)

    async def open(self) -> None:
        """A table that can be played at."""
        chance = self.chance
        settings = {
            "forced": chance.random() < 0.5, "public": chance.random() < 0.5, "hints": chance.random() < 0.5,
            "spectators": chance.choice(["open", "delayed", "closed"]), "delay": 1, "takeover": False,
            "clock": chance.choice([LIVE, *[{"kind": "none"}] * 4, *[{"kind": "days", "extra": 86400}] * 4]),
        }  # fmt: skip
        players = chance.choice([3, 4])
        bots = [chance.choice(LEVELS)] * (players - chance.choice([1, 1, 2, 3]))
        start = len(bots) == players - 1
        made = await self.client.create(chance.choice(GAMES), players, bots=bots, settings=settings, start=start)
        self.mine = made
        self.found.tables.append(made)
        del self.found.tables[:-30]

    async def sit_down(self, until: float) -> None:
        chance, self.table = self.chance, self.chance.choice(self.found.tables[-8:])
        if self.mine in self.found.tables and chance.random() < 0.6:
            self.table = self.mine
        self.look, self.question, self.who = None, None, ""
        address = f"{self.server.url.replace('http', 'ws')}/ws/table/{self.table}"
        async with connect(
            address, additional_headers=self.client.headers(), compression=None, max_size=2**24, close_timeout=2
        ) as socket:
            reader = asyncio.create_task(self.read(socket))
            try:
                if chance.random() < 0.95:
                    await socket.send('{"type":"hello","v":1}')
                for _ in range(chance.randrange(5, 80)):
                    if time.monotonic() > until or reader.done():
                        break
                    await socket.send(self.message(), text=chance.random() < 0.97)
                    await asyncio.sleep(chance.choice([0, 0.005, 0.02]))
            except ConnectionClosed:
                pass
            finally:
                await asyncio.wait([reader], timeout=0.2)
                reader.cancel()
                await asyncio.gather(reader, return_exceptions=True)

    def message(self) -> bytes:
        chance, kind = (
            self.chance,
            self.chance.choice([*REQUESTS, "play", "play", "play", "sit", "start", "bot", "ready"]),
        )
        if self.question is not None and chance.random() < 0.4:
            kind = "play"
        made = self.make.value(BY_TYPE[kind], kind)
        made["type"] = kind
        if "id" in made:
            made["id"] = f"k{chance.getrandbits(40):x}" if chance.random() < 0.9 else "again"
        if kind == "play" and self.question is not None and chance.random() < 0.85:
            made |= {"decision": self.question.decision, "move": chance.choice(self.question.moves), "seat": self.look}
        if kind == "sit" and chance.random() < 0.8:
            made = {"type": "sit", "id": made["id"]}
        if kind in ("resign", "abort", "stand", "kick", "pause") and chance.random() < 0.8:  # or no game lasts
            made = {"type": "ping", "t": 1.0}
        self.found.sent[made["type"]] += 1
        if chance.random() < 0.15:
            made = self.make.damaged(made)
        return self.make.encoded(made)

    async def read(self, socket: Any) -> None:
        found = self.found
        try:
            async for text in socket:
                try:
                    message: Any = _answer(text)
                except msgspec.DecodeError as problem:
                    found.wrong.append(f"an answer that cannot be decoded: {problem}: {str(text)[:200]}")
                    continue
                found.answers[type(message).__name__.lower()] += 1
                if isinstance(message, m.Error):
                    found.answers[message.code] += 1
                    if not message.message or message.code == "server-failed":
                        found.wrong.append(f"an error without a message: {message}")
                self.note(message)
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else 1000 if closed.sent else 1006
            found.answers[f"closed {code}"] += 1
            if code not in CLOSED:  # 1006: a reader that was too slow; what goes wrong is in the log
                found.wrong.append(f"a socket was closed with {code}")

    def note(self, message: Any) -> None:
        """Record what was sent to whom."""
        if isinstance(message, m.Welcome | m.Table):
            self.look, self.who = message.you.look, message.you.who
            if self.look is not None:
                self.found.viewers.add((self.table, self.look, self.who))
        if isinstance(message, m.Welcome | m.Game):
            game = message.game
            self.question = game.question if game is not None else None
            if game is not None and game.question is not None and self.look is None:
                self.found.wrong.append(f"a question to somebody without a seat at {self.table}")
            if game is not None:
                received = self.found.received.setdefault((self.table, -1 if self.look is None else self.look), {})
                for number, event in enumerate(game.events, game.since):
                    if received.setdefault(number, event) != event:
                        self.found.wrong.append(f"two versions of event {number} for one viewpoint at {self.table}")


# ---- over HTTP ------------------------------------------------------------------------------------------


class Caller:
    """Somebody who calls every path of the API."""

    def __init__(self, server: Server, found: Found, seed: int) -> None:
        self.server, self.found, self.chance = server, found, random.Random(seed)
        self.make = Maker(self.chance, found)
        self.headers: dict[str, str] = {}

    async def run(self, until: float) -> None:
        while time.monotonic() < until:
            path, methods = self.chance.choice(list(PATHS.items()))
            method = self.chance.choice(list(methods) * 6 + ["put", "delete", "head"])
            if "cookie" not in self.headers:
                path, methods, method = "/api/me", PATHS["/api/me"], "get"
            await asyncio.to_thread(self.call, path, method, methods.get(method, {}))
            await asyncio.sleep(self.chance.choice([0, 0.01, 0.03]))

    def call(self, pattern: str, method: str, operation: dict[str, Any]) -> None:
        chance, make = self.chance, self.make
        if not self.headers or chance.random() < 0.02:
            self.headers = {"x-tsukimi": "1", "origin": self.server.url, "content-type": "application/json"}
        path = re.sub(r"\{(\w+)\}", lambda part: _quoted(self.part(part[1])), pattern)
        query = [
            f"{parameter['name']}={_quoted(str(make.value(parameter.get('schema', {}), parameter['name'])))}"
            for parameter in operation.get("parameters", []) if parameter["in"] == "query" and chance.random() < 0.6
        ]  # fmt: skip
        body = None
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content is not None:
            made = make.value(content["schema"])
            body = make.encoded(make.damaged(made) if chance.random() < 0.25 else made)
        elif chance.random() < 0.05:
            body = make.encoded(make.any())
        headers = dict(self.headers)
        if chance.random() < 0.05:
            headers.pop(chance.choice(list(headers)))
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        try:
            connection.request(method.upper(), "?".join([path, *(["&".join(query)] if query else [])]), body, headers)
            response = connection.getresponse()
            data = response.read()
        except (OSError, http.client.HTTPException, ValueError) as problem:
            # A request that cannot be sent is not the server's fault, nor is a download cut short by a failing store.
            if not isinstance(problem, ValueError | http.client.IncompleteRead):
                self.found.wrong.append(f"{method} {pattern}: no answer: {problem!r}")
            return
        finally:
            connection.close()
        self.found.sent["http"] += 1
        self.found.answers[f"http {response.status}"] += 1
        if response.status >= 500 and response.status != 503:
            self.found.wrong.append(f"{method} {path[:80]} was answered with {response.status}: {data[:200]!r}")
        cookie = response.getheader("set-cookie")
        if cookie:
            self.headers["cookie"] = cookie.partition(";")[0]
        if chance.random() < 0.2 and response.status == 200:
            self.found.ids += re.findall(r'"(?:id|who|handle)":"([\w-]+)"', data.decode("utf-8", "replace"))[:5]
            del self.found.ids[:-100]

    def part(self, name: str) -> str:
        chance = self.chance
        if name == "game":
            return chance.choice([*GAMES, *ODD])
        return chance.choice([*self.found.tables[-5:], *self.found.ids[-10:], chance.choice(ODD)])


def _quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def _expected(problem: Exception) -> bool:
    """Whether it is an injected failure of the store, or a limit."""
    code = str(getattr(problem, "code", ""))
    return isinstance(problem, OSError | ConnectionClosed) or code in EXPECTED


# ---- what is checked ------------------------------------------------------------------------------------


@dataclass
class Sample:
    at: float
    memory: float
    descriptors: int
    tasks: int
    loaded: int
    faults: int


def sample(server: Server, stats: Path) -> Sample | None:
    try:
        known = json.loads(stats.read_text())
    except (OSError, ValueError):
        return None
    descriptors = len(os.listdir(f"/proc/{server.pid}/fd"))
    return Sample(time.monotonic(), server.memory(), descriptors, known["tasks"], known["loaded"], known["faults"])


async def watch(server: Server, stats: Path, samples: list[Sample]) -> None:
    while True:
        await asyncio.sleep(1.0)
        one = sample(server, stats)
        if one is not None:
            samples.append(one)


def leaks(before: Sample, after: Sample, samples: list[Sample]) -> list[str]:
    """What has grown: after everyone has left, and over the second half of a long run."""
    wrong = []
    if after.descriptors > before.descriptors + 12:
        wrong.append(f"{before.descriptors} descriptors before, {after.descriptors} after everybody has left")
    if after.tasks > before.tasks + 2 + 4 * after.loaded:  # a bot for each seat of games that are still running
        wrong.append(f"{before.tasks} tasks before, {after.tasks} after everybody has left")
    if samples and samples[-1].at - samples[0].at > 100:  # else it is still warming up
        # The minimum of several samples, because hashing a password takes 32 MB for a moment.
        middle, end = (
            min(samples[int(len(samples) * begin) : int(len(samples) * until)], key=lambda one: one.memory)
            for begin, until in ((0.35, 0.5), (0.85, 1.0))
        )
        if end.memory > 1.15 * middle.memory + 15 + 0.5 * max(0, end.loaded - middle.loaded):
            wrong.append(f"memory grew from {middle.memory:.0f} to {end.memory:.0f} MB in the second half")
    return wrong


async def secrets(database: str, found: Found) -> tuple[int, list[str]]:
    """Compare what was sent with what each observer may know, from the logs; return the number of events and what is wrong."""
    store = open_store(database)
    await store.open()
    checked, wrong = 0, []
    try:
        tables = {name for name, _ in found.received}
        for name in tables:
            try:
                table = read_table(await store.read(name))
            except (Unreadable, OldRules) as problem:
                wrong.append(f"the log of {name} cannot be read: {problem}")
                continue
            handles = [await _handles(store, seat.person) for seat in table.seats]
            for where, viewpoint, who in found.viewers:
                if where == name and who != handles[viewpoint] and not _was_seated(table, await store.read(name), who):
                    wrong.append(f"{who} was shown what seat {viewpoint} of {name} knows")
            for (where, viewpoint), received in found.received.items():
                if where != name:
                    continue
                may = table.events.seen_by(SPECTATOR if viewpoint < 0 else viewpoint)
                for number, event in received.items():
                    checked += 1
                    if number >= len(may) or json.loads(bytes(may[number])) != event:
                        wrong.append(f"event {number} of {name} is not what viewpoint {viewpoint} may know: {event}")
    finally:
        await store.close()
    return checked, wrong


async def _handles(store: Any, person: str) -> str:
    known = await store.person(person) if person else None
    return known.handle if known is not None else ""


def _was_seated(table: Any, rows: Any, who: str) -> bool:
    return any(who.encode() in row.data for row in rows)


def in_the_log(server: Server) -> list[str]:
    """Every log line that reports a problem, with the lines up to the next timestamp."""
    entries = re.split(r"\n(?=\d{4}-\d\d-\d\dT)", server.log())
    wrong = [
        entry for entry in entries if any(problem in entry for problem in PROBLEMS) and "the bus failed" not in entry
    ]
    return [f"{entry[:300]} .. {entry[-900:]}" for entry in wrong]


async def fuzz(server: Server, stats: Path, seconds: float, seed: int, found: Found) -> tuple[list[Sample], list[str]]:
    while (before := sample(server, stats)) is None:
        await asyncio.sleep(0.1)
    samples = list[Sample]()
    until = time.monotonic() + seconds
    watching = asyncio.create_task(watch(server, stats, samples))
    guests = [Guest(server, found, 100 * seed + number).run(until) for number in range(10)]
    callers = [Caller(server, found, 100 * seed + 50 + number).run(until) for number in range(3)]
    await asyncio.gather(*guests, *callers)
    watching.cancel()
    alive = await asked_status(f"{server.url}/healthz")
    await asyncio.sleep(8.0)  # time for tables to be unloaded and bots to finish
    after = sample(server, stats)
    assert after is not None
    wrong = [] if alive == 200 else [f"/healthz says {alive}"]
    return [*samples, after], [*wrong, *leaks(before, after, samples)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.01, help="the part of all calls of the store that fail")
    args = parser.parse_args()
    found = Found()
    with tempfile.TemporaryDirectory(prefix="tsukimi-fuzz-") as name:
        folder, stats = Path(name), Path(name) / "stats"
        database = f"sqlite:///{folder}/tsukimi.db"
        command = [sys.executable, str(Path(__file__).with_name("faulty_server.py"))]
        env = {"FAULT_STATS": str(stats), "FAULT_RATE": str(args.rate), "TSUKIMI_BOT_MS": "5"}
        server = Server(folder, database, command=command, env=env)
        server.start()
        try:
            samples, wrong = asyncio.run(fuzz(server, stats, args.seconds, args.seed, found))
        finally:
            server.stop()
        checked, leaked = asyncio.run(secrets(database, found))
        wrong += [*found.wrong, *leaked, *in_the_log(server)]
    if checked < 5 * args.seconds:
        wrong.append("hardly anything was played, so that hardly anything was tested")
    if server.crashes:
        wrong.append("the server crashed")
    print(f"sent: {dict(found.sent.most_common())}")
    print(f"answers: {dict(found.answers.most_common())}")
    print(f"{samples[-1].faults} calls of the store failed; {checked} events checked against what may be known")
    for sample in samples[:: max(1, len(samples) // 8)]:
        print(
            f"  {sample.memory:.0f} MB, {sample.descriptors} descriptors, {sample.tasks} tasks, {sample.loaded} tables"
        )
    for line, times in Counter(wrong).most_common(30):
        print(f"WRONG ({times}): {line}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
