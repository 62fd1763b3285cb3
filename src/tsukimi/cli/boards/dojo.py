"""Dojo on a terminal: the others' dojos side by side, your own below as mats, with the places that are free to choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tsukimi.cli.boards.common import LONG, label, told
from tsukimi.cli.style import Style, beside, clip, pad, width
from tsukimi.cli.words import Words

View = Mapping[str, Any]
Spot = tuple[int, int]
BELTS = {"1": "white", "2": "yellow", "3": "green", "4": "blue", "5": "black"}
ROW_TROPHIES = ("raccoon", "incense", "assistant")
HIDDEN = "?"
ROOM, LARGEST, SMALL = 79, 12, 3


def draw(view: View, style: Style, names: Sequence[str], lang: str) -> list[str]:
    words = Words("dojo", lang, names)
    own = None if view["over"] else view["seat"]
    others = [seat for seat in range(view["players"]) if seat != own]
    lines = [
        *_middle(view, style, names, words),
        "",
        *_side_by_side([_small(view, style, names, words, seat) for seat in others]),
    ]
    return lines if own is None else [*lines, "", *_own(view, style, names, words, own)]


def _side_by_side(blocks: Sequence[Sequence[str]]) -> list[str]:
    """As many dojos in a row as there is room for."""
    rows: list[list[Sequence[str]]] = [[]]
    for block in blocks:
        wide = [max(map(width, one)) + 3 for one in [*rows[-1], block]]
        if rows[-1] and sum(wide) - 3 > ROOM:
            rows.append([])
        rows[-1].append(block)
    return [line for i, row in enumerate(rows) for line in ([""] if i else []) + beside(row, "   ")]


def headline(view: View, words: Words) -> str:
    return told(words.lang, "round", round=f"{view['round']}/12")


def gloss(move: str, view: View, style: Style, words: Words) -> str:
    word, *rest = move.split()
    if word == "give":
        seat = int(rest[0][1:]) - 1
        return style(words.names[seat], f"p{seat + 1}")
    return ""


def anchors(view: View) -> list[str]:
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


def recall(events: list[dict[str, Any]], view: View) -> list[dict[str, Any]]:
    return events


# ---- cards -------------------------------------------------------------------------------------


def mat(card: str, style: Style, words: Words, size: int = 0) -> str:
    """A card by its name on the colour of its belt."""
    if card == HIDDEN:
        return style(pad(" ? ", size, "^"), "text", "surface")
    name = f" {clip(words.word(card[:-1]), size - 4 if size else 20)} {card[-1]}"
    return style.chip(pad(name + " ", size), BELTS[card[-1]])


def _tiny(card: str, style: Style, words: Words) -> str:
    return style.chip(words.word(card[:-1])[:2].capitalize() + card[-1], BELTS[card[-1]])


# ---- the middle --------------------------------------------------------------------------------


def _middle(view: View, style: Style, names: Sequence[str], words: Words) -> list[str]:
    lang, parts = words.lang, []
    if view["dealer"] is not None:
        parts.append(f"{style(told(lang, 'dealer'), 'quiet')} {_name(view['dealer'], style, names)}")
    if view["trophy"]:
        line = words.word("row" if view["trophy"] in ROW_TROPHIES else "column")
        shown = style(f"{words.word(view['trophy'])}", "moon", bold=True)
        parts.append(f"{style(told(lang, 'trophy'), 'quiet')} {shown} {style(f'({line})', 'quiet')}")
    elif view["belt"] == "white" and not view["over"]:
        parts.append(f"{style(told(lang, 'trophy'), 'quiet')} {style('+3', 'moon')}")
    parts.append(style(f"{told(lang, 'pile')} {view['tatamis_left']}", "quiet"))
    lines = [" " + style(" · ", "edge").join(parts)]
    if view["looking"]:
        lines.append(
            f" {_name(view['dealer'], style, names)} {style('→', 'quiet')} {mat(view['looking'], style, words)}"
        )
    return lines + (_challenge(view["challenge"], style, names, words) if view["challenge"] else [])


def _challenge(duel: View, style: Style, names: Sequence[str], words: Words) -> list[str]:
    sides = []
    for place, seat in enumerate((duel["attacker"], duel["dealer"])):
        bonus = style(f" +{duel['bonus'][place]}", "moon") if any(duel["bonus"]) else ""
        crown = style("●", "moon") if seat == duel["winner"] else " "
        sides.append(f"{crown}{_name(seat, style, names)} {mat(duel['cards'][place], style, words)}{bonus}")
    bouts = ["–".join(words.word(hand) for hand in bout) for bout in duel["throws"]]
    thrown = [words.word(duel["own_throw"])] if duel["own_throw"] else []
    more = [style("         " + ", ".join(bouts + thrown), "quiet")] if bouts or thrown else []
    return [f" {style('Banzai!', 'danger', bold=True)} {style(' × ', 'danger').join(sides)}", *more]


def _name(seat: int, style: Style, names: Sequence[str]) -> str:
    return style(clip(names[seat], LONG), f"p{seat + 1}", bold=True)


# ---- dojos -------------------------------------------------------------------------------------


def _small(view: View, style: Style, names: Sequence[str], words: Words, seat: int) -> list[str]:
    """A dojo at a glance: two letters and a belt per mat, trophies at the ends of their lines."""
    dojo, held = view["dojos"][seat], view["held"][seat]
    points = style(str(dojo["count"]["points"]), "text", bold=True)
    title = f"{label(view, style, [clip(name, 8) for name in names], seat)} {points}{_crowns(dojo, style)}"
    grid = _Grid(dojo, {}, SMALL, style, words, counted=view["over"])
    return [title, *("  " + row for row in grid.lines()), *([f"  {mat(held, style, words)}"] if held else [])]


def _own(view: View, style: Style, names: Sequence[str], words: Words, seat: int) -> list[str]:
    """The own dojo: whole names, what every line counts, and the places that may be chosen by their numbers."""
    dojo, held = view["dojos"][seat], view["held"][seat]
    points = style(f"{dojo['count']['points']} {told(words.lang, 'points')}", "text", bold=True)
    in_hand = f"   {style(told(words.lang, 'held'), 'quiet')} {mat(held, style, words)}" if held else ""
    grid = _Grid(dojo, _free(view), 0, style, words, counted=True)
    title = f"{label(view, style, names, seat)}  {points}{_crowns(dojo, style)}{in_hand}"
    return [title, *("  " + row for row in grid.lines())]


def _crowns(dojo: View, style: Style) -> str:
    return " " + style("★" * dojo["won"], "moon") if dojo["won"] else ""


def _free(view: View) -> dict[Spot, int]:
    """The places that may be chosen, with the number of the move that does."""
    found = {}
    for number, move in enumerate(view.get("moves", ()), 1):
        word, *rest = move.split()
        if word == "place":
            found[int(rest[0]), int(rest[1])] = number
    return found


class _Grid:
    """A dojo's mats in rows and columns. `size` 0: as large as there is room for, with the numbers of the lines."""

    def __init__(
        self, dojo: View, free: Mapping[Spot, int], size: int, style: Style, words: Words, counted: bool
    ) -> None:
        self.style, self.words, self.free, self.counted = style, words, free, counted
        self.cards = {(card["row"], card["column"]): card["card"] for card in dojo["cards"]}
        spots = [*self.cards, *free] or [(0, 0)]
        self.down = range(min(row for row, _ in spots), max(row for row, _ in spots) + 1)
        self.across = range(min(column for _, column in spots), max(column for _, column in spots) + 1)
        self.large = size == 0
        self.signs = {(one["line"], one["at"]): one["trophy"] for one in dojo["trophies"]}
        ends = 20 if any(line == "row" for line, _ in self.signs) else 10
        self.size = size or min(LARGEST, (ROOM - ends) // len(self.across) - 1)
        self.points = {("row", line["row"]): line["points"] for line in dojo["count"]["rows"]}
        self.points |= {("column", line["column"]): line["points"] for line in dojo["count"]["columns"]}

    def lines(self) -> list[str]:
        if not self.cards and not self.free:
            return [self.style("·  ·  ·  ·", "edge")]
        numbers = self._joined([self.style(pad(str(at), self.size, "^"), "quiet") for at in self.across], "")
        lines = [numbers] if self.large else []
        for row in self.down:
            cells = [self._cell((row, column)) for column in self.across]
            lines.append(f"{self._joined(cells, str(row))} {self._end('row', row)}".rstrip())
        foot = [pad(self._end("column", column), self.size, "^") for column in self.across]
        return [*lines, self._joined(foot, "").rstrip()] if any(cell.strip() for cell in foot) else lines

    def _joined(self, cells: Sequence[str], head: str) -> str:
        return self.style(f"{head:>2} ", "quiet") + " ".join(cells) if self.large else " ".join(cells)

    def _cell(self, spot: Spot) -> str:
        card = self.cards.get(spot)
        if card:
            return mat(card, self.style, self.words, self.size) if self.large else _tiny(card, self.style, self.words)
        if spot in self.free:
            return self.style(pad(f"┄ {self.free[spot]} ┄", self.size, "^"), "moon")
        return self.style(pad("·", self.size, "^"), "edge")

    def _end(self, kind: str, at: int) -> str:
        """What stands at the end of a line: its trophy and its points."""
        trophy, count = self.signs.get((kind, at)), self.points.get((kind, at), 0)
        parts = []
        if trophy:
            name = self.words.word(trophy)
            parts.append(self.style(clip(name, 9) if self.large and kind == "row" else name[:3], "moon"))
        if self.counted and (count or trophy):
            parts.append(self.style(f"+{count}", "good" if count else "edge"))
        return ("" if self.size == SMALL and kind == "column" else " ").join(parts)
