"""What a move of Daruma brings, risks or costs, as the player whose turn it is may know it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import comb
from typing import cast

from tsukimi.core.spec import Json, Position
from tsukimi.core.stakes import played, points
from tsukimi.games.daruma.codes import (
    ACTIONS,
    ASK_REROLL,
    BAD_LUCK,
    EMPTY,
    FICTIVE_FOUR,
    MOVE_GIVE,
    MOVE_PAINT,
    MOVE_REROLL,
    MOVE_ROLL,
    MOVE_SAKE,
    MOVE_SHIFT,
    MOVE_STOP,
    MOVE_SWEEP,
    OVER,
    PHASES,
    PLACES,
    REFILL,
    REWARD,
    ROLL,
    TURN_PASSED,
    USE,
)
from tsukimi.games.daruma.decode import faces_in, swap_base
from tsukimi.games.daruma.rules import Daruma

Stakes = list[Json]
FOURS_OF_GOOD_FORTUNE = 4  # a roll with that many is rolled again


# ---- chances ---------------------------------------------------------------------------------


@cache
def bad_luck(dice: int, fours: int) -> float:
    """The probability that a roll of that many dice ends a turn with that many fours (four fours at once are rolled again)."""
    odds = _odds_of_fours(dice)
    return sum(odds[max(0, 4 - fours) :]) / sum(odds)


@cache
def chance_of_a_one(dice: int) -> float:
    """The probability that a roll of that many dice shows a 1 in the end: four fours at once are rolled again."""
    without: list[float] = [
        comb(dice, k) * 4 ** (dice - k) / 6**dice for k in range(min(dice + 1, FOURS_OF_GOOD_FORTUNE))
    ]
    return 1 - sum(without) / sum(_odds_of_fours(dice))


def _odds_of_fours(dice: int) -> list[float]:
    """The probabilities of 0, 1, .. fours among those rolls that count."""
    return [comb(dice, k) * 5 ** (dice - k) / 6**dice for k in range(min(dice + 1, FOURS_OF_GOOD_FORTUNE))]


# ---- stakes ----------------------------------------------------------------------------------


def stakes(position: Position, seat: int, move: int) -> Stakes:
    before: Daruma = position
    after: Daruma = played(before, seat, move)
    return [*_own(before, move, after, seat), *_consequences(before, after, seat)]


def _own(before: Daruma, move: int, after: Daruma, seat: int) -> Stakes:
    """What is special about a move of its kind."""
    if move == MOVE_SWEEP:
        lost = [{"kind": "pupils-lost", "pupils": _count(before.pupils)}] if before.pupils else []
        return [{"kind": "sweep", "alike": _alike(before)}, *lost, *_roll(8, before.fictive)]
    if move in (MOVE_ROLL, MOVE_STOP):
        return []
    if move < MOVE_SAKE:
        return _paint(before, move - MOVE_PAINT, after, seat)
    if move < MOVE_REROLL:
        return [{"kind": "sake", **_range([1, len(faces_in(after.dice))], _fours(after))}]
    if MOVE_SHIFT <= move < MOVE_GIVE:
        return [{"kind": "ones", "ones": faces_in(after.dice).count(1)}]
    if MOVE_GIVE <= move < swap_base(before):
        return [{"kind": "gift", "fours": _fours(after), "back": 1 / 6}]
    return []


def _alike(game: Daruma) -> list[str]:
    """The colours and actions that allow the sweep: three of the five darumas have them in common."""
    kinds = [game.face[place] for place in range(PLACES)]
    shared = Counter(game.cards.colours[game.cards.colour[kind]] for kind in kinds)
    shared += Counter(ACTIONS[game.cards.action[kind]] for kind in kinds)
    return [name for name, count in shared.items() if count >= 3]


def _paint(before: Daruma, place: int, after: Daruma, seat: int) -> Stakes:
    """The eye, and what the daruma does: a choice that follows, a fictive four, or a roll that takes other ones away."""
    kind = before.face[place]
    second = bool(before.painted >> place & 1)
    stake: Json = {"kind": "second-eye" if second else "first-eye", "worth": _worth(before, seat, kind)}
    found = [stake]
    if before.cards.action[kind] == FICTIVE_FOUR:
        found.append({"kind": "fictive-four", "fours": _fours(before) + 1})
    elif USE < after.stage < OVER and not after.news & TURN_PASSED:
        found.append({"kind": f"then-{PHASES[after.stage]}", **_choice(after)})
    elif after.stage == ROLL and not after.news & TURN_PASSED:
        ones = faces_in(before.dice).count(1) - 1 - faces_in(after.dice).count(1)
        if ones:
            found.append({"kind": "ones-rolled", **({"ones": ones} if ones > 1 else {})})
    return found


def _choice(game: Daruma) -> Json:
    """What a daruma's own choice risks: only one of them rolls dice."""
    if game.stage != ASK_REROLL:
        return {}
    faces = faces_in(game.dice)
    risk = _range([count for count in Counter(faces).values() if count > 1], _fours(game))
    return risk if risk.get("high", risk["low"]) else {}


def _consequences(before: Daruma, after: Daruma, seat: int) -> Stakes:
    """What a move leads to: a roll, bad luck, the end of the turn."""
    change = after.scores()[seat] - before.scores()[seat]
    if after.stage == ROLL and not after.news & TURN_PASSED:
        return [*([points(change)] if change else []), *_roll(after.rolling, _fours(after))]
    if after.news & BAD_LUCK:
        return [{"kind": "certain-bad-luck"}, *_end_of_game(before, after)]
    ends = after.news & TURN_PASSED or after.stage in (REFILL, REWARD, OVER)
    if not ends:
        return [points(change)] if change else []
    taken = [place for place in range(PLACES) if before.face[place] != EMPTY and after.face[place] == EMPTY]
    found: Stakes = []
    if taken:
        colours = [before.cards.colours[before.cards.colour[before.face[place]]] for place in taken]
        found.append({"kind": "take", "colours": colours, "count": len(taken)})
    else:
        found.append({"kind": "take-nothing"})
    if change:
        found.append(points(change))
    return found + _end_of_turn(before, after)


def _end_of_turn(before: Daruma, after: Daruma) -> Stakes:
    """Pupil tokens and the counter's walk, which do not depend on the cards that are drawn in between."""
    found: Stakes = []
    if pupils := _count(after.pupils & ~before.pupils):
        found.append({"kind": "pupils", "pupils": pupils})
    later, rewarded = cast(Daruma, after.copy()), False
    while later.stage in (REFILL, REWARD):
        rewarded = later.stage == REWARD
        later.apply(next(kind for kind, left in enumerate(later.pile_counts()) if left))
    if steps := later.walked - before.walked:
        found.append({"kind": "counter", "steps": steps})
    if rewarded:
        found.append({"kind": "reward"})
    if later.fictive and later.stage != OVER:
        found.append({"kind": "four-token"})
    return found + _end_of_game(before, later)


def _end_of_game(before: Daruma, later: Daruma) -> Stakes:
    """That it is over, or that the counter has come home and only that many turns are left."""
    if later.stage == OVER:
        return [{"kind": "end"}]
    if _home(later) and not _home(before):
        return [{"kind": "last-turns", "turns": (later.first - later.turn) % later.players}]
    return []


def _home(game: Daruma) -> bool:
    return bool(game.walked == 2 * (game.tokens - 1))


def _roll(dice: int, fours: int) -> Stakes:
    found: Stakes = [{"kind": "roll", "dice": dice, "chance": chance_of_a_one(dice)}]
    risk = bad_luck(dice, fours)
    return [*found, {"kind": "bad-luck", "chance": risk} if risk else {"kind": "no-bad-luck"}]


def _range(numbers: list[int], fours: int) -> Json:
    """Before the dice are chosen: the chance of bad luck with the fewest of them, and with the most."""
    low, high = bad_luck(min(numbers), fours), bad_luck(max(numbers), fours)
    return {"low": low, "high": high} if low != high else {"low": low}


def _worth(game: Daruma, seat: int, kind: int) -> int:
    return int(game.cards.points[game.objective[seat] * 64 + kind])


def _fours(game: Daruma) -> int:
    return int(game.ledger + game.fictive)


def _count(places: int) -> int:
    return places.bit_count()
