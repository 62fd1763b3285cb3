"""Why a move is the best in Dojo: a message code and its parameters."""

from __future__ import annotations

from typing import Any, cast

from tsukimi.bots.dojo.patterns import Patterns
from tsukimi.bots.engine import Reason, percent
from tsukimi.bots.tree import Candidate
from tsukimi.games.dojo.notation import BELTS, CARDS
from tsukimi.games.dojo.rules import Dojo

FIRST_PLACE, FIRST_TROPHY, CHALLENGE, SWAP = 12, 47, 5, 10
GOOD_CARD = 50  # a card is worth keeping for itself if it is as good as this percentage of the pile
ABOUT_AS_GOOD = 0.02  # a smaller difference between two shares is within the error of the search


def reason(patterns: Patterns, sampled: Dojo, view: Any, seat: int, candidates: list[Candidate]) -> Reason:
    phase = view["phase"]
    if phase == "place":
        return _place(sampled, view, seat, candidates)
    if phase == "challenge":
        return _challenge(view, seat, candidates, _unseen(sampled, view))
    if phase == "swap":
        return _swap(patterns, sampled, view, seat, candidates)
    if phase == "trophy":
        return _trophy(sampled, seat, candidates, view)
    if phase == "throw":
        return "dojo.throw", {}
    return _give(patterns, sampled, view, seat, candidates)


def _place(sampled: Dojo, view: Any, seat: int, candidates: list[Candidate]) -> Reason:
    """The score after the card is placed, and the lines through its place; if another place scores more immediately, what
    both score in the end."""
    candidate = candidates[0]
    before = view["dojos"][seat]["count"]["points"]
    place = candidate.move - FIRST_PLACE
    row, column = place // 7 - 2, place % 7 - 3
    card = view["held"][seat]
    cards = view["dojos"][seat]["cards"]
    after = _counted(sampled, seat, candidate.move)
    if (more := _counts_more(sampled, seat, candidates)) is not None:
        fields: dict[str, object] = {"points": after, "other_points": _counted(sampled, seat, more.move)}
        expected, other_expected = (round(found.score or 0.0, 1) for found in (candidate, more))
        if expected >= other_expected:
            return "dojo.later", {**fields, "expected": expected, "other_expected": other_expected}
        return _by_share("dojo.later-share", "dojo.later-even", candidate, more, fields)
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


def _counts_more(sampled: Dojo, seat: int, candidates: list[Candidate]) -> Candidate | None:
    """The candidate whose move scores most immediately, if that is more than the best one's: what people look at first."""
    counts = {candidate.move: _counted(sampled, seat, candidate.move) for candidate in candidates}
    most = max(candidates, key=lambda candidate: counts[candidate.move])
    return most if counts[most.move] > counts[candidates[0].move] else None


def _even(best: Candidate, other: Candidate) -> bool:
    return abs(best.share - other.share) < ABOUT_AS_GOOD


def _by_share(code: str, even: str, best: Candidate, other: Candidate, fields: dict[str, object]) -> Reason:
    """Both chances of winning; if they are about the same, only that: figures would claim more than the search knows."""
    return (even, fields) if _even(best, other) else (code, {**fields, **_shares(best, other)})


def _shares(best: Candidate, other: Candidate) -> dict[str, object]:
    return {"share": percent(best.share), "other_share": percent(other.share)}


def _counted(sampled: Dojo, seat: int, move: int) -> int:
    after = sampled.copy()
    after.apply(move, seat)
    return after.scores()[seat]


def _challenge(view: Any, seat: int, candidates: list[Candidate], unseen: dict[str, int]) -> Reason:
    """How many of the unseen cards the seat's own belt beats."""
    belt = int(view["held"][seat][-1])
    total = sum(unseen.values())
    beaten = sum(number for card, number in unseen.items() if int(card[-1]) <= belt)
    fields: dict[str, object] = {
        "belt": BELTS[belt - 1],
        "beaten": beaten,
        "total": total,
        "percent": percent(beaten / max(1, total)),
    }
    if _even(*candidates[:2]):
        return "dojo.challenge-even", fields
    shares = {candidate.move: percent(candidate.share) for candidate in candidates}
    code = "dojo.challenge" if candidates[0].move == CHALLENGE else "dojo.pass"
    return code, {**fields, "attack": shares[CHALLENGE], "still": shares[CHALLENGE + 1]}


def _unseen(sampled: Dojo, view: Any) -> dict[str, int]:
    """How many copies of each card this seat has not seen, neither in a dojo nor in front of a player."""
    counts = {CARDS[kind]: number for kind, number in enumerate(cast(Any, sampled.table).counts)}
    seen = [card["card"] for dojo in view["dojos"] for card in dojo["cards"]]
    seen += [card for card in view["held"] if card not in (None, "?")]
    for card in seen:
        counts[card] -= 1
    return counts


def _swap(patterns: Patterns, sampled: Dojo, view: Any, seat: int, candidates: list[Candidate]) -> Reason:
    """The two cards, and the gain of each in the seat's own dojo; if the other one gains more, the chances of winning."""
    duel = view["challenge"]
    own, other = duel["cards"] if duel["attacker"] == seat else duel["cards"][::-1]
    mine, theirs = (patterns.gain_of(sampled, seat, CARDS.index(card)) for card in (own, other))
    fields: dict[str, object] = {"own": own, "other": other, "difference": round(abs(theirs - mine), 1)}
    best, rest = candidates[:2]
    swaps = best.move == SWAP
    code = "dojo.swap" if swaps else "dojo.keep"
    if abs(theirs - mine) < 0.05:
        return _by_share(f"{code}-even", "dojo.either-card", best, rest, fields)
    if swaps != (theirs > mine):
        return _by_share(f"{code}-spite", f"{code}-spite-even", best, rest, fields)
    return code, {**fields, **_shares(best, rest)}


def _trophy(sampled: Dojo, seat: int, candidates: list[Candidate], view: Any) -> Reason:
    fields = {"trophy": view["trophy"], "before": view["dojos"][seat]["count"]["points"]}
    fields["after"] = _counted(sampled, seat, candidates[0].move)
    if (more := _counts_more(sampled, seat, candidates)) is not None:
        fields["other_after"] = _counted(sampled, seat, more.move)
        return _by_share("dojo.trophy-share", "dojo.trophy-even", candidates[0], more, fields)
    return ("dojo.trophy" if fields["after"] > fields["before"] else "dojo.trophy-later"), fields


def _give(patterns: Patterns, sampled: Dojo, view: Any, seat: int, candidates: list[Candidate]) -> Reason:
    """Whom the card helps, by patterns (the dealer has seen it); if someone else could do less with it, or if most
    cards are better to keep, the chances of winning."""
    card = view["looking"]
    if len(candidates) == 1:
        return "dojo.give-last", {"card": card}
    best = candidates[0]
    gains = {found.move: patterns.gain_of(sampled, found.move, CARDS.index(card)) for found in candidates}
    away = [found for found in candidates if found.move != seat]
    fields: dict[str, object] = {"card": card}
    if best.move == seat:
        unseen = [(kind, number) for kind, number in enumerate(sampled.left) if number]
        worse = sum(number for kind, number in unseen if patterns.gain_of(sampled, seat, kind) <= gains[seat])
        part = percent(worse / max(1, sampled.pile))
        if part >= GOOD_CARD:
            return "dojo.give-keep", {**fields, "percent": part}
        return _by_share("dojo.give-keep-share", "dojo.give-keep-even", best, away[0], {**fields, "to": away[0].move})
    least = min(away, key=lambda found: gains[found.move])
    if gains[best.move] <= gains[least.move]:
        return "dojo.give-least", {**fields, "to": best.move}
    return _by_share("dojo.give", "dojo.give-even", best, least, {**fields, "to": best.move, "other_seat": least.move})
