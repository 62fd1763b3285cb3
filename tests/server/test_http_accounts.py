"""What people own: their password, their sessions, their second factor, their data."""

import asyncio
import base64
import json
import re
import time

import pytest
from starlette.datastructures import Headers

from server.http_world import browser, person_of, program, rated, refused, without_server, world
from tsukimi.server.accounts import sessions, totp
from tsukimi.server.accounts.accounts import Login
from tsukimi.server.accounts.devices import device
from tsukimi.server.common.errors import ServerError
from tsukimi.store import Conflict, Rating, Token
from tsukimi.store.moderation import Report

PASSWORD = "password 1"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.5 Mobile/15E148 Safari/604.1"
)


def registered(built, name="ana", **headers):
    """A browser with an account, and its recovery codes."""
    client = browser(built, **headers)
    answer = client.post("/api/account", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    return client, answer.json()["codes"]


def login(client, name="ana", password=PASSWORD, **more):
    return client.post("/api/login", json={"name": name, "password": password, **more})


def logged_in(built, **headers):
    client = browser(built, known=False, **headers)
    assert login(client).status_code == 200
    return client


def me(client):
    return client.get("/api/me").json()


# ---- passwords -----------------------------------------------------------------------------------


def test_a_new_password_needs_the_present_one_and_ends_all_other_sessions():
    with world() as built:
        ana, _ = registered(built)
        phone, copy = logged_in(built), browser(built, known=False, Cookie=f"tsukimi={ana.cookies['tsukimi']}")
        link = phone.post("/api/me/link").json()["link"]
        change = {"password": "guess", "new": "password 2"}
        refused(ana.post("/api/account/password", json=change), 403, "server-password")
        assert phone.get("/api/me/games").status_code == copy.get("/api/me/games").status_code == 200
        done = ana.post("/api/account/password", json={"password": PASSWORD, "new": "password 2"})
        assert done.status_code == 200
        for gone in (phone, copy):
            refused(gone.get("/api/me/games"), 401, "server-stranger")
        assert browser(built).get(link).status_code == 404
        assert me(ana)["account"] == "ana"
        assert [session["current"] for session in ana.get("/api/me/sessions").json()] == [True]
        refused(login(browser(built, known=False)), 401, "server-login")
        assert login(browser(built, known=False), password="password 2").status_code == 200


def test_a_password_that_is_asked_for_again_cannot_be_guessed_by_whoever_borrows_the_device():
    with world() as built:
        ana, _ = registered(built)
        tries = [ana.post("/api/account/codes", json={"password": "guess"}).status_code for _ in range(11)]
        assert tries == [403] * 10 + [429]


def test_what_an_account_has_a_guest_and_a_token_have_not():
    with world() as built:
        guest = browser(built)
        for path in ("codes", "totp", "totp/end"):
            refused(guest.post(f"/api/account/{path}", json={"password": "x"}), 409, "server-no-account")
        refused(guest.post("/api/account/password", json={"password": "x", "new": "y" * 8}), 409, "server-no-account")
        refused(guest.put("/api/account/totp", json={"nonce": "n" * 16, "code": "123456"}), 409, "server-no-account")
        ana, _ = registered(built)
        bot = program(built, ana.post("/api/me/token", json={}).json()["token"])
        for method, path in [
            ("GET", "/api/account"),
            ("GET", "/api/me/sessions"),
            ("DELETE", "/api/me/sessions"),
            ("GET", "/api/me/export"),
            ("POST", "/api/me/delete"),
            ("POST", "/api/account/password"),
        ]:
            refused(bot.request(method, path, json={}), 403, "server-browser-only")


def test_of_two_simultaneous_password_changes_one_is_refused():
    async def work():
        async with without_server() as here:
            ana, _ = await here.accounts.register(await here.people.create_guest(), "ana", PASSWORD)
            changes = [here.accounts.set_password(ana, f"password {n}") for n in (2, 3)]
            renamed = here.people.change(ana, name="Ana")
            done = await asyncio.gather(*changes, renamed, return_exceptions=True)
            assert sum(isinstance(result, Conflict) for result in done) == 1
            after = await here.store.person(ana.id)
            assert after.name == "Ana" and after.account == "ana"

    asyncio.run(work())


def test_a_login_with_the_former_password_fails_though_it_began_before_the_change():
    async def work():
        async with without_server() as here:
            ana, _ = await here.accounts.register(await here.people.create_guest(), "ana", PASSWORD)
            verify = here.accounts.passwords.verify

            async def change_meanwhile(hashed, password):
                correct = await verify(hashed, password)
                here.accounts.passwords.verify = verify
                await here.accounts.set_password(ana, "password 2")
                return correct

            here.accounts.passwords.verify = change_meanwhile
            with pytest.raises(ServerError) as refusal:
                await here.accounts.login(Login("ana", PASSWORD, "", "203.0.113.1", Headers({})))
            assert refusal.value.code == "server-login"

    asyncio.run(work())


# ---- recovery codes ----------------------------------------------------------------------------------


def test_a_recovery_code_sets_a_new_password_once_and_ends_everything_that_was_open():
    with world() as built:
        ana, codes = registered(built)
        assert len(set(codes)) == 10 and all(re.fullmatch(r"(\w{4}-){3}\w{4}", code) for code in codes)
        token = ana.post("/api/me/token", json={}).json()["token"]
        stranger = browser(built, known=False)
        reset = {"name": "ANA", "code": codes[3].lower().replace("-", " "), "new": "password 2"}
        assert stranger.post("/api/reset/code", json=reset).json() == {}
        refused(ana.get("/api/me/games"), 401, "server-stranger")
        refused(program(built, token).get("/api/me"), 401, "server-token")
        refused(login(browser(built, known=False)), 401, "server-login")
        assert login(ana, password="password 2").status_code == 200
        assert ana.get("/api/account").json()["codes"] == 9
        refused(stranger.post("/api/reset/code", json=reset), 401, "server-recovery-code")


def test_a_wrong_recovery_code_an_unknown_account_and_the_code_of_another_get_the_same_answer():
    with world() as built:
        _, codes = registered(built)
        registered(built, "bruno")
        answers = [
            refused(
                browser(built, known=False).post(
                    "/api/reset/code", json={"name": name, "code": code, "new": "password 2"}
                ),
                401,
                "server-recovery-code",
            )
            for name, code in [("ana", "ABCD-EFGH-JKLM-NPQR"), ("nobody", codes[0]), ("bruno", codes[0]), ("!", "x")]
        ]
        assert answers == answers[:1] * 4


def test_new_recovery_codes_end_the_former_ones_and_only_digests_are_stored():
    with world() as built:
        ana, old = registered(built)
        refused(ana.post("/api/account/codes", json={"password": "guess"}), 403, "server-password")
        new = ana.post("/api/account/codes", json={"password": PASSWORD}).json()["codes"]
        stored = built.test_portal.call(built.state.store.tokens_of, person_of(built, ana), "recovery-code")
        assert len(stored) == len(new) == 10 and not set(old) & set(new)
        assert not any(code in repr(stored) or code.replace("-", "") in repr(stored) for code in new)
        reset = {"name": "ana", "code": old[0], "new": "password 2"}
        refused(browser(built, known=False).post("/api/reset/code", json=reset), 401, "server-recovery-code")


# ---- sessions ------------------------------------------------------------------------------------------


def test_sessions_are_listed_with_their_device_and_logged_out_one_by_one():
    with world() as built:
        ana, _ = registered(built, **{"User-Agent": FIREFOX})
        phone = logged_in(built, **{"User-Agent": IPHONE})
        listed = ana.get("/api/me/sessions").json()
        assert {(run["device"], run["current"]) for run in listed} == {
            ("Firefox, Linux", True),
            ("Safari, iPhone", False),
        }
        assert all(run["used"] % 3_600_000 == 0 and time.time() * 1000 - run["used"] < 3_600_000 for run in listed)
        [other] = [run["id"] for run in listed if not run["current"]]
        bruno, _ = registered(built, "bruno")
        refused(bruno.delete(f"/api/me/sessions/{other}"), 404, "server-not-found")
        left = ana.delete(f"/api/me/sessions/{other}").json()
        assert [session["current"] for session in left] == [True]
        refused(phone.get("/api/me/games"), 401, "server-stranger")
        assert ana.get("/api/me/games").status_code == 200
        refused(ana.delete(f"/api/me/sessions/{other}"), 404, "server-not-found")


def test_a_guest_has_no_session_in_the_store_and_registering_lists_the_one_there_is():
    with world() as built:
        guest = browser(built)
        assert guest.get("/api/me/sessions").json() == []
        assert built.test_portal.call(built.state.store.tokens_of, person_of(built, guest)) == []
        guest.post("/api/account", json={"name": "ana", "password": PASSWORD})
        assert len(guest.get("/api/me/sessions").json()) == 1


def test_logging_out_everywhere_ends_every_cookie_and_link_and_those_who_come_later_are_let_in():
    with world() as built:
        ana, _ = registered(built)
        phone = logged_in(built)
        link = ana.post("/api/me/link").json()["link"]
        by_link = browser(built)
        by_link.post(link, follow_redirects=False)
        cookies = built.state.people.sessions.cookies
        body = f"{person_of(built, ana)}.{int(time.time())}"  # as version 0.1.0 made them
        old = browser(built, known=False, Cookie=f"tsukimi={body}.{cookies._signature(body)}")
        everywhere = [phone, by_link, old]
        for one in everywhere:
            assert one.get("/api/me/games").status_code == 200
        assert ana.delete("/api/me/sessions").json()["account"] is None
        for one in everywhere:
            refused(one.get("/api/me/games"), 401, "server-stranger")
        assert browser(built).get(link).status_code == 404
        assert login(ana).status_code == 200 and me(ana)["account"] == "ana"


def test_sessions_of_one_account_are_bounded_and_those_ended_long_ago_are_forgotten():
    async def work():
        async with without_server() as here:
            ana, _ = await here.accounts.register(await here.people.create_guest(), "ana", PASSWORD)
            long_ago, now = 1_000, int(time.time() * 1000)
            for digest, at in ((b"old", long_ago), (b"new", now)):
                await here.store.put_token(Token(digest, ana.id, sessions.ENDED, "", at))
            ids = [await here.people.sessions.start(ana, Headers({})) for _ in range(sessions.MOST + 1)]
            assert len(await here.people.sessions.list(ana)) == sessions.MOST
            assert len(await here.store.tokens_of(ana.id, sessions.ENDED)) == 2
            assert await here.store.token(b"old") is None and await here.store.token(b"new") is not None
            assert len(set(ids)) == sessions.MOST + 1

    asyncio.run(work())


def test_an_ended_session_is_not_revived_by_a_request_that_was_under_way():
    async def work():
        async with without_server() as here:
            ana, _ = await here.accounts.register(await here.people.create_guest(), "ana", PASSWORD)
            cookies = here.people.sessions.cookies
            headers = Headers({"cookie": f"tsukimi={cookies.sign(ana.id)}"})
            await here.people.sessions.use(ana, headers)
            await here.people.sessions.end_current(headers)
            await here.people.sessions.use(ana, headers)
            assert await here.people.authenticate(headers) is None
            assert await here.people.sessions.list(ana) == []

    asyncio.run(work())


@pytest.mark.parametrize(
    ("agent", "shown"),
    [
        (FIREFOX, "Firefox, Linux"),
        (IPHONE, "Safari, iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) .. Chrome/138.0.0.0 Safari/537.36 Edg/138.0", "Edge, Windows"),
        ("Mozilla/5.0 (Linux; Android 15) .. Chrome/138.0.0.0 Mobile Safari/537.36", "Chrome, Android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) .. Version/18.5 Safari/605.1.15", "Safari, macOS"),
        ("curl/8", ""),
    ],
)
def test_a_device_is_named_after_its_browser_and_its_system(agent, shown):
    assert device(agent) == shown


# ---- the second factor -----------------------------------------------------------------------------------


def with_totp(client):
    """Turn the second factor on; gives the secret."""
    refused(client.post("/api/account/totp", json={"password": "guess"}), 403, "server-password")
    setup = client.post("/api/account/totp", json={"password": PASSWORD}).json()
    secret = base64.b32decode(setup["secret"])
    assert setup["uri"].startswith("otpauth://totp/Tsukimi%3Aana?secret=" + setup["secret"])
    done = client.put("/api/account/totp", json={"nonce": setup["nonce"], "code": now_code(secret, -1)})
    assert done.json()["totp"] is True, done.text
    return secret


def now_code(secret, later=0):
    return totp.code(secret, int(time.time()) // totp.PERIOD + later)


@pytest.mark.parametrize(
    ("at", "code"),
    [(59, "287082"), (1111111109, "081804"), (1111111111, "050471"), (1234567890, "005924"), (2000000000, "279037")],
)
def test_codes_are_those_of_the_standard(at, code):
    assert totp.code(b"12345678901234567890", at // totp.PERIOD) == code


def test_a_code_of_letters_that_no_app_shows_is_only_wrong():
    assert totp.accepted_step(b"12345678901234567890", "12345é", 59.0, -1) is None


def test_with_a_second_factor_a_password_is_not_enough_and_a_code_counts_once():
    with world() as built:
        ana, codes = registered(built)
        secret = with_totp(ana)
        phone = browser(built, known=False)
        refused(login(phone), 401, "server-code-needed")
        refused(login(phone, code="000000" if now_code(secret) != "000000" else "000001"), 401, "server-code")
        refused(login(phone, password="guess", code=now_code(secret)), 401, "server-login")
        code = now_code(secret, 1)
        assert login(phone, code=f"{code[:3]} {code[3:]}").status_code == 200
        refused(login(browser(built, known=False), code=code), 401, "server-code")
        refused(login(browser(built, known=False), code=now_code(secret)), 401, "server-code")  # older than that one
        assert login(browser(built, known=False), code=codes[0]).status_code == 200
        refused(login(browser(built, known=False), code=codes[0]), 401, "server-code")


def test_a_second_factor_begins_with_a_code_that_shows_that_the_app_has_it_and_ends_by_the_password():
    with world() as built:
        ana, _ = registered(built)
        setup = ana.post("/api/account/totp", json={"password": PASSWORD}).json()
        refused(ana.put("/api/account/totp", json={"nonce": setup["nonce"], "code": "12345"}), 401, "server-code")
        assert ana.get("/api/account").json()["totp"] is False
        assert login(browser(built, known=False)).status_code == 200
        with_totp(ana)
        refused(ana.post("/api/account/totp/end", json={"password": "guess"}), 403, "server-password")
        assert ana.post("/api/account/totp/end", json={"password": PASSWORD}).json()["totp"] is False
        assert login(browser(built, known=False)).status_code == 200


def test_codes_cannot_be_guessed_from_many_addresses_and_the_owners_device_is_let_in():
    with world() as built:
        ana, _ = registered(built)
        secret = with_totp(ana)
        tries = [
            login(browser(built, known=False, address=f"203.0.113.{n}"), code="12345" + str(n % 10)).status_code
            for n in range(12)
        ]
        assert tries == [401] * 10 + [429] * 2
        ana.post("/api/logout")
        assert login(ana, code=now_code(secret, 1)).status_code == 200


def test_the_secret_of_the_second_factor_is_not_in_the_database():
    with world() as built:
        ana, _ = registered(built)
        secret = with_totp(ana)
        stored = built.test_portal.call(built.state.store.person, person_of(built, ana))
        assert base64.b32encode(secret).decode() not in repr(stored) and secret.hex() not in repr(stored)


# ---- guessing --------------------------------------------------------------------------------------------


def test_guesses_from_many_addresses_are_slowed_and_do_not_lock_the_owners_device_out():
    with world() as built:
        ana, codes = registered(built)
        ana.post("/api/logout")
        guesses = [
            login(browser(built, known=False, address=f"203.0.{n}.1"), password="guess").status_code for n in range(70)
        ]
        assert guesses == [401] * 60 + [429] * 10
        refused(login(browser(built, known=False, address="192.0.2.1")), 429, "server-too-many")
        assert login(ana).status_code == 200
        # A new device of the owner has the recovery codes.
        new = browser(built, known=False, address="192.0.2.1")
        reset = {"name": "ana", "code": codes[0], "new": "password 2"}
        assert new.post("/api/reset/code", json=reset).status_code == 200


def test_the_mark_of_a_known_device_opens_nothing_and_helps_with_no_other_account():
    with world() as built:
        ana, _ = registered(built)
        registered(built, "bruno")
        mark = ana.cookies["tsukimi-device"]
        thief = browser(built, known=False, address="203.0.113.1", Cookie=f"tsukimi-device={mark}")
        refused(thief.get("/api/me/games"), 401, "server-stranger")
        refused(browser(built, known=False, Cookie=f"tsukimi={mark}").get("/api/me/games"), 401, "server-stranger")
        tries = [login(thief, "bruno", "guess").status_code for _ in range(11)]
        assert tries == [401] * 10 + [429]
        tries = [login(thief, "ana", "guess").status_code for _ in range(11)]
        assert tries == [401] * 10 + [429]


# ---- export and deletion ---------------------------------------------------------------------------------


def test_everything_stored_about_a_person_comes_as_one_file():
    with world() as built:
        ana, _ = registered(built, **{"User-Agent": FIREFOX})
        token = ana.post("/api/me/token", json={"label": "my bot"}).json()["token"]
        ana.post("/api/me/link")
        rated(built, "dojo", {person_of(built, ana): Rating(26.0, 7.5, 3)})
        report = Report(0, 5, person_of(built, ana), "somebody", "t", "chat", "was rude", [])
        built.test_portal.call(built.state.store.add_report, report, 5)
        ana.post("/api/me/progress", json={"lessons": {"dojo": {"table": "t", "step": 3, "of": 9, "done": False}}})
        answer = ana.get("/api/me/export")
        assert answer.headers["content-disposition"] == 'attachment; filename="tsukimi.json"'
        data = json.loads(answer.text)
        assert data["account"] == "ana" and data["who"] == me(ana)["who"] and data["name"] == me(ana)["name"]
        assert [session["device"] for session in data["sessions"]] == ["Firefox, Linux"]
        assert [token["label"] for token in data["tokens"]] == ["my bot"] and data["recovery_codes"] == 10
        assert data["ratings"] == {"dojo": {"mu": 26.0, "sigma": 7.5, "games": 3}}
        assert data["reports"] == [{"table": "t", "at": 5, "reason": "chat", "text": "was rude"}]
        assert data["progress"]["client"]["lessons"]["dojo"]["step"] == 3
        [game] = data["games"]
        assert game["record"] == "tsukimi 1\n" and game["chat"][0]["text"] == "hello"
        assert [line["text"] for line in data["chat"]] == ["well played"]
        for secret in (token, "argon2", person_of(built, ana)):
            assert secret not in answer.text


def test_deleting_the_account_asks_for_the_password_and_leaves_nothing_but_games():
    with world() as built:
        ana, _ = registered(built)
        phone, person, who = logged_in(built), person_of(built, ana), me(ana)["who"]
        bot = program(built, ana.post("/api/me/token", json={}).json()["token"])
        store = built.state.store
        rated(built, "dojo", {person: Rating(26.0, 7.5, 3)})
        ana.post("/api/me/progress", json={"lessons": {"dojo": {"table": "t", "step": 3, "of": 9, "done": False}}})
        assert built.test_portal.call(store.progress, person)
        refused(ana.post("/api/me/delete", json={"password": "guess"}), 403, "server-password")
        assert me(ana)["account"] == "ana"
        after = ana.post("/api/me/delete", json={"password": PASSWORD}).json()
        assert after["account"] is None and after["who"] != who and me(ana) == after
        assert ("forget", person) in built.state.tables.asked
        refused(phone.get("/api/me/games"), 401, "server-stranger")
        refused(bot.get("/api/me"), 401, "server-token")
        refused(ana.get(f"/api/people/{who}"), 404, "server-not-found")
        refused(login(browser(built, known=False)), 401, "server-login")
        assert built.test_portal.call(store.person, person) is None
        assert built.test_portal.call(store.tokens_of, person) == []
        assert built.test_portal.call(store.ratings_of, person) == {}
        assert built.test_portal.call(store.progress, person) == {}
        assert ana.get("/api/ratings/dojo").json() == []
        assert browser(built).post("/api/account", json={"name": "ana", "password": PASSWORD}).status_code == 200


def test_a_guest_is_deleted_without_a_password():
    with world() as built:
        guest = browser(built)
        who = me(guest)["who"]
        assert guest.post("/api/me/delete", json={}).json()["who"] != who
        refused(guest.get(f"/api/people/{who}"), 404, "server-not-found")
