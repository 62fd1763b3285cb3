"""The first decisions that matter in each game: which situation a seat is in, given what it sees, and what it chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tsukimi.core.spec import Json


class Moment(NamedTuple):
    """A seat's decision, with the topic's names for situation and choice."""

    topic: str
    seat: int
    situation: str
    choice: str


class Decision(NamedTuple):
    """What is known when a move is made: the seat's view, the texts of its legal moves, and the one it makes."""

    seat: int
    view: Json
    legal: Sequence[str]
    move: str


Watch = Callable[[Iterator[Decision]], Iterator[Moment]]


def _grade(number: int, *bounds: int) -> str:
    """How high a number is, relative to some bounds: `low`, `middle`, `high`."""
    return ("low", "middle", "high")[sum(number >= bound for bound in bounds)]


def charuma(decisions: Iterator[Decision]) -> Iterator[Moment]:
    """What the first hand costs by its nines and tens, and what is led first."""
    bids: dict[str, tuple[int, int, int]] = {}  # by group: who bid last, how much, and for how many nines and tens
    for seat, view, legal, move in decisions:
        if view["ask"] == "bid":
            _, price, name = move.split()
            group = next(group for group in view["groups"] if group["name"] == name)
            cards = (*group["cards"], *view["hands"][seat]["hidden"])
            high = sum(card.rstrip("*")[:-1] in ("9", "10") for card in cards)
            bids[name] = (seat, int(price), high)
            continue
        for owner, paid, high in bids.values():
            yield Moment("price", owner, _grade(high, 2, 3), str(min(paid, 3)))
        if view["ask"] == "lead":
            cards = tuple(move.split()[1:])
            value = cards[0].rstrip("*")[:-1]
            led = "pair" if len(cards) == 2 else "high" if value in ("8", "9", "10") else "low"
            pairs = any(len(move.split()) == 3 for move in legal)
            yield Moment("lead", seat, "pairs" if pairs else "no-pairs", led)
        return


def china_moon(decisions: Iterator[Decision]) -> Iterator[Moment]:
    """Whose frogs are moved in the first turn, and which way is taken at the first fork."""
    moved: dict[int, list[bool]] = {}
    for seat, view, _, move in decisions:
        if view["ask"] != "move":
            continue
        _, frog, target = move.split()
        owner = int(frog[1]) - 1
        mine = moved.setdefault(seat, [])
        if len(mine) < 3:
            mine.append(owner == seat)
            if len(mine) == 3:
                yield Moment("turn", seat, "first" if len(moved) == 1 else "later", f"own-{sum(mine)}")
        before = next(item["pad"] for item in view["frogs"][owner] if item["frog"] == frog)
        if target[0] in "ab" and not before[0].isalpha():
            yield Moment("fork", seat, "own" if owner == seat else "others", "long" if target[0] == "a" else "short")
        if target.isdigit() and int(target) > 10:  # the first frog is far beyond the fork
            return


def daruma(decisions: Iterator[Decision]) -> Iterator[Moment]:
    """Which daruma gets the first eye, and when to stop, in the first three turns of a player."""
    turns: dict[int, int] = {}
    current, seen = -1, set[str]()
    for seat, view, legal, move in decisions:
        if seat != current:
            current = seat
            seen = set()
            turns[seat] = turns.get(seat, 0) + 1
        if view["ask"] != "use" or turns[seat] > 3:
            continue
        fours = view["ledger"]["fours"] + view["ledger"]["fictive"]
        situation = f"fours-{min(fours, 3)}"
        if "stop" in legal and len(view["dice"]) > 1 and situation not in seen:
            seen.add(situation)
            yield Moment("stop", seat, situation, "stop" if move == "stop" else "go-on")
        if move.startswith("paint") and "paint" not in seen:
            seen.add("paint")
            place = view["places"][int(move.split()[1]) - 1]
            goal = next(objective for objective in view["objectives"] if objective["number"] == view["held"][seat])
            worth = goal["worth"][place["colour"]]
            painted = "new" if place["eyes"] == ["none", "none"] else "half"
            yield Moment("paint", seat, painted, "gold" if place["colour"] == "gold" else f"worth-{worth}")


def dojo(decisions: Iterator[Decision]) -> Iterator[Moment]:
    """Who gets the dealer's first card, who challenges, and where the second card goes, in the first three rounds."""
    for seat, view, legal, move in decisions:
        if view["round"] > 3:
            return
        if view["ask"] == "give" and len(legal) == view["players"]:
            given = "keep" if move == f"give p{seat + 1}" else "away"
            yield Moment("gift", seat, _grade(int(view["looking"][-1]), 3, 4), given)
        elif view["ask"] == "challenge":
            yield Moment("challenge", seat, _grade(int(view["held"][seat][-1]), 3, 4), move)
        elif view["ask"] == "place" and len(view["dojos"][seat]["cards"]) == 1:
            [first] = view["dojos"][seat]["cards"]
            card, held = first["card"], view["held"][seat]
            alike = "disciple" if card[:-1] == held[:-1] else "belt" if card[-1] == held[-1] else "neither"
            yield Moment("place", seat, alike, "row" if int(move.split()[1]) == first["row"] else "column")


class Topic(NamedTuple):
    """The situations of a kind of decision and its choices, in the order in which a page shows them."""

    name: str
    situations: tuple[str, ...]
    choices: tuple[str, ...]


class Topics(NamedTuple):
    players: int
    watch: Watch
    topics: tuple[Topic, ...]


GRADES = ("low", "middle", "high")
TOPICS: dict[str, Topics] = {
    "charuma": Topics(
        3,
        charuma,
        (
            Topic("price", GRADES, ("0", "1", "2", "3")),
            Topic("lead", ("pairs", "no-pairs"), ("pair", "high", "low")),
        ),
    ),
    "china-moon": Topics(
        4,
        china_moon,
        (
            Topic("turn", ("first", "later"), ("own-2", "own-1", "own-0")),
            Topic("fork", ("own", "others"), ("long", "short")),
        ),
    ),
    "daruma": Topics(
        3,
        daruma,
        (
            Topic("paint", ("new", "half"), ("gold", "worth-2", "worth-1", "worth--3")),
            Topic("stop", ("fours-0", "fours-1", "fours-2", "fours-3"), ("stop", "go-on")),
        ),
    ),
    "dojo": Topics(
        4,
        dojo,
        (
            Topic("gift", GRADES, ("keep", "away")),
            Topic("challenge", GRADES, ("challenge", "pass")),
            Topic("place", ("disciple", "belt", "neither"), ("row", "column")),
        ),
    ),
}
"""By game."""
