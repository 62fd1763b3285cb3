"""Playing by touching the board: whatever can be chosen there is tapped until a move has come of it."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

from browser.visitor import Visitor

# What can be chosen, and what comes before it: the first of these groups that is on the board is tapped into.
BOARDS: dict[str, list[str]] = {
    "charuma": [".sheet > button", ".option", ".coin.can", ".group.can:not(.selected), .own.can:not(.on)"],
    "china-moon": [
        "section button.live:not(.on)",
        "[data-key][role=button]:not([data-frog])",
        "[data-frog][role=button]",
    ],
    "daruma": [
        ".tray .act.primary:not(.closed)",
        ".ring .open, .tray .row .open:not(.picked), .sake.open, .shelves .open:not(.picked), .cards button, .tray .act:not(.closed):not(.back)",
    ],
    "dojo": [".cushion.legal, .cell.place, .line.legal, .option"],
}
GENERIC = ["[data-board=generic] .move"]
"""The board of every game without one of its own."""

# Where to tap next: a piece that really lies on top there. `under`: pieces that something else lies over.
LOOK = """([groups, chance]) => {
  const mode = document.querySelector('[data-testid=ask]')?.dataset.mode ?? '';
  const button = document.querySelector('[data-testid=ready], [data-testid=confirm]');
  if (button) {
    const { x, y, width, height } = button.getBoundingClientRect();
    return { mode, button: true, x: x + width / 2, y: y + height / 2 };
  }
  if (mode !== 'ask') return { mode };
  const board = document.querySelector('[data-testid=board]');
  for (const group of groups) {
    const all = [...board.querySelectorAll(group)];
    if (all.length === 0) continue;
    const first = Math.floor(chance * all.length);
    for (let i = 0; i < all.length; i += 1) {
      const piece = all[(first + i) % all.length];
      piece.scrollIntoView({ block: 'nearest', behavior: 'instant' });
      const box = (piece.querySelector('.hit') ?? piece).getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const top = document.elementFromPoint(x, y);
      if (top !== null && (piece.contains(top) || top.closest('[data-key]') === piece)) return { mode, x, y, small: Math.min(box.width, box.height) };
    }
    return { mode, under: all.map((one) => one.getAttribute('aria-label') ?? one.className) };
  }
  return { mode, nothing: true };
}"""
TAPS_PER_MOVE = 14


class Player:
    """Plays for a visitor; `listed` counts the moves that had to come from the list of moves."""

    def __init__(self, visitor: Visitor, game: str, seed: int = 1) -> None:
        self.visitor, self.groups = visitor, BOARDS.get(game, GENERIC)
        self.chance = random.Random(seed)
        self.listed = 0
        self.taps = 0
        self.under: list[str] = []
        self._played_at_tap = (0, 0)

    def act(self) -> str:
        """Do one thing if something is asked, and say what is going on."""
        page = self.visitor.page
        seen = page.evaluate(LOOK, [self.groups, self.chance.random()])
        if seen.get("button"):
            self._touch(seen)
            page.wait_for_timeout(20)
        elif seen["mode"] == "ask":
            self._tap(seen)
        return str(seen["mode"])

    def _tap(self, seen: dict[str, Any]) -> None:
        visitor = self.visitor
        played, since = self._played_at_tap
        if visitor.played != played:
            played, since = visitor.played, 0
        self._played_at_tap = (played, since + 1)
        if since >= TAPS_PER_MOVE:
            self.listed += 1
            self._played_at_tap = (played, 0)
            visitor.play_from_list(self.chance.randrange(1000))
        elif "x" in seen:
            self.taps += 1
            self._touch(seen)
        elif "under" in seen:
            self.under += seen["under"]

    def _touch(self, at: dict[str, Any]) -> None:
        page = self.visitor.page
        if self.visitor.phone:
            page.touchscreen.tap(at["x"], at["y"])
        else:
            page.mouse.click(at["x"], at["y"])


def play_together(players: Sequence[Player], moves: int | None = None, patience: float = 90.0) -> None:
    """Everybody plays on until the game is over, or until so many moves were made by them."""
    goal = None if moves is None else sum(player.visitor.played for player in players) + moves
    end = time.monotonic() + patience
    while time.monotonic() < end:
        modes = [player.act() for player in players]
        if all(mode == "over" for mode in modes) or (goal and sum(player.visitor.played for player in players) >= goal):
            return
        if not {"ask", "chosen", "round"} & {*modes}:
            players[0].visitor.page.wait_for_timeout(15)
    state = [
        (player.visitor.name, player.visitor.mode, player.taps, player.visitor.played, player.listed)
        for player in players
    ]
    raise AssertionError(f"the game did not end in {patience:.0f} s: {state}")
