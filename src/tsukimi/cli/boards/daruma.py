"""Daruma on a terminal: the round track, five darumas with their eyes, dice, ledger, sake, and what everybody has gathered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tsukimi.cli.boards.common import label, label_size, told
from tsukimi.cli.language import table
from tsukimi.cli.style import Style, beside, clip, pad
from tsukimi.cli.words import Words

View = Mapping[str, Any]
MARKS = {"red": "●", "orange": "▲", "yellow": "≈", "green": "♣", "blue": "♦", "purple": "★", "gold": "✦"}
EYES = {"none": " ", "die": "1", "pupil": "●"}
BODY, PLACE, LEDGER = 11, 15, 4


def draw(view: View, style: Style, names: Sequence[str], lang: str) -> list[str]:
    words = Words("daruma", lang, names)
    figures = [_figure(place, one, style, words) for place, one in enumerate(view["places"], 1)]
    seats = [_seat(view, style, names, seat, words) for seat in range(view["players"])]
    return [*_track(view, style, words), "", *beside(figures, ""), "", *_dice(view, style, words), "", *seats]


def headline(view: View, words: Words) -> str:
    return told(words.lang, "last-round") if view["finishing"] and not view["over"] else ""


def gloss(move: str, view: View, style: Style, words: Words) -> str:
    word, *rest = move.split()
    if word == "paint":
        one = view["places"][int(rest[0]) - 1]
        return f"{_tile(one['colour'], style, words)} {style(_action(one['action'], words.lang), 'quiet')}"
    return style(words.names[int(rest[1][1:]) - 1], "quiet") if word == "give" else ""


def anchors(view: View) -> list[str]:
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


def recall(events: list[dict[str, Any]], view: View) -> list[dict[str, Any]]:
    return events


# ---- the darumas -------------------------------------------------------------------------------


def _figure(place: int, one: View | None, style: Style, words: Words) -> list[str]:
    """A daruma: round head, two eyes, its mark and colour on the belly; below its place and what it does."""
    if one is None:
        ghost = ["", "", f"{'· · ·':^{BODY}}", "", style(f" {place}", "quiet")]
        return [pad(style(line, "edge"), PLACE) for line in ghost]
    colour = one["colour"]
    eyes = style("█", colour).join(_eye(eye, style) for eye in one["eyes"])
    belly = f"{_mark(colour)}{' ' if style.depth else ''}{clip(words.word(colour), BODY - 3)}"
    lines = [
        style("▄" + "█" * (BODY - 2) + "▄", colour),
        style("██", colour) + eyes + style("██", colour),
        style.chip(pad(belly, BODY, "^"), colour) if style.depth else f"█{pad(belly, BODY - 2, '^')}█",
        style("▀" + "█" * (BODY - 2) + "▀", colour),
        f"{style(str(place), 'moon', bold=True)} {clip(_action(one['action'], words.lang), PLACE - 3)}",
    ]
    return [pad(f" {line}", PLACE) for line in lines]


def _eye(eye: str, style: Style) -> str:
    return style(f" {EYES[eye]} ", "ink", "white", bold=True) if style.depth else f"({EYES[eye]})"


def _mark(colour: str) -> str:
    return MARKS.get(colour, "■")


def _tile(colour: str, style: Style, words: Words, count: int = 0) -> str:
    """A daruma on a shelf: its mark, two letters of its colour, how many there are."""
    many = f"×{count}" if count > 1 else ""
    return style.chip(f" {_mark(colour)}{words.word(colour)[:2].capitalize()}{many} ", colour)


def _action(action: str, lang: str) -> str:
    return str(table("action", lang).get(action, action))


# ---- dice and track ----------------------------------------------------------------------------


def _dice(view: View, style: Style, words: Words) -> list[str]:
    """The free dice as boxes, and beside them what the tanuki holds."""
    boxes = [_die(face, style) for face in view["dice"]]
    boxes += [["╭───╮", "│   │", "╰───╯"]] * view["rolling"]
    ledger = view["ledger"]
    fours = [style(" 4 ", "ink", "danger", bold=True) if style.depth else "[4]"] * ledger["fours"]
    fours += [style(" 4'", "danger", "surface", bold=True) if style.depth else "(4)"] * ledger["fictive"]
    free = [style(" · ", "edge")] * max(0, LEDGER - len(fours))
    sake = "".join(f" {style(str(face), 'text', bold=True)}" for face in view["sake"]) or style(" –", "edge")
    lang = words.lang
    size = max(len(told(lang, "ledger")), len(told(lang, "sake")), len(told(lang, "pile")))
    tanuki = [
        f"{style(pad(told(lang, 'ledger'), size), 'quiet')} {''.join(fours + free)}",
        f"{style(pad(told(lang, 'sake'), size), 'quiet')}{sake}",
        f"{style(pad(told(lang, 'pile'), size), 'quiet')} {view['pile']}",
    ]
    rows = beside(boxes, "") if boxes else [""] * 3
    return [f" {pad(row, 42)}  {held}" for row, held in zip(rows, tanuki, strict=True)]


def _die(face: int, style: Style) -> list[str]:
    ink = "moon" if face == 1 else "text"
    return [
        style("╭───╮", ink),
        style("│", ink) + style(f" {face} ", ink, bold=True) + style("│", ink),
        style("╰───╯", ink),
    ]


def _track(view: View, style: Style, words: Words) -> list[str]:
    """Stepping stones there and back, the counter on one of them."""
    signs = {"blank": "○", "daruma": "◆", "four": "4"}
    stones = []
    for number, token in enumerate(view["track"], 1):
        ink = {"daruma": "good", "four": "danger"}.get(token, "quiet")
        here = number == view["counter"]
        stone = f"[{signs[token]}]" if here and not style.depth else f" {signs[token]} "
        stones.append(style.chip(stone, "moon") if here else style(stone, ink, bold=token != "blank"))
    way = style("◂" if view["backwards"] else "▸", "moon")
    key = style(f"◆ {words.word('daruma')}  4 {words.word('fictive-four').removeprefix('4 ')}", "quiet")
    return (
        [f" {style(told(words.lang, 'track'), 'quiet')} {way} {style('─', 'edge').join(stones)}   {key}"]
        if stones
        else []
    )


# ---- the seats ---------------------------------------------------------------------------------


def _seat(view: View, style: Style, names: Sequence[str], seat: int, words: Words) -> str:
    counts = Counter(card.split(".")[0] for card in view["collections"][seat])
    shelf = " ".join(_tile(colour, style, words, count) for colour, count in counts.items())
    score = view["known_scores"][seat]
    points = style(
        f"{'?' if score is None else score:>3}", "text" if score is not None else "quiet", bold=score is not None
    )
    goal = _objective(view, seat, style, words)
    shown = shelf or style(told(words.lang, "nothing"), "edge")
    return f"{label(view, style, names, seat, label_size(names))}{points}  {goal}{shown}".rstrip()


def _objective(view: View, seat: int, style: Style, words: Words) -> str:
    """What a seat's objective likes and dislikes, where it may be known."""
    if view["held"][seat] is None:
        return ""
    goal = next(one for one in view["objectives"] if one["number"] == view["held"][seat])
    good = " ".join(f"{style('+', 'good', bold=True)}{_short(colour, style, words)}" for colour in goal["good"])
    return f"{good} {style('−', 'danger', bold=True)}{_short(goal['bad'], style, words)}  {style('│', 'edge')} "


def _short(colour: str, style: Style, words: Words) -> str:
    return style(f"{_mark(colour)}{words.word(colour)[:2].capitalize()}", colour, bold=True)
