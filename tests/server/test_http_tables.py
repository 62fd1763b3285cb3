"""Tables, history and ratings over HTTP, with tables that answer from a list, and once with the real ones."""

import msgspec
import pytest

import tsukimi
from server.http_world import browser, person_of, rated, refused, world
from tsukimi.server.common.api import NewTable
from tsukimi.store import Rating, Summary, Unavailable
from tsukimi.table.settings import Clock, Settings


def fact(table, person, public):
    return Summary(table, "daruma", 2, "over", public, 1, 1, None, [person, None], b"{}")


def test_games_are_listed_with_their_players_and_options():
    with world() as built:
        answer = browser(built, known=False).get("/api/games")
        games = {game["name"]: game for game in answer.json()}
        assert list(games) == tsukimi.games()
        assert {"charuma", "china-moon", "daruma", "dojo"} <= games.keys()
        assert games["daruma"]["seats"] == [2, 3, 4, 5]
        assert games["daruma"]["options"]["edition"] == ["fr", "es"]
        assert games["dojo"]["options"]["first"] == ["random", "p1", "p2", "p3", "p4", "p5"]
        assert "max-age" in answer.headers["cache-control"]


def test_a_table_is_opened_as_requested():
    with world() as built:
        ana = browser(built)
        body = {
            "game": "dojo", "players": 4, "options": {"belt": "white"}, "bots": ["master", "greedy"], "name": " Ana ",
            "settings": {"public": True, "clock": {"kind": "live", "reserve": 60, "extra": 5}}, "start": True,
        }  # fmt: skip
        assert ana.post("/api/tables", json=body).json() == {"id": "known"}
        new, person = built.state.tables.asked[0]
        assert new == NewTable(
            game="dojo", players=4, options={"belt": "white"}, bots=["master", "greedy"], name="Ana", start=True,
            settings=Settings(public=True, clock=Clock("live", 60, 5)),
        )  # fmt: skip
        assert person.handle == ana.get("/api/me").json()["who"]
        ana.post("/api/tables", json={"game": "daruma", "players": 2, "names": ["Ana ", "Bruno"]})
        assert built.state.tables.asked[1][0] == NewTable(game="daruma", players=2, names=["Ana", "Bruno"])


@pytest.mark.parametrize(
    "change",
    [
        {"players": 1}, {"players": 6}, {"players": "2"}, {"players": None}, {"game": ""}, {"game": 3}, {"bots": ["god"]},
        {"bots": ["master"] * 6}, {"names": []}, {"names": [""]}, {"names": ["x"] * 6}, {"nonce": "0af3"},
        {"options": {"a": 1}}, {"options": {str(n): "" for n in range(11)}}, {"settings": {"clock": {"kind": "fast"}}},
        {"settings": {"delay": -1}}, {"start": "yes"}, {"more": 1}, {"name": "x" * 25},
    ],
)  # fmt: skip
def test_a_malformed_table_is_rejected_and_the_error_says_where(change):
    with world() as built:
        data = refused(
            browser(built).post("/api/tables", json={"game": "daruma", "players": 2} | change),
            400,
            "server-bad-request",
        )
        assert data["params"]["problem"] in data["message"]
        assert built.state.tables.asked == []


def test_names_at_a_table_are_names():
    with world() as built:
        ana = browser(built)
        for more in ({"name": "a\u202eb"}, {"names": ["Ana", "\u200b"]}):
            refused(ana.post("/api/tables", json={"game": "daruma", "players": 2} | more), 400, "server-name")


def test_a_quick_match_needs_a_game_and_players():
    with world() as built:
        ana = browser(built)
        assert ana.post("/api/match", json={"game": "dojo", "players": 3}).json() == {"id": "known"}
        assert built.state.tables.asked[0][1:] == ("dojo", 3)
        refused(ana.post("/api/match", json={"game": "dojo"}), 400, "server-bad-request")


def test_a_table_is_shown_to_anybody_with_its_link():
    with world() as built:
        stranger = browser(built, known=False)
        assert stranger.get("/api/tables/known").json()["game"] == "daruma"
        refused(stranger.get("/api/tables/other"), 404, "table-unknown")
        for bad in ("a.b", "x" * 41, "%2e%2e", "a%20b", "é"):
            refused(stranger.get(f"/api/tables/{bad}"), 404, "server-not-found")
        refused(stranger.get("/api/tables/a/b/c"), 404, "server-not-found")


def test_a_record_is_a_download_once_the_game_has_ended():
    with world() as built:
        stranger = browser(built, known=False)
        answer = stranger.get("/api/tables/ended/record")
        assert answer.text == "tsukimi 1\n" and answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["content-disposition"] == 'attachment; filename="tsukimi-ended.txt"'
        refused(stranger.get("/api/tables/known/record"), 403, "table-not-ended")


def test_a_replay_is_sent_in_parts_for_a_seat_a_spectator_or_open():
    with world() as built:
        stranger = browser(built, known=False)
        for query, asked in [
            ("", (None, 0, 100)),
            ("?seat=spectator&from=5", (None, 5, 100)),
            ("?seat=0&from=3&count=2", (0, 3, 2)),
            ("?seat=open", ("open", 0, 100)),
        ]:
            assert stranger.get(f"/api/tables/ended/replay{query}").json()["total"] == 1
            assert built.state.tables.asked[-1] == asked
        for bad in (
            "seat=5",
            "seat=-1",
            "seat=all",
            "seat=",
            "from=-1",
            "from=x",
            "count=0",
            "count=201",
            "count=1.5",
            "seat=0%0A",
        ):
            refused(stranger.get(f"/api/tables/ended/replay?{bad}"), 400, "server-bad-request")
        refused(stranger.get("/api/tables/known/replay"), 403, "table-not-ended")


def test_the_lobby_is_for_everyone_and_knows_whose_games_are_whose():
    with world() as built:
        assert browser(built, known=False).get("/api/lobby").json()["yours"] == []
        assert browser(built).get("/api/lobby").json()["yours"][0]["id"] == "mine"


def test_my_games_come_in_pages():
    with world() as built:
        ana = browser(built)
        first = ana.get("/api/me/games").json()
        assert first["more"] is True and first["games"][0]["scores"] == [1, 2] and first["games"][2]["ended"] is None
        assert ana.get("/api/me/games?page=1").json()["more"] is False
        for bad in ("-1", "x", "10001", ""):
            refused(ana.get(f"/api/me/games?page={bad}"), 400, "server-bad-request")


def test_a_rating_below_nothing_is_shown_as_nothing():
    with world() as built:
        ana = browser(built)
        rated(built, "dojo", {person_of(built, ana): Rating(20.0, 8.0, 1)})
        assert ana.get("/api/me").json()["ratings"] == {"dojo": {"rating": 0.0, "games": 1}}
        assert [row["rating"] for row in ana.get("/api/ratings/dojo").json()] == [0.0]


def test_a_profile_shows_public_ended_games_only():
    with world() as built:
        ana = browser(built)
        who = ana.get("/api/me").json()["who"]
        person = person_of(built, ana)
        store, call = built.state.store, built.test_portal.call
        for name, public in [("public", True), ("private", False), ("public-running", True)]:
            call(store.create, fact(name, person, public), [])
        rated(built, "daruma", {person: Rating(25.0, 5.0, 3)})
        profile = browser(built, known=False).get(f"/api/people/{who}").json()
        assert [game["id"] for game in profile["games"]] == ["public"]
        assert profile["games"][0]["yours"] is False
        assert profile["ratings"] == {"daruma": {"rating": 10.0, "games": 3}} == ana.get("/api/me").json()["ratings"]
        assert profile.keys() == {"name", "account", "ratings", "games"}
        refused(ana.get("/api/people/nobody"), 404, "server-not-found")
        refused(ana.get(f"/api/people/{person}"), 404, "server-not-found")


def test_ratings_are_listed_by_what_they_are_at_least():
    with world() as built:
        ana, bruno = browser(built), browser(built)
        ids = [person_of(built, person) for person in (ana, bruno)]
        changes = {ids[0]: Rating(30.0, 8.0, 1), ids[1]: Rating(26.0, 2.0, 40)}
        rated(built, "dojo", changes)
        found = browser(built, known=False).get("/api/ratings/dojo").json()
        assert [(row["who"], row["rating"], row["games"]) for row in found] == [
            (bruno.get("/api/me").json()["who"], 20.0, 40),
            (ana.get("/api/me").json()["who"], 6.0, 1),
        ]
        refused(ana.get("/api/ratings/chess"), 404, "server-not-found")


def test_an_unavailable_store_is_reported_as_such(monkeypatch):
    with world() as built:
        ana = browser(built)

        async def away(*args):
            raise Unavailable("gone")

        monkeypatch.setattr(built.state.store, "person", away)
        answer = ana.get("/api/me")
        refused(answer, 503, "server-unavailable")
        assert answer.headers["retry-after"] == "2"


def test_a_bus_that_is_away_is_reported_but_the_worker_stays_in_service(monkeypatch):
    with world() as built:
        ana = browser(built)
        ready = ana.get("/readyz").json()
        del ready["loop_lag_ms"]
        checks = dict.fromkeys(("ready", "store", "disk", "loop", "bus"), True)
        assert ready == {**checks, "disk_free_bytes": None, "version": tsukimi.__version__}
        monkeypatch.setattr(built.state, "bus", type("Away", (), {"healthy": False, "close": built.state.bus.close})())
        assert ana.get("/healthz").json() == {"fine": True, "version": tsukimi.__version__}
        answer = ana.get("/readyz")
        assert answer.status_code == 200 and answer.json() == {**answer.json(), **ready, "bus": False}


def test_an_internal_error_reveals_no_details(caplog):
    with world() as built:
        answer = browser(built).get("/api/tables/broken")
        assert "secret" not in answer.text
        refused(answer, 500, "server-failed")
        assert "request failed" in caplog.text


def test_what_is_not_there_and_what_is_asked_wrongly_has_the_same_form():
    with world() as built:
        ana = browser(built)
        refused(ana.get("/api/"), 404, "server-not-found")
        refused(ana.post("/api/none"), 404, "server-not-found")
        refused(ana.get("/api/match"), 405, "server-method")
        refused(ana.request("QUERY", "/api/lobby"), 405, "server-method")
        answer = ana.put("/api/me", json={})
        refused(answer, 405, "server-method")
        assert answer.headers["allow"] == "GET, HEAD, PATCH"


def test_unknown_settings_are_refused_however_deep_they_stand():
    with world() as built:
        ana, new = browser(built), {"game": "daruma", "players": 2}
        for settings in ({"publick": True}, {"clock": {"kind": "live", "seconds": 3}}):
            answer = ana.post("/api/tables", json={**new, "settings": settings})
            assert "unknown field" in refused(answer, 400, "server-bad-request")["message"]
        assert built.state.tables.asked == []


def test_a_body_that_is_not_utf8_is_a_bad_request():
    with world() as built:
        ana = browser(built)
        for body in (b'{"name": "\xff"}', b'{"\xff": 1}', b"\xff"):
            answer = ana.patch("/api/me", content=body, headers={"Content-Type": "application/json"})
            refused(answer, 400, "server-bad-request")


def test_responses_are_never_cached():
    with world() as built:
        ana = browser(built)
        for path in ("/api/me", "/api/lobby", "/api/tables/known", "/api/tables/other", "/healthz", "/readyz"):
            assert ana.get(path).headers["cache-control"] == "no-store"


def test_with_the_real_tables_a_table_is_opened_and_found_again():
    with world(make_tables=None, bot_processes=1) as built:
        ana, bruno = browser(built), browser(built)
        ana.patch("/api/me", json={"name": "Ana"})
        made = ana.post("/api/tables", json={"game": "daruma", "players": 2, "settings": {"public": True}}).json()["id"]
        info = bruno.get(f"/api/tables/{made}").json()
        assert [seat["name"] for seat in info["seats"]] == ["Ana", ""] and info["status"] == "open"
        assert [table["id"] for table in bruno.get("/api/lobby").json()["open"]] == [made]
        assert ana.get("/api/me/games").json()["games"][0]["id"] == made
        refused(ana.get(f"/api/tables/{made}/record"), 403, "table-not-ended")
        refused(ana.get(f"/api/tables/{made}/replay"), 403, "table-not-ended")
        refused(ana.get("/api/tables/none"), 404, "table-unknown")
        refused(ana.post("/api/tables", json={"game": "chess", "players": 2}), 400, "unknown-game")
        refused(ana.post("/api/tables", json={"game": "dojo", "players": 2}), 400, "bad-players")
        matched = [
            person.post("/api/match", json={"game": "dojo", "players": 3}).json()["id"] for person in (ana, bruno)
        ]
        assert matched[0] == matched[1]
        assert matched[0] not in [table["id"] for table in bruno.get("/api/lobby").json()["open"]]
        assert msgspec.json.decode(ana.get("/api/lobby").content)["yours"]
