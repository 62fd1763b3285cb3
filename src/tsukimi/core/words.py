"""Events, questions, reasons and names of things as text, from a game's message catalogue; game-independent."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tsukimi.core import catalogue

SEAT_FIELDS = {"seat", "to", "from", "winner", "loser", "owner", "dealer"}
PLAYER = re.compile("p([1-9])")
NEGATIVE = re.compile(r"-\d+([.,]\d+)?")
COMMAS = ("fr", "es")  # the languages that write 1,5


def title(game: str, lang: str) -> str:
    """A game's name as people write it."""
    found = catalogue.messages(game, lang).get("game", {}).get("title")
    return str(found) if found else game.replace("-", " ").title()


def summary(game: str, lang: str) -> str:
    """What a game is about, in a few words ("" if there is no summary)."""
    return str(catalogue.messages(game, lang).get("game", {}).get("summary", ""))


class Words:
    """The texts of one game in one language, with the names of its players."""

    def __init__(self, game: str, lang: str, names: Sequence[str]) -> None:
        self.game, self.lang = game, lang
        self.names = list(names)
        self._own = catalogue.messages(game, lang)
        self._common = catalogue.messages("", lang)

    def event(self, event: Mapping[str, Any]) -> str:
        """An event as a sentence ("" if there is nothing to say)."""
        kind = event["type"]
        common = self._common["log"]
        template = (
            self._own.get("log", {}).get(kind) or common.get(kind) or common["move" if "seat" in event else "chance"]
        )
        return catalogue.fill(template, self._fields(event), self.lang)

    def ask(self, view: Mapping[str, Any], moves: Sequence[str] = ()) -> str:
        """The question to those who may act ("" if there is none), depending on the legal moves."""
        actors = view.get("actors")
        if view.get("ask") is None and not actors:
            return ""
        offers = self._own.get("offer", {})
        kinds = list(dict.fromkeys(move.split()[0] for move in moves))
        if kinds and all(kind in offers for kind in kinds):
            *others, last = (offers[kind] for kind in kinds)
            text = f"{', '.join(others)} {catalogue.OR[self.lang]} {last}" if others else last
            return f"{text[0].upper()}{text[1:]}."
        seats = {"seat": actors[0]} if actors else {}
        code, common = view.get("ask"), self._common["ask"]
        template = self._own.get("ask", {}).get(code) or common.get(code) or common["other"]
        return catalogue.fill(template, self._fields({**view, **seats}), self.lang)

    def stake(self, stake: Mapping[str, Any]) -> str:
        """One thing that a move gains, risks or costs, as a phrase ("" if the game has no text for it)."""
        kind = stake["kind"]
        template = self._own.get("stake", {}).get(kind) or self._common["stake"].get(kind, "")
        return catalogue.fill(template, self._fields(stake), self.lang)

    def stakes(self, stakes: Sequence[Mapping[str, Any]]) -> str:
        """Everything that a move gains, risks or costs, in one line ("" if there is nothing to say)."""
        return " · ".join(filter(None, map(self.stake, stakes)))

    def row(self, row: Mapping[str, Any]) -> str:
        """The label of a row of the score sheet."""
        return self._sheet(row["row"], row)

    def part(self, number: int) -> str:
        """The heading of a group of rows on the score sheet."""
        return self._sheet("part", {"part": number})

    def _sheet(self, code: str, fields: Mapping[str, Any]) -> str:
        template = self._own.get("sheet", {}).get(code) or self._common["sheet"].get(code, code)
        return catalogue.fill(template, self._fields(fields), self.lang)

    def why(self, code: str, facts: Mapping[str, Any]) -> str:
        """The reason for a move as a sentence; the code is `GAME.code`, or without a prefix if all games have it.
        The reasons in `also`, each a code with its facts, follow as sentences of their own."""
        own = {key: value for key, value in facts.items() if key != "also"}
        sentences = [catalogue.say("why", code, self._fields(own), self.lang)]
        return " ".join(sentences + [self.why(*more) for more in facts.get("also", ())])

    def lesson(self, code: str) -> str:
        """What the coach of the lesson says; players are named as `{p2}`."""
        seats = {f"p{seat + 1}": name for seat, name in enumerate(self.names)}
        return catalogue.fill(self._own["lesson"][code], seats, self.lang)

    def theme(self, theme: str) -> str:
        """What puzzles are about."""
        return str(self._own.get("theme", {}).get(theme, theme))

    def word(self, key: object) -> str:
        """The name of a thing: its word, or what its form makes of its parts; unchanged if the game has neither."""
        text = str(key)
        found = self._own.get("word", {}).get(text)
        if found is not None:
            return str(found)
        if (player := PLAYER.fullmatch(text)) and int(player[1]) <= len(self.names):
            return self.name(int(player[1]) - 1)
        for form, template in self._own.get("form", {}).items():
            if match := re.fullmatch(form, text):
                return catalogue.fill(template, {name: self.word(part) for name, part in match.groupdict().items()})
        return text

    def name(self, seat: int) -> str:
        return self.names[seat]

    def _fields(self, data: Mapping[str, Any]) -> dict[str, str]:
        """Everything that is known, as text; None counts as unknown. `self`: the seat, if it acts on something of its own."""
        words = {key: self._field(key, value) for key, value in data.items() if value is not None}
        seat = data.get("seat")
        if seat is not None and seat in (data.get("to"), data.get("owner")):
            words["self"] = words["seat"]
        return words

    def _field(self, key: str, value: Any) -> str:
        is_seat = key in SEAT_FIELDS or key.endswith("_seat")
        if is_seat and type(value) is int and 0 <= value < len(self.names):
            return self.name(value)
        if isinstance(value, list):
            seats = key.endswith("seats") or key == "winners"
            return ", ".join(self._field("seat" if seats else key, item) for item in value)
        if isinstance(value, float):
            value = str(value).replace(".", ",") if self.lang in COMMAS else str(value)
        return self.word(value).replace("-", catalogue.MINUS) if NEGATIVE.fullmatch(str(value)) else self.word(value)
