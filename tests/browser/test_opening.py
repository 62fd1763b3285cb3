"""Before a game: variants against bots and on one device, bots beside people, a gentle first game, talk while waiting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.visitor import Visitor

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]


def table_info(visitor: Visitor) -> dict[str, Any]:
    visitor.page.wait_for_url("**/t/*")
    found: dict[str, Any] = visitor.page.evaluate(
        "fetch('/api' + location.pathname.replace('/t/', '/tables/')).then((r) => r.json())"
    )
    return found


def test_a_variant_is_chosen_before_a_game_against_bots(visit: Visit) -> None:
    ana = visit("Ana")
    ana.home()
    card = ana.card("charuma")
    ana.tap(card.get_by_test_id("card-options"))
    card.get_by_test_id("option-auction").select_option("off")
    ana.tap(card.get_by_test_id("play-bots"))
    assert table_info(ana)["options"]["auction"] == "off"


@pytest.mark.parametrize("phone", [False, True])
def test_someone_new_is_offered_the_gentle_variant_once(phone: bool, visit: Visit) -> None:
    ana = visit("Ana", phone=phone)
    ana.home()
    card = ana.card("dojo")
    expect(ana.card("charuma").get_by_test_id("beginner")).to_have_count(0)
    card.get_by_test_id("beginner").check()
    ana.tap(card.get_by_test_id("play-bots"))
    assert table_info(ana)["options"]["belt"] == "white"
    ana.home()
    expect(ana.card("dojo").get_by_test_id("beginner")).to_have_count(0)


def test_a_first_game_is_suggested_against_novices_until_another_level_is_chosen(visit: Visit) -> None:
    ana = visit("Ana")
    ana.home()
    card = ana.card("charuma")
    expect(card.get_by_test_id("level")).to_have_value("novice")
    expect(card.get_by_test_id("level-about")).to_contain_text("first game")
    card.get_by_test_id("level").select_option("master")
    expect(card.get_by_test_id("level-about")).not_to_contain_text("first game")


def test_bots_play_beside_people_who_share_a_device(visit: Visit) -> None:
    ana = visit("Ana")
    ana.home()
    card = ana.card("charuma")
    ana.tap(card.get_by_test_id("pass-and-play"))
    dialog = ana.find("pass-dialog")
    dialog.get_by_label("Players").select_option("4")
    ana.find("pass-bots").select_option("2")
    ana.find("pass-level").select_option("greedy")
    expect(dialog.get_by_test_id("pass-name-2")).to_have_count(0)
    ana.find("pass-name-0").fill("Zoé")
    ana.find("pass-name-1").fill("Yann")
    ana.press("pass-start")
    seats = table_info(ana)["seats"]
    assert [seat["kind"] for seat in seats] == ["person", "person", "bot", "bot"]
    assert [seat["name"] for seat in seats[:2]] == ["Zoé", "Yann"]
    ana.find("curtain-open").wait_for()


def test_people_talk_while_they_wait(visit: Visit) -> None:
    ana, bruno = visit("Ana"), visit("Bruno", phone=True)
    bruno.go(ana.open_table("dojo", 3))
    bruno.find("chat-input").fill("Who else is coming?")
    bruno.press("chat-send")
    expect(ana.find("chat")).to_contain_text("Who else is coming?")
