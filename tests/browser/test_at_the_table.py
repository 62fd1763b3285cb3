"""What happens at a table beside the moves: broken connections, undo, spectators, hints, talk, resigning, a rematch."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.taps import Player, play_together
from browser.visitor import Visitor
from server.live import Live

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]
CARDS = "all => all.map((one) => one.dataset.card)"


def two_people(visit: Visit, game: str = "charuma") -> tuple[Visitor, Visitor]:
    """A table for two people and nobody else."""
    ana, bruno = visit("Ana"), visit("Bruno", phone=True)
    bruno.join(ana.open_table(game, 2))
    expect(ana.find("start")).to_be_enabled()
    ana.start()
    bruno.page.wait_for_selector("[data-testid=board]")
    return ana, bruno


def asked(*people: Visitor) -> Visitor:
    """Whose turn it is."""
    for _ in range(500):
        for person in people:
            if person.mode == "ask":
                return person
        people[0].page.wait_for_timeout(20)
    raise AssertionError([person.mode for person in people])


def moves_of(visitor: Visitor) -> list[str]:
    visitor.drawer("moves")
    visitor.page.wait_for_selector("[data-move]")
    found: list[str] = visitor.page.eval_on_selector_all("[data-move]", "all => all.map((one) => one.dataset.move)")
    return found


def cut(live: Live, visitor: Visitor) -> None:
    """The server's end of every connection to the visitor's table is gone."""

    async def close() -> None:
        live_table = await live.app.state.tables.live(visitor.page.url.rsplit("/", 1)[-1])
        for connection in list(live_table.presence.viewers):
            connection.close(1012)

    live.run(close())


def test_a_lost_connection_is_shown_and_the_game_resumes_where_it_was(visit: Visit, live: Live) -> None:
    ana = visit("Ana", offline_noise=True)
    ana.play_bots("charuma", 2)
    player = Player(ana, "charuma")
    play_together([player], 3)
    ana.until("ask")
    before, lines = moves_of(ana), ana.page.locator("[data-testid=summary] p").all_inner_texts()

    ana.context.set_offline(True)
    cut(live, ana)
    expect(ana.find("reconnecting")).to_be_visible()
    played = ana.played
    ana.tap(ana.page.locator("[data-move]").first)  # what is asked for now is sent when the way is open again
    ana.until("sending")
    ana.context.set_offline(False)
    expect(ana.find("reconnecting")).to_have_count(0)
    ana.until("ask", "round", "over")
    assert ana.played == played + 1
    assert ana.page.locator("[data-testid=summary] p").all_inner_texts() != lines
    assert before

    cut(live, ana)  # and once more, with the network in order
    ana.page.wait_for_timeout(100)
    expect(ana.find("reconnecting")).to_have_count(0)
    play_together([player], 2)


def test_alone_with_bots_a_move_is_taken_back_at_once(visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots("china-moon", 3)
    ana.until("ask")
    expect(ana.find("undo")).to_be_disabled()
    before = moves_of(ana)
    ana.play_from_list(3)
    expect(ana.find("undo")).to_be_enabled()
    ana.until("ask")
    assert moves_of(ana) != before
    ana.press("undo")
    expect(ana.find("undo")).to_be_disabled()
    ana.until("ask")
    assert moves_of(ana) == before


def test_among_people_a_move_is_taken_back_when_the_others_agree(visit: Visit) -> None:
    people = two_people(visit)
    first = asked(*people)
    other = people[1 - people.index(first)]
    before = moves_of(first)
    first.play_from_list()
    expect(first.find("undo")).to_have_attribute("aria-label", "Take back")  # nobody has acted since
    first.press("undo")
    first.until("ask")
    assert moves_of(first) == before

    first.play_from_list()
    asked(other).play_from_list()
    expect(first.find("undo")).to_have_attribute("aria-label", "Ask to take back")

    first.press("undo")
    expect(other.find("proposal")).to_contain_text("take back 2 moves")
    expect(first.find("proposal")).to_contain_text("Waiting for")
    other.press("vote-no")
    expect(first.find("proposal")).to_have_count(0)
    expect(first.find("undo")).to_be_enabled()

    first.press("undo")
    other.press("vote-yes")
    expect(first.find("undo")).to_be_disabled()
    assert asked(*people) is first
    assert moves_of(first) == before


def test_a_spectator_sees_the_game_and_none_of_its_secrets(visit: Visit) -> None:
    ana, bruno = two_people(visit)
    claire = visit("Claire")
    claire.go(ana.page.url)
    claire.page.wait_for_selector("[data-testid=board] .seats")
    play_together([Player(ana, "charuma", 1), Player(bruno, "charuma", 2)], 6)
    asked(ana, bruno)
    ana.page.wait_for_timeout(200)
    hands = [visitor.page.eval_on_selector_all(".hidden [data-card]", CARDS) for visitor in (ana, bruno)]
    assert all(card.endswith("*") for hand in hands for card in hand)
    shown = claire.page.content()
    for eyes, secrets in ((claire, {*hands[0], *hands[1]}), (bruno, {*hands[0]} - {*hands[1]})):
        heard = "".join(eyes.received)
        assert '"welcome"' in heard
        open_now = set(re.findall(r'"(\w+\*)"', "".join(re.findall(r'"type":"play".*?"cards":\[(.*?)\]', heard))))
        for card in secrets - open_now:  # there are two of each card, and one may have been played
            assert f'"{card}"' not in heard
            if eyes is claire:
                assert f'"{card}"' not in shown
                assert f"{card}:" not in shown
    expect(claire.find("undo")).to_have_count(0)
    expect(claire.find("hint")).to_have_count(0)
    expect(ana.page.get_by_title("1 spectator")).to_be_visible()


@pytest.mark.parametrize("game", ["daruma", "charuma", "dojo", "china-moon"])
def test_a_hint_shows_moves_and_gives_the_reason(game: str, visit: Visit) -> None:
    ana = visit("Ana", lang="fr-FR")
    ana.play_bots(game, 3)
    ana.until("ask")
    ana.press("hint")
    advice = ana.find("advice")
    advice.wait_for()
    sentence = advice.locator("p").inner_text()
    assert len(sentence) > 15
    hints = advice.locator("[data-hint]")
    assert 1 <= hints.count() <= 3
    assert re.search(r"\d\s?%", hints.first.inner_text())
    best = hints.first.get_attribute("data-hint")
    assert best in moves_of(ana)
    played = ana.played
    ana.tap(hints.first)
    ana.press("confirm")
    expect(advice).to_have_count(0)
    assert ana.played == played + 1
    assert any(message.get("move") == best for message in ana.sent)


def test_a_hint_on_a_phone_lies_below_the_board_and_unfolds(visit: Visit) -> None:
    ana = visit("Ana", phone=True)
    ana.play_bots("china-moon", 3)
    ana.until("ask")
    ana.press("hint")
    advice = ana.find("advice")
    advice.wait_for()
    board, card = ana.find("board").bounding_box(), advice.bounding_box()
    assert board and card and card["y"] >= board["y"] + board["height"] - 1
    assert board["height"] > 300
    expect(advice.locator("[data-hint]")).to_have_count(1)
    ana.press("advice-more")
    expect(advice.locator("[data-hint]")).to_have_count(3)


@pytest.mark.parametrize("players", [2, 5])
def test_an_unfolded_hint_leaves_the_own_hand_and_the_question_in_sight(players: int, visit: Visit) -> None:
    ana = visit("Ana", phone=True)
    ana.page.set_viewport_size({"width": 390, "height": 844})
    ana.play_bots("charuma", players)
    inside = """() => {
      const [own, board] = ['.own-place', '#board'].map((one) => document.querySelector(one).getBoundingClientRect());
      return own.top >= board.top - 1 && own.bottom <= board.bottom + 1;
    }"""
    for _ in range(3):  # the auction, then tricks
        ana.until("ask")
        ana.page.wait_for_function(inside)
        ana.press("hint")
        ana.find("advice").wait_for()
        ana.page.wait_for_function(inside)
        if ana.find("advice-more").count():
            ana.press("advice-more")
            ana.page.wait_for_function(inside)
        expect(ana.page.locator("#board .hinted").first).to_be_in_viewport()
        played = ana.played
        ana.tap(ana.page.locator("[data-hint]").first)
        ana.press("confirm")
        expect(ana.find("advice")).to_have_count(0)
        assert ana.played == played + 1


def test_a_table_that_takes_no_spectators_says_that_and_no_more(visit: Visit) -> None:
    ana, bruno = visit("Ana"), visit("Bruno")
    link = ana.open_table("charuma", 2)
    ana.page.get_by_label("Spectators").select_option("closed")
    ana.fill_with_bots()
    ana.start()
    bruno.go(link)
    expect(bruno.page.locator("main .page")).to_have_text(
        re.compile(r"^\s*This table is not for spectators\.\s*Front page$")
    )


def test_a_hint_on_the_screen_follows_the_language(visit: Visit) -> None:
    ana = visit("Ana", at_once=False)
    ana.play_bots("daruma", 2)
    ana.until("ask")
    ana.press("hint")
    sentence = ana.find("advice").locator("p").first
    english = sentence.inner_text()
    ana.menu()
    ana.find("menu-dialog").get_by_test_id("lang-switch").select_option("fr")
    ana.page.keyboard.press("Escape")
    expect(sentence).not_to_have_text(english)
    expect(sentence).to_contain_text(re.compile(r"\b(le|la|les|un|une|tes|des|de)\b"))


@pytest.mark.parametrize("phone", [True, False])
def test_the_bar_keeps_its_height_and_all_that_is_said_can_be_read(phone: bool, visit: Visit) -> None:
    ana = visit("Ana", phone=phone)
    ana.play_bots("dojo", 3)
    ana.until("ask")
    height = "document.querySelector('.bottom-bar').offsetHeight"
    before = ana.page.evaluate(height)
    expect(ana.find("read-all")).to_have_count(0)
    said = ana.find("ask").locator("p").last
    said.evaluate("one => one.append(' and what the others did, told at length'.repeat(20), ' to the very end.')")
    ana.press("read-all")
    assert ana.page.evaluate(height) == before
    assert said.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    ana.page.keyboard.press("Escape")
    expect(ana.find("read-all")).to_have_attribute("aria-expanded", "false")
    assert said.evaluate("one => one.scrollHeight > one.clientHeight + 1")
    assert ana.page.evaluate(height) == before


def test_people_talk_at_the_table(visit: Visit) -> None:
    ana, bruno = two_people(visit)
    bruno.drawer("chat")
    bruno.find("chat-input").fill("Bonne lune <b>à tous</b>")
    bruno.press("chat-send")
    expect(ana.page.locator(".unread")).to_be_visible()
    ana.drawer("chat")
    expect(ana.find("chat")).to_contain_text("Bonne lune <b>à tous</b>")
    expect(ana.page.locator(".unread")).to_have_count(0)
    ana.find("chat-input").fill("hmul")  # letters that are shortcuts elsewhere
    ana.page.keyboard.press("Enter")
    expect(bruno.find("chat")).to_contain_text("hmul")
    expect(ana.find("chat-input")).to_have_value("")


def test_resigning_among_two_ends_the_game_and_a_rematch_brings_both_to_a_new_table(visit: Visit) -> None:
    ana, bruno = two_people(visit)
    first, name = ana.page.url, ana.find("seat-0").locator(".name").inner_text()
    bruno.menu()
    bruno.press("resign")
    bruno.press("sure")
    for visitor, words in ((ana, "You win"), (bruno, f"{name} wins")):
        visitor.find("result").wait_for()
        expect(visitor.find("result")).to_contain_text(words)
        expect(visitor.find("score-sheet")).to_be_visible()
    ana.press("rematch")
    ana.page.wait_for_url(lambda url: url != first and "?" not in url)
    bruno.page.keyboard.press("Escape")
    bruno.press("follow-rematch")  # sits there at once, and the game begins
    bruno.page.wait_for_url(ana.page.url)
    for visitor in (ana, bruno):
        visitor.page.wait_for_selector("[data-testid=board]")
    # Both may have been given the same name.
    expect(bruno.page.locator("[data-testid^=seat-]").filter(has_text=name).first).to_be_visible()


def test_what_cannot_be_chosen_gives_the_reason(visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots("charuma", 3)
    ana.until("ask")
    ana.tap(ana.page.locator("[data-testid=board] .own:not(.can)").first)  # a card, while groups are bid for
    expect(ana.find("notice")).not_to_be_empty()
    assert ana.mode == "ask"
