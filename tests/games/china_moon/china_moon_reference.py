"""China Moon once more, as plainly as it can be said: names, dicts and recursion, no bit and no table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

COLOURS = ("pink", "white", "yellow", "blue", "black")


class Reference:
    """The game after its set-up."""

    def __init__(
        self, board: Mapping[str, Any], players: int, first: int, lilies: dict[str, str], prizes: list[str]
    ) -> None:
        self.onward = {"start": list(board["start"])} | {pad["id"]: list(pad["next"]) for pad in board["pad"]}
        self.kind = {pad["id"]: pad["kind"] for pad in board["pad"]}
        self.players, self.turn = players, first
        self.lilies, self.prizes = dict(lilies), [*prizes, "blue"]
        self.where = {f"p{seat + 1}{letter}": "start" for seat in range(players) for letter in "abc"}
        self.held: list[list[str]] = [[] for _ in range(players)]
        self.moved: list[str] = []
        self.arrivals = 0
        self.pending: tuple[str, str] | None = None  # what is asked, and of which frog

    def over(self) -> bool:
        return self.arrivals == 4

    def actor(self) -> int:
        if self.pending and self.pending[0] in ("prankster", "butterfly"):
            return self.owner(self.pending[1])
        return self.turn

    @staticmethod
    def owner(frog: str) -> int:
        return int(frog[1]) - 1

    def taken(self, pad: str) -> bool:
        return pad != "goal" and pad in self.where.values()

    def landings(self, place: str, steps: int = 2) -> set[str]:
        if place == "goal" or steps == 0:
            return {place}
        return {
            end
            for after in self.onward[place]
            for end in self.landings(after, steps if self.taken(after) else steps - 1)
        }

    def nearest_behind(self, pad: str) -> list[str]:
        ring, seen = {pad}, {pad}
        while ring:
            ring = {b for b, onward in self.onward.items() if b != "start" and ring & set(onward)} - seen
            seen |= ring
            if found := [b for b in ring if not self.taken(b) and b not in self.lilies]:
                return sorted(found)
        return []

    def trades(self, owner: int) -> list[str]:
        return [
            f"trade {give} p{other + 1} {take}"
            for give in set(self.held[owner])
            for other in range(self.players)
            if other != owner
            for take in set(self.held[other])
            if give != take
        ]

    def drops(self, frog: str) -> list[str]:
        pads = self.nearest_behind(self.where[frog])
        colours = set(self.held[self.owner(frog)])
        if len(pads) == 1:
            return [f"drop {colour}" for colour in colours]
        return [f"drop {colour} {pad}" for colour in colours for pad in pads]

    def legal(self) -> list[str]:
        if self.over():
            return []
        if self.pending:
            kind, frog = self.pending
            if kind == "prankster":
                return self.trades(self.owner(frog))
            if kind == "butterfly":
                return self.drops(frog)
            return [f"move {frog} {pad}" for pad in self.landings(self.where[frog])]
        own_only = len(self.moved) == 2 and all(self.owner(frog) == self.turn for frog in self.moved)
        return [
            f"move {frog} {pad}"
            for frog, place in self.where.items()
            if place != "goal" and frog not in self.moved and not (own_only and self.owner(frog) == self.turn)
            for pad in self.landings(place)
        ]

    def play(self, text: str) -> None:
        words = text.split()
        if words[0] == "move":
            if self.pending is None:
                self.moved.append(words[1])
            self.land(words[1], words[2])
            return
        assert self.pending
        frog = self.pending[1]
        mine = self.held[self.owner(frog)]
        mine.remove(words[1])
        if words[0] == "trade":
            theirs = self.held[int(words[2][1]) - 1]
            theirs.append(words[1])
            theirs.remove(words[3])
            mine.append(words[3])
        else:
            pad = words[2] if len(words) == 3 else self.nearest_behind(self.where[frog])[0]
            self.lilies[pad] = words[1]
        self.done()

    def land(self, frog: str, pad: str) -> None:
        self.where[frog] = pad
        mine = self.held[self.owner(frog)]
        if pad == "goal":
            mine.append(self.prizes[self.arrivals])
            self.arrivals += 1
            self.done()
            return
        if pad in self.lilies:
            mine.append(self.lilies.pop(pad))
        kind = self.kind[pad]
        if kind == "spring":
            ends = self.landings(pad)
            if len(ends) == 1:
                self.land(frog, ends.pop())
            else:
                self.pending = (kind, frog)
        elif (kind == "prankster" and self.trades(self.owner(frog))) or (
            kind == "butterfly" and mine and self.nearest_behind(pad)
        ):
            self.pending = (kind, frog)
        else:
            self.done()

    def done(self) -> None:
        self.pending = None
        if len(self.moved) == 3 and not self.over():
            self.moved = []
            self.turn = (self.turn + 1) % self.players

    def score(self, seat: int) -> int:
        counts = [self.held[seat].count(colour) for colour in COLOURS]
        return sum((0, 1, 3, 6, 10, 15)[count] for count in counts[:3]) + 4 * counts[3] - 2 * counts[4]
