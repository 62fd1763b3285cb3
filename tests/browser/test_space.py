"""The table fills the window, from a phone to a wall: how much is covered, how large the text is, what sticks out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

import tsukimi
from browser.visitor import Visitor
from tsukimi import bots
from tsukimi.games import spec

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]
SIZES = [(390, 844), (820, 1180), (1280, 800), (1440, 900), (1920, 1080), (2560, 1440), (3840, 2160)]
LEAST_COVERED, LEAST_COVERED_QUARTER = 0.7, 0.5
LEAST_TEXT, LEAST_TEXT_SHARE = 12.0, 0.011
# A point is covered where something is drawn on the table: a surface, a line of text, a drawing.
MEASURE = """() => {
  const table = document.querySelector('[data-testid=board]').parentElement;
  const board = document.querySelector('[data-testid=board]');
  const drawn = new Map();
  const isDrawn = (one) => {
    if (!drawn.has(one)) {
      const style = getComputedStyle(one);
      drawn.set(one, one !== table && one !== board && table.contains(one) && (
        one instanceof SVGElement || one instanceof HTMLImageElement || one instanceof HTMLButtonElement ||
        (style.backgroundColor !== 'rgba(0, 0, 0, 0)' && style.backgroundColor !== 'transparent') ||
        style.backgroundImage !== 'none' || parseFloat(style.borderTopWidth) > 0 ||
        [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())));
    }
    return drawn.get(one);
  };
  const quarters = { 'upper left': 0, 'lower left': 0, 'upper right': 0, 'lower right': 0 };
  const [across, down] = [32, 24];
  for (let i = 0; i < across; i++)
    for (let j = 0; j < down; j++)
      quarters[`${j < down / 2 ? 'upper' : 'lower'} ${i < across / 2 ? 'left' : 'right'}`] +=
        document.elementsFromPoint((i + 0.5) * innerWidth / across, (j + 0.5) * innerHeight / down).some(isDrawn) / across / down;
  const covered = Object.values(quarters).reduce((sum, one) => sum + one);
  const texts = [];
  for (const one of table.querySelectorAll('*')) {
    if (one instanceof SVGElement || one.closest('.visually-hidden') || !one.checkVisibility({ opacityProperty: true })) continue;
    if (![...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
    const box = one.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    texts.push([parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom, one.textContent.trim().slice(0, 40)]);
  }
  texts.sort((a, b) => a[0] - b[0]);
  return { covered, quarters, smallest: texts[0], wide: board.scrollWidth - board.clientWidth };
}"""

PAINTED = """async () => {
  for (let frame = 0; frame < 6; frame++) await new Promise(requestAnimationFrame);
}"""


@pytest.mark.parametrize(
    ("game", "players"),
    [
        (game, players)
        for game in ("charuma", "china-moon", "daruma", "dojo")
        for players in spec(game).seats
        if players != 4
    ],
)
def test_the_table_fills_windows_of_all_sizes(game: str, players: int, visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots(game, players)
    ana.until("ask")
    problems = []
    for width, height in SIZES:
        ana.page.set_viewport_size({"width": width, "height": height})
        ana.page.wait_for_function("wide => innerWidth === wide", arg=width)
        ana.page.evaluate(PAINTED)
        found: dict[str, Any] = ana.page.evaluate(MEASURE)
        size, text = found["smallest"]
        if found["covered"] < LEAST_COVERED:
            problems.append(f"{width} x {height}: {found['covered']:.0%} covered")
        for quarter, share in found["quarters"].items():
            if 4 * share < LEAST_COVERED_QUARTER:
                problems.append(f"{width} x {height}: {quarter} {4 * share:.0%} covered")
        if size < max(LEAST_TEXT, LEAST_TEXT_SHARE * height) - 0.1:
            problems.append(f"{width} x {height}: {text!r} is {size:.1f} px high")
        if found["wide"] > 1:
            problems.append(f"{width} x {height}: the board is {found['wide']} px too wide")
    assert not problems, "\n".join(problems)


# What is wrong with each button that names a receiver: cut, out of the board's window, or under something else.
RECEIVERS = """() => {
  const board = document.querySelector('[data-testid=board]');
  const all = [...board.querySelectorAll('.tray .receivers .act')];
  all.at(-1)?.closest('.line').scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const window = board.getBoundingClientRect();
  return all.map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const inside = left >= window.left && right <= window.right && top >= window.top && bottom <= window.bottom;
    const cut = one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
    const on = [0.15, 0.5, 0.85].every((share) => one.contains(document.elementFromPoint(left + share * (right - left), (top + bottom) / 2)));
    return [one.textContent.trim(), cut ? 'is cut' : !inside ? 'is out of sight' : on ? '' : 'is covered'];
  });
}"""


def giving(players: int) -> str:
    """The record of a game in which p1 may give a daruma to any of the others now."""
    for seed in range(100):
        state = tsukimi.new("daruma", players=players, seed=seed)
        bot = bots.make("greedy", state, seed)
        while not state.over:
            if state.actors == (0,) and sum(move.startswith("give ") for move in state.legal(0)) >= players:
                return state.record()
            state.apply(bot.choose(state, state.actors[0]), state.actors[0])
    raise AssertionError("nobody ever gives")


@pytest.mark.parametrize("players", [3, 4, 5])
def test_everyone_who_can_be_given_a_daruma_is_offered(players: int, visit: Visit) -> None:
    ana = visit("Ana")
    ana.home()
    ana.press("bring-record")
    ana.find("bring-text").fill(giving(players))
    ana.press("bring-start")
    ana.find("panel-play-on").wait_for()
    slider = ana.find("replay-slider")
    expect(slider).not_to_have_attribute("max", "0")  # the record has been read
    ana.page.keyboard.press("End")
    expect(slider).to_have_value(slider.get_attribute("max") or "")
    ana.press("panel-play-on")
    ana.find("play-on-seat").select_option("0")
    ana.press("play-on-start")
    ana.until("ask")
    ana.press("drawer-log")  # which a desk begins with, and which would lie over the board on a phone
    ana.page.locator(".tray [data-explain=gift]").click()
    ana.page.locator(".tray .cards button").first.click()
    problems = []
    for width, height in ((390, 844), (820, 1180), (1280, 800)):
        ana.page.set_viewport_size({"width": width, "height": height})
        ana.page.wait_for_function("wide => innerWidth === wide", arg=width)
        ana.page.evaluate(PAINTED)
        found: list[tuple[str, str]] = ana.page.evaluate(RECEIVERS)
        assert len(found) == players - 1
        problems += [f"{width} x {height}: {name!r} {wrong}" for name, wrong in found if wrong]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("players", [3, 5])
def test_every_shelf_of_daruma_is_in_sight_on_a_phone(players: int, visit: Visit) -> None:
    ana = visit("Ana", phone=True)
    ana.page.set_viewport_size({"width": 390, "height": 844})
    ana.play_bots("daruma", players, "novice")
    ana.until("ask")
    assert ana.page.locator(".shelf").count() == players
    lowest = ana.page.eval_on_selector_all(
        ".shelf header", "all => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
    )
    board = ana.find("board").bounding_box()
    assert board
    assert lowest <= board["y"] + board["height"] + 1
