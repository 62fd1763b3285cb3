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
from tsukimi.terminal.layout import beside, clip, line

View = Mapping[str, Any]
NAME = 12  # columns of a player's name
BOXES, FACE, COUNTERS = 8, 4, 5  # up to how many cards, letters of a face and kinds of counters there is room for


class Board:
    """A readable board for any game: a table of seats under what lies in the middle.

    A game's own board overrides `draw` and whatever else it knows better.
    """

    def __init__(self, game: str, lang: str, names: Sequence[str], colour: bool) -> None:
        self.words = Words(game, lang, names)
        self.names = self.words.names
        self.colour = colour

    # ---- what a game's board may override ----------------------------------------------------

    def draw(self, view: View) -> RenderableType:
        """The table as the viewer sees it, at most 80 columns wide."""
        found = zones(view)
        small = _fit_into_boxes(found, view["players"])
        middle = [zone for zone in found if zone["seat"] is None]
        counters = [self._counter(zone) for zone in middle if "value" in zone]
        cards = [zone for zone in middle if "cards" in zone]
        parts: list[RenderableType] = []
        if counters:
            parts += [Text("   ").join([Text(""), *counters])[2:], ""]
        if cards:
            grid = Table.grid(padding=(0, 2))
            grid.add_column(vertical="middle", no_wrap=True)
            for zone in cards:
                grid.add_row(Text(f" {self._name(zone)}", "quiet"), self._cards(zone["cards"], small))
            parts += [grid, ""]
        return Group(*parts, self._seats(view, [zone for zone in found if zone["seat"] is not None], small))

    def headline(self, view: View) -> str:
        """A few words beside the game's name: the round, the turn."""
        return ""

    def gloss(self, move: str, view: View) -> Text:
        """A few words that explain a move's text (empty for none)."""
        return Text()

    def anchors(self, view: View) -> list[str]:
        """The sections of the rules that speak of this moment, the best one first."""
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
        own = ("•", "moon") if seat == view["seat"] else ""
        mark = f"p{seat + 1}"
        if self.names[seat] == mark:
            return line(arrow, (mark, _ink(seat)), own)
        return line(arrow, (mark, "quiet"), " ", self.name(seat, columns), own)

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

    def _seats(self, view: View, found: Sequence[Zone], small: bool) -> Table:
        """A row per seat, a column per kind of zone; marks stand at the end."""
        card_names = list(dict.fromkeys(zone["name"] for zone in found if "cards" in zone))
        counted = [zone for zone in found if "value" in zone and zone["value"] is not True]
        counter_names = list(dict.fromkeys(zone["name"] for zone in counted))
        columns = [*card_names, *counter_names] if len(counter_names) <= COUNTERS else card_names
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=bool(columns))
        table.add_column("", vertical="middle", no_wrap=True)
        for name in columns:
            number = name in counter_names
            table.add_column(self._word(name), vertical="middle", justify="right" if number else "left")
        table.add_column("", vertical="middle")
        for seat in range(view["players"]):
            mine = {(zone["name"], "cards" in zone): zone for zone in found if zone["seat"] == seat}
            cells: list[RenderableType] = [self.label(view, seat)]
            for name in columns:
                zone = mine.pop((name, name in card_names), None)
                cells.append("" if zone is None else self._cell(zone, small))
            rest = [self._counter(zone) for zone in mine.values() if "value" in zone]
            table.add_row(*cells, Text("  ").join(rest))
        return table

    def _cell(self, zone: Zone, small: bool) -> RenderableType:
        return self._cards(zone["cards"], small) if "cards" in zone else Text(self._value(zone), "text.bold")

    def _cards(self, cards: Sequence[str | None], small: bool) -> RenderableType:
        """Cards as boxes where there is room, else as faces in brackets."""
        if not cards:
            return Text("–", "edge")
        if not small:
            return Text(" ").join(self._face(card) for card in cards)
        return beside([_box(card) for card in cards], 1)

    def _face(self, card: str | None) -> Text:
        if card is None:
            return Text(" ? " if self.colour else "[?]", "back")
        return Text(f" {card} " if self.colour else f"[{card}]", "on.white")

    def _counter(self, zone: Zone) -> Text:
        if zone["value"] is True:
            return Text(self._name(zone), "moon.bold")
        return line((self._name(zone), "quiet"), " ", (self._value(zone), "text.bold"))

    def _value(self, zone: Zone) -> str:
        return self.words.word(zone["value"])

    def _name(self, zone: Zone) -> str:
        return self._word(zone["name"])

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
    face = "?" if card is None else card
    edge, ink = ("edge", "quiet") if card is None else ("text", "text.bold")
    rule = "─" * (len(face) + 2)
    return [Text(f"╭{rule}╮", edge), line(("│ ", edge), (face, ink), (" │", edge)), Text(f"╰{rule}╯", edge)]


def _fit_into_boxes(found: Sequence[Zone], players: int) -> bool:
    """Whether every card can be three lines high."""
    piles = [zone["cards"] for zone in found if "cards" in zone]
    kinds = {zone["name"] for zone in found if "cards" in zone and zone["seat"] is not None}
    faces = [len(card) for pile in piles for card in pile if card]
    return (
        players <= 4
        and len(kinds) <= 2
        and len([zone for zone in found if "cards" in zone and zone["seat"] is None]) <= 2
        and max(map(len, piles), default=0) <= BOXES
        and max(faces, default=1) <= FACE
    )
