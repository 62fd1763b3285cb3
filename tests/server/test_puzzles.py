"""Puzzles over HTTP: what is sent before the answer, what after it, the rating, and playing on."""

from __future__ import annotations

from datetime import date

import pytest

from server.http_world import browser, refused, world
from tsukimi.core.puzzle import expectation, of_the_day, puzzles
from tsukimi.games import names, spec
from tsukimi.server.common.puzzle_api import FIRST_RATING
from tsukimi.server.http.handlers import puzzles as handlers

DOJO = list(puzzles(spec("dojo")).values())


@pytest.fixture(scope="module")
def served():
    with world(make_tables=None, bot_processes=1, bot_ms=40.0, rate=0.0) as built:
        yield built


def other(one):
    """A move that is not the answer."""
    return next(move for move in one.state(spec("dojo")).legal(one.seat) if move != one.answer)


def test_a_puzzle_is_shown_as_its_seat_knows_it_and_without_its_answer(served):
    puzzle = next(one for one in DOJO if any(event.startswith("draw") for event in one.events))
    shown = browser(served).get(f"/api/puzzles/dojo/{puzzle.id}").json()
    state = puzzle.state(spec("dojo"))
    assert shown["moves"] == state.legal(puzzle.seat)
    assert shown["view"] == state.view(puzzle.seat)
    assert shown["events"] == state.events(puzzle.seat)
    assert shown.keys() == {"game", "id", "players", "seat", "names", "rating", "view", "events", "moves", "done"}


def test_the_first_answer_to_a_puzzle_changes_the_rating_and_the_streak_and_another_one_does_not(served):
    ana = browser(served)
    first, second = DOJO[-1], DOJO[-2]
    reply = ana.post(f"/api/puzzles/dojo/{first.id}", json={"move": first.answer}).json()
    gain = round(handlers.FIRST_FACTOR * (1 - expectation(FIRST_RATING, first.rating)))
    assert (reply["right"], reply["answer"], reply["change"]) == (True, first.answer, gain)
    assert reply["standing"] == {
        "rating": FIRST_RATING + gain, "tried": 1, "solved": 1, "streak": 1, "best_streak": 1,
    }  # fmt: skip
    again = ana.post(f"/api/puzzles/dojo/{first.id}", json={"move": other(first)}).json()
    assert (again["right"], again["change"], again["standing"]) == (False, None, reply["standing"])
    lost = ana.post(f"/api/puzzles/dojo/{second.id}", json={"move": other(second)}).json()
    assert lost["change"] < 0
    assert (lost["standing"]["streak"], lost["standing"]["best_streak"]) == (0, 1)
    assert ana.get("/api/puzzles").json()["standing"] == lost["standing"]
    assert ana.get(f"/api/puzzles/dojo/{second.id}").json()["done"]


@pytest.mark.parametrize("lang", ["en", "fr", "es"])
def test_an_answer_has_the_reason_in_words_and_the_best_moves_with_their_shares(served, lang):
    one = DOJO[-3]
    given = min(zip(one.shares, one.state(spec("dojo")).legal(one.seat), strict=True))[1]
    reply = browser(served).post(f"/api/puzzles/dojo/{one.id}", params={"lang": lang}, json={"move": given}).json()
    assert reply["moves"][0] == [one.answer, max(one.shares)]
    assert [share for _, share in reply["moves"]] == sorted((share for _, share in reply["moves"]), reverse=True)
    assert given in dict(reply["moves"])
    assert len(reply["sentence"]) > 10
    assert "{" not in reply["sentence"]
    assert reply["themes"]


def test_what_is_not_a_legal_move_or_not_a_puzzle_is_refused(served):
    ana = browser(served)
    refused(ana.post(f"/api/puzzles/dojo/{DOJO[0].id}", json={"move": "dance"}), 409, "illegal-now")
    assert ana.get("/api/puzzles").json()["standing"]["tried"] == 0
    assert ana.get("/api/puzzles/dojo/none").status_code == 404
    assert ana.get("/api/puzzles/chess/1").status_code == 404
    assert ana.get("/api/puzzles/next", params={"game": "dojo", "theme": "none"}).status_code == 404


def test_the_next_puzzle_is_new_near_the_rating_and_of_the_wanted_theme(served):
    ana = browser(served)
    query = {"game": "dojo", "theme": "column"}
    wanted = {puzzle.id for puzzle in DOJO if "column" in puzzle.themes}
    met = set()
    for _ in wanted:
        found = ana.get("/api/puzzles/next", params=query).json()
        assert found["id"] not in met
        met.add(found["id"])
        ana.post(f"/api/puzzles/dojo/{found['id']}", json={"move": puzzles(spec("dojo"))[found["id"]].answer})
    assert met == wanted
    assert ana.get("/api/puzzles/next", params=query).json()["id"] in wanted  # all are known: one of them again
    near = ana.get("/api/puzzles/next", params={"game": "china-moon"}).json()["id"]
    ratings = sorted(abs(puzzle.rating - FIRST_RATING) for puzzle in puzzles(spec("china-moon")).values())
    rating = ana.get("/api/puzzles").json()["standing"]["rating"]
    assert abs(puzzles(spec("china-moon"))[near].rating - rating) <= ratings[handlers.NEAR - 1] + abs(
        rating - FIRST_RATING
    )


def test_the_puzzle_of_the_day_is_the_same_for_everyone(served, monkeypatch):
    today = date(2026, 11, 16)
    monkeypatch.setattr(handlers, "_today", lambda: today)
    game, one = of_the_day([spec(name) for name in names()], today)
    ana, bo = browser(served), browser(served)
    day = {"game": game.name, "id": one.id, "date": "2026-11-16", "done": False}
    assert ana.get("/api/puzzles").json()["day"] == bo.get("/api/puzzles", params={"lang": "es"}).json()["day"] == day
    ana.post(f"/api/puzzles/{game.name}/{one.id}", json={"move": one.answer})
    assert ana.get("/api/puzzles").json()["day"]["done"]
    assert not bo.get("/api/puzzles").json()["day"]["done"]


def test_a_puzzle_is_played_on_from_against_bots_once_it_was_answered(served):
    ana, one = browser(served), DOJO[5]
    path = f"/api/puzzles/dojo/{one.id}/play-on"
    refused(ana.post(path, json={}), 403, "puzzle-unanswered")
    ana.post(f"/api/puzzles/dojo/{one.id}", json={"move": one.answer})
    table = ana.get(f"/api/tables/{ana.post(path, json={'level': 'novice'}).json()['id']}").json()
    assert (table["game"], table["status"], table["practice"]) == ("dojo", "playing", True)
    kinds = [seat["kind"] for seat in table["seats"]]
    assert kinds == ["person" if seat == one.seat else "bot" for seat in range(one.players)]


def test_answers_are_part_of_what_is_stored_about_a_person(served):
    ana, one = browser(served), DOJO[7]
    ana.post(f"/api/puzzles/dojo/{one.id}", json={"move": one.answer})
    assert ana.get("/api/me/export").json()["progress"]["puzzles"]["done"] == {"dojo": [one.id]}
