"""Daruma on a terminal: the round track, five darumas with their eyes, dice, ledger, sake, and everyone's collection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tsukimi.terminal import Board, View, beside, clip, line, pad

MARKS = {"red": "●", "orange": "▲", "yellow": "≈", "green": "♣", "blue": "♦", "purple": "★", "gold": "✦"}
EYES = {"none": " ", "die": "1", "pupil": "●"}
STONES = {"blank": ("○", "quiet"), "daruma": ("◆", "good.bold"), "four": ("4", "danger.bold")}
BODY, PLACE, LEDGER, DICE = 11, 15, 4, 44


class DarumaBoard(Board):
    def draw(self, view: View) -> RenderableType:
        figures = [self._figure(place, one) for place, one in enumerate(view["places"], 1)]
        seats = [self._seat(view, seat) for seat in range(view["players"])]
        track = [self._track(view)] if view["track"] else []
        return Group(*track, "", beside(figures, 0), "", self._dice(view), "", *seats)

    def headline(self, view: View) -> str:
        return self.text("last-round") if view["finishing"] and not view["over"] else ""

    def gloss(self, move: str, view: View) -> Text:
        word, *rest = move.split()
        if word == "paint":
            one = view["places"][int(rest[0]) - 1]
            return line(self._tile(one["colour"]), " ", (self.text(one["action"]), "quiet"))
        return Text(self.names[int(rest[1][1:]) - 1], "quiet") if word == "give" else Text()

    def anchors(self, view: View) -> list[str]:
        known = {
            "start": "sweep",
            "use": "turn",
            "sake": "sake",
            "reroll-multiples": "reroll",
            "shift-multiples": "shift",
            "shift-singles": "shift",
            "swap": "swap",
            "over": "score",
        }
        return [known.get(view["phase"], "turn")]

    # ---- the darumas -------------------------------------------------------------------------

    def _figure(self, place: int, one: Mapping[str, Any] | None) -> list[Text]:
        """A daruma: round head, two eyes, its mark and colour on the belly; below its place and what it does."""
        if one is None:
            ghost: list[str | Text] = ["", "", pad("· · ·", BODY, "center"), "", f" {place}"]
            return [pad(text, PLACE, style="edge") for text in ghost]
        colour = one["colour"]
        belly = f"{_mark(colour)}{' ' if self.colour else ''}{clip(self.words.word(colour), BODY - 3)}"
        lines = [
            line(("▄" + "█" * (BODY - 2) + "▄", colour)),
            line(("██", colour), Text("█", colour).join(self._eye(eye) for eye in one["eyes"]), ("██", colour)),
            pad(belly, BODY, "center", f"on.{colour}")
            if self.colour
            else line("█", pad(belly, BODY - 2, "center"), "█"),
            line(("▀" + "█" * (BODY - 2) + "▀", colour)),
            line((str(place), "moon.bold"), " ", clip(self.text(one["action"]), PLACE - 3)),
        ]
        return [pad(line(" ", text), PLACE) for text in lines]

    def _eye(self, eye: str) -> Text:
        return Text(f" {EYES[eye]} " if self.colour else f"({EYES[eye]})", "on.white")

    def _tile(self, colour: str, count: int = 0) -> Text:
        """A daruma on a shelf: its mark, two letters of its colour, how many there are."""
        many = f"×{count}" if count > 1 else ""
        return Text(f" {self._short(colour)}{many} ", f"on.{colour}")

    def _short(self, colour: str) -> str:
        return f"{_mark(colour)}{self.words.word(colour)[:2].capitalize()}"

    # ---- dice and track ----------------------------------------------------------------------

    def _dice(self, view: View) -> Table:
        """The free dice as boxes, and beside them what the tanuki holds."""
        boxes = [_die(str(face), "moon" if face == 1 else "text") for face in view["dice"]]
        boxes += [_die(" ", "text")] * view["rolling"]
        ledger = view["ledger"]
        fours = [Text(" 4 " if self.colour else "[4]", "on.danger")] * ledger["fours"]
        fours += [Text(" 4'" if self.colour else "(4)", "back")] * ledger["fictive"]
        fours += [Text(" · ", "edge")] * (LEDGER - len(fours))
        sake = " ".join(map(str, view["sake"]))
        tanuki = Table.grid(padding=(0, 1))
        tanuki.add_row(Text(self.text("ledger"), "quiet"), Text(" ").join(fours))
        tanuki.add_row(Text(self.text("sake"), "quiet"), Text(sake, "text.bold") if sake else Text("–", "edge"))
        tanuki.add_row(Text(self.text("pile"), "quiet"), str(view["pile"]))
        row = Table.grid()
        row.add_column(width=DICE)
        row.add_row(beside([[" "], *boxes], 0), tanuki)
        return row

    def _track(self, view: View) -> Text:
        """Stepping stones there and back, the counter on one of them."""
        stones = []
        for number, token in enumerate(view["track"], 1):
            sign, ink = STONES[token]
            here = number == view["counter"]
            stones.append(Text(f"[{sign}]" if here and not self.colour else f" {sign} ", "on.moon" if here else ink))
        way = "◂" if view["backwards"] else "▸"
        key = f"◆ {self.words.word('daruma')}  4 {self.words.word('fictive-four').removeprefix('4 ')}"
        track = Text("─", "edge").join(stones)
        return line(f" {self.text('track')} ", (way, "moon"), " ", track, "   ", (key, "quiet"))

    # ---- the seats ---------------------------------------------------------------------------

    def _seat(self, view: View, seat: int) -> Text:
        counts = Counter(card.split(".")[0] for card in view["collections"][seat])
        shelf = Text(" ").join(self._tile(colour, count) for colour, count in counts.items())
        score = view["known_scores"][seat]
        return line(
            pad(self.label(view, seat), self.label_size()),
            ("  ?", "quiet") if score is None else (f"{score:>3}", "text.bold"),
            "  ",
            self._objective(view, seat),
            shelf if counts else (self.text("nothing"), "edge"),
        )

    def _objective(self, view: View, seat: int) -> Text:
        """What a seat's objective likes and dislikes, where it may be known."""
        if view["held"][seat] is None:
            return Text()
        goal = next(objective for objective in view["objectives"] if objective["number"] == view["held"][seat])
        good = [line(("+", "good.bold"), (self._short(colour), f"{colour}.bold")) for colour in goal["good"]]
        bad = line(("−", "danger.bold"), (self._short(goal["bad"]), f"{goal['bad']}.bold"))
        return line(Text(" ").join([*good, bad]), "  ", ("│", "edge"), " ")


def _mark(colour: str) -> str:
    return MARKS.get(colour, "■")


def _die(face: str, ink: str) -> list[Text]:
    return [Text("╭───╮", ink), line(("│", ink), (f" {face} ", f"{ink}.bold"), ("│", ink)), Text("╰───╯", ink)]
