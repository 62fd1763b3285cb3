"""The page presents a game event by event, in step with the board and never ahead of it."""

from __future__ import annotations

import itertools
import json
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.taps import Player, play_together
from browser.visitor import Visitor

Visit = Callable[..., Visitor]

# Everything that changes on the page is noted with the time, the event on the board and how many have been shown.
WATCH = """() => {
  globalThis.seen = [];
  globalThis.texts = [];
  const note = () => {
    const board = document.querySelector('#board');
    if (!board) return;
    const lines = [...document.querySelectorAll('[data-testid=log] [data-event]')];
    const text = document.body.textContent.replace(/\\s+/g, ' ');
    if (text !== globalThis.texts.at(-1)) globalThis.texts.push(text);
    globalThis.seen.push({
      at: performance.now(),
      happening: board.dataset.happening === undefined ? null : Number(board.dataset.happening),
      revealed: Number(board.dataset.revealed),
      beat: board.dataset.beat ?? null,
      line: Math.max(-1, ...lines.map((one) => Number(one.dataset.event))),
      caption: Number(document.querySelector('[data-testid=caption]')?.dataset.event ?? -1),
      text: globalThis.texts.length - 1,
    });
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['data-happening', 'data-revealed'] });
}"""
LINES = """() => Object.fromEntries([...document.querySelectorAll('[data-testid=log] [data-event]')].map((one) => [one.dataset.event, one.textContent.replace(/\\s+/g, ' ').trim()]))"""
FRAME = 1000 / 60  # what is shown is noted when the page changes, and counted from the frame that draws it


def received_events(visitor: Visitor) -> int:
    """How many events of the game have reached the page."""
    most = 0
    for text in visitor.received:
        message = json.loads(text)
        if game := message.get("game"):
            most = max(most, game["since"] + len(game["events"]))
    return most


def movers(visitor: Visitor) -> dict[int, int]:
    """The seats of all moves received so far, by the number of the event."""
    found = {}
    for text in visitor.received:
        game = json.loads(text).get("game") or {"since": 0, "events": []}
        found |= {game["since"] + i: event["seat"] for i, event in enumerate(game["events"]) if "seat" in event}
    return found


def rolls(visitor: Visitor) -> set[int]:
    """The numbers of all rolls received so far."""
    found = set()
    for text in visitor.received:
        game = json.loads(text).get("game") or {"since": 0, "events": []}
        found |= {game["since"] + i for i, event in enumerate(game["events"]) if event["type"] == "roll"}
    return found


def bots_events(visitor: Visitor, first: int) -> int:
    """How many of the events from a number on are moves of others."""
    return sum(number >= first and seat != 0 for number, seat in movers(visitor).items())


def watch_bots(visitor: Visitor, game: str, first: int, events: int, patience: float = 150.0) -> list[dict[str, Any]]:
    """Play own moves at once, and look on while the bots move, until they have made so many."""
    player, end, before = Player(visitor, game, 4), time.monotonic() + patience, visitor.played
    visitor.page.evaluate(WATCH)
    while (mode := visitor.mode) != "over":
        assert time.monotonic() < end, f"after {visitor.played - before} moves: {mode}"
        if mode in ("show", "wait", "sending"):
            visitor.page.wait_for_timeout(30)
        elif bots_events(visitor, first) >= events:
            break
        else:
            player.act()
            visitor.page.wait_for_timeout(60)
    # A question may stand while others still move.
    while int(visitor.find("board").get_attribute("data-revealed") or 0) < received_events(visitor):
        assert time.monotonic() < end
        visitor.page.wait_for_timeout(100)
    seen: list[dict[str, Any]] = visitor.page.evaluate("globalThis.seen")
    return seen


@pytest.mark.parametrize("game", ["daruma", "charuma", "dojo", "china-moon"])
def test_whole_turns_of_bots_are_shown_event_by_event_and_nothing_in_advance(game: str, visit: Visit) -> None:
    ana = visit("Ana", motion=True, pace="normal")
    ana.play_bots(game, 2 if game == "daruma" else 3, "greedy")  # a turn of Daruma takes half a minute
    ana.page.wait_for_selector("[data-testid=ask][data-mode=ask]", timeout=120_000)
    first = int(ana.find("board").get_attribute("data-revealed") or 0)
    seen = watch_bots(ana, game, first, 3 if game == "daruma" else 6)
    ana.drawer("log")  # a move taken from the list of moves leaves that open in its place
    lines = {int(number): text for number, text in ana.page.evaluate(LINES).items()}

    # In order, and none left out.
    begun = [
        one
        for before, one in zip([{"happening": None}, *seen], seen, strict=False)
        if one["happening"] not in (None, before["happening"])
    ]
    shown = [one["happening"] for one in begun]
    assert shown == list(range(first, received_events(ana)))
    assert len(shown) > 6
    # Each has its time: it happens, is shown in the log, and can be looked at before the next begins. Whoever moves has
    # seen enough: an own move follows as soon as the event before it has happened.
    seats = movers(ana)
    for one, following in itertools.pairwise(begun):
        happens, stays = map(float, one["beat"].split())
        needed = happens if seats.get(following["happening"]) == 0 else happens + stays
        assert following["at"] - one["at"] >= needed - FRAME, (
            game,
            one["happening"],
            lines.get(one["happening"]),
        )
        then = next(later for later in seen if later["revealed"] > one["happening"])
        assert then["at"] - one["at"] >= happens - FRAME
    # No line or caption is ahead of what has been shown, and no text on the page anticipates a line. In Daruma a caption
    # comes with what happens on the board, that of a roll once the dice lie still.
    began = {one["happening"]: one["at"] for one in begun}
    rolled = rolls(ana)

    def captioned(one: dict[str, Any], number: int) -> bool:
        if game != "daruma" or one["happening"] != number:
            return False
        return number not in rolled or one["at"] - began[number] >= 800 - FRAME

    for one in seen:
        assert one["line"] < one["revealed"]
        assert one["caption"] < one["revealed"] or captioned(one, one["caption"])
    texts: list[str] = ana.page.evaluate("globalThis.texts")
    watched = 0
    for number, line in lines.items():
        if number >= first and line and sum(line in other for other in lines.values()) == 1:
            watched += 1
            ahead = [
                one
                for one in seen
                if one["revealed"] <= number and line in texts[one["text"]] and not captioned(one, number)
            ]
            assert not ahead, (line, ahead[0])
    assert watched


def test_a_click_during_a_splash_skips_it_and_does_nothing_to_the_game(visit: Visit) -> None:
    ana = visit("Ana", motion=True, pace="calm")
    ana.play_bots("dojo", 3, "random")
    player, end = Player(ana, "dojo", 7), time.monotonic() + 120
    splash = ana.page.locator(".banzai")
    while not splash.count():
        assert time.monotonic() < end, "no challenge"
        if ana.mode == "show" and ana.page.evaluate("document.querySelector('#board').dataset.happening === undefined"):
            ana.page.wait_for_timeout(30)
        elif ana.mode == "show":
            kind = ana.page.evaluate("document.querySelector('.banzai') !== null")
            if not kind:
                ana.page.keyboard.press("Space")
        else:
            player.act()
            ana.page.wait_for_timeout(20)
    box = ana.find("board").bounding_box()
    assert box
    # A splash may end before a click arrives: only clicks that it received say something about it.
    ana.page.evaluate(
        "addEventListener('pointerdown', () => { globalThis.onSplash = document.querySelector('.banzai') !== null }, true)"
    )
    received = 0
    for across in (0.2, 0.5, 0.8):
        sent = len(ana.sent)
        if splash.count():
            ana.page.mouse.click(box["x"] + across * box["width"], box["y"] + 0.6 * box["height"])
            if ana.page.evaluate("globalThis.onSplash"):
                received += 1
                assert [message["type"] for message in ana.sent[sent:] if message["type"] != "ping"] == []
    assert received
    expect(splash).to_have_count(0)


def test_skipping_shows_the_latest_moment_and_the_log_has_everything(visit: Visit) -> None:
    ana = visit("Ana", motion=True, pace="calm")
    ana.play_bots("daruma", 3, "greedy")
    skip = ana.find("skip")
    player, end = Player(ana, "daruma", 2), time.monotonic() + 90
    while not skip.count():
        assert time.monotonic() < end
        player.act()
        ana.page.wait_for_timeout(20)
    ana.tap(skip)
    expect(ana.find("board")).to_have_attribute("data-revealed", str(received_events(ana)))


def test_a_line_of_the_log_shows_its_moment_and_one_button_leads_back(visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots("china-moon", 3)
    play_together([Player(ana, "china-moon")], 4)
    ana.until("ask")
    frogs = "[...document.querySelectorAll('[data-frog]')].map((one) => one.style.transform + one.getAttribute('transform')).join()"
    now = ana.page.evaluate(frogs)
    ana.drawer("log")
    ana.tap(ana.find("log").locator(".block [data-event] button").first)
    expect(ana.find("ask")).to_have_attribute("data-mode", "past")
    assert ana.page.evaluate(frogs) != now
    ana.press("back-to-now")
    ana.until("ask")
    assert ana.page.evaluate(frogs) == now


def test_the_end_of_a_round_shows_its_result_and_has_one_button(visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots("charuma", 3)
    player, end = Player(ana, "charuma", 5), time.monotonic() + 120
    while ana.mode != "round":
        assert time.monotonic() < end
        player.act() if ana.mode in ("ask", "chosen") else ana.page.wait_for_timeout(20)
    rows = ana.page.locator(".sheet tbody tr")
    expect(rows).to_have_count(3)
    before = rows.all_text_contents()
    assert ana.page.locator(".sheet button").count() == 0
    ana.page.reload()  # whoever comes back sees it too
    expect(rows).to_have_text(before)
    ana.press("ready")
    expect(ana.page.locator(".sheet")).to_have_count(0)
    ana.until("ask", "wait", "show")


# What the page shows of a result or of the next round between the last card of a round and the round's result.
ENDING = """() => {
  globalThis.early = [];
  let played = -1, resultAfter = -1;
  const note = () => {
    const ask = document.querySelector('[data-testid=ask]');
    const caption = document.querySelector('[data-testid=caption]');
    const text = caption?.textContent.trim() ?? '';
    if (/ play/.test(text)) played = Number(caption.dataset.event);
    if (ask?.dataset.mode === 'round') resultAfter = played;
    if (ask?.dataset.mode !== 'show' || resultAfter === played) return;
    for (const result of ['.sheet', '.finale', '[data-testid=ready]']) if (document.querySelector(result)) globalThis.early.push(result);
    if (/^Group [A-E] gets|gets a hidden card/.test(text)) globalThis.early.push(text);
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}"""


def test_neither_the_result_nor_the_next_round_is_shown_before_the_last_trick(visit: Visit) -> None:
    ana = visit("Ana", motion=True, pace="quick")
    ana.play_bots("charuma", 2, "greedy")
    ana.until("ask", "chosen")  # the first round is dealt
    ana.page.evaluate(ENDING)
    player, rounds, end = Player(ana, "charuma", 3), 0, time.monotonic() + 400
    while (mode := ana.mode) != "over":
        assert time.monotonic() < end, mode
        rounds += player.act() == "round"
        ana.page.wait_for_timeout(20)
    assert rounds
    expect(ana.page.locator(".finale")).to_be_visible()
    assert not {*ana.page.evaluate("globalThis.early")}


# While a trick is gathered, its names stand over its cards: the order of the names, and what each has played.
TRICKS = """() => {
  globalThis.tricks = [];
  const note = () => {
    const slots = [...document.querySelectorAll('.middle .slot')];
    const loose = document.querySelectorAll('.layer [data-seat]').length;
    globalThis.tricks.push({ loose, cards: slots.map((slot) => slot.querySelectorAll('[data-fly]').length) });
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


def test_the_names_around_a_trick_are_those_of_the_cards_that_lie_there(visit: Visit) -> None:
    ana = visit("Ana", motion=True, pace="quick")
    ana.play_bots("charuma", 3, "greedy")
    ana.page.evaluate(TRICKS)
    player, end = Player(ana, "charuma", 3), time.monotonic() + 200
    while ana.mode != "round":
        assert time.monotonic() < end
        player.act()
        ana.page.wait_for_timeout(20)
    tricks = ana.page.evaluate("globalThis.tricks")
    assert any(all(trick["cards"]) for trick in tricks if trick["cards"])
    assert not [trick for trick in tricks if trick["loose"]], "cards of one trick lie under the names of another"


def test_own_bad_luck_stays_in_sight_at_instant_pace_until_one_acts_again(visit: Visit) -> None:
    ana = visit("Ana")
    slip, end = ana.page.locator(".slip"), time.monotonic() + 120
    while (mode := ana.mode) != "ask" or not slip.count():
        assert time.monotonic() < end, "no bad luck"
        if mode in ("", "over"):  # the game may end before the next own turn
            ana.play_bots("daruma", 2, "random")
            player = Player(ana, "daruma", 5)
        elif mode in ("ask", "chosen"):
            player.act()
        else:
            ana.page.wait_for_timeout(20)
    expect(slip).to_have_attribute("aria-label", re.compile("^You .*bad luck"))
    label = slip.get_attribute("aria-label")
    played = ana.played
    while ana.played == played:
        player.act()
        ana.page.wait_for_timeout(20)
    # The move may bring bad luck again, with a slip of its own.
    ana.page.wait_for_function(
        "label => document.querySelector('.slip')?.getAttribute('aria-label') !== label", arg=label
    )


def test_every_die_takes_the_taps_on_its_face(visit: Visit) -> None:
    ana = visit("Ana", motion=True, pace="quick")
    ana.play_bots("daruma", 2)
    ana.until("ask")
    ana.page.locator(".tray .row button").first.click()
    ana.page.wait_for_timeout(2500)
    ana.until("ask", "show", "wait")
    wrong = ana.page.evaluate(
        """() => [...document.querySelectorAll('.tray .row button')].flatMap((die) => {
          const { x, y, width, height } = die.getBoundingClientRect();
          const points = [0.15, 0.3, 0.5, 0.7, 0.85].flatMap((across) => [0.3, 0.46, 0.5, 0.54, 0.7].map((down) => [x + across * width, y + down * height]));
          return points.filter(([a, b]) => document.elementFromPoint(a, b)?.closest('button') !== die);
        })"""
    )
    assert ana.page.locator(".tray .row button").count() >= 2
    assert wrong == []


def test_an_absence_is_summed_up_and_can_be_watched(visit: Visit) -> None:
    ana = visit("Ana", motion=True, pace="normal")
    ana.play_bots("china-moon", 3)
    ana.until("ask")
    hide = "(hidden) => { Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden }); document.dispatchEvent(new Event('visibilitychange')); }"
    play_together([Player(ana, "china-moon")], 3)
    ana.page.evaluate(hide, True)
    ana.page.wait_for_timeout(1500)
    revealed = int(ana.find("board").get_attribute("data-revealed") or 0)
    ana.page.evaluate(hide, False)
    ana.find("recap").wait_for()
    assert ana.find("recap").locator("[data-event]").count() >= 3
    expect(ana.find("board")).not_to_have_attribute("data-revealed", str(revealed))
    ana.press("recap-watch")
    expect(ana.find("ask")).to_have_attribute("data-mode", "show")
    expect(ana.find("recap")).to_have_count(0)


def test_the_keyboard_reaches_moves_and_board_and_closes_an_enlarged_dojo(visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots("dojo", 3)
    ana.until("ask")
    keyboard = ana.page.keyboard
    ana.page.locator("button.dojo").first.click()
    expect(ana.page.locator("dialog[open]")).to_be_visible()
    keyboard.press("Escape")
    expect(ana.page.locator("dialog[open]")).to_have_count(0)
    keyboard.press("m")
    expect(ana.page.locator("[data-testid=moves] [data-move]").first).to_be_focused()
    keyboard.press("m")
    expect(ana.find("board")).to_be_focused()
    ana.page.locator(".skip").focus()
    keyboard.press("Enter")
    expect(ana.find("board")).to_be_focused()


# How far a lily that waits to fly is from the middle of its pad, in radii of the pad.
ASTRAY = """() => {
  const flown = document.querySelector('.moon > [aria-hidden=true] > div');
  if (!flown) return null;
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const [[x, y], pad] = [middle(flown.getBoundingClientRect()), document.querySelector("[data-key='3'] [data-frame]").getBoundingClientRect()];
  const [left, top] = middle(pad);
  return [Math.hypot(x - left, y - top) / (pad.width / 2)];
}"""


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_a_lily_flies_from_the_pad_where_it_lay(visit: Visit, phone: bool) -> None:
    ana = visit("Ana", phone=phone, motion=True, pace="calm")
    ana.home()
    ana.tap(ana.card("china-moon").get_by_test_id("learn"))
    for step in range(1, 5):
        ana.page.wait_for_selector(f"[data-testid=coach][data-step='{step}']")
        ana.press("coach-next")
    for step, frog in ((5, "p2a"), (6, "p1a")):  # there is only one pad for each
        ana.page.wait_for_selector(f"[data-testid=coach][data-step='{step}']")
        ana.tap(ana.page.locator(f"[data-frog={frog}]"))
    (off,) = ana.page.wait_for_function(ASTRAY).json_value()
    assert off < 0.5
