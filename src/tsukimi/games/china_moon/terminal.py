"""China Moon on a terminal: the track in lanes with its forks, pads as leaves, frogs and lilies on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from tsukimi.games.china_moon import lanes
from tsukimi.terminal import Board, View, line, pad

KINDS = {"blank": "", "lily": "", "prankster": "òó", "spring": "»»", "butterfly": "ʚɞ"}
PETALS = {"pink": "✿", "white": "❀", "yellow": "✽", "blue": "✦", "black": "✖"}
CELL, ROOM = 5, 79
LEAF, WATER = "on.leaf", "on #24503f"


class ChinaMoonBoard(Board):
    def draw(self, view: View) -> RenderableType:
        seats = [self._seat(view, seat) for seat in range(view["players"])]
        return Group(*seats, "", self._goal(view), "", *self._track(view), self._legend())

    def headline(self, view: View) -> str:
        return self.text("moves-left", count=view["moves_left"]) if view["moves_left"] else ""

    def gloss(self, move: str, view: View) -> Text:
        word, *rest = move.split()
        if word == "trade":
            return Text(self.names[int(rest[1][1:]) - 1], "quiet")
        if word != "move":
            return Text()
        if rest[-1] == "goal":
            place = next((space for space in view["goal"] if space["frog"] is None), None)
            return self._lily(place["lily"]) if place and place["lily"] else Text()
        landing = rest[-1]
        sign = KINDS[next(pad["kind"] for pad in view["board"]["pads"] if pad["id"] == landing)]
        parts = [self._lily(view["lilies"][landing])] if landing in view["lilies"] else []
        return Text(" ").join([*parts, *([Text(sign, "good")] if sign else [])])

    def anchors(self, view: View) -> list[str]:
        known = {"move": "move", "spring": "spring", "trade": "prankster", "drop": "butterfly", "over": "score"}
        return [known.get(view["phase"], "set-up")]

    # ---- things ------------------------------------------------------------------------------

    def _lily(self, colour: str) -> Text:
        """A lily: its petals in its colour, and the colour's name."""
        return line((_petal(colour), f"{colour}.bold"), " ", self.words.word(colour))

    def _bunch(self, held: Mapping[str, int]) -> Text:
        """The lilies of a player, flower by flower; in words where there is no colour."""
        if not self.colour:
            return Text("  ".join(f"{self.words.word(colour)} {count}" for colour, count in held.items() if count))
        flowers = [Text(_petal(colour) * count, f"{colour}.bold") for colour, count in held.items() if count]
        return Text(" ").join(flowers)

    def _frog(self, frog: str, columns: int = 0) -> Text:
        return pad(f" {frog[1:]} " if self.colour else frog, columns, "center", f"on.{frog[:2]}")

    def _seat(self, view: View, seat: int) -> Text:
        waiting = [self._frog(frog["frog"]) for frog in view["frogs"][seat] if frog["pad"] == "start"]
        home = sum(frog["pad"] == "goal" for frog in view["frogs"][seat])
        ends: list[Text] = []
        if home:
            ends.append(line((self.text("goal-pads"), "quiet"), " ", ("●" * home, f"p{seat + 1}")))
        if waiting:
            ends.append(line((self.text("start"), "quiet"), " ", Text(" ").join(waiting)))
        return line(
            pad(self.label(view, seat), self.label_size()),
            (f"{view['points'][seat]:>3}", "text.bold"),
            "  ",
            pad(self._bunch(view["held"][seat]), 22),
            " ",
            Text("  ").join(ends),
        )

    def _goal(self, view: View) -> Text:
        cells = []
        for one in view["goal"]:
            content = self._frog(one["frog"]) if one["frog"] else self._lily(one["lily"]) if one["lily"] else Text("·")
            cells.append(line((str(one["place"]), "quiet"), " ", content))
        return line(" ", (f"◐ {self.words.word('goal')}", "moon.bold"), "   ", Text("    ").join(cells))

    def _legend(self) -> Text:
        kinds = [line((sign, "good"), " ", self.words.word(kind)) for kind, sign in KINDS.items() if sign]
        return line(" ", Text("   ").join(kinds))

    # ---- the track ---------------------------------------------------------------------------

    def _track(self, view: View) -> list[Text]:
        """Strips of the track one under the other, each with as many lanes as it needs."""
        board = view["board"]
        nexts = {pad["id"]: pad["next"] for pad in board["pads"]}
        where = lanes.spots(nexts, board["start"]["next"])
        cells = {where[pad["id"]]: self._pad(pad, view) for pad in board["pads"] if pad["id"] in where}
        drawn = _Drawn(cells, *lanes.gaps(nexts, where))
        length = 1 + max(layer for layer, _ in cells)
        strips = -(-length // ((ROOM - 2) // (CELL + 1)))
        size = -(-length // strips)
        lines: list[Text] = []
        for begin in range(0, length, size):
            lines += drawn.strip(begin, min(begin + size, length), begin + size >= length)
        return lines

    def _pad(self, one: Mapping[str, Any], view: View) -> tuple[Text, Text]:
        """A leaf in two lines: its name and kind; then the frog or the lily on it."""
        sign = KINDS[one["kind"]]
        name = one["id"][: CELL - len(sign)]
        top = Text(name + " " * (CELL - len(name) - len(sign)) + sign, LEAF)
        frog = next((frog["frog"] for seat in view["frogs"] for frog in seat if frog["pad"] == one["id"]), None)
        if frog:
            return top, self._frog(frog, CELL)
        lily = view["lilies"].get(one["id"])
        if not lily:
            return top, Text(" " * CELL, WATER)
        flower = pad(_petal(lily), CELL, "center", f"{lily}.bold") if self.colour else Text(f"({lily[:3]})")
        flower.stylize(WATER)
        return top, flower


class _Drawn:
    """The cells and the lines between them, to be cut into strips."""

    def __init__(
        self,
        cells: Mapping[lanes.Spot, tuple[Text, Text]],
        turns: Mapping[lanes.Spot, int],
        through: set[lanes.Spot],
        below: set[lanes.Spot],
    ) -> None:
        self.cells, self.turns, self.through, self.below = cells, turns, through, below

    def strip(self, begin: int, end: int, last: bool) -> list[Text]:
        """The layers from `begin` to before `end`."""
        used = [lane for layer, lane in [*self.cells, *self.through] if begin <= layer < end]
        lines: list[Text] = []
        for lane in range(max(used) + 1):
            lines += self._lane(begin, end, lane, last)
        return lines

    def _lane(self, begin: int, end: int, lane: int, last: bool) -> list[Text]:
        arrow = "›" if begin and ((begin - 1, lane) in self.turns) else " "
        top, low = line((f" {arrow}", "quiet")), line("  ")
        for layer in range(begin, end):
            high, under = self.cells.get((layer, lane), self._empty(layer, lane))
            top.append_text(high).append(lanes.LINES[self.turns.get((layer, lane), 0)], "water")
            low.append_text(under).append("│" if (layer, lane) in self.below else " ", "water")
        if last and (end - 1, lane) in self.cells:
            top.append("◐", "moon")
        return [top, low]

    def _empty(self, layer: int, lane: int) -> tuple[Text, Text]:
        return Text(("─" if (layer, lane) in self.through else " ") * CELL, "water"), Text(" " * CELL)


def _petal(colour: str) -> str:
    return PETALS.get(colour, "✿")
