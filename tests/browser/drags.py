"""Dragging pieces on the board, with a mouse or a finger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from browser.visitor import Visitor

PIECES = {
    "charuma": ".own, .coin, .group",
    "china-moon": "[data-frog][role=button], button.lily",
    "daruma": ".tray .row button, .shelves button.doll",
    "dojo": "[data-spot=looking], .cushion, .frame, .option.tall",
}
# Where a piece really lies on top, and where a finger would take hold of it.
FIND = """(pieces) => [...document.querySelectorAll('[data-testid=board] :is(' + pieces + ')')].flatMap((piece) => {
  piece.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const box = piece.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const top = document.elementFromPoint(x, y);
  return top !== null && piece.contains(top) ? [{ x, y, label: piece.getAttribute('aria-label') ?? piece.className }] : [];
})"""
LIT = """() => [...document.querySelectorAll('[data-takes]')].map((one) => {
  const box = one.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, key: one.getAttribute('data-drop') };
}).filter(({ x, y }) => x > 0 && x < innerWidth && y > 0 && y < innerHeight)"""

Look = Callable[[], None]


class Hand:
    """One pointer of a visitor: the finger on a phone, else the mouse."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self._touch = visitor.context.new_cdp_session(visitor.page) if visitor.phone else None

    def down(self, x: float, y: float) -> None:
        if self._touch:
            self._send("touchStart", x, y)
        else:
            self.visitor.page.mouse.move(x, y)
            self.visitor.page.mouse.down()

    def move(self, x: float, y: float) -> None:
        if self._touch:
            self._send("touchMove", x, y)
        else:
            self.visitor.page.mouse.move(x, y)

    def up(self) -> None:
        if self._touch:
            self._send("touchEnd")
        else:
            self.visitor.page.mouse.up()

    def _send(self, kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        self._touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})  # type: ignore[union-attr]

    def pieces(self, game: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.visitor.page.evaluate(FIND, PIECES[game])
        return found

    def lift(self, piece: dict[str, Any]) -> list[dict[str, Any]]:
        """Take a piece up; gives the places that are lit then, none if it cannot be dragged."""
        self.down(piece["x"], piece["y"])
        for way in (4, 8, 12):
            self.move(piece["x"] + way, piece["y"] - way)
        places: list[dict[str, Any]] = self.visitor.page.evaluate(LIT)
        return places

    def carry(self, piece: dict[str, Any], place: dict[str, Any]) -> None:
        for part in (0.3, 0.7, 1.0):
            self.move(piece["x"] + part * (place["x"] - piece["x"]), piece["y"] + part * (place["y"] - piece["y"]))

    def drag(self, game: str, look: Look = lambda: None) -> str | None:
        """Drag the first piece that can be dragged to the first place that takes it; gives the place's key."""
        for piece in self.pieces(game):
            places = self.lift(piece)
            if places:
                self.carry(piece, places[0])
                look()
                dropped = self.visitor.page.locator("[data-here]").get_attribute("data-drop")
                self.up()
                return dropped
            self.move(1, 1)  # let go of elsewhere: on the piece it would be a tap
            self.up()
        return None
