"""China Moon on a terminal: the track in lanes with its forks, pads as leaves, frogs and lilies on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tsukimi.cli.boards import lanes
from tsukimi.cli.boards.common import label, label_size, told
from tsukimi.cli.style import Style, flow, pad
from tsukimi.cli.words import Words

View = Mapping[str, Any]
KINDS = {"blank": "", "lily": "", "prankster": "òó", "spring": "»»", "butterfly": "ʚɞ"}
LILIES = {"pink": "pink", "white": "white", "yellow": "yellow", "blue": "blue", "black": "black"}
PETALS = {"pink": "✿", "white": "❀", "yellow": "✽", "blue": "✦", "black": "✖"}
CELL, ROOM = 5, 79


def draw(view: View, style: Style, names: Sequence[str], lang: str) -> list[str]:
    words = Words("china-moon", lang, names)
    seats = [_seat(view, style, names, seat, words) for seat in range(view["players"])]
    return [*seats, "", *_goal(view, style, words), "", *_track(view, style, words), _legend(style, words)]


def headline(view: View, words: Words) -> str:
    return told(words.lang, "moves-left", count=view["moves_left"]) if view["moves_left"] else ""


def gloss(move: str, view: View, style: Style, words: Words) -> str:
    word, *rest = move.split()
    if word == "move" and rest[-1] != "goal":
        landing = rest[-1]
        kind = next(one["kind"] for one in view["board"]["pads"] if one["id"] == landing)
        parts = [_lily(view["lilies"][landing], style, words)] if landing in view["lilies"] else []
        return " ".join([*parts, *([style(KINDS[kind], "good")] if KINDS[kind] else [])])
    if word == "move":
        place = next((one for one in view["goal"] if one["frog"] is None), None)
        return _lily(place["lily"], style, words) if place and place["lily"] else ""
    return style(words.names[int(rest[1][1:]) - 1], "quiet") if word == "trade" else ""


def anchors(view: View) -> list[str]:
    known = {"move": "move", "spring": "spring", "trade": "prankster", "drop": "butterfly", "over": "score"}
    return [known.get(view["phase"], "set-up")]


def recall(events: list[dict[str, Any]], view: View) -> list[dict[str, Any]]:
    return events


# ---- things ------------------------------------------------------------------------------------


def _lily(colour: str, style: Style, words: Words) -> str:
    """A lily: its petals in its colour, and the colour's name."""
    return f"{style(PETALS.get(colour, '✿'), LILIES.get(colour, 'text'), bold=True)} {words.word(colour)}"


def _bunch(held: Mapping[str, int], style: Style, words: Words) -> str:
    """The lilies of a player, flower by flower; in words where there is no colour."""
    if not style.depth:
        return "  ".join(f"{words.word(colour)} {count}" for colour, count in held.items() if count)
    flowers = [
        style(PETALS.get(colour, "✿") * n, LILIES.get(colour, "text"), bold=True) for colour, n in held.items() if n
    ]
    return " ".join(flowers)


def _frog(frog: str, style: Style, size: int = 0) -> str:
    return style.chip(pad(f" {frog[1:]} " if style.depth else frog, size, "^"), frog[:2])


def _seat(view: View, style: Style, names: Sequence[str], seat: int, words: Words) -> str:
    bunch = pad(_bunch(view["held"][seat], style, words), 22)
    waiting = [_frog(one["frog"], style) for one in view["frogs"][seat] if one["pad"] == "start"]
    home = sum(one["pad"] == "goal" for one in view["frogs"][seat])
    points = style(f"{view['points'][seat]:>3}", "text", bold=True)
    ends = [f"{style(told(words.lang, 'goal-pads'), 'quiet')} {style('●' * home, f'p{seat + 1}')}"] if home else []
    ends += [f"{style(told(words.lang, 'start'), 'quiet')} {' '.join(waiting)}"] if waiting else []
    return f"{label(view, style, names, seat, label_size(names))}{points}  {bunch} {'  '.join(ends)}".rstrip()


def _goal(view: View, style: Style, words: Words) -> list[str]:
    cells = []
    for one in view["goal"]:
        what = _frog(one["frog"], style) if one["frog"] else _lily(one["lily"], style, words) if one["lily"] else "·"
        cells.append(f"{style(str(one['place']), 'quiet')} {what}")
    return [f" {style('◐ ' + words.word('goal'), 'moon', bold=True)}   {'    '.join(cells)}"]


def _legend(style: Style, words: Words) -> str:
    kinds = [f"{style(sign, 'good')} {words.word(kind)}" for kind, sign in KINDS.items() if sign]
    return flow(kinds, ROOM, "   ", " ")[0]


# ---- the track ---------------------------------------------------------------------------------


def _track(view: View, style: Style, words: Words) -> list[str]:
    """Strips of the track one under the other, each with as many lanes as it needs."""
    board = view["board"]
    nexts = {one["id"]: one["next"] for one in board["pads"]}
    where = lanes.spots(nexts, board["start"]["next"])
    cells = {where[one["id"]]: _pad(one, view, style) for one in board["pads"] if one["id"] in where}
    drawn = _Drawn(cells, *lanes.gaps(nexts, where), style)
    length = 1 + max(layer for layer, _ in cells)
    per_strip = (ROOM - 2) // (CELL + 1)
    strips = -(-length // per_strip)
    size = -(-length // strips)
    lines: list[str] = []
    for begin in range(0, length, size):
        lines += drawn.strip(begin, min(begin + size, length), begin + size >= length)
    return lines


def _pad(one: View, view: View, style: Style) -> tuple[str, str]:
    """A leaf in two lines: its name and kind; then the frog or the lily on it."""
    sign = KINDS[one["kind"]]
    name = one["id"] if len(one["id"]) + len(sign) <= CELL else one["id"][: CELL - len(sign)]
    top = style(name + " " * (CELL - len(name) - len(sign)) + sign, "ink", "leaf", bold=True)
    frog = next((frog["frog"] for seat in view["frogs"] for frog in seat if frog["pad"] == one["id"]), None)
    if frog:
        return top, _frog(frog, style, CELL)
    lily = view["lilies"].get(one["id"])
    if lily:
        petal = style(f"  {PETALS.get(lily, '✿')}  ", LILIES.get(lily, "text"), "shade", bold=True)
        return top, petal if style.depth else f"({lily[:3]})"
    return top, style(" " * CELL, "white", "shade") if style.depth else " " * CELL


class _Drawn:
    """The cells and the lines between them, to be cut into strips."""

    def __init__(
        self,
        cells: Mapping[lanes.Spot, tuple[str, str]],
        turns: Mapping[lanes.Spot, int],
        through: set[lanes.Spot],
        below: set[lanes.Spot],
        style: Style,
    ) -> None:
        self.cells, self.turns, self.through, self.below, self.style = cells, turns, through, below, style

    def strip(self, begin: int, end: int, last: bool) -> list[str]:
        """The layers from `begin` to before `end`."""
        used = [lane for layer, lane in [*self.cells, *self.through] if begin <= layer < end]
        lines: list[str] = []
        for lane in range(max(used) + 1):
            lines += self._lane(begin, end, lane, last)
        return lines

    def _lane(self, begin: int, end: int, lane: int, last: bool) -> list[str]:
        arrow = "›" if begin and ((begin - 1, lane) in self.turns) else " "
        top, low = [self.style(f" {arrow}", "quiet")], ["  "]
        for layer in range(begin, end):
            high, under = self.cells.get((layer, lane), self._empty(layer, lane))
            top += [high, self._gap(layer, lane)]
            low += [under, self.style("│" if (layer, lane) in self.below else " ", "water")]
        if last and (end - 1, lane) in self.cells:
            top.append(self.style("◐", "moon"))
        return ["".join(top).rstrip(), "".join(low).rstrip()]

    def _gap(self, layer: int, lane: int) -> str:
        return self.style(lanes.LINES[self.turns.get((layer, lane), 0)], "water")

    def _empty(self, layer: int, lane: int) -> tuple[str, str]:
        return (self.style("─" * CELL, "water") if (layer, lane) in self.through else " " * CELL), " " * CELL
