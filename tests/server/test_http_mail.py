"""E-mail addresses, and the way back into an account by a link that is sent there."""

import logging
import time
from contextlib import contextmanager

import pytest

from server.http_world import browser, person_of, refused, world
from server.mailbox import mailbox
from server.test_http_accounts import PASSWORD, login, me, registered
from tsukimi.core.errors import BadOptions
from tsukimi.server import config
from tsukimi.server.accounts import recovery

ADDRESS = "ana@example.org"


@contextmanager
def posting():
    """A server that sends e-mails, and where they arrive."""
    with mailbox() as box, world(
        smtp=f"smtp://127.0.0.1:{box.port}", mail_from="tsukimi@example.org", public_url="https://games.example.org"
    ) as built:  # fmt: skip
        yield built, box


def with_address(built, box, name="ana", address=ADDRESS):
    client, _ = registered(built, name)
    answer = client.post("/api/account/email", json={"email": address, "password": PASSWORD})
    assert answer.json()["waiting"] == address, answer.text
    assert client.post(box.link(), headers={"X-Tsukimi": ""}, follow_redirects=False).status_code == 303
    assert client.get("/api/account").json()["email"] == address
    return client


def asked(client, name="ana"):
    return client.post("/api/reset/mail", json={"name": name})


def test_an_address_counts_when_the_link_that_was_sent_there_has_been_opened():
    with posting() as (built, box):
        ana, _ = registered(built)
        given = {"email": "  ana@EXAMPLE.org ", "password": "guess"}
        refused(ana.post("/api/account/email", json=given), 403, "server-password")
        done = ana.post("/api/account/email", json={**given, "password": PASSWORD}).json()
        assert (done["email"], done["waiting"], done["mail"]) == (None, ADDRESS, True)
        mail = box.next()
        assert mail["To"] == ADDRESS and mail["From"] == "tsukimi@example.org"
        link = mail.get_content().split("https://games.example.org")[1].split()[0]
        elsewhere = browser(built, known=False, **{"Accept-Language": "fr"})
        page = elsewhere.get(link)
        assert "ana@example.org" in page.text and "Confirmer l’adresse" in page.text
        assert ana.get("/api/account").json()["email"] is None  # programs that preview links change nothing
        assert elsewhere.post(link, headers={"X-Tsukimi": ""}, follow_redirects=False).headers["location"] == "/me"
        assert ana.get("/api/account").json()["email"] == ADDRESS
        assert elsewhere.get(link).status_code == 404
        assert ana.delete("/api/account/email").json()["email"] is None


def test_a_forgotten_password_is_replaced_by_a_link_that_works_once():
    with posting() as (built, box):
        ana = with_address(built, box)
        stranger = browser(built, known=False)
        assert asked(stranger, "ANA").json() == {}
        path, _, token = box.link().partition("#")
        assert path == "/reset"
        reset = {"token": token, "new": "password 2"}
        assert stranger.post("/api/reset/link", json=reset).json() == {}
        refused(stranger.post("/api/reset/link", json=reset), 401, "server-reset-link")
        refused(ana.get("/api/me/games"), 401, "server-stranger")
        refused(login(browser(built, known=False)), 401, "server-login")
        assert login(ana, password="password 2").status_code == 200 and me(ana)["account"] == "ana"


def test_a_link_ends_when_another_is_sent_when_the_address_changes_and_after_half_an_hour(monkeypatch):
    with posting() as (built, box):
        ana, stranger = with_address(built, box), browser(built, known=False)
        tokens = []
        for _ in range(2):
            asked(stranger)
            tokens.append(box.link().partition("#")[2])
        reset = {"new": "password 2"}
        refused(stranger.post("/api/reset/link", json={"token": tokens[0], **reset}), 401, "server-reset-link")
        ana.delete("/api/account/email")
        refused(stranger.post("/api/reset/link", json={"token": tokens[1], **reset}), 401, "server-reset-link")
        bruno = with_address(built, box, "bruno", "bruno@example.org")
        asked(stranger, "bruno")
        token = box.link().partition("#")[2]
        now = recovery.now_ms()
        monkeypatch.setattr(recovery, "now_ms", lambda: now + 31 * 60_000)
        refused(stranger.post("/api/reset/link", json={"token": token, **reset}), 401, "server-reset-link")
        assert me(bruno)["account"] == "bruno"


def test_requesting_a_link_reveals_nothing_and_is_limited_by_account_and_address():
    with posting() as (built, box):
        registered(built, "bruno")  # has no address
        with_address(built, box)
        stranger = browser(built, known=False)
        answers = [asked(stranger, name) for name in ("ana", "bruno", "nobody", "!")]
        assert {(answer.status_code, answer.text) for answer in answers} == {(200, "{}")}
        assert box.next()["To"] == ADDRESS and box.is_empty()
        sent = [asked(browser(built, known=False, address=f"203.0.113.{n}")).text for n in range(5)]
        assert sent == ["{}"] * 5
        for _ in range(2):  # three in all
            box.next()
        assert box.is_empty()
        lone = browser(built, known=False, address="192.0.2.1")
        assert [asked(lone, f"n{n}").status_code for n in range(11)] == [200] * 10 + [429]


def test_a_link_of_an_email_is_neither_a_personal_link_nor_a_token_and_none_of_them_resets_a_password():
    with posting() as (built, box):
        ana = with_address(built, box)
        asked(browser(built, known=False))
        token = box.link().partition("#")[2]
        for path in ("/p/", "/e/"):
            assert browser(built).get(path + token).status_code == 404
        personal = ana.post("/api/me/link").json()["link"].removeprefix("/p/")
        bearer = ana.post("/api/me/token", json={}).json()["token"]
        for wrong in (personal, bearer):
            answer = browser(built, known=False).post("/api/reset/link", json={"token": wrong, "new": "password 2"})
            refused(answer, 401, "server-reset-link")
        assert built.test_portal.call(built.state.store.person, person_of(built, ana)).email == ADDRESS


@pytest.mark.parametrize(
    "address", ["ana", "ana@", "@example.org", "ana@localhost", "a b@example.org", "ana@example.org\r\nBcc: x@y.zz"]
)
def test_what_is_not_an_address_gets_no_mail(address):
    with posting() as (built, box):
        ana, _ = registered(built)
        answer = ana.post("/api/account/email", json={"email": address, "password": PASSWORD})
        refused(answer, 400, "server-email")
        assert box.arrived.empty()


def test_nobody_can_flood_an_address_with_mails():
    with posting() as (built, _):
        tries = []
        for n in range(4):
            client, _ = registered(built, f"n{n}")
            tries.append(client.post("/api/account/email", json={"email": ADDRESS, "password": PASSWORD}).status_code)
        assert tries == [200] * 3 + [429]


def test_mails_are_in_the_language_of_the_person():
    with posting() as (built, box):
        for lang, word in [("en", "Hello"), ("fr", "Bonjour"), ("es", "Hola")]:
            client, _ = registered(built, f"ana-{lang}", **{"Accept-Language": lang})
            client.post("/api/account/email", json={"email": f"{lang}@example.org", "password": PASSWORD})
            assert word in box.next().get_content()


def test_without_a_mail_server_the_codes_are_the_way_back_and_an_unreachable_one_is_reported_without_the_address(
    caplog,
):
    with world() as built:
        ana, _ = registered(built)
        assert ana.get("/api/account").json()["mail"] is False
        refused(asked(ana), 409, "server-no-mail")
        answer = ana.post("/api/account/email", json={"email": ADDRESS, "password": PASSWORD})
        refused(answer, 409, "server-no-mail")
    with mailbox() as box:
        port = box.port
    settings = {"mail_from": "t@example.org", "public_url": "https://games.example.org"}
    with caplog.at_level(logging.ERROR), world(smtp=f"smtp://127.0.0.1:{port}", **settings) as built:
        ana, _ = registered(built)
        assert ana.post("/api/account/email", json={"email": ADDRESS, "password": PASSWORD}).status_code == 200
        until = time.monotonic() + 10
        while "could not be sent" not in caplog.text and time.monotonic() < until:
            time.sleep(0.02)
        assert "an e-mail could not be sent: ConnectionRefusedError" in caplog.text and ADDRESS not in caplog.text


def test_a_mail_server_needs_a_sender_and_the_address_of_the_server():
    good = {"smtp": "smtps://u:p@mail.example.org", "public_url": "https://g.example", "mail_from": "t@g.example"}
    for missing in ("public_url", "mail_from"):
        with pytest.raises(BadOptions, match="mail_from"):
            config.load({name: value for name, value in good.items() if name != missing}, env={})
    with pytest.raises(BadOptions) as problem:
        config.load({**good, "smtp": "http://u:hidden@mail.example.org"}, env={})
    assert "hidden" not in str(problem.value)
