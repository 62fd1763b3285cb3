"""The table fills the window, from a phone to a wall: how much is covered, how large the text is, what sticks out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from browser.visitor import Visitor
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
