"""Who is asking: guests, names, personal links, tokens, accounts."""

import asyncio
import time

import pytest
from starlette.datastructures import Headers

from server.http_world import HERE, browser, person_of, program, refused, without_server, world
from tsukimi.server.accounts import names, passwords, people
from tsukimi.server.accounts.accounts import Login
from tsukimi.server.accounts.cookies import CookieSigner
from tsukimi.server.accounts.sessions import digest
from tsukimi.server.common.errors import ServerError


def me(client):
    return client.get("/api/me").json()


def test_the_first_visit_makes_a_guest_and_the_cookie_remembers_it():
    with world() as built:
        ana, bruno = browser(built), browser(built)
        assert me(ana) == me(ana)
        assert me(ana)["who"] != me(bruno)["who"]
        assert me(ana) == {
            "who": me(ana)["who"],
            "name": me(ana)["name"],
            "lang": None,
            "account": None,
            "ratings": {},
            "admin": False,
        }
        assert me(ana)["who"] not in ana.cookies["tsukimi"]


def test_a_guest_speaks_the_language_of_the_browser():
    with world() as built:
        for accepted, lang in [("de-DE,fr;q=0.8,en;q=0.5", "fr"), ("es", "es"), ("de", None)]:
            assert me(browser(built, **{"Accept-Language": accepted}))["lang"] == lang


def test_the_cookie_is_only_for_the_server_and_secure_over_https():
    with world(proxies=["198.51.100.7"]) as built:
        plain = browser(built, known=False).get("/api/me").headers["set-cookie"].lower()
        assert "httponly" in plain and "samesite=lax" in plain and "path=/" in plain and "max-age=31536000" in plain
        assert "secure" not in plain
        proxied = browser(built, known=False, **{"X-Forwarded-Proto": "https"})
        assert "secure" in proxied.get("/api/me").headers["set-cookie"].lower()
    with world() as built:
        untrusted = browser(built, known=False, **{"X-Forwarded-Proto": "https"})
        assert "secure" not in untrusted.get("/api/me").headers["set-cookie"].lower()


def test_a_changed_or_foreign_cookie_identifies_nobody():
    with world() as built:
        ana = browser(built)
        person, session, issued, signature = ana.cookies["tsukimi"].split(".")
        other = CookieSigner(b"another key")
        for bad in (
            f"{person}.{session}.{int(issued) + 1}.{signature}",
            f"{person}.x{session}.{issued}.{signature}",
            f"x{person}.{session}.{issued}.{signature}",
            f"{person}.{session}.{issued}.{signature[:-2]}xx",
            f"{person}.{session}.{issued}.",
            f"{person}.{session}.{issued}",
            "",
            "..",
            "é.1.ü",
            other.sign(person),
        ):
            stranger = browser(built, known=False)
            refused(
                stranger.get("/api/me/games", headers={"Cookie": f"tsukimi={bad}".encode("latin-1")}),
                401,
                "server-stranger",
            )


def test_a_cookie_ends_after_a_year_and_is_renewed_before():
    with world() as built:
        ana = browser(built)
        cookies = built.state.people.sessions.cookies
        person = cookies.read(ana.cookies["tsukimi"]).person
        assert cookies.read(cookies.sign(person, time.time() - 364 * 86400)).person == person
        assert cookies.read(cookies.sign(person, time.time() - 366 * 86400)) is None
        assert "set-cookie" not in ana.get("/api/me").headers
        old = browser(built, known=False, Cookie=f"tsukimi={cookies.sign(person, time.time() - 3 * 86400)}")
        assert cookies.read(old.get("/api/me").cookies["tsukimi"]).person == person


def test_logging_out_ends_the_cookie_and_its_copies_and_no_other_device():
    with world() as built:
        ana, phone = browser(built), browser(built, known=False)
        ana.post("/api/account", json={"name": "ana", "password": "password 1"})
        phone.post("/api/login", json={"name": "ana", "password": "password 1"})
        cookies = built.state.people.sessions.cookies
        session = cookies.read(ana.cookies["tsukimi"])
        renewed = cookies.sign(session.person, time.time() + 5, session.id)
        copies = [
            browser(built, known=False, Cookie=f"tsukimi={person}") for person in (ana.cookies["tsukimi"], renewed)
        ]
        for copy in copies:
            assert copy.get("/api/me/games").status_code == 200
        with copies[0].websocket_connect("/ws/lobby") as socket:
            assert socket.receive_text() == me(phone)["name"]
        ana.post("/api/logout")
        for copy in copies:
            refused(copy.get("/api/me/games"), 401, "server-stranger")
        assert me(phone)["account"] == "ana"
        assert me(ana)["account"] is None


def test_a_cookie_from_before_sessions_had_names_still_counts_until_its_logout():
    with world() as built:
        ana, cookies = browser(built), built.state.people.sessions.cookies
        body = f"{cookies.read(ana.cookies['tsukimi']).person}.{int(time.time())}"
        old = browser(built, known=False, Cookie=f"tsukimi={body}.{cookies._signature(body)}")
        assert old.get("/api/me/games").status_code == 200
        old.post("/api/logout")
        refused(old.get("/api/me/games"), 401, "server-stranger")
        assert ana.get("/api/me/games").status_code == 200


def test_a_page_of_another_site_cannot_make_a_browser_forget_who_it_was():
    with world() as built:
        refused(browser(built, known=False, **{"Sec-Fetch-Site": "cross-site"}).get("/api/me"), 403, "server-origin")


def test_name_and_language_can_be_changed_one_by_one():
    with world() as built:
        ana = browser(built)
        assert ana.patch("/api/me", json={"name": "  Ana\u0301   María "}).json()["name"] == "Aná María"
        assert ana.patch("/api/me", json={"lang": "es"}).json()["lang"] == "es"
        assert me(ana)["name"] == "Aná María"
        assert ana.patch("/api/me", json={"lang": None}).json()["lang"] is None
        assert ana.patch("/api/me", json={}).json() == me(ana)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 25,
        "a\u202eb",
        "a\u200bb",
        "a\x07b",
        "\ufeff",
        "a\u2066b",
        "Z" + "\u0335" * 20,
        "\ue000",
        "\u2028",
    ],
)
def test_a_name_is_short_visible_and_one_line(name):
    with pytest.raises(ServerError) as caught:
        names.clean_name(name)
    assert caught.value.code == "server-name"


@pytest.mark.parametrize("name", ["Ana", "李雷", "Ñandú 7", "O’Neill", "😀", "a\tb", "<b>Bob</b>"])
def test_a_name_may_be_of_any_script(name):
    assert names.clean_name(name) == " ".join(name.split())


def test_a_bad_name_is_refused_over_http():
    with world() as built:
        ana = browser(built)
        refused(ana.patch("/api/me", json={"name": "a\u202eb"}), 400, "server-name")
        refused(ana.patch("/api/me", json={"name": ""}), 400, "server-bad-request")
        refused(ana.patch("/api/me", json={"name": None}), 400, "server-bad-request")
        refused(ana.patch("/api/me", json={"lang": "de"}), 400, "server-bad-request")
        refused(ana.patch("/api/me", json={"nom": "Ana"}), 400, "server-bad-request")
        refused(
            ana.patch("/api/me", content="{", headers={"Content-Type": "application/json"}), 400, "server-bad-request"
        )
        refused(ana.patch("/api/me", content="a=b", headers={"Content-Type": "text/plain"}), 415, "server-media-type")


# ---- personal links ----------------------------------------------------------------------------


def test_a_personal_link_brings_the_identity_to_another_device_by_a_click():
    with world() as built:
        ana, phone = browser(built), browser(built)
        ana.patch("/api/me", json={"name": "<Ana>"})
        link = ana.post("/api/me/link").json()["link"]
        guest = me(phone)["who"]
        seen = phone.get(link)
        assert seen.status_code == 200 and "&lt;Ana&gt;" in seen.text and "<Ana>" not in seen.text
        assert "set-cookie" not in seen.headers and me(phone)["who"] == guest
        done = phone.post(link, headers={"X-Tsukimi": ""}, follow_redirects=False)
        assert (done.status_code, done.headers["location"]) == (303, "/")
        assert me(phone)["who"] == me(ana)["who"]
        assert phone.post(link, follow_redirects=False).status_code == 303  # a link stays until there is another


def test_a_personal_link_speaks_the_language_of_the_browser():
    with world() as built:
        link = browser(built).post("/api/me/link").json()["link"]
        for lang, word in [("en", "Play as"), ("fr", "Jouer en tant que"), ("es", "Jugar como")]:
            page = browser(built, **{"Accept-Language": lang}).get(link).text
            assert word in page and f'lang="{lang}"' in page


def test_a_new_personal_link_ends_the_former_one():
    with world() as built:
        ana = browser(built)
        first, second = (ana.post("/api/me/link").json()["link"] for _ in range(2))
        assert browser(built).get(first).status_code == 404
        assert browser(built).get(second).status_code == 200
        assert ana.delete("/api/me/link").status_code == 200
        assert browser(built).get(second).status_code == 404
        assert browser(built).get("/p/x").status_code == 404


def test_another_site_cannot_send_the_form_of_a_personal_link():
    with world() as built:
        link = browser(built).post("/api/me/link").json()["link"]
        refused(browser(built).post(link, headers={"Origin": "https://evil.example"}), 403, "server-origin")
        refused(browser(built).post(link, headers={"Origin": "null"}), 403, "server-origin")
        refused(program(built).post(link), 403, "server-origin-missing")


def test_a_token_is_no_personal_link_and_a_personal_link_no_token():
    with world() as built:
        ana = browser(built)
        link, token = (
            ana.post("/api/me/link").json()["link"],
            ana.post("/api/me/token", json={"label": "bot"}).json()["token"],
        )
        assert browser(built).get(f"/p/{token}").status_code == 404
        refused(program(built, link.removeprefix("/p/")).get("/api/me"), 401, "server-token")


# ---- tokens ------------------------------------------------------------------------------------


def test_a_program_acts_for_its_person_by_a_token_without_an_origin():
    with world() as built:
        ana = browser(built)
        bot = program(built, ana.post("/api/me/token", json={"label": "my bot"}).json()["token"])
        assert bot.get("/api/me").json() == me(ana)
        assert bot.patch("/api/me", json={"name": "Robot"}).json()["name"] == "Robot"
        assert "set-cookie" not in bot.get("/api/me").headers
        with bot.websocket_connect("/ws/table/known") as socket:
            assert socket.receive_text() == "Robot"


def test_a_wrong_token_is_rejected_even_with_a_good_cookie():
    with world() as built:
        ana = browser(built)
        for bad in ("Bearer nonsense", "Bearer ", "Basic YTpi", "Bearer", "bearer \xe9"):
            refused(ana.get("/api/me", headers={"Authorization": bad.encode("latin-1")}), 401, "server-token")
        assert ana.get("/api/me", headers={"Authorization": "Bearer x"}).headers["www-authenticate"] == "Bearer"


def test_a_token_cannot_take_the_identity_over():
    with world() as built:
        ana = browser(built)
        bot = program(built, ana.post("/api/me/token", json={}).json()["token"])
        for method, path, body in [
            ("POST", "/api/me/link", None),
            ("DELETE", "/api/me/link", None),
            ("POST", "/api/me/token", {}),
            ("DELETE", "/api/me/token", None),
            ("POST", "/api/account", {"name": "ana", "password": "long enough"}),
            ("POST", "/api/logout", None),
        ]:
            refused(bot.request(method, path, json=body), 403, "server-browser-only")


def test_tokens_are_listed_without_their_secret_and_revoked_one_by_one():
    with world() as built:
        ana, bruno = browser(built), browser(built)
        texts = [ana.post("/api/me/token", json={"label": label}).json()["token"] for label in ("one", "two")]
        listed = ana.get("/api/me/token").json()
        assert sorted(run["label"] for run in listed) == ["one", "two"]
        assert not any(text in str(listed) for text in texts)
        [first] = [run["id"] for run in listed if run["label"] == "one"]
        bruno.get("/api/me")
        refused(bruno.delete(f"/api/me/token/{first}"), 404, "server-not-found")
        left = ana.delete(f"/api/me/token/{first}").json()
        assert [token["label"] for token in left] == ["two"]
        refused(program(built, texts[0]).get("/api/me"), 401, "server-token")
        assert program(built, texts[1]).get("/api/me").status_code == 200
        refused(ana.delete(f"/api/me/token/{first}"), 404, "server-not-found")


def test_tokens_can_be_ended_and_are_not_without_number():
    with world(rate=100) as built:
        ana = browser(built)
        tokens = [ana.post("/api/me/token", json={}).json()["token"] for _ in range(people.MAX_TOKENS)]
        refused(ana.post("/api/me/token", json={}), 409, "server-tokens")
        ana.delete("/api/me/token")
        refused(program(built, tokens[0]).get("/api/me"), 401, "server-token")


def test_tokens_are_stored_only_as_digests():
    with world() as built:
        ana = browser(built)
        token = ana.post("/api/me/token", json={"label": "bot"}).json()["token"]
        person = person_of(built, ana)
        kept = built.test_portal.call(built.state.store.tokens_of, person)
        assert [token.digest for token in kept] == [digest(token)]
        assert token not in repr(kept)


# ---- accounts ----------------------------------------------------------------------------------


def test_registering_keeps_the_guest_and_logging_in_elsewhere_switches_to_it():
    with world() as built:
        ana, phone = browser(built), browser(built)
        who = me(ana)["who"]
        assert ana.post("/api/account", json={"name": "Ana", "password": "pässword 1"}).json()["account"] == "Ana"
        assert me(ana)["who"] == who
        assert phone.post("/api/login", json={"name": "ana", "password": "pa\u0308ssword 1"}).json()["who"] == who
        assert me(phone)["who"] == who
        left = phone.post("/api/logout").json()
        assert left["who"] != who and left["account"] is None and me(phone) == left
        assert me(ana)["who"] == who


def test_an_account_name_is_had_once_whatever_its_case():
    with world() as built:
        ana, bruno = browser(built), browser(built)
        ana.post("/api/account", json={"name": "Ana", "password": "password 1"})
        refused(bruno.post("/api/account", json={"name": "ANA", "password": "password 2"}), 409, "server-account-taken")
        refused(ana.post("/api/account", json={"name": "other", "password": "password 1"}), 409, "server-has-account")


def test_of_several_who_register_the_same_name_at_once_one_gets_it():
    async def race():
        async with without_server() as here:
            guests = [await here.people.create_guest() for _ in range(4)]
            registering = [here.accounts.register(guest, "ana", "password") for guest in guests]
            return await asyncio.gather(*registering, return_exceptions=True)

    done = asyncio.run(race())
    assert sorted(getattr(one, "code", "won") for one in done) == ["server-account-taken"] * 3 + ["won"]


def test_a_rename_under_way_does_not_erase_an_account_that_is_registered_meanwhile():
    async def work():
        async with without_server() as here:
            for changed_first in (True, False):
                guest = await here.people.create_guest()
                account = f"ana-{changed_first}"
                # Both requests have read the person before either writes.
                work = [here.accounts.register(guest, account, "password"), here.people.change(guest, name="Ana")]
                await asyncio.gather(*(reversed(work) if changed_first else work))
                after = await here.store.person(guest.id)
                assert (after.name, after.account) == ("Ana", account)
                login = Login(account, "password", "", "203.0.113.1", Headers({}))
                assert (await here.accounts.login(login)).id == guest.id
            with pytest.raises(ServerError, match="already"):
                await here.accounts.register(guest, "other", "password")

    asyncio.run(work())


@pytest.mark.parametrize("name", ["a", " ", "a b", "x" * 25, "-ana", "a\u202eb", "ana!", "../x"])
def test_an_account_name_is_plain(name):
    with world() as built:
        ana = browser(built)
        answer = ana.post("/api/account", json={"name": name, "password": "password 1"})
        refused(answer, 400, "server-account-name")


def test_a_password_is_neither_short_nor_endless():
    with world() as built:
        ana = browser(built)
        for password in ("1234567", "x" * 201, None, 12345678):
            refused(ana.post("/api/account", json={"name": "ana", "password": password}), 400, "server-bad-request")


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer():
    with world() as built:
        ana, thief = browser(built), browser(built, known=False)
        ana.post("/api/account", json={"name": "ana", "password": "password 1"})
        answers = [
            refused(thief.post("/api/login", json={"name": name, "password": "password 2"}), 401, "server-login")
            for name in ("ana", "nobody", "not a name!")
        ]
        assert answers[0] == answers[1] == answers[2]
        assert "tsukimi" not in thief.cookies


def test_an_unknown_name_costs_a_hash_like_a_known_one(monkeypatch):
    with world() as built:
        checked = []
        real = built.state.accounts.passwords._verify
        monkeypatch.setattr(built.state.accounts.passwords, "_verify", lambda *args: checked.append(1) or real(*args))
        for name in ("nobody", "!", "x"):
            browser(built, known=False).post("/api/login", json={"name": name, "password": "password"})
        assert len(checked) == 3


def test_guessing_passwords_is_slowed_by_address_and_does_not_lock_the_owner_out():
    with world() as built:
        owner = browser(built)
        owner.post("/api/account", json={"name": "ana", "password": "password 1"})
        thief = browser(built, known=False, address="203.0.113.1")
        tries = [thief.post("/api/login", json={"name": "ana", "password": "guess"}).status_code for _ in range(11)]
        assert tries == [401] * 10 + [429]
        answer = thief.post("/api/login", json={"name": "ANA", "password": "guess"})
        assert int(answer.headers["retry-after"]) == refused(answer, 429, "server-too-many")["params"]["seconds"] > 1
        assert thief.post("/api/login", json={"name": "ana", "password": "password 1"}).status_code == 429
        phone = browser(built, known=False, address="203.0.113.2")
        assert phone.post("/api/login", json={"name": "ana", "password": "password 1"}).status_code == 200
        lone = browser(built, known=False, address="203.0.113.99")
        tries = [lone.post("/api/login", json={"name": f"n{n}", "password": "g"}).status_code for n in range(21)]
        assert tries == [401] * 20 + [429]


def test_a_flood_of_passwords_waits_for_nobody(monkeypatch):
    with world() as built:
        monkeypatch.setattr(passwords, "MAX_QUEUE", 0)
        answer = browser(built).post("/api/login", json={"name": "ana", "password": "guess"})
        refused(answer, 503, "server-busy")
        assert answer.headers["retry-after"] == "5"


def test_new_guests_are_counted_by_address():
    with world(rate=0.05) as built:
        codes = [browser(built, known=False).get("/api/me").status_code for _ in range(5)]
        assert codes == [200, 200, 200, 429, 429]
        assert browser(built, known=False, address="203.0.113.1").get("/api/me").status_code == 200


def test_routes_that_need_a_person_refuse_strangers():
    with world() as built:
        stranger = browser(built, known=False)
        for method, path, body in [
            ("PATCH", "/api/me", {}),
            ("GET", "/api/me/games", None),
            ("POST", "/api/me/link", None),
            ("POST", "/api/me/token", {}),
            ("POST", "/api/account", {"name": "ana", "password": "password"}),
            ("POST", "/api/logout", None),
            ("POST", "/api/tables", {"game": "daruma", "players": 2}),
            ("POST", "/api/match", {"game": "daruma", "players": 2}),
        ]:
            refused(stranger.request(method, path, json=body), 401, "server-stranger")


def test_a_socket_knows_its_person_by_the_cookie():
    with world() as built:
        ana = browser(built)
        ana.patch("/api/me", json={"name": "Ana"})
        with ana.websocket_connect("/ws/lobby", headers={"Origin": HERE}) as socket:
            assert socket.receive_text() == "Ana"
