"""Reviews over HTTP with the real tables: asked for, waited for, stored; records brought in; playing on."""

from __future__ import annotations

import asyncio
import random
import time
import tomllib

import pytest

import tsukimi
from server.http_world import FakeTables, browser, refused, world
from tsukimi.analysis import decisions
from tsukimi.games import spec
from tsukimi.server.tables import reviews
from tsukimi.server.tables.from_record import standing


def record(game="daruma", players=2, moves=-1, seed=5, names=("Ana", "Bo")):
    state, luck = tsukimi.new(game, players=players, seed=seed), random.Random(seed)
    while not state.over and moves:
        seat = luck.choice(state.actors)
        state.apply(luck.choice(state.actions(seat)), seat)
        moves -= 1
    state.names = dict(enumerate(names))
    return state


@pytest.fixture(scope="module")
def served():
    with world(make_tables=None, bot_processes=1, bot_ms=40.0, rate=0.0) as built:
        yield built


def brought(visitor, state):
    answer = visitor.post("/api/records", json={"text": state.record()})
    assert answer.status_code == 200, answer.text
    return answer.json()["id"]


def reviewed(visitor, table, seconds=120, **query):
    """Ask until it is done; the states on the way."""
    seen, until = [], time.monotonic() + seconds
    found = visitor.post(f"/api/tables/{table}/review").json()
    while found["state"] != "done" and time.monotonic() < until:
        seen.append((found["state"], found["done"]))
        time.sleep(0.05)
        found = visitor.get(f"/api/tables/{table}/review", params=query).json()
    return found, seen


def test_a_record_is_brought_in_replayed_and_reviewed_and_the_review_is_stored(served, monkeypatch):
    monkeypatch.setattr(reviews, "DECISION_MS", 5.0)
    ana, bo = browser(served), browser(served)
    state = record(moves=40)
    table = brought(ana, state)
    assert bo.get(f"/api/tables/{table}/record").text.split("---")[1].split() == state.record().split("---")[1].split()
    replay = bo.get(f"/api/tables/{table}/replay", params={"seat": "open"}).json()
    assert (replay["names"], replay["total"]) == (["Ana", "Bo"], 41)
    assert bo.get(f"/api/tables/{table}/review").json()["state"] == "none"
    found, seen = reviewed(ana, table, lang="fr")
    assert {state for state, _ in seen} <= {"waiting", "running"}
    assert [done for _, done in seen] == sorted(done for _, done in seen)
    review = found["review"]
    assert (found["done"], found["total"]) == (len(decisions(state)), len(decisions(state)))
    events = {event["index"]: event for step in replay["steps"] for event in step["events"]}
    for decision in review["decisions"]:
        assert sum(decision["before"]) == pytest.approx(1)
        assert decision["event"] not in events or events[decision["event"]]["seat"] == decision["seat"]
    assert events
    weak = [one for one in review["decisions"] if one["judgement"] in ("inaccuracy", "mistake", "blunder")]
    assert weak
    for decision in review["decisions"]:  # a better move is worded by what its seat saw
        assert (decision["view"] is not None) == (decision in weak)
    assert all(one["view"]["seat"] == one["seat"] and one["view"]["actors"] == [one["seat"]] for one in weak)
    for turn in review["turning_points"]:
        assert bool(turn["drawn"]) == (turn["cause"] == "luck")
        assert all("seat" not in event for event in turn["drawn"])
    assert all(decision["sentence"] for decision in review["decisions"] if decision["judgement"] != "forced")
    monkeypatch.setattr(reviews.Reviews, "_review", None)  # nobody makes it again
    assert bo.post(f"/api/tables/{table}/review").json()["state"] == "done"


def test_a_running_game_is_neither_reviewed_nor_played_on_from(served):
    ana = browser(served)
    body = {"game": "daruma", "players": 2, "bots": ["random"], "start": True}
    table = ana.post("/api/tables", json=body).json()["id"]
    refused(ana.get(f"/api/tables/{table}/review"), 403, "table-not-ended")
    refused(ana.post(f"/api/tables/{table}/review"), 403, "table-not-ended")
    refused(ana.post(f"/api/tables/{table}/play-on", json={"step": 0, "seat": 0}), 403, "table-not-ended")


def test_many_reviews_wait_for_each_other_and_one_person_has_few(served, monkeypatch):
    make, gate = reviews.Reviews._review, asyncio.Event()

    async def wait(self, wanted):
        wanted.running = True
        await gate.wait()
        await make(self, wanted)

    monkeypatch.setattr(reviews.Reviews, "_review", wait)
    monkeypatch.setattr(reviews, "DECISION_MS", 1.0)
    visitor = browser(served)
    tables = [brought(visitor, record(moves=6, seed=seed)) for seed in range(4)]
    asked = [visitor.post(f"/api/tables/{table}/review") for table in tables]
    states = [visitor.get(f"/api/tables/{table}/review").json() for table in tables]
    assert [(state["state"], state["ahead"]) for state in states] == [
        ("running", 0), ("waiting", 1), ("waiting", 2), ("none", 0)
    ]  # fmt: skip
    refused(asked[3], 429, "table-reviews-waiting")
    served.test_portal.call(gate.set)
    assert [reviewed(visitor, table)[0]["state"] for table in tables] == ["done"] * 4


def test_playing_on_goes_from_any_moment_on_any_seat_against_bots(served):
    ana = browser(served)
    state = record("charuma", moves=30, seed=2)
    table = brought(ana, state)
    for step, seat in ((0, 1), (7, 0), (30, 1)):
        answer = ana.post(f"/api/tables/{table}/play-on", json={"step": step, "seat": seat, "level": "greedy"})
        assert answer.status_code == 200, answer.text
        info = ana.get(f"/api/tables/{answer.json()['id']}").json()
        assert info["status"] in ("playing", "round", "over")
        assert [one["kind"] for one in info["seats"]] == ["bot" if one != seat else "person" for one in range(2)]
        assert info["practice"]
        assert info["fairness"]["chance"] == "none"
        live = served.test_portal.call(served.state.tables.live, answer.json()["id"])
        begun = standing(live.table.playing.history)
        ended = served.test_portal.call(served.state.tables.live, table).table
        until = ended.step_ends[step]
        assert begun[:until] == standing(state.history)[:until]
    refused(ana.post(f"/api/tables/{table}/play-on", json={"step": 31, "seat": 0}), 404, "table-no-step")
    refused(ana.post(f"/api/tables/{table}/play-on", json={"step": 0, "seat": 2}), 404, "table-no-seat")
    over = brought(ana, record(seed=3))
    last = ana.get(f"/api/tables/{over}/replay").json()["total"] - 1
    refused(ana.post(f"/api/tables/{over}/play-on", json={"step": last, "seat": 0}), 409, "table-is-over")


def test_moves_that_were_taken_back_are_not_brought_in(served):
    state = record(moves=6)
    state.play(state.legal()[0])
    state.undo(1)
    table = brought(browser(served), state)
    assert browser(served).get(f"/api/tables/{table}/record").text.count("undo") == 0


def with_components(text: str, data: str) -> str:
    return text.replace("---", f"components {data}\n---", 1)


def test_a_record_with_components_of_its_own_is_brought_in_reviewed_and_played_on_with_them(served, monkeypatch):
    monkeypatch.setattr(reviews, "DECISION_MS", 1.0)
    ana = browser(served)
    data = tomllib.loads((spec("daruma").folder / "components.toml").read_text("utf-8"))
    data["objective"] = data["objective"][:-1]
    state = tsukimi.new("daruma", 2, seed=4, components=data)
    for _ in range(12):
        state.play(state.legal()[0])
    table = brought(ana, state)
    assert ana.get(f"/api/tables/{table}").json()["own_components"]
    assert tsukimi.replay(ana.get(f"/api/tables/{table}/record").text).components == data
    assert ana.get(f"/api/tables/{table}/replay").json()["total"] == 13
    assert reviewed(ana, table)[0]["state"] == "done"
    played = ana.post(f"/api/tables/{table}/play-on", json={"step": 4, "seat": 0, "level": "greedy"}).json()["id"]
    assert ana.get(f"/api/tables/{played}").json()["own_components"]


GOOD = record("daruma", moves=20).record()
WHOLE = record("daruma").record()
LINES = GOOD.splitlines()
BODY = LINES.index("---") + 1
BAD = {
    "nothing": ("", "record-format", 1),
    "a letter": ("Dear Ana,\nhow are you?", "record-format", 1),
    "a picture": ("\u0089PNG\r\n\x1a\n\x00\x00", "record-format", 1),
    "another version": (GOOD.replace("tsukimi 1", "tsukimi 2"), "record-format", 1),
    "a head alone": ("tsukimi 1\ngame daruma\nplayers 2\n", "record-parts", 3),
    "four parts": (WHOLE + "---\n---\n", "record-parts", None),
    "no such game": (GOOD.replace("game daruma", "game chess"), "record-line", None),
    "a game without a name": (GOOD.replace("game daruma\n", ""), "record-line", None),
    "too many players": (GOOD.replace("players 2", "players 9"), "record-line", None),
    "no number of players": (GOOD.replace("players 2", "players two"), "record-head", 3),
    "a word that is not known": (GOOD.replace("players 2", "players 2\ncolour blue"), "record-head", 4),
    "an option twice": (GOOD.replace("---", "option first p1\n---", 1), "record-twice", None),
    "no such option": (GOOD.replace("---", "option speed fast\n---", 1), "record-line", None),
    "a seat too many": (GOOD.replace("---", "seat 5 Eve\n---", 1), "record-head", None),
    "components that are no JSON": (with_components(GOOD, '{"a":'), "record-components", None),
    "components that are no table": (with_components(GOOD, "[1, 2]"), "record-line", None),
    "components that cannot be played": (with_components(GOOD, '{"a": 1}'), "record-line", None),
    "components that are no number": (with_components(GOOD, '{"a": NaN}'), "record-components", None),
    "components with half a character": (with_components(GOOD, '{"a": "\\ud800"}'), "record-components", None),
    "components that go deep": (with_components(GOOD, "[" * 50_000), "record-components", None),
    "components with a huge number": (with_components(GOOD, '{"a": 1' + "0" * 5_000 + "}"), "record-components", None),
    "components of a game without any": (
        with_components(record("charuma", moves=4).record(), "{}"),
        "record-line",
        None,
    ),
    "an impossible draw": ("\n".join([*LINES[:BODY], "roll 9 9 9"]), "record-line", BODY + 1),
    "a move that is none": (GOOD + "p1 dance\n", "record-line", len(LINES) + 1),
    "somebody out of turn": (GOOD + "p5 stop\n", "record-line", len(LINES) + 1),
    "more taken back than made": (GOOD + "undo 999\n", "record-line", len(LINES) + 1),
    "other scores": (WHOLE.replace("scores ", "scores 9", 1), "record-scores", None),
    "an end that is none": (GOOD + "---\nscores 1 2\n", "record-unfinished", None),
    "no move": ("\n".join(LINES[:BODY]), "record-no-moves", None),
    "too many lines": (GOOD + "#\n" * 5000, "record-too-many", None),
    "a name that is none": (GOOD.replace("seat 1 Ana", "seat 1 a\u202eb"), "server-name", None),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_record_is_refused_with_the_line_and_the_reason(served, case):
    text, code, line = BAD[case]
    answer = browser(served).post("/api/records", json={"text": text})
    data = refused(answer, 400 if code == "server-name" else 409, code)
    assert "line" not in data["params"] or f"Line {data['params']['line']}" in data["message"]
    if line is not None:
        assert data["params"]["line"] == line


def test_what_is_too_large_is_not_even_read(served):
    refused(browser(served).post("/api/records", json={"text": "x" * 60_001}), 400, "server-bad-request")
    refused(browser(served).post("/api/records", json={"text": "x" * 70_000}), 413, "server-too-large")


def test_the_names_of_a_record_go_through_the_word_filter():
    asked = []

    class Tables(FakeTables):
        async def bring(self, text, name, person, address):
            asked.append(name(" Ana "))
            return "known"

    with world(make_tables=Tables) as built:
        assert browser(built).post("/api/records", json={"text": GOOD}).json() == {"id": "known"}
    assert asked == ["Ana"]
