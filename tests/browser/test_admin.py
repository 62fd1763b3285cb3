"""The admin page, reports from the table, and what a banned person sees."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.test_accessible import check
from browser.test_at_the_table import two_people
from browser.visitor import Visitor
from server.live import Live
from tsukimi.server.admin.operations import Admin
from tsukimi.store import Row, Summary

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]
PICTURES = os.environ.get("TSUKIMI_PICTURES")
TABS = ("stats", "reports", "people", "tables", "bans", "filter", "quarantine", "actions")


def administrator(visit: Visit, live: Live, name: str, **options: object) -> Visitor:
    """Somebody with an account that the host made an administrator."""
    visitor = visit(name, **options)
    visitor.page.request.get(f"{live.url}/api/me")
    body = {"name": name, "password": "long enough"}
    answer = visitor.page.request.post(
        f"{live.url}/api/account", data=body, headers={"X-Tsukimi": "1", "Origin": live.url}
    )
    assert answer.ok, answer.text()
    store = live.app.state.store
    live.run(_grant(store, name))
    return visitor


async def _grant(store, name: str) -> None:
    person = await store.person_by_account(name)
    await store.set_admin(person.id, True, 1, "command line")


def reported(visit: Visit) -> tuple[Visitor, Visitor]:
    """Bruno writes something, and Ana reports it."""
    ana, bruno = two_people(visit)
    bruno.drawer("chat")
    for text in ("good luck", "you are a fool", "sorry"):
        bruno.find("chat-input").fill(text)
        bruno.press("chat-send")
        expect(bruno.find("chat")).to_contain_text(text)
    ana.drawer("chat")
    expect(ana.find("chat")).to_contain_text("sorry")
    ana.tap(ana.find("chat").locator("li").nth(1).get_by_test_id("report-line"))
    expect(ana.find("report-dialog")).to_contain_text("you are a fool")
    ana.find("report-text").fill("he keeps doing that")
    picture(ana, "report")
    check(ana, "night")
    ana.press("report-send")
    expect(ana.page.get_by_text("The host will look at it.")).to_be_visible()
    return ana, bruno


def picture(visitor: Visitor, name: str) -> None:
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        visitor.page.screenshot(path=f"{PICTURES}/{name}-{'phone' if visitor.phone else 'desk'}.png", full_page=True)


def test_a_report_reaches_the_host_who_bans_and_resolves_and_the_banned_person_is_informed(
    visit: Visit, live: Live
) -> None:
    _, bruno = reported(visit)
    hana = administrator(visit, live, "Hana")
    hana.go("/me")
    hana.press("admin-link")
    hana.press("tab-reports")
    report = hana.find("admin-report").first
    expect(report).to_contain_text("he keeps doing that")
    expect(report.locator(".marked")).to_contain_text("you are a fool")
    hana.tap(report.get_by_test_id("report-ban"))
    hana.find("ban-reason").fill("insults")
    hana.press("ban-send")
    expect(bruno.page.get_by_text("insults").first).to_be_visible()
    bruno.page.reload()
    expect(bruno.find("banned")).to_contain_text("insults")
    picture(bruno, "banned")
    bruno.forgive("403")
    report.get_by_test_id("report-note").fill("banned for a day")
    hana.tap(report.get_by_test_id("report-resolve"))
    expect(hana.find("admin-report")).to_have_count(0)
    hana.press("reports-resolved")
    expect(hana.find("admin-report").first).to_contain_text("banned for a day")
    hana.press("tab-bans")
    hana.tap(hana.find("ban-remove").first)
    expect(hana.find("admin-bans")).to_have_count(0)
    bruno.page.reload()
    expect(bruno.find("banned")).to_have_count(0)


@pytest.mark.parametrize("phone", [False, True])
def test_every_part_of_the_admin_page_fits_the_screen_and_can_be_read_by_all(
    visit: Visit, live: Live, phone: bool
) -> None:
    reported(visit)
    hana = administrator(visit, live, f"Hana{phone}", phone=phone)
    store = live.app.state.store
    admin = Admin(store, "command line")
    live.run(admin.ban_network(f"203.0.113.{9 + phone}", "flood"))
    live.run(admin.change_words(["idiot*", "tonto", "merde", "kill yourself"]))
    live.run(_quarantined(store, f"broken{phone}"))
    hana.go("/admin")
    for tab in TABS:
        hana.press(f"tab-{tab}")
        hana.page.wait_for_load_state("networkidle")
        picture(hana, tab)
        check(hana)
    hana.press("tab-people")
    hana.find("people-find").fill("Bruno")
    hana.press("people-search")
    hana.tap(hana.find("person-show").first)
    hana.find("person-name").fill("Bruno B.")
    picture(hana, "person")
    check(hana, "night")
    hana.press("person-rename")
    expect(hana.find("admin-person")).to_have_count(0)
    expect(hana.find("admin-people")).to_contain_text("Bruno B.")
    hana.press("tab-quarantine")
    hana.tap(hana.find("quarantine-retry").first)
    expect(hana.page.get_by_text("still cannot be read").first).to_be_visible()
    hana.forgive("409")
    hana.press("quarantine-drop")
    hana.press("sure-yes")
    expect(hana.page.get_by_text(f"broken{phone}")).to_have_count(0)
    hana.press("tab-tables")
    hana.tap(hana.find("table-close").first)
    hana.press("sure-yes")
    expect(hana.page.get_by_text("The table is closed.")).to_be_visible()


async def _quarantined(store, id: str) -> None:
    listing = b'{"options":{},"names":["Ana","Bruno"],"clock":"none"}'
    await store.create(Summary(id, "dojo", 2, "playing", True, 1, 2, None, [None, None], listing), [Row(0, 1, b"{x")])
    await store.quarantine(
        id, 0, "DecodeError: JSON is malformed: object keys must be strings (byte 1)", 1_790_000_000_000
    )


@pytest.mark.parametrize(("lang", "word"), [("fr-FR", "Signalements"), ("es-ES", "Avisos")])
def test_the_admin_page_is_in_the_language_of_its_reader(visit: Visit, live: Live, lang: str, word: str) -> None:
    hana = administrator(visit, live, f"Hana-{lang[:2]}", lang=lang)
    hana.go("/admin?tab=bans")
    expect(hana.find("tab-reports")).to_have_text(word)
    expect(hana.find("tab-bans")).to_have_attribute("aria-current", "page")


def test_nobody_else_sees_the_admin_page(visit: Visit) -> None:
    ana = visit("Ana")
    ana.go("/admin")
    expect(ana.page.get_by_text("This page is for administrators.")).to_be_visible()
    expect(ana.find("tab-bans")).to_have_count(0)
    ana.go("/me")
    expect(ana.find("make-link")).to_be_visible()
    expect(ana.find("admin-link")).to_have_count(0)


def test_someone_at_the_table_is_reported_from_their_seat(visit: Visit, live: Live) -> None:
    ana, _ = two_people(visit)
    before = live.run(_reports(live))
    ana.press("seat-1")
    ana.press("report")
    ana.find("report-reason").select_option("leaving")
    ana.press("report-send")
    expect(ana.page.get_by_text("The host will look at it.")).to_be_visible()
    assert live.run(_reports(live)) == before + 1


async def _reports(live: Live) -> int:
    return len(await live.app.state.store.reports(limit=1000))
