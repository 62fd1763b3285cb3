"""Charuma on a terminal: groups and bids, open hands, the trick, your own cards with the hidden two apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tsukimi.terminal import Board, View, beside, line, pad

FACES = {"b": "^.^", "r": "(•)"}
COLOURS = {"b": "blue", "r": "red"}
CARD = 5


class CharumaBoard(Board):
    def draw(self, view: View) -> RenderableType:
        parts: list[RenderableType] = [self._seat(view, seat) for seat in range(view["players"])]
        if view["groups"]:
            parts += ["", *(self._group(group) for group in view["groups"])]
        trick = view["trick"] or view["last_trick"]
        if trick and not view["groups"]:
            parts += ["", self._trick(trick)]
        return Group(*parts, *self._own_hand(view))

    def headline(self, view: View) -> str:
        parts = [self.text("round", round=view["round"] or 1), self.text("goal", goal=view["goal"])]
        if end := view["end"]:
            parts.append(self.text(f"end-{end['kind']}"))
        return " · ".join(parts)

    def gloss(self, move: str, view: View) -> Text:
        if move.startswith("bid "):
            group = next(group for group in view["groups"] if group["name"] == move.split()[2])
            return Text() if group["owner"] is None else Text(f"↑ {self.names[group['owner']]}", "quiet")
        return self._chips(move.split()[1:]) if self.colour else Text()

    def anchors(self, view: View) -> list[str]:
        ask = view["ask"] or ""
        if ask.startswith(("follow", "play")):
            return ["follow"]
        return {"bid": ["auction"], "lead": ["lead"]}.get(ask, ["game-end" if view["over"] else "round"])

    def recall(self, events: list[dict[str, Any]], view: View) -> list[dict[str, Any]]:
        """Won tricks may not be looked at again: of the cards played, the last two tricks only."""
        if view["over"]:
            return events
        leads = [event["index"] for event in events if event["type"] == "play" and event["lead"]]
        since = leads[-2] if len(leads) > 1 else 0
        return [event for event in events if event["type"] != "play" or event["index"] >= since or "round" in event]

    # ---- cards -------------------------------------------------------------------------------

    def _chips(self, cards: Sequence[str]) -> Text:
        """Cards in one line."""
        return Text(" ").join(Text(f"{card:>3} " if self.colour else f"{card:<3}", _ground(card)) for card in cards)

    def _backs(self, count: int) -> Text:
        """Hidden cards of others, face down."""
        return Text(" ").join([Text(" ? " if self.colour else "?", "back")] * count)

    # ---- the table ---------------------------------------------------------------------------

    def _seat(self, view: View, seat: int) -> Text:
        hand = view["hands"][seat]
        known = hand.get("hidden") if seat != view["seat"] else None  # a replay may know all cards
        hidden = self._chips(known) if known else self._backs(hand["hidden_count"])
        tricks = ""
        if view["phase"] == "tricks":
            tricks = f"{self.text('tricks')} {view['tricks'][seat]} (+{view['trick_points'][seat]})"
        return line(
            pad(self.label(view, seat), self.label_size()),
            (f"{view['points'][seat]:>3}", "text.bold"),
            (" ◆ ", "moon") if seat == view["token"] else "   ",
            pad(line(self._chips(hand["open"]), "  " if hand["open"] else "", hidden), 38),
            (f" {tricks}", "quiet"),
        )

    def _group(self, group: Mapping[str, Any]) -> Text:
        bid = Text(self.text("no-bid"), "quiet")
        if group["bid"] is not None:
            owner = self.label({"actors": (), "seat": None}, group["owner"])
            coins = ("●" * group["bid"], "moon") if group["bid"] else ("○", "quiet")
            bid = line((str(group["bid"]), "moon.bold"), " ", owner, " ", coins)
        return line("  ", (group["name"], "moon.bold"), "  ", pad(self._chips(group["cards"]), 30), "   ", bid)

    def _trick(self, trick: Mapping[str, Any]) -> Table:
        """The cards on the table from the leader on, the best so far marked."""
        best = trick.get("winning", trick.get("winner"))
        label = self.words.word(trick["led"]) if "led" in trick else self.text("last-trick")
        blocks: list[list[RenderableType]] = [[Text(f"  {label}", "quiet"), Text(f"  {'┄' * len(label)}", "edge")]]
        for play in trick["plays"]:
            mark = ("●", "moon") if play["seat"] == best else " "
            blocks.append([line(mark, self.name(play["seat"], 10)), beside([[" "], [_fan(play["cards"])]], 0)])
        return beside(blocks, 2)

    def _own_hand(self, view: View) -> list[RenderableType]:
        if view["seat"] is None or view["over"]:
            return []
        hand = view["hands"][view["seat"]]
        if not hand["open"] and not hand["hidden"]:
            return []
        blocks: list[list[RenderableType]] = [[" "]]
        blocks += [[_fan(hand["open"])]] if hand["open"] else []
        blocks += [[Text("┊\n┊", "edge")]] if hand["open"] and hand["hidden"] else []
        blocks += [[_fan(hand["hidden"])], [Text(self.text("hidden"), "quiet")]] if hand["hidden"] else []
        return ["", beside(blocks, 1)]


def _fan(cards: Sequence[str]) -> Table:
    """Cards in two lines: their values, and a cat or a daruma each."""
    return beside([[pad(f" {card}", CARD, style=_ground(card)), _picture(card)] for card in cards], 1)


def _picture(card: str) -> Text:
    return pad(f" {FACES[card.rstrip('*')[-1]]}", CARD, style=_ground(card))


def _ground(card: str) -> str:
    return f"on.{COLOURS[card.rstrip('*')[-1]]}"
