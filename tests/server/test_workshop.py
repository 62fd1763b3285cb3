"""Component sets over HTTP: the game's own, checked drafts, bad files, balance, and tables that are played with them."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

import tsukimi
from server.http_world import browser, refused, world
from tsukimi.games import names, spec
from tsukimi.server.common.components_api import Draft
from tsukimi.server.http import component_sets

GAMES = [name for name in names() if spec(name).has_components]
WRONG = (None, True, -1, 10**30, 1.5, "", "no such thing", [], {}, ["?"], [[]])


@pytest.fixture(scope="module")
def served():
    with world(make_tables=None, bot_processes=1, bot_ms=40.0, rate=0.0) as built:
        yield built


def longer(data):
    """Dojo's box with six more bears."""
    changed = copy.deepcopy(data)
    next(row for row in changed["tatami"] if row["disciple"] == "bear")["count"] += 6
    return changed


@pytest.mark.parametrize("game", GAMES)
def test_a_games_own_set_is_given_as_data_and_as_a_file_that_says_the_same(served, game):
    visitor = browser(served)
    shipped = visitor.get(f"/api/games/{game}/components").json()
    assert (shipped["seats"], shipped["problem"]) == (list(spec(game).seats), None)
    again = visitor.post(f"/api/games/{game}/components", json={"text": shipped["text"]}).json()
    assert again == shipped
    assert again["view"]["players"] == spec(game).seats[0]
    known = {field.split(".")[0] for field in shipped["choices"]}
    assert known <= shipped["data"].keys()


def test_a_game_without_components_has_none_to_change(served):
    refused(browser(served).get("/api/games/charuma/components"), 404, "server-not-found")


def broken(game, luck):
    """The game's own set with one thing wrong, more often than not."""
    data = copy.deepcopy(component_sets.shipped(game).data)
    place, key = data, luck.choice(list(data))
    while isinstance(place[key], dict | list) and place[key] and luck.random() < 0.8:
        place = place[key]
        key = luck.choice(list(place) if isinstance(place, dict) else range(len(place)))
    kind = luck.randrange(4)
    if kind == 0:
        del place[key]
    elif kind == 1 and isinstance(place, dict):
        place["extra"] = 1
    elif kind == 2 and isinstance(place, list):
        place.append(place[key])
    else:
        place[key] = luck.choice(WRONG)
    return data


def test_two_hundred_broken_sets_are_refused_with_place_and_reason_in_three_languages():
    luck, found = random.Random(7), 0
    while found < 200:
        game = luck.choice(GAMES)
        data = broken(game, luck)
        checked = {lang: component_sets.check(game, Draft(data=data), lang) for lang in ("en", "fr", "es")}
        problem = checked["en"].problem
        if problem is None:
            continue  # a number that may be another, a place that is drawn elsewhere
        found += 1
        assert problem.code in spec_codes(game), problem
        assert len({one.problem.message for one in checked.values()}) == 3, problem
        assert problem.params or problem.code in ("china-moon.board-pads", "dojo.no-tatami"), problem
        assert "{" not in problem.message.replace("{}", ""), problem
        if not checked["en"].seats:
            with pytest.raises(tsukimi.BadComponents):
                tsukimi.new(game, spec(game).seats[0], components=data)


def spec_codes(game):
    from tsukimi.core import catalogue

    return {f"{game}.{code}" for code in catalogue.messages(game, "en")["error"]}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("start = [\n", "end of document"),
        ("start = ['1']\n[[pad]]\nid = 1 2\n", "line 3"),
        ("a = 1\na = 2\n", "line 2"),
        ("x" * 2000, "line 1"),
        ("a = 1\n" + "b." * 5000 + "c = 1", "line 2"),
        ("a = " + "[" * 900, "recursion"),
    ],
)
def test_a_file_that_is_not_toml_is_refused_with_the_line(served, text, where):
    found = browser(served).post("/api/games/china-moon/components", json={"text": text}, params={"lang": "fr"}).json()
    assert found["problem"]["code"] == "components-text"
    assert where in found["problem"]["message"]
    assert (found["seats"], found["data"], found["text"]) == ([], None, text)


def test_a_set_may_do_for_some_numbers_of_players_only():
    data = {"tatami": [{"disciple": "fox", "belt": 1, "count": 40}]}
    checked = component_sets.check("dojo", Draft(data=data), "en")
    assert checked.seats == [3]
    assert checked.problem.code == "dojo.too-few"
    assert checked.view["players"] == 3


def test_a_set_that_is_too_large_is_refused(served):
    visitor = browser(served)
    refused(visitor.post("/api/games/dojo/components", json={"text": "#" * 30_001}), 400, "server-bad-request")


def test_a_balance_report_says_how_games_with_a_set_go(served):
    visitor = browser(served)
    data = longer(visitor.get("/api/games/dojo/components").json()["data"])
    found = visitor.post("/api/games/dojo/balance", json={"data": data, "players": 3}).json()
    assert found["games"] > 0
    assert sum(seat["win_share"] for seat in found["seats"]) == pytest.approx(1)
    assert all(low <= seat["win_share"] <= high for seat in found["seats"] for low, high in [seat["win_share_95"]])
    bad = {"data": {"tatami": []}, "players": 3}
    refused(visitor.post("/api/games/dojo/balance", json=bad), 409, "dojo.no-tatami")


def test_bots_play_whole_games_with_any_set():
    from tsukimi.server.tables import bot_pool

    data = component_sets.shipped("china-moon").data
    state = tsukimi.new("china-moon", 3, seed=1, components=data)
    for _ in range(4):  # every move comes to the bots' process as a game of its own
        seat = state.actors[0]
        move, _ = bot_pool._choose("table", pickle.dumps(state), seat, "master", 5.0)
        state.play(move, seat)
    assert len({seat for seat, _ in state.history if seat >= 0}) < 4, "a seat has moved twice"


def test_a_table_keeps_the_set_it_was_opened_with(served):
    visitor = browser(served)
    data = longer(visitor.get("/api/games/dojo/components").json()["data"])
    wanted = {"game": "dojo", "players": 3, "bots": ["novice", "novice"], "components": data}
    table = visitor.post("/api/tables", json=wanted | {"start": True}).json()["id"]
    assert visitor.get(f"/api/tables/{table}").json()["own_components"]
    plain = visitor.post("/api/tables", json={"game": "dojo", "players": 3}).json()["id"]
    assert not visitor.get(f"/api/tables/{plain}").json()["own_components"]
    refused(visitor.post("/api/tables", json=wanted | {"components": {"tatami": []}}), 409, "dojo.no-tatami")
    rated = {"rated": True, "hints": False, "clock": {"kind": "live", "reserve": 300, "extra": 20}}
    answer = visitor.post("/api/tables", json=wanted | {"bots": [], "settings": rated})
    refused(answer, 409, "table-rated-components")
