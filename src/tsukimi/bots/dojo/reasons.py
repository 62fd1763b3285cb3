"""Why a move is the best in Dojo: a code of the catalogue and its parameters."""

from __future__ import annotations

from typing import Any, cast

from tsukimi.bots.dojo.patterns import Patterns
from tsukimi.bots.engine import Reason
from tsukimi.bots.tree import Candidate
from tsukimi.games.dojo.notation import BELTS, CARDS
from tsukimi.games.dojo.rules import Dojo

FIRST_PLACE, FIRST_TROPHY, CHALLENGE, SWAP = 12, 47, 5, 10


def reason(patterns: Patterns, sampled: Dojo, view: Any, seat: int, candidates: list[Candidate]) -> Reason:
    phase, move = view["phase"], candidates[0].move
    if phase == "place":
        return _place(sampled, view, seat, candidates[0])
    if phase == "challenge":
        return _challenge(view, seat, candidates, _unseen(sampled, view))
    if phase == "swap":
        return _swap(patterns, sampled, view, seat, move)
    if phase == "trophy":
        return _trophy(sampled, seat, move, view)
    if phase == "throw":
        return "dojo.throw", {}
    return _give(patterns, sampled, view, seat, candidates[0])


def _place(sampled: Dojo, view: Any, seat: int, candidate: Candidate) -> Reason:
    """The score after the card is placed, and the lines through its place."""
    before = view["dojos"][seat]["count"]["points"]
    place = candidate.move - FIRST_PLACE
    row, column = place // 7 - 2, place % 7 - 3
    card = view["held"][seat]
    cards = view["dojos"][seat]["cards"]
    after = _counted(sampled, seat, candidate.move)
    inside = [c["card"] for c in cards if c["row"] == row]
    same = 1 + sum(c[:-1] == card[:-1] for c in inside)
    stack = [c["card"] for c in cards if c["column"] == column]
    if after > before:
        if same > 1 and card[:-1] != "raccoon":
            return "dojo.row", {"number": same, "card": card, "before": before, "after": after}
        return "dojo.gain", {"before": before, "after": after}
    if stack and all(c[-1] == card[-1] for c in stack):
        return "dojo.column", {"number": len(stack) + 1, "belt": BELTS[int(card[-1]) - 1]}
    return "dojo.wait", {"points": after, "expected": round(candidate.score or after, 1)}


def _counted(sampled: Dojo, seat: int, move: int) -> int:
    after = sampled.copy()
    after.apply(move, seat)
    return after.scores()[seat]


def _challenge(view: Any, seat: int, candidates: list[Candidate], unseen: dict[str, int]) -> Reason:
    """How many of the unseen cards the own belt beats."""
    belt = int(view["held"][seat][-1])
    total = sum(unseen.values())
    beaten = sum(number for card, number in unseen.items() if int(card[-1]) <= belt)
    fields: dict[str, object] = {
        "belt": BELTS[belt - 1],
        "beaten": beaten,
        "total": total,
        "percent": round(100 * beaten / max(1, total)),
    }
    shares = {candidate.move: round(100 * candidate.share) for candidate in candidates}
    code = "dojo.challenge" if candidates[0].move == CHALLENGE else "dojo.pass"
    return code, {**fields, "attack": shares[CHALLENGE], "still": shares[CHALLENGE + 1]}


def _unseen(sampled: Dojo, view: Any) -> dict[str, int]:
    """How often this seat has not seen each card: in no dojo, and before no player that it knows."""
    counts = {CARDS[kind]: number for kind, number in enumerate(cast(Any, sampled.table).counts)}
    seen = [card["card"] for dojo in view["dojos"] for card in dojo["cards"]]
    seen += [card for card in view["held"] if card not in (None, "?")]
    for card in seen:
        counts[card] -= 1
    return counts


def _swap(patterns: Patterns, sampled: Dojo, view: Any, seat: int, move: int) -> Reason:
    """The two cards, and the gain of each in the own dojo."""
    duel = view["challenge"]
    own, other = duel["cards"] if duel["attacker"] == seat else duel["cards"][::-1]
    mine, theirs = (patterns.gain_of(sampled, seat, CARDS.index(card)) for card in (own, other))
    fields = {"own": own, "other": other, "difference": round(abs(theirs - mine), 1)}
    if abs(theirs - mine) < 0.05:
        return "dojo.swap-even", fields
    better = theirs > mine
    if move == SWAP:
        return ("dojo.swap" if better else "dojo.swap-spite"), fields
    return ("dojo.keep-spite" if better else "dojo.keep"), fields


def _trophy(sampled: Dojo, seat: int, move: int, view: Any) -> Reason:
    fields = {"trophy": view["trophy"], "before": view["dojos"][seat]["count"]["points"]}
    fields["after"] = _counted(sampled, seat, move)
    return ("dojo.trophy" if fields["after"] > fields["before"] else "dojo.trophy-later"), fields


def _give(patterns: Patterns, sampled: Dojo, view: Any, seat: int, candidate: Candidate) -> Reason:
    """Whom the card helps, by patterns; the dealer has seen it."""
    card = view["looking"]
    move, moves = candidate.move, sampled.actions(seat)
    gains = {to: patterns.gain_of(sampled, to, CARDS.index(card)) for to in moves}
    if len(moves) == 1:
        return "dojo.give-last", {"card": card}
    if move == seat:
        unseen = [(kind, number) for kind, number in enumerate(sampled.left) if number]
        worse = sum(number for kind, number in unseen if patterns.gain_of(sampled, seat, kind) <= gains[seat])
        return "dojo.give-keep", {"card": card, "percent": round(100 * worse / max(1, sampled.pile))}
    others = [gain for to, gain in gains.items() if to != seat]
    least = gains[move] <= min(others)
    fields = {"card": card, "to": move, "share": round(100 * candidate.share)}
    return ("dojo.give-least" if least else "dojo.give"), fields
