"""The board of a game on a terminal: drawn from a view alone, so that it shows what the viewer may know."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tsukimi.core import catalogue
from tsukimi.core.spec import Spec
from tsukimi.core.words import Words
from tsukimi.core.zones import Zone, zones
from tsukimi.terminal.layout import NO_BREAK, FirstFit, beside, clip, item, line

View = Mapping[str, Any]
NAME, GLOSS = 12, 28  # columns of a player's name, of the words for a move


class Board:
    """A readable board for any game: a table of seats under what lies in the middle.

    A game's own board overrides `draw` and whatever else it can do better.
    """

    def __init__(self, game: str, lang: str, names: Sequence[str], colour: bool) -> None:
        self.words = Words(game, lang, names)
        self.names = self.words.names
        self.colour = colour

    # ---- what a game's board may override ----------------------------------------------------

    def draw(self, view: View) -> RenderableType:
        """The table as the viewer sees it, at most 80 columns wide."""
        found = zones(view)
        middle = [zone for zone in found if zone["seat"] is None]
        seats = [zone for zone in found if zone["seat"] is not None]
        parts: list[RenderableType] = []
        if counters := [self._counter(zone) for zone in middle if "value" in zone]:
            parts += [item(" ", Text("   ").join(counters)), ""]
        if piles := [zone for zone in middle if "cards" in zone]:
            parts += [FirstFit(self._piles(piles, boxes=len(piles) <= 2), self._piles(piles, boxes=False)), ""]
        tables = [self._table(view, seats, boxes) for boxes in ([True] if view["players"] <= 4 else []) + [False]]
        return Group(*parts, FirstFit(*tables, self._list(view, seats)))

    def headline(self, view: View) -> str:
        """A few words beside the game's name: the round, the turn."""
        return ""

    def gloss(self, move: str, view: View) -> Text:
        """A few words that explain a move's text (empty for none): the game's own words for it, if it has any."""
        words = self.words.word(move)
        return Text("" if words == move else clip(words, GLOSS), "quiet")

    def anchors(self, view: View) -> list[str]:
        """The sections of the rules that apply now, the best one first."""
        return [str(view[key]) for key in ("ask", "phase") if view.get(key)]

    def recall(self, events: list[dict[str, Any]], view: View) -> list[dict[str, Any]]:
        """The events that a player may look up again while the game goes on."""
        return events

    # ---- for all boards ----------------------------------------------------------------------

    def text(self, code: str, **fields: object) -> str:
        """A text of the game's `[board]` table."""
        template = catalogue.messages(self.words.game, self.words.lang)["board"][code]
        return catalogue.fill(template, fields)

    def name(self, seat: int, columns: int = NAME) -> Text:
        """A player's name in the colour of the seat."""
        return Text(clip(self.names[seat], columns), _ink(seat, bold=True))

    def label(self, view: View, seat: int, columns: int = NAME) -> Text:
        """`▸p2 Botan`: the arrow for those who may act, a dot after the viewer's own name."""
        arrow = ("▸", "moon.bold") if seat in view["actors"] else " "
        dot = ("•", "moon") if seat == view["seat"] else ""
        mark = f"p{seat + 1}"
        if self.names[seat] == mark:
            return line(arrow, (mark, _ink(seat)), dot)
        return line(arrow, (mark, "quiet"), " ", self.name(seat, columns), dot)

    def label_size(self) -> int:
        """How wide the labels get."""
        return max(self.label({"actors": (), "seat": seat}, seat).cell_len for seat in range(len(self.names)))

    def sentence(self, text: str) -> Text:
        """A sentence with the players' names in their colours."""
        shown = Text(text)
        for seat, name in enumerate(self.names):
            shown.highlight_regex(rf"(?<!\w){re.escape(name)}(?!\w)", _ink(seat, bold=True))
        return shown

    # ---- the generic board -------------------------------------------------------------------

    def _table(self, view: View, found: Sequence[Zone], boxes: bool) -> Table:
        """A row per seat, a column per kind of zone; marks stand at the end."""
        names = list(dict.fromkeys(zone["name"] for zone in found if zone.get("value") is not True))
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=bool(names))
        table.add_column("", vertical="middle", no_wrap=True)
        for name in names:
            number = any("value" in zone for zone in found if zone["name"] == name)
            table.add_column(self._word(name), vertical="middle", justify="right" if number else "left")
        table.add_column("", vertical="middle")
        for seat in range(view["players"]):
            mine = [zone for zone in found if zone["seat"] == seat]
            cells: list[RenderableType] = []
            for name in names:
                cells.append(Group(*(self._cell(zone, boxes) for zone in mine if zone["name"] == name)))
            marks = [self._counter(zone) for zone in mine if zone.get("value") is True]
            table.add_row(self.label(view, seat), *cells, Text("  ").join(marks))
        return table

    def _list(self, view: View, found: Sequence[Zone]) -> Table:
        """The same for narrow screens or many zones: each seat's counters, and under them a line per pile."""
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True)
        for seat in range(view["players"]):
            mine = [zone for zone in found if zone["seat"] == seat]
            counters = [self._counter(zone) for zone in mine if "value" in zone]
            piles = [zone for zone in mine if "cards" in zone]
            lines: list[RenderableType] = [Text("  ").join(counters)] if counters else []
            lines += [self._piles(piles, boxes=False)] if piles else []
            grid.add_row(self.label(view, seat), Group(*lines))
        return grid

    def _piles(self, piles: Sequence[Zone], boxes: bool) -> Table:
        """A line per pile of cards: its name, its cards."""
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(vertical="middle", no_wrap=True)
        for zone in piles:
            grid.add_row(Text(f" {self._word(zone['name'])}", "quiet"), self._cards(zone["cards"], boxes))
        return grid

    def _cell(self, zone: Zone, boxes: bool) -> RenderableType:
        return self._cards(zone["cards"], boxes) if "cards" in zone else Text(self._value(zone), "text.bold")

    def _cards(self, cards: Sequence[str | None], boxes: bool) -> RenderableType:
        """Cards as boxes where there is room, else as faces in brackets."""
        if not cards:
            return Text("–", "edge")
        return (
            beside([_box(card) for card in cards], 1) if boxes else Text(" ").join(self._face(card) for card in cards)
        )

    def _face(self, card: str | None) -> Text:
        if card is None:
            return Text(" ? " if self.colour else "[?]", "back")
        return Text(f" {card or ' '} " if self.colour else f"[{card or ' '}]", "on.white" if card else "back")

    def _counter(self, zone: Zone) -> Text:
        """`pot 6`, not to be broken into two lines."""
        name = self._word(zone["name"]).replace(" ", NO_BREAK)
        if zone["value"] is True:
            return Text(name, "moon.bold")
        return line((name, "quiet"), NO_BREAK, (self._value(zone).replace(" ", NO_BREAK), "text.bold"))

    def _value(self, zone: Zone) -> str:
        return self.words.word(zone["value"])

    def _word(self, name: str) -> str:
        """The game's word for a zone, or for each part of its name."""
        found = self.words.word(name)
        return found if found != name else " ".join(self.words.word(part) for part in name.split()).replace("_", " ")


def board_class(spec: Spec) -> type[Board]:
    """The board of a game: its own, or the generic one."""
    if not spec.terminal_board:
        return Board
    module, _, name = spec.terminal_board.partition(":")
    found: type[Board] = getattr(import_module(module), name)
    return found


def _ink(seat: int, bold: bool = False) -> str:
    """The style of a seat; a sixth player has the first one's colour."""
    return f"p{seat % 5 + 1}" + (".bold" if bold else "")


def _box(card: str | None) -> list[Text]:
    face = "?" if card is None else card or " "
    edge, ink = ("text", "text.bold") if card else ("edge", "quiet")
    rule = "─" * (len(face) + 2)
    return [Text(f"╭{rule}╮", edge), line(("│ ", edge), (face, ink), (" │", edge)), Text(f"╰{rule}╯", edge)]
