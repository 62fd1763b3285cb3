"""Why a move of Dojo is good: one sentence of things that can be counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from tsukimi.bots.dojo.patterns import Patterns
from tsukimi.bots.tree import Thought
from tsukimi.games.dojo.notation import BELTS, CARDS
from tsukimi.games.dojo.rules import Dojo

Fact = tuple[str, Mapping[str, object]]
FIRST_PLACE, FIRST_TROPHY, CHALLENGE, SWAP = 12, 47, 5, 10


def why(patterns: Patterns, world: Dojo, view: Any, seat: int, thoughts: list[Thought]) -> Fact:
    """A code of the catalogue and its parameters for the first of these moves; the world is one that the seat may imagine."""
    phase, move = view["phase"], thoughts[0].move
    if phase == "place":
        return _place(world, view, seat, thoughts[0])
    if phase == "challenge":
        return _challenge(view, seat, thoughts, _unseen(world, view))
    if phase == "swap":
        return _swap(patterns, world, view, seat, move)
    if phase == "trophy":
        return _trophy(world, seat, move, view)
    if phase == "throw":
        return "dojo.throw", {}
    return _give(patterns, world, view, seat, thoughts[0])


def _place(world: Dojo, view: Any, seat: int, thought: Thought) -> Fact:
    """What the dojo counts after the card is placed, and what the lines through it have."""
    before = view["dojos"][seat]["count"]["points"]
    place = thought.move - FIRST_PLACE
    row, column = place // 7 - 2, place % 7 - 3
    card = view["held"][seat]
    cards = view["dojos"][seat]["cards"]
    after = _counted(world, seat, thought.move)
    inside = [c["card"] for c in cards if c["row"] == row]
    same = 1 + sum(c[:-1] == card[:-1] for c in inside)
    stack = [c["card"] for c in cards if c["column"] == column]
    if after > before:
        if same > 1 and card[:-1] != "raccoon":
            return "dojo.row", {"number": same, "card": card, "before": before, "after": after}
        return "dojo.gain", {"before": before, "after": after}
    if stack and all(c[-1] == card[-1] for c in stack):
        return "dojo.column", {"number": len(stack) + 1, "belt": BELTS[int(card[-1]) - 1]}
    return "dojo.wait", {"points": after, "expected": round(thought.score or after, 1)}


def _counted(world: Dojo, seat: int, move: int) -> int:
    after = world.copy()
    after.apply(move, seat)
    return after.scores()[seat]


def _challenge(view: Any, seat: int, thoughts: list[Thought], unseen: dict[str, int]) -> Fact:
    """How many of the cards not seen yet the own belt is enough against."""
    belt = int(view["held"][seat][-1])
    total = sum(unseen.values())
    beaten = sum(number for card, number in unseen.items() if int(card[-1]) <= belt)
    fields: dict[str, object] = {
        "belt": BELTS[belt - 1],
        "beaten": beaten,
        "total": total,
        "percent": round(100 * beaten / max(1, total)),
    }
    shares = {thought.move: round(100 * thought.share) for thought in thoughts}
    code = "dojo.challenge" if thoughts[0].move == CHALLENGE else "dojo.pass"
    return code, {**fields, "attack": shares[CHALLENGE], "still": shares[CHALLENGE + 1]}


def _unseen(world: Dojo, view: Any) -> dict[str, int]:
    """The cards that this seat has not seen: all but those in dojos and those before the players that it knows."""
    counts = {CARDS[kind]: number for kind, number in enumerate(cast(Any, world.table).counts)}
    seen = [card["card"] for dojo in view["dojos"] for card in dojo["cards"]]
    seen += [card for card in view["held"] if card not in (None, "?")]
    for card in seen:
        counts[card] -= 1
    return counts


def _swap(patterns: Patterns, world: Dojo, view: Any, seat: int, move: int) -> Fact:
    """The two cards, and what each is worth in the own dojo."""
    duel = view["challenge"]
    own, other = duel["cards"] if duel["attacker"] == seat else duel["cards"][::-1]
    mine, theirs = (patterns.gain_of(world, seat, CARDS.index(card)) for card in (own, other))
    fields = {"own": own, "other": other, "difference": round(abs(theirs - mine), 1)}
    if abs(theirs - mine) < 0.05:
        return "dojo.swap-even", fields
    better = theirs > mine
    if move == SWAP:
        return ("dojo.swap" if better else "dojo.swap-spite"), fields
    return ("dojo.keep-spite" if better else "dojo.keep"), fields


def _trophy(world: Dojo, seat: int, move: int, view: Any) -> Fact:
    fields = {"trophy": view["trophy"], "before": view["dojos"][seat]["count"]["points"]}
    fields["after"] = _counted(world, seat, move)
    return ("dojo.trophy" if fields["after"] > fields["before"] else "dojo.trophy-later"), fields


def _give(patterns: Patterns, world: Dojo, view: Any, seat: int, thought: Thought) -> Fact:
    """Whom the card would help, by patterns; the dealer has seen it."""
    card = view["looking"]
    move, moves = thought.move, world.actions(seat)
    gains = {to: patterns.gain_of(world, to, CARDS.index(card)) for to in moves}
    if len(moves) == 1:
        return "dojo.give-last", {"card": card}
    if move == seat:
        unseen = [(kind, number) for kind, number in enumerate(world.left) if number]
        worse = sum(number for kind, number in unseen if patterns.gain_of(world, seat, kind) <= gains[seat])
        return "dojo.give-keep", {"card": card, "percent": round(100 * worse / max(1, world.pile))}
    others = [gain for to, gain in gains.items() if to != seat]
    least = gains[move] <= min(others)
    fields = {"card": card, "to": move, "share": round(100 * thought.share)}
    return ("dojo.give-least" if least else "dojo.give"), fields
