"""Dojo on a terminal: the others' dojos side by side, your own below as mats, with the places that are free to choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from tsukimi.terminal import Board, View, beside, clip, line, pad

Spot = tuple[int, int]
BELTS = {"1": "white", "2": "yellow", "3": "green", "4": "blue", "5": "black"}
ROW_TROPHIES = ("raccoon", "incense", "assistant")
HIDDEN = "?"
ROOM, LARGEST, SMALL, GAP = 79, 12, 3, 3


class DojoBoard(Board):
    def draw(self, view: View) -> RenderableType:
        own = None if view["over"] else view["seat"]
        others = [self._small_dojo(view, seat) for seat in range(view["players"]) if seat != own]
        parts: list[RenderableType] = [*self._middle(view), "", *_side_by_side(others)]
        return Group(*parts) if own is None else Group(*parts, "", *self._own_dojo(view, own))

    def headline(self, view: View) -> str:
        return self.text("round", round=f"{view['round']}/12")

    def gloss(self, move: str, view: View) -> Text:
        word, *rest = move.split()
        return self.name(int(rest[0][1:]) - 1) if word == "give" else Text()

    def anchors(self, view: View) -> list[str]:
        known = {
            "give": "recruitment",
            "challenge": "challenge",
            "throw": "throw",
            "swap": "exchange",
            "place": "training",
            "trophy": "trophy",
            "over": "score",
        }
        return [known.get(view["phase"], "round")]

    # ---- the middle --------------------------------------------------------------------------

    def _middle(self, view: View) -> list[Text]:
        parts = []
        if view["dealer"] is not None:
            parts.append(line((self.text("dealer"), "quiet"), " ", self.name(view["dealer"])))
        if view["trophy"]:
            kind = self.words.word("row" if view["trophy"] in ROW_TROPHIES else "column")
            name = (self.words.word(view["trophy"]), "moon.bold")
            parts.append(line((self.text("trophy"), "quiet"), " ", name, (f" ({kind})", "quiet")))
        elif view["belt"] == "white" and not view["over"]:
            parts.append(line((self.text("trophy"), "quiet"), (" +3", "moon")))
        parts.append(line((f"{self.text('pile')} {view['tatamis_left']}", "quiet")))
        lines = [line(" ", Text(" · ", "edge").join(parts))]
        if view["looking"]:
            lines.append(line(" ", self.name(view["dealer"]), (" → ", "quiet"), self._mat(view["looking"])))
        return lines + (self._challenge(view["challenge"]) if view["challenge"] else [])

    def _challenge(self, duel: Mapping[str, Any]) -> list[Text]:
        sides = []
        for place, seat in enumerate((duel["attacker"], duel["dealer"])):
            bonus = (f" +{duel['bonus'][place]}", "moon") if any(duel["bonus"]) else ""
            mark = ("●", "moon") if seat == duel["winner"] else " "
            sides.append(line(mark, self.name(seat), " ", self._mat(duel["cards"][place]), bonus))
        lines = [line((" Banzai! ", "danger.bold"), Text(" × ", "danger").join(sides))]
        thrown = ["–".join(self.words.word(hand) for hand in bout) for bout in duel["throws"]]
        thrown += [self.words.word(duel["own_throw"])] if duel["own_throw"] else []
        return [*lines, line((f"          {', '.join(thrown)}", "quiet"))] if thrown else lines

    # ---- dojos -------------------------------------------------------------------------------

    def _small_dojo(self, view: View, seat: int) -> list[Text]:
        """A dojo at a glance: two letters and a belt per mat, trophies at the ends of their lines."""
        dojo, held = view["dojos"][seat], view["held"][seat]
        points = (str(dojo["count"]["points"]), "text.bold")
        title = line(self.label(view, seat, 8), " ", points, _trophies_won(dojo))
        grid = _Grid(self, dojo, {}, SMALL, counted=view["over"])
        hand = [line("  ", self._mat(held))] if held else []
        return [title, *(line("  ", row) for row in grid.lines()), *hand]

    def _own_dojo(self, view: View, seat: int) -> list[Text]:
        """The viewer's dojo: whole names, what every line counts, and the numbers of the places that may be chosen."""
        dojo, held = view["dojos"][seat], view["held"][seat]
        points = (f"{dojo['count']['points']} {self.text('points')}", "text.bold")
        hand = line("   ", (self.text("held"), "quiet"), " ", self._mat(held)) if held else ""
        grid = _Grid(self, dojo, _free(view), 0, counted=True)
        title = line(self.label(view, seat), "  ", points, _trophies_won(dojo), hand)
        return [title, *(line("  ", row) for row in grid.lines())]

    def disciple(self, card: str) -> str:
        """A card's disciple. Records write the raccoon and its mask, a trophy, alike."""
        kind = card[:-1]
        return self.words.word("raccoon-disciple" if kind == "raccoon" else kind)

    def _mat(self, card: str, size: int = 0) -> Text:
        """A card by its name on the colour of its belt."""
        if card == HIDDEN:
            return pad(" ? ", size, "center", "back")
        name = f" {clip(self.disciple(card), size - 4 if size else 20)} {card[-1]} "
        return pad(name, size, style=f"on.{BELTS[card[-1]]}")

    def cell(self, card: str, size: int) -> Text:
        """A mat in a grid."""
        if size > SMALL:
            return self._mat(card, size)
        return Text(self.disciple(card)[:2].capitalize() + card[-1], f"on.{BELTS[card[-1]]}")


class _Grid:
    """A dojo's mats in rows and columns. `size` 0: as large as there is room for, with the numbers of the lines."""

    def __init__(
        self, board: DojoBoard, dojo: Mapping[str, Any], free: Mapping[Spot, int], size: int, counted: bool
    ) -> None:
        self.board, self.free, self.counted = board, free, counted
        self.cards = {(card["row"], card["column"]): card["card"] for card in dojo["cards"]}
        spots = [*self.cards, *free] or [(0, 0)]
        self.down = range(min(row for row, _ in spots), max(row for row, _ in spots) + 1)
        self.across = range(min(column for _, column in spots), max(column for _, column in spots) + 1)
        self.large = size == 0
        self.signs = {(trophy["line"], trophy["at"]): trophy["trophy"] for trophy in dojo["trophies"]}
        ends = 20 if any(kind == "row" for kind, _ in self.signs) else 10
        self.size = size or min(LARGEST, (ROOM - ends) // len(self.across) - 1)
        self.points = {("row", row["row"]): row["points"] for row in dojo["count"]["rows"]}
        self.points |= {("column", column["column"]): column["points"] for column in dojo["count"]["columns"]}

    def lines(self) -> list[Text]:
        if not self.cards and not self.free:
            return [Text("·  ·  ·  ·", "edge")]
        lines = []
        if self.large:
            lines.append(self._row("", [pad(str(at), self.size, "center", "quiet") for at in self.across]))
        for row in self.down:
            cells = [self._cell((row, column)) for column in self.across]
            lines.append(line(self._row(str(row), cells), " ", self._end("row", row)))
        foot = [pad(self._end("column", column), self.size, "center") for column in self.across]
        return [*lines, self._row("", foot)] if any(cell.plain.strip() for cell in foot) else lines

    def _row(self, head: str, cells: Sequence[Text]) -> Text:
        return line((f"{head:>2} " if self.large else "", "quiet"), Text(" ").join(cells))

    def _cell(self, spot: Spot) -> Text:
        if spot in self.cards:
            return self.board.cell(self.cards[spot], self.size)
        if spot in self.free:
            return pad(f"┄ {self.free[spot]} ┄", self.size, "center", "moon")
        return pad("·", self.size, "center", "edge")

    def _end(self, kind: str, at: int) -> Text:
        """What stands at the end of a line: its trophy and its points."""
        trophy, count = self.signs.get((kind, at)), self.points.get((kind, at), 0)
        parts = []
        if trophy:
            name = self.board.words.word(trophy)
            parts.append(Text(clip(name, 9) if self.large and kind == "row" else name[:3], "moon"))
        if self.counted and (count or trophy):
            parts.append(Text(f"+{count}", "good" if count else "edge"))
        return Text("" if self.size == SMALL and kind == "column" else " ").join(parts)


def _side_by_side(blocks: Sequence[Sequence[Text]]) -> list[RenderableType]:
    """As many dojos in a row as there is room for."""
    rows: list[list[Sequence[Text]]] = [[]]
    for block in blocks:
        widths = [max(text.cell_len for text in row) + GAP for row in [*rows[-1], block]]
        if rows[-1] and sum(widths) - GAP > ROOM:
            rows.append([])
        rows[-1].append(block)
    shown: list[RenderableType] = []
    for row in rows:
        shown += ["", beside(row, GAP)] if shown else [beside(row, GAP)]
    return shown


def _trophies_won(dojo: Mapping[str, Any]) -> Text:
    return Text(f" {'★' * dojo['won']}" if dojo["won"] else "", "moon")


def _free(view: View) -> dict[Spot, int]:
    """The places that may be chosen, with the number of the move that does."""
    found = {}
    for number, move in enumerate(view.get("moves", ()), 1):
        word, *rest = move.split()
        if word == "place":
            found[int(rest[0]), int(rest[1])] = number
    return found
