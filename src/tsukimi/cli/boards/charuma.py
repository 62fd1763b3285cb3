"""Charuma on a terminal: groups and bids, open hands, the trick, your own cards with the hidden two apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tsukimi.cli.boards.common import label, label_size, told
from tsukimi.cli.style import Style, beside, pad
from tsukimi.cli.words import Words

View = Mapping[str, Any]
FACES = {"b": "^.^", "r": "(•)"}
COLOURS = {"b": "blue", "r": "red"}
CARD = 5


def draw(view: View, style: Style, names: Sequence[str], lang: str) -> list[str]:
    words = Words("charuma", lang, names)
    lines = [_seat(view, style, names, seat, lang) for seat in range(view["players"])]
    if view["groups"]:
        lines += ["", *_groups(view, style, names, lang)]
    trick = view["trick"] or view["last_trick"]
    if trick and not view["groups"]:
        lines += ["", *_trick(view, trick, style, names, words, lang)]
    return [*lines, *_own(view, style, lang)]


def headline(view: View, words: Words) -> str:
    parts = [told(words.lang, "round", round=view["round"] or 1), told(words.lang, "goal", goal=view["goal"])]
    if view["last_round"] and not view["over"]:
        parts.append(told(words.lang, "last-round"))
    return " · ".join(parts)


def gloss(move: str, view: View, style: Style, words: Words) -> str:
    if move.startswith("bid "):
        group = next(group for group in view["groups"] if group["name"] == move.split()[2])
        return style("↑ " + words.names[group["owner"]], "quiet") if group["owner"] is not None else ""
    return " ".join(chip(card, style) for card in move.split()[1:]) if style.depth else ""


def anchors(view: View) -> list[str]:
    ask = view["ask"] or ""
    if ask.startswith(("follow", "play")):
        return ["follow"]
    return {"bid": ["auction"], "lead": ["lead"]}.get(ask, ["game-end" if view["over"] else "round"])


def recall(events: list[dict[str, Any]], view: View) -> list[dict[str, Any]]:
    """Won tricks may not be looked at again: of the cards played, the last two tricks only."""
    if view["over"]:
        return events
    leads = [event["index"] for event in events if event["type"] == "play" and event["lead"]]
    since = leads[-2] if len(leads) > 1 else 0
    return [event for event in events if event["type"] != "play" or event["index"] >= since or "round" in event]


# ---- cards -------------------------------------------------------------------------------------


def chip(card: str, style: Style) -> str:
    """A card in one line."""
    return style.chip(f"{card:>3} " if style.depth else f"{card:<3}", COLOURS[card.rstrip("*")[-1]])


def _tall(card: str, style: Style) -> list[str]:
    """A card in two lines: its value, and a cat or a daruma."""
    kind = card.rstrip("*")[-1]
    return [style.chip(pad(f" {card}", CARD), COLOURS[kind]), style.chip(pad(f" {FACES[kind]}", CARD), COLOURS[kind])]


def _fan(cards: Sequence[str], style: Style) -> list[str]:
    return beside([_tall(card, style) for card in cards], " ")


def _back(count: int, style: Style) -> str:
    """Hidden cards of others, seen from behind."""
    return " ".join([style(" ? ", "text", "surface") if style.depth else "?"] * count)


# ---- the table ---------------------------------------------------------------------------------


def _seat(view: View, style: Style, names: Sequence[str], seat: int, lang: str) -> str:
    hand = view["hands"][seat]
    points = style(f"{view['points'][seat]:>3}", "text", bold=True)
    token = style("◆", "moon") if seat == view["token"] else " "
    cards = " ".join(chip(card, style) for card in hand["open"])
    known = seat != view["seat"] and hand.get("hidden")  # a replay may know all cards
    backs = " ".join(chip(card, style) for card in known) if known else _back(hand["hidden_count"], style)
    tricks = ""
    if view["phase"] == "tricks":
        tricks = style(f"{told(lang, 'tricks')} {view['tricks'][seat]} (+{view['trick_points'][seat]})", "quiet")
    shown = pad(f"{cards}  {backs}" if cards else backs, 38)
    return f"{label(view, style, names, seat, label_size(names))}{points} {token} {shown} {tricks}".rstrip()


def _groups(view: View, style: Style, names: Sequence[str], lang: str) -> list[str]:
    lines = []
    for group in view["groups"]:
        cards = pad(" ".join(chip(card, style) for card in group["cards"]), 30)
        bid = style(told(lang, "no-bid"), "quiet")
        if group["bid"] is not None:
            coins = style("●" * group["bid"], "moon") or style("○", "quiet")
            bid = f"{style(str(group['bid']), 'moon', bold=True)} {label({'actors': [], 'seat': None}, style, names, group['owner'])} {coins}"
        lines.append(f"  {style(group['name'], 'moon', bold=True)}  {cards}   {bid}")
    return lines


def _trick(view: View, trick: View, style: Style, names: Sequence[str], words: Words, lang: str) -> list[str]:
    """The cards on the table from the leader on, the best so far marked."""
    best = trick.get("winning", trick.get("winner"))
    what = words.word(trick["led"]) if "led" in trick else told(lang, "last-trick")
    blocks = [[style(what, "quiet"), style("┄" * len(what), "edge")]]
    for play in trick["plays"]:
        mark = style("●", "moon") if play["seat"] == best else " "
        name = style(names[play["seat"]][:10], f"p{play['seat'] + 1}", bold=True)
        blocks.append([f"{mark}{name}", *(" " + line for line in _fan(play["cards"], style))])
    return ["  " + line for line in beside(blocks, "  ")]


def _own(view: View, style: Style, lang: str) -> list[str]:
    if view["seat"] is None or view["over"]:
        return []
    hand = view["hands"][view["seat"]]
    if not hand["open"] and not hand["hidden"]:
        return []
    veil = [style("┊", "edge"), style("┊", "edge")] if hand["open"] and hand["hidden"] else []
    name = [style(told(lang, "hidden"), "quiet")] if hand["hidden"] else []
    fan = beside([_fan(hand["open"], style), veil, _fan(hand["hidden"], style), name], " ")
    return ["", *("  " + line for line in fan)]
