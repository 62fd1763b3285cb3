"""Among people: a quick match and what it is worth, names at the table, taking the word, seats and time; tokens and sounds."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.test_accessible import check
from browser.test_at_the_table import asked, two_people
from browser.visitor import Visitor
from tsukimi.table import matching

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]
SOUNDS = """for (const one of [OscillatorNode, AudioBufferSourceNode]) {
  const start = one.prototype.start;
  one.prototype.start = function (...at) { window.received = (window.received ?? 0) + 1; return start.apply(this, at); };
}"""


def quick_match(visitor: Visitor, game: str, players: int) -> str:
    visitor.home()
    card = visitor.card(game)
    card.get_by_test_id("players").select_option(str(players))
    visitor.tap(card.get_by_test_id("quick-match"))
    visitor.page.wait_for_url("**/t/*")
    return visitor.page.url


def called(visitor: Visitor, name: str) -> None:
    visitor.go("/me")
    visitor.find("name-input").fill(name)
    visitor.press("name-save")
    expect(visitor.find("name-save")).to_be_disabled()


# ---- a quick match, and the best players --------------------------------------------------------


def test_a_quick_match_of_two_people_is_rated_and_the_list_of_the_best_shows_it(visit: Visit) -> None:
    ana, bruno = visit("Ana"), visit("Bruno", phone=True)
    called(ana, "Ana Quick")
    called(bruno, "Bruno Quick")
    table = quick_match(ana, "charuma", 2)
    expect(ana.find("ask")).to_contain_text("Looking for opponents")
    check(ana)
    assert quick_match(bruno, "charuma", 2) == table
    for visitor in (ana, bruno):
        expect(visitor.find("ask")).to_have_text("Everyone is here. Are you ready?")
        visitor.check_width()
    bruno.press("match-ready")
    expect(ana.find("match-seat-1")).to_have_attribute("data-ready", "true")
    expect(bruno.find("ask")).to_have_text("Waiting for the others to be ready.")
    check(ana)
    ana.press("match-ready")
    for visitor in (ana, bruno):
        visitor.page.wait_for_selector("[data-testid=board]")
        expect(visitor.find("rated")).to_have_text("Rated")
        expect(visitor.find("seat-0")).to_contain_text("Ana Quick")
        expect(visitor.find("seat-1")).to_contain_text("Bruno Quick")
    bruno.menu()
    expect(bruno.find("stand")).to_have_count(0)  # no bot plays a rated game for anybody
    bruno.press("resign")
    bruno.press("sure")
    ana.find("result").wait_for()
    for visitor in (ana, bruno):  # every device checks the dice
        visitor.find("result").wait_for()
        visitor.tap(visitor.find("result").get_by_test_id("fairness").locator("summary"))
        marks = visitor.find("fair-check").locator("li").all_inner_texts()
        assert [mark[0] for mark in marks] == ["✓", "✓", "✓"], marks

    ana.home()
    ana.press("best-link")
    ana.page.wait_for_url("**/ratings")
    ana.tap(ana.page.get_by_role("link", name="Charuma"))
    rows = ana.find("best").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_have_text(re.compile(r"^1\s*Ana Quick\s*you\s*\d+\.\d\s*1$"))
    expect(rows.nth(1)).to_have_text(re.compile(r"^2\s*Bruno Quick\s*0\.0\s*1$"))
    expect(ana.find("best-me")).to_have_count(1)
    check(ana)
    ana.tap(rows.nth(1).get_by_role("link"))
    expect(ana.page.locator("h1")).to_have_text("Bruno Quick")

    bruno.home()
    bruno.check_width()
    bruno.tap(bruno.card("dojo").get_by_test_id("card-best"))
    bruno.page.wait_for_url("**/ratings/dojo")
    bruno.go("/me")
    bruno.press("me-best")
    bruno.tap(bruno.page.get_by_role("link", name="Charuma"))
    expect(bruno.find("best-me")).to_contain_text("Bruno Quick")
    check(bruno)


def test_looking_for_opponents_can_be_given_up(visit: Visit) -> None:
    ana, bruno = visit("Ana", phone=True), visit("Bruno")
    quick_match(ana, "dojo", 3)
    ana.check_width()
    ana.press("match-cancel")
    ana.page.wait_for_url(lambda url: "/t/" not in url)
    bruno.home()
    expect(bruno.find("open-tables")).to_have_count(0)
    quick_match(bruno, "dojo", 3)
    expect(bruno.find("ask")).to_contain_text("Players: 1 of 3.")


def test_whoever_misses_the_ready_check_is_informed_and_may_search_again(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching, "ANSWER_WITHIN", 1500)
    ana, bruno = visit("Ana"), visit("Bruno", phone=True)
    quick_match(ana, "daruma", 2)
    quick_match(bruno, "daruma", 2)
    ana.press("match-ready")
    expect(bruno.find("ask")).to_contain_text("You lost your place")
    expect(ana.find("ask")).to_contain_text("Looking for opponents")
    monkeypatch.undo()
    bruno.press("match-again")
    expect(bruno.find("ask")).to_have_text("Everyone is here. Are you ready?")
    bruno.press("match-cancel")
    expect(ana.find("ask")).to_contain_text("Looking for opponents")


def test_an_empty_rating_list_says_so(visit: Visit) -> None:
    ana = visit("Ana", phone=True)
    ana.go("/ratings/china-moon")
    expect(ana.find("best-none")).to_contain_text("Nobody has a rating yet")
    expect(ana.page.get_by_role("link", name="China Moon")).to_have_attribute("aria-current", "page")
    check(ana)


# ---- names ---------------------------------------------------------------------------------------


def test_before_the_start_people_change_their_name_where_they_sit(visit: Visit) -> None:
    ana, bruno = visit("Ana"), visit("Bruno", phone=True)
    link = ana.open_table("dojo", 3)
    ana.press("rename")
    expect(ana.find("rename-input")).to_be_focused()
    ana.page.keyboard.type("Ana Luna")
    ana.page.keyboard.press("Enter")
    expect(ana.find("seat-0")).to_contain_text("Ana Luna")
    expect(ana.find("rename")).to_be_focused()
    expect(ana.find("start")).to_be_visible()  # still the host

    bruno.join(link)
    expect(ana.find("seat-1")).to_contain_text("Bruno")
    ana.press("rename")
    ana.page.keyboard.type("Ana")
    ana.page.keyboard.press("Enter")
    expect(bruno.find("seat-0")).not_to_contain_text("Luna")
    expect(ana.find("start")).to_be_visible()
    bruno.press("rename")
    bruno.check_width()
    bruno.find("rename-input").fill("Bruno Sol")
    bruno.press("rename-save")
    for visitor in (ana, bruno):
        expect(visitor.find("seat-1")).to_contain_text("Bruno Sol")
    bruno.press("rename")
    bruno.page.keyboard.press("Escape")
    expect(bruno.find("rename-input")).to_have_count(0)
    check(bruno, "paper")


# ---- what the host may do, and time --------------------------------------------------------------


def test_the_host_mutes_someone_and_unmutes_them(visit: Visit) -> None:
    ana, bruno = two_people(visit)
    bruno.drawer("chat")
    bruno.find("chat-input").fill("la la la")
    bruno.press("chat-send")
    ana.drawer("chat")
    expect(ana.find("chat")).to_contain_text("la la la")
    expect(bruno.page.get_by_role("button", name="Mute", exact=True)).to_have_count(0)
    ana.tap(ana.find("chat").get_by_role("button", name="Mute", exact=True))
    expect(bruno.find("chat-input")).to_be_disabled()
    expect(bruno.find("chat-input")).to_have_attribute("placeholder", "The host has muted you.")
    ana.find("chat-input").fill("quiet now")
    ana.press("chat-send")
    expect(bruno.find("chat")).to_contain_text("quiet now")
    ana.tap(ana.find("chat").get_by_role("button", name="Unmute"))
    expect(bruno.find("chat-input")).to_be_enabled()
    expect(ana.find("chat").get_by_role("button", name="Mute", exact=True)).to_be_visible()


def test_before_the_start_the_host_frees_a_seat(visit: Visit) -> None:
    ana, bruno = visit("Ana"), visit("Bruno", phone=True)
    bruno.join(ana.open_table("daruma", 3))
    expect(bruno.page.get_by_role("button", name="Remove")).to_have_count(0)
    ana.tap(ana.page.get_by_role("button", name="Remove Bruno"))
    expect(ana.find("seat-1")).to_contain_text("free")
    expect(bruno.find("leave-seat")).to_have_count(0)
    bruno.press("join")  # in vain: a removed player cannot rejoin
    expect(bruno.find("toasts")).to_contain_text("The host has removed you from this table.")
    expect(ana.find("seat-1")).to_contain_text("free")


def test_during_the_game_the_host_gives_a_seat_to_a_bot(visit: Visit) -> None:
    ana, bruno = two_people(visit)
    ana.press("seat-1")
    ana.tap(ana.find("seat-dialog").get_by_role("button", name="Replace with a bot"))
    expect(ana.find("seat-dialog")).to_contain_text("Replace Bruno with a bot for the rest of the game?")
    ana.press("sure")
    expect(ana.find("seat-dialog")).to_have_count(0)
    expect(ana.find("seat-1")).to_contain_text("replaced with a bot")
    expect(bruno.find("replaced")).to_have_text("The host has given your seat to a bot. You can keep watching.")
    expect(bruno.find("seat-1")).not_to_contain_text("you")
    for _ in range(2):  # the game continues, with nobody else to wait for
        ana.until("ask")
        ana.play_from_list()
    assert bruno.played == 0
    bruno.press("seat-0")
    expect(bruno.find("seat-dialog")).to_be_visible()
    expect(bruno.page.get_by_role("button", name="Replace with a bot")).to_have_count(0)


def test_with_days_per_move_the_seat_shows_how_many_are_left(visit: Visit) -> None:
    ana, bruno = visit("Ana"), visit("Bruno", phone=True)
    link = ana.open_table("charuma", 2)
    clocks = ana.find("option-clock").locator("option").all_inner_texts()
    assert clocks[-3:] == ["1 day per move", "3 days per move", "7 days per move"]
    ana.find("option-clock").select_option("three")
    bruno.join(link)
    ana.start()
    bruno.page.wait_for_selector("[data-testid=board]")
    seat = [ana, bruno].index(asked(ana, bruno))
    for visitor in (ana, bruno):
        expect(visitor.find(f"seat-{seat}").get_by_text("3 days left")).to_be_visible()
    expect(ana.find(f"seat-{1 - seat}").get_by_role("timer")).to_have_count(0)
    other = (ana, bruno)[1 - seat]
    other.press(f"seat-{seat}")
    other.press("give-time")
    expect(ana.find(f"seat-{seat}").get_by_text("4 days left")).to_be_visible()


def test_extra_time_is_given_to_the_seat_to_decide(visit: Visit) -> None:
    ana, bruno = visit("Ana"), visit("Bruno", phone=True)
    link = ana.open_table("charuma", 2)
    ana.find("option-clock").select_option("quick")
    bruno.join(link)
    ana.start()
    bruno.page.wait_for_selector("[data-testid=board]")
    people = (ana, bruno)
    slow = people.index(asked(*people))
    clock = people[1 - slow].find(f"seat-{slow}").get_by_role("timer")

    def left() -> int:
        minutes, seconds = clock.inner_text().split(":")
        return 60 * int(minutes) + int(seconds)

    before = left()
    assert before <= 190
    people[1 - slow].press(f"seat-{slow}")
    people[1 - slow].press("give-time")
    expect(people[1 - slow].find("seat-dialog")).to_have_count(0)
    people[1 - slow].page.wait_for_function(
        """([seat, before]) => {
          const [minutes, seconds] = document.querySelector(`[data-testid=seat-${seat}] [role=timer]`).innerText.split(':');
          return 60 * Number(minutes) + Number(seconds) > before;
        }""",
        arg=[slow, before],
    )
    people[slow].press(f"seat-{1 - slow}")  # nor to who is not asked
    expect(people[slow].find("seat-dialog")).to_be_visible()
    expect(people[slow].find("give-time")).to_have_count(0)
    people[slow].page.keyboard.press("Escape")
    people[slow].press(f"seat-{slow}")  # nobody gives time to themselves
    expect(people[slow].find("seat-dialog")).to_be_visible()
    expect(people[slow].find("give-time")).to_have_count(0)


def test_a_rated_table_is_frozen_when_someone_sits_down_and_a_pause_is_proposed(visit: Visit) -> None:
    ana, bruno = visit("Ana"), visit("Bruno", phone=True)
    link = ana.open_table("charuma", 2)
    ana.find("set-rated").check()
    expect(ana.find("set-hints")).to_be_disabled()  # and a clock is set
    expect(ana.find("option-clock")).to_have_value("normal")
    bruno.join(link)
    expect(ana.find("frozen")).to_be_visible()
    expect(ana.find("set-rated")).to_be_disabled()
    ana.start()
    bruno.page.wait_for_selector("[data-testid=board]")
    bruno.menu()
    bruno.press("pause")
    expect(ana.find("proposal")).to_contain_text("Bruno proposes a pause.")
    ana.press("vote-no")
    expect(bruno.find("toasts")).to_contain_text("does not agree.")
    expect(ana.find("hint")).to_have_count(0)
    ana.press("seat-1")
    expect(ana.find("seat-dialog")).to_be_visible()
    expect(ana.find("replace")).to_have_count(0)


def answered_by(seat: int, received: list[str]) -> bool:
    """Whether a seat has moved in these messages, and it is our turn again."""
    steps = [message["game"] for text in received if (message := json.loads(text))["type"] == "game"]
    moved = any(event.get("seat") == seat for step in steps for event in step["events"])
    return moved and steps[-1]["question"] is not None


def test_a_game_where_chance_was_taken_back_is_shown_as_practice(visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots("charuma", 2)
    ana.until("ask")
    heard = len(ana.received)
    while not answered_by(1, ana.received[heard:]):
        ana.play_from_list()
        ana.page.wait_for_timeout(300)
        ana.until("ask")
    expect(ana.find("practice")).to_have_count(0)
    ana.press("undo")  # it is said before, and can be left
    ana.press("take-back-no")
    expect(ana.find("take-back-warning")).to_have_count(0)
    assert not any(message["type"] == "undo" for message in ana.sent)
    ana.press("undo")
    ana.press("take-back-yes")
    expect(ana.find("practice")).to_have_text("Practice")
    ana.menu()
    expect(ana.find("menu-home")).to_contain_text("the game goes on")
    ana.page.keyboard.press("Escape")
    ana.menu()
    ana.press("resign")
    ana.press("sure")
    expect(ana.find("practice-note")).to_be_visible()
    ana.page.keyboard.press("Escape")
    ana.menu()
    expect(ana.find("menu-home")).to_have_text("Front page")
    ana.go("/me")
    expect(ana.find("history")).to_contain_text("Practice")


def test_fair_dice_are_not_promised_where_there_are_none(visit: Visit) -> None:
    ana = visit("Ana")
    ana.open_table("china-moon", 3)
    expect(ana.find("fairness").locator("summary")).to_have_text("How the first player was drawn")
    ana.find("option-first").select_option("p1")
    expect(ana.find("fairness")).to_have_count(0)


def test_a_pause_after_each_round_is_offered_only_where_there_are_rounds(visit: Visit) -> None:
    ana = visit("Ana")
    ana.open_table("charuma", 3)
    expect(ana.find("set-round_pause")).to_be_checked()
    ana.open_table("dojo", 3)
    expect(ana.find("set-forced")).to_be_visible()
    expect(ana.find("set-round_pause")).to_have_count(0)


def test_whoever_follows_to_the_rematch_sits_there_and_against_bots_it_begins_at_once(visit: Visit) -> None:
    ana, bruno = two_people(visit)
    bruno.menu()
    bruno.press("resign")
    bruno.press("sure")
    ana.find("result").wait_for()
    before = ana.page.url
    bruno.press("rematch")  # whoever opens it, everyone keeps their seat
    expect(bruno.find("ask")).to_contain_text("as soon as everybody is back")
    expect(ana.find("asked-again")).to_contain_text("your seat is kept")
    ana.press("rematch")
    for visitor, seat in ((ana, 0), (bruno, 1)):
        visitor.page.wait_for_selector("[data-testid=board]")
        visitor.page.wait_for_url(lambda url: url != before and "?" not in url)
        expect(visitor.find(f"seat-{seat}")).to_contain_text("you")

    ana.play_bots("charuma", 2)
    ana.until("ask")
    before = ana.page.url
    ana.menu()
    ana.press("resign")
    ana.press("sure")
    ana.press("rematch")
    ana.page.wait_for_url(lambda url: url != before and "?" not in url)
    ana.page.wait_for_selector("[data-testid=board]")


# ---- one's own things ----------------------------------------------------------------------------


def test_sounds_are_played_when_switched_on_and_the_setting_is_saved(visit: Visit) -> None:
    ana = visit("Ana", motion=True)
    ana.context.add_init_script(SOUNDS)
    ana.play_bots("charuma", 2)
    ana.until("ask")
    ana.play_from_list()
    assert ana.page.evaluate("window.received ?? 0") == 0
    ana.menu()
    sounds = ana.page.get_by_role("checkbox", name="Sounds")
    expect(sounds).not_to_be_checked()
    sounds.check()
    ana.page.keyboard.press("Escape")
    ana.until("ask")
    ana.play_from_list()
    ana.page.wait_for_function("() => window.received > 0")
    ana.page.reload()
    ana.until("ask")
    ana.menu()
    expect(sounds).to_be_checked()
    ana.page.keyboard.press("Escape")
    ana.play_from_list()
    ana.page.wait_for_function("() => window.received > 0")


def test_a_token_is_shown_once_and_ends_after_a_question(visit: Visit) -> None:
    ana = visit("Ana", phone=True)
    ana.context.grant_permissions(["clipboard-read", "clipboard-write"])
    called(ana, "Ana Token")
    ana.find("token-label").fill("my greedy bot")
    ana.press("token-make")
    expect(ana.find("tokens")).to_contain_text("Token: my greedy bot")
    token = ana.find("token").input_value()
    ana.press("token-copy")
    expect(ana.find("token-copy")).to_contain_text("Copied")
    assert ana.page.evaluate("navigator.clipboard.readText()") == token
    check(ana)

    def name() -> str:
        """Whom the token makes of a program without a cookie."""
        request = urllib.request.Request(f"{ana.url}/api/me", headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request) as answer:
                return str(json.load(answer)["name"])
        except urllib.error.HTTPError as refused:
            return str(refused.code)

    assert name() == "Ana Token"
    ana.press("token-end")
    check(ana, "night")
    ana.press("tokens-keep")
    assert name() == "Ana Token"
    ana.press("token-end")
    ana.press("tokens-end-sure")
    expect(ana.find("toasts")).to_contain_text("The token is revoked.")
    expect(ana.find("tokens-kept")).to_have_count(0)
    assert name() == "401"
    for _ in range(2):
        ana.press("token-make")
        ana.find("token").first.wait_for()
    ana.page.reload()
    expect(ana.find("token-end")).to_have_count(2)
    expect(ana.find("token")).to_have_count(0)  # shown once
    ana.press("tokens-end")
    ana.press("tokens-end-sure")
    expect(ana.find("toasts")).to_contain_text("All your tokens are revoked.")
    expect(ana.find("tokens-kept")).to_have_count(0)
