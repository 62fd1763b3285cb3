"""The host's part of the HTTP API, bans and reports."""

from __future__ import annotations

import asyncio
import time

import msgspec
import pytest
from starlette.testclient import WebSocketDenialResponse

from server.http_world import browser, program, refused, world
from tsukimi.server.http.routes import ROUTES
from tsukimi.server.moderation import follower
from tsukimi.server.moderation.bans import BanList
from tsukimi.server.tables.listing import Listing, _encode
from tsukimi.store import Row, Summary
from tsukimi.store.moderation import Ban

ADMIN = [endpoint for endpoint in ROUTES if endpoint.path.startswith("/api/admin/")]


def call(built, work):
    """Run a coroutine in the server's loop."""

    async def run():
        return await work

    return built.test_portal.call(run)


def registered(built, name, **more):
    client = browser(built, **more)
    assert client.post("/api/account", json={"name": name, "password": "long enough"}).status_code == 200
    return client


def host(built, name="Hana"):
    """An administrator's browser."""
    client = registered(built, name, address="192.0.2.1")
    person = call(built, built.state.store.person_by_account(name))
    call(built, built.state.store.set_admin(person.id, True, 1, "command line"))
    return client


def add_table(built, id, people=(None, None), status="playing", rows=(b"{nonsense",)):
    listing = _encode(Listing({}, ["Ana", None], "none"))
    summary = Summary(id, "daruma", 2, status, True, 1, 2, None, list(people), listing)
    call(built, built.state.store.create(summary, [Row(seq, 1, data) for seq, data in enumerate(rows)]))


def test_there_are_routes_for_everything_that_a_host_does():
    parts = {endpoint.path.split("/")[3] for endpoint in ADMIN}
    assert parts == {"stats", "people", "tables", "bans", "reports", "filter", "quarantine", "actions"}


@pytest.mark.parametrize("endpoint", ADMIN, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_nobody_but_an_administrator_may_use_it(endpoint):
    with world(rate=0) as built:
        path = endpoint.path.replace("{who}", "x").replace("{id}", "x").replace("{number}", "1")
        body = {"json": {}} if endpoint.body is not None else {}

        def answer(client, **headers):
            return client.request(endpoint.method, path, **body, headers=headers)

        refused(answer(browser(built, known=False)), 401, "server-stranger")
        refused(answer(browser(built)), 403, "server-admin")
        refused(answer(registered(built, "Ana")), 403, "server-admin")
        chief = host(built)
        token = chief.post("/api/me/token", json={}).json()["token"]
        refused(answer(program(built, token)), 403, "server-browser-only")
        assert answer(chief).status_code in (200, 400, 404)
        if endpoint.method != "GET":
            refused(answer(chief, Origin="https://evil.example"), 403, "server-origin")
            refused(answer(chief, **{"X-Tsukimi": ""}), 403, "server-header")
        person = call(built, built.state.store.person_by_account("Hana"))
        call(built, built.state.store.set_admin(person.id, False, 2, "command line"))
        refused(answer(chief), 403, "server-admin")


def test_only_administrators_learn_that_they_are_administrators():
    with world(rate=0) as built:
        assert host(built).get("/api/me").json()["admin"] is True
        assert registered(built, "Ana").get("/api/me").json()["admin"] is False


# ---- bans ------------------------------------------------------------------------------------------


def test_a_banned_person_is_refused_everywhere_with_the_reason_and_the_end():
    with world(rate=0) as built:
        chief, ana = host(built), browser(built)
        who = ana.get("/api/me").json()["who"]
        made = chief.post("/api/admin/bans", json={"who": who, "reason": "insults", "hours": 2}).json()
        assert (made["value"], made["active"]) == (who, True)
        for answer in (ana.get("/api/me"), ana.get("/api/lobby"), ana.post("/api/logout", json={})):
            said = refused(answer, 403, "server-banned")
            assert said["params"]["reason"] == "insults"
            assert said["params"]["until"] in said["message"]
        with pytest.raises(WebSocketDenialResponse) as denied, ana.websocket_connect("/ws/lobby"):
            pass
        refused(denied.value, 403, "server-banned")
        assert browser(built).get("/api/lobby").status_code == 200
        assert chief.delete(f"/api/admin/bans/{made['number']}").status_code == 200
        assert ana.get("/api/me").status_code == 200
        refused(chief.delete(f"/api/admin/bans/{made['number']}"), 404, "server-ban-unknown")


@pytest.mark.parametrize(
    ("network", "inside", "outside"),
    [
        ("203.0.113.9", "203.0.113.9", "203.0.113.8"),
        ("203.0.113.0/24", "203.0.113.200", "203.0.114.1"),
        ("203.0.113.9", "::ffff:203.0.113.9", "203.0.113.10"),
        ("2001:db8:1:2::5", "2001:db8:1:2:ffff::1", "2001:db8:1:3::5"),
        ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::1"),
    ],
)
def test_a_banned_address_or_network_gets_the_page_and_nothing_else(network, inside, outside):
    with world(rate=0) as built:
        chief = host(built)
        assert chief.post("/api/admin/bans", json={"network": network, "reason": "flood"}).status_code == 200
        caught, free = browser(built, known=False, address=inside), browser(built, known=False, address=outside)
        assert refused(caught.get("/api/me"), 403, "server-banned")["message"].endswith("flood")
        refused(caught.post("/api/login", json={"name": "Ana", "password": "12345678"}), 403, "server-banned")
        assert caught.get("/").status_code != 403
        assert free.get("/api/me").status_code == 200


def test_a_ban_ends_by_itself():
    with world(rate=0) as built:
        ana = browser(built)
        person = call(built, built.state.store.person_by_handle(ana.get("/api/me").json()["who"]))
        now = int(1000 * time.time())
        call(built, built.state.store.add_ban("person", person.id, "", now, now + 700, "test"))
        call(built, built.state.moderation.refresh())
        assert ana.get("/api/me").status_code == 403
        time.sleep(0.8)
        assert ana.get("/api/me").status_code == 200


def test_a_ban_that_was_made_by_another_process_holds_within_seconds(monkeypatch):
    monkeypatch.setattr(follower, "POLL_S", 0.05)
    with world(rate=0) as built:
        ana = browser(built)
        person = call(built, built.state.store.person_by_handle(ana.get("/api/me").json()["who"]))
        call(built, built.state.store.add_ban("person", person.id, "", 1, None, "command line"))
        until = time.monotonic() + 5
        while ana.get("/api/me").status_code == 200:
            assert time.monotonic() < until
            time.sleep(0.02)


def test_an_administrator_cannot_lock_themselves_out():
    with world(rate=0) as built:
        chief = host(built)
        who = chief.get("/api/me").json()["who"]
        refused(chief.post("/api/admin/bans", json={"who": who}), 409, "server-admin-self")
        refused(chief.post("/api/admin/bans", json={"network": "192.0.2.0/28"}), 409, "server-admin-self")
        refused(chief.post("/api/admin/bans", json={"network": "rubbish"}), 400, "server-network")
        refused(chief.post("/api/admin/bans", json={}), 400, "server-bad-request")
        refused(chief.post("/api/admin/bans", json={"who": "nobody"}), 404, "server-person-unknown")


def test_the_cost_of_a_look_up_does_not_grow_with_the_number_of_bans():
    bans = BanList()
    bans.replace(Ban(n, "network", f"10.{n // 256}.{n % 256}.0/24", "", 1, None, "") for n in range(20_000))
    started = time.thread_time()
    for _ in range(1000):
        assert bans.of_address("203.0.113.1") is None
    assert time.thread_time() - started < 0.5
    assert bans.of_address("10.1.2.3") is not None


# ---- people, tables, reports, words, quarantine -----------------------------------------------------


def test_people_are_found_shown_and_renamed():
    with world(rate=0) as built:
        chief, ana = host(built), registered(built, "Ana.B")
        [found] = chief.get("/api/admin/people?text=ana.b").json()
        assert (found["account"], found["banned"], found["admin"]) == ("Ana.B", False, False)
        shown = chief.get(f"/api/admin/people/{found['who']}").json()
        assert (shown["person"], shown["bans"], shown["tables"]) == (found, [], [])
        assert chief.patch(f"/api/admin/people/{found['who']}", json={"name": " Anna "}).json()["name"] == "Anna"
        assert ana.get("/api/me").json()["name"] == "Anna"
        refused(chief.patch(f"/api/admin/people/{found['who']}", json={"name": "\u202e"}), 400, "server-name")
        refused(chief.get("/api/admin/people/nobody"), 404, "server-not-found")


def test_a_player_reports_someone_with_the_chat_around_and_the_host_resolves_it():
    with world(rate=0) as built:
        chief, ana, bob = host(built), browser(built), browser(built)
        person = call(built, built.state.store.person_by_handle(bob.get("/api/me").json()["who"]))
        call(built, built.state.store.update_person(person, msgspec.structs.replace(person, handle="handle1")))
        report = {"who": "handle1", "reason": "chat", "text": " lo\x1b[2Jok\n", "line": 12}
        assert ana.post("/api/tables/known/report", json=report).json() == {"number": 1}
        [found] = chief.get("/api/admin/reports").json()
        assert (found["who"], found["reporter"], found["text"]) == (
            "handle1",
            ana.get("/api/me").json()["who"],
            "lo [2Jok",
        )
        assert [line["number"] for line in found["chat"]] == list(range(2, 23))
        assert chief.post("/api/admin/reports/1", json={"resolution": "warned"}).json()["resolved_by"] == "Hana"
        refused(chief.post("/api/admin/reports/1", json={}), 409, "server-report-resolved")
        refused(chief.post("/api/admin/reports/7", json={}), 404, "server-report-unknown")
        assert chief.get("/api/admin/reports").json() == []
        assert [report["number"] for report in chief.get("/api/admin/reports?resolved=true").json()] == [1]
        refused(bob.post("/api/tables/known/report", json=report), 409, "server-report-self")
        refused(ana.post("/api/tables/known/report", json={**report, "who": "stranger"}), 404, "server-not-found")
        refused(ana.post("/api/tables/none/report", json=report), 404, "table-unknown")


def test_reports_are_limited_by_person_by_address_and_in_all():
    def target(built):
        person = call(built, built.state.store.person_by_handle(browser(built).get("/api/me").json()["who"]))
        call(built, built.state.store.update_person(person, msgspec.structs.replace(person, handle="handle1")))

    report = {"who": "handle1", "reason": "other"}
    with world() as built:
        target(built)
        ana, same_house = browser(built), browser(built)
        assert [ana.post("/api/tables/known/report", json=report).status_code for _ in range(6)] == [200] * 5 + [429]
        refused(same_house.post("/api/tables/known/report", json=report), 429, "server-too-many")
        assert browser(built, address="192.0.2.9").post("/api/tables/known/report", json=report).status_code == 200
    with world(rate=0) as built:
        target(built)
        ana = browser(built)
        codes = [ana.post("/api/tables/known/report", json=report).status_code for _ in range(21)]
        assert codes == [200] * 20 + [429]


def test_filtered_words_are_refused_in_names_and_accounts():
    with world(rate=0) as built:
        chief, ana = host(built), browser(built)
        assert chief.patch("/api/admin/filter", json={"add": ["Tonto", "fool*"]}).json() == {
            "words": ["fool*", "tonto"]
        }
        refused(ana.patch("/api/me", json={"name": "T0NT0"}), 400, "server-name-filtered")
        refused(
            ana.post("/api/account", json={"name": "foolish", "password": "long enough"}), 400, "server-name-filtered"
        )
        new = {"game": "daruma", "players": 2, "name": "El tonto"}
        refused(ana.post("/api/tables", json=new), 400, "server-name-filtered")
        assert chief.patch("/api/admin/filter", json={"remove": ["TONTO"]}).json() == {"words": ["fool*"]}
        assert ana.patch("/api/me", json={"name": "Tonto"}).status_code == 200
        refused(chief.patch("/api/admin/filter", json={"add": ["1"]}), 400, "server-word")


def test_a_quarantined_table_is_exported_tried_again_and_dropped():
    with world(rate=0) as built:
        chief = host(built)
        add_table(built, "t1", rows=[b"{nonsense", b"\xff"])
        call(built, built.state.store.quarantine("t1", 0, "DecodeError: bad", 5))
        [found] = chief.get("/api/admin/quarantine").json()
        assert (found["table"], found["row"], found["problem"]) == ("t1", 0, "DecodeError: bad")
        exported = chief.get("/api/admin/quarantine/t1")
        assert exported.text.splitlines() == [
            '{"seq": 0, "at": 1, "data": "{nonsense"}',
            '{"seq": 1, "at": 1, "hex": "ff"}',
        ]
        assert "attachment" in exported.headers["content-disposition"]
        said = refused(chief.post("/api/admin/quarantine/t1", json={}), 409, "server-table-still-unreadable")
        assert said["params"]["row"] == 0
        add_table(built, "t2")
        refused(chief.delete("/api/admin/quarantine/t2"), 409, "server-table-running")
        assert chief.delete("/api/admin/quarantine/t1").json() == []
        refused(chief.get("/api/admin/quarantine/t1"), 404, "server-not-found")


def test_stats_and_the_audit_log_are_complete():
    with world(rate=0) as built:
        chief = host(built)
        add_table(built, "t1")
        chief.post("/api/admin/bans", json={"network": "203.0.113.0/24", "reason": "flood"})
        stats = chief.get("/api/admin/stats").json()
        assert (stats["people"], stats["accounts"], stats["bans"], stats["tables"]) == (1, 1, 1, {"playing": 1})
        last = chief.get("/api/admin/actions").json()[0]
        assert (last["by"], last["action"], last["target"]) == ("Hana", "ban", "network 203.0.113.0/24")


def test_an_action_on_a_table_reaches_the_tables_of_this_worker():
    with world(rate=0) as built:
        call(built, built.state.store.record_action(1, "zoe", "close", "table t9"))
        call(built, built.state.moderation.refresh())
        call(built, asyncio.sleep(0))
        assert ("log_changed", "t9") in built.state.tables.asked


def test_a_ban_takes_the_addresses_along_from_which_someone_is_connected():
    with world(rate=0) as built:
        chief, ana, moderation = host(built), browser(built), built.state.moderation
        who = ana.get("/api/me").json()["who"]
        person = call(built, built.state.store.person_by_handle(who))
        closed = []
        with (
            moderation.bans.watching(person.id, "203.0.113.5", closed.append),
            moderation.bans.watching(person.id, "2001:db8:1:2::9", closed.append),
            moderation.bans.watching(person.id, "192.168.1.7", closed.append),  # a proxy that is not in the settings
            moderation.bans.watching("somebody else", "203.0.113.6", closed.append),
        ):
            body = {"who": who, "reason": "insults", "hours": 24, "addresses": True}
            made = chief.post("/api/admin/bans", json=body).json()
        assert len(closed) == 3
        bans = {ban["value"]: ban for ban in chief.get("/api/admin/bans").json()}
        assert bans.keys() == {who, "203.0.113.5/32", "2001:db8:1:2::/64"}
        assert {(ban["reason"], ban["until"], ban["by"]) for ban in bans.values()} == {
            ("insults", made["until"], "Hana")
        }
        refused(browser(built, known=False, address="203.0.113.5").get("/api/me"), 403, "server-banned")
