"""An account from its making to its end, in browsers: codes, devices, passwords, the second factor, data, deletion."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser.visitor import Visitor
from server.live import Live, serving
from server.mailbox import Mailbox, mailbox
from services import free_port
from tsukimi.server.accounts import totp

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]
PASSWORD, SECOND, THIRD = "first password", "second password", "third password"
REFUSED = "the server responded with a status of 4"


def login(visitor: Visitor, name: str, password: str, code: str = "") -> None:
    visitor.go("/me")
    visitor.find("account-name").fill(name)
    visitor.find("account-password").fill(password)
    visitor.press("login")
    if code:
        visitor.find("account-code").fill(code)
        visitor.press("login")
        visitor.forgive(REFUSED)  # the first answer asks for the code


def register(visitor: Visitor, name: str) -> list[str]:
    visitor.go("/me")
    visitor.find("account-name").fill(name)
    visitor.find("account-password").fill(PASSWORD)
    visitor.press("register")
    expect(visitor.find("codes").locator("code")).to_have_count(10)
    codes = visitor.find("codes").locator("code").all_inner_texts()
    with visitor.page.expect_download() as download:
        visitor.press("codes-save")
    assert "\n".join(codes) in Path(download.value.path()).read_text("utf-8")
    visitor.press("codes-kept")
    return codes


def code_of(secret: str, later: int = 0) -> str:
    """The code that an authenticator app shows now."""
    return totp.code(base64.b32decode(secret.replace(" ", "")), int(time.time()) // totp.PERIOD + later)


def test_an_account_from_its_making_to_its_end(visit: Visit) -> None:
    ana, phone = visit("Ana"), visit("Ana", phone=True)
    codes = register(ana, "ana-browser")
    assert all(re.fullmatch(r"(\w{4}-){3}\w{4}", code) for code in codes)
    expect(ana.find("account")).to_contain_text("You are logged in as ana-browser.")

    login(phone, "ana-browser", PASSWORD)
    expect(phone.find("session-other")).to_have_count(1)
    ana.go("/me")
    expect(ana.find("session-current")).to_contain_text("This device")
    expect(ana.find("session-other")).to_contain_text("Last used")

    # A new password logs the other device out, which sees nothing of the account any more.
    ana.press("change-password")
    ana.find("present-password").fill(PASSWORD)
    ana.find("new-password").fill(SECOND)
    ana.press("ask-send")
    expect(ana.find("toasts")).to_contain_text("All other devices are logged out")
    expect(ana.find("session-other")).to_have_count(0)
    phone.press("make-link")
    expect(phone.find("toasts")).to_contain_text("You were logged out on this device.")
    expect(phone.find("login")).to_be_visible()
    phone.forgive(REFUSED)

    # The second factor: scanned, confirmed, then asked for.
    ana.press("totp-begin")
    ana.find("present-password").fill(SECOND)
    ana.press("ask-send")
    expect(ana.find("totp-confirm").get_by_test_id("qr")).to_be_visible()
    secret = ana.find("totp-secret").inner_text()
    ana.find("totp-code").fill(code_of(secret, -1))
    ana.press("ask-send")
    expect(ana.find("totp")).to_contain_text("On:")
    login(phone, "ana-browser", SECOND, code_of(secret, 1))
    expect(phone.find("account")).to_contain_text("ana-browser")

    # A recovery code is as good as the app, once.
    phone.press("logout")
    login(phone, "ana-browser", SECOND, codes[0])
    expect(phone.find("codes-left")).to_contain_text("9 codes are left")

    # Logged out from the other device.
    ana.go("/me")
    ana.press("session-end")
    expect(ana.find("toasts")).to_contain_text("That device is logged out.")
    phone.go("/me")
    expect(phone.find("login")).to_be_visible()

    with ana.page.expect_download() as download:
        ana.press("export")
    data = json.loads(Path(download.value.path()).read_text("utf-8"))
    assert data["account"] == "ana-browser" and data["totp"] and data["recovery_codes"] == 9

    ana.press("delete")
    ana.find("present-password").fill(SECOND)
    ana.press("ask-send")
    expect(ana.find("toasts")).to_contain_text("Everything about you is deleted.")
    expect(ana.find("login")).to_be_visible()
    login(phone, "ana-browser", SECOND)
    expect(phone.find("toasts")).to_contain_text("wrong")
    phone.forgive(REFUSED)


def test_after_logging_out_nothing_of_the_account_is_left_on_the_screen(visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots("charuma", 2)
    register(ana, "ana-leaves")
    ana.find("token-label").fill("my secret bot")
    ana.press("token-make")
    token = ana.find("token").input_value()
    ana.press("make-link")
    link = ana.find("share-link").input_value()
    expect(ana.find("history")).to_contain_text("Charuma")
    for out in ("logout", "everywhere"):
        if out == "logout":
            ana.press("logout")
        else:
            login(ana, "ana-leaves", PASSWORD)
            expect(ana.find("tokens-kept")).to_contain_text("my secret bot")
            ana.press("sessions-end")
            ana.press("sessions-end-sure")
        expect(ana.find("login")).to_be_visible()
        for gone in ("history", "tokens", "tokens-kept", "share-link", "qr", "sessions"):
            expect(ana.find(gone)).to_have_count(0)
        shown = ana.page.content()
        for secret in (token, link, "my secret bot", "ana-leaves", "Charuma"):
            assert secret not in shown, secret
    ana.home()
    expect(ana.page.get_by_text("Your games")).to_have_count(0)


def test_a_forgotten_password_is_replaced_with_a_recovery_code(visit: Visit) -> None:
    ana = visit("Ana", phone=True)
    codes = register(ana, "ana-forgets")
    ana.press("logout")
    ana.press("forgot")
    ana.find("reset-name").fill("ana-forgets")
    ana.find("reset-code").fill("wrong code")
    ana.find("reset-password").fill(THIRD)
    ana.press("reset-send")
    expect(ana.find("toasts")).to_contain_text("recovery code is wrong")
    ana.forgive(REFUSED)
    ana.find("reset-code").fill(codes[4])
    ana.press("reset-send")
    expect(ana.find("reset-done")).to_contain_text("log in with the new one")
    login(ana, "ana-forgets", THIRD)
    expect(ana.find("account")).to_contain_text("ana-forgets")
    expect(ana.find("codes-left")).to_contain_text("9 codes")


@pytest.fixture
def posting(browser: Browser, web: Path, tmp_path: Path) -> Iterator[tuple[Live, Mailbox]]:
    """A server that sends e-mails, and where they arrive."""
    port = free_port()
    with mailbox() as box:
        settings = {"smtp": f"smtp://127.0.0.1:{box.port}", "mail_from": "tsukimi@example.org"}
        with serving(tmp_path, web=str(web), port=port, public_url=f"http://127.0.0.1:{port}", **settings) as live:
            yield live, box


def test_a_forgotten_password_is_replaced_by_a_link(browser: Browser, posting: tuple[Live, Mailbox]) -> None:
    live, box = posting
    ana = Visitor(browser, live.url)
    try:
        register(ana, "ana-mails")
        ana.press("email-change")
        ana.find("present-password").fill(PASSWORD)
        ana.find("email-input").fill("ana@example.org")
        ana.press("ask-send")
        expect(ana.find("email")).to_contain_text("ana@example.org: open the link")
        ana.go(box.link())
        ana.page.get_by_role("button", name="Confirm the address").click()
        expect(ana.find("email")).to_contain_text("ana@example.org")
        expect(ana.find("email")).not_to_contain_text("open the link")
        ana.press("logout")
        ana.press("forgot")
        ana.find("mail-name").fill("ana-mails")
        ana.press("mail-send")
        expect(ana.find("reset-sent")).to_contain_text("a link is on its way")
        ana.go(box.link())
        ana.find("reset-password").fill(SECOND)
        assert "#" not in ana.page.url
        ana.press("reset-send")
        expect(ana.find("reset-done")).to_be_visible()
        login(ana, "ana-mails", SECOND)
        expect(ana.find("account")).to_contain_text("ana-mails")
        assert not ana.problems
    finally:
        ana.close()


def test_the_name_that_a_guest_types_at_a_table_is_there_at_the_next(visit: Visit) -> None:
    ana, bruno = visit("Ana"), visit("Bruno")
    bruno.join(ana.open_table("daruma", 3))
    expect(bruno.page.get_by_test_id("seat-1")).to_contain_text("Bruno")
    bruno.go(ana.open_table("dojo", 3))
    expect(bruno.find("my-name")).to_have_value("Bruno")
    bruno.home()
    expect(bruno.find("me-link")).to_contain_text("Bruno")


def test_a_deleted_player_is_named_so_in_the_games_that_others_keep(visit: Visit) -> None:
    ana, bruno = visit("Ana"), visit("Bruno")
    link = ana.open_table("charuma", 2)
    bruno.join(link)
    ana.start()
    bruno.go("/me")
    bruno.press("delete")
    bruno.press("ask-send")
    expect(bruno.find("toasts")).to_contain_text("Everything about you is deleted.")
    expect(ana.page.get_by_test_id("seat-1")).to_contain_text("deleted player")
    ana.go("/me")
    expect(ana.find("history")).to_contain_text("deleted player")
