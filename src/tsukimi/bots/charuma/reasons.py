"""Why a move is the best in Charuma: a message code and its parameters."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice

from tsukimi.bots.charuma.endgame import Endgame
from tsukimi.bots.charuma.evaluator import CharumaEvaluator
from tsukimi.bots.charuma.greedy import beats, listed
from tsukimi.bots.engine import Reason, percent
from tsukimi.bots.tree import Candidate
from tsukimi.core.rng import Rng
from tsukimi.core.state import State
from tsukimi.games.charuma.notation import AMOUNTS, FIRST_SINGLE, GROUPS, HIDDEN, card_name, cards_of, deck, position
from tsukimi.games.charuma.rules import Charuma

SAMPLES = 300  # deals to look at if there are too many for all
RED, TWO_COLOURED = 1, 4  # kinds of a lead, as in `deck`
NINE = 8  # the value of a 9; a 10 is one more, an ace 0

Fields = dict[str, object]


def reason(
    evaluator: CharumaEvaluator,
    endgame: Endgame,
    state: State,
    sampled: Charuma,
    seat: int,
    candidates: list[Candidate],
) -> Reason:
    share = percent(candidates[0].share)
    if candidates[0].move < FIRST_SINGLE:
        code, fields = _bid(evaluator, sampled, seat, candidates)
    else:
        determinizations = [
            (weight, position(dealt.copy()))
            for weight, dealt in islice(endgame.determinizations(state, sampled, seat, Rng(0)), SAMPLES)
        ]
        code, fields = _play(evaluator, determinizations, endgame.unseen(sampled, seat), seat, candidates)
    return f"charuma.{code}", {"share": share, **fields}


# ---- bids ----------------------------------------------------------------------------------------


def _bid(evaluator: CharumaEvaluator, sampled: Charuma, seat: int, candidates: list[Candidate]) -> Reason:
    """Compares the bid with the best one for another group; if there is none, with the best other price."""
    best, *others = candidates
    group, amount = divmod(best.move, AMOUNTS)
    fields: Fields = {"group": GROUPS[group], "amount": amount}
    if not others:
        return "bid-only", fields
    elsewhere = [candidate for candidate in others if candidate.move // AMOUNTS != group]
    other = (elsewhere or others)[0]
    other_group, other_amount = divmod(other.move, AMOUNTS)
    fields |= {"other_amount": other_amount, "other_share": percent(other.share)}
    if percent(other.share) == percent(best.share):
        fields["even"] = percent(best.share)  # two equal figures would explain nothing
    if not elsewhere:
        return ("bid-low" if amount < other_amount else "bid-raise"), fields
    fields["other"] = GROUPS[other_group]
    left, other_left = (
        round(_hand_points(evaluator, sampled, seat, to)) - price
        for to, price in ((group, amount), (other_group, other_amount))
    )
    if left > other_left:
        return "bid", fields | {"left": left, "other_left": other_left}
    pairs, high = _strengths(sampled, seat, group)
    other_pairs, other_high = _strengths(sampled, seat, other_group)
    if pairs > other_pairs:
        return "bid-pairs", fields | {"pairs": pairs, "other_pairs": other_pairs}
    if high > other_high:
        return "bid-high", fields | {"high": high, "other_high": other_high}
    if amount != other_amount:
        return ("bid-cheap" if amount < other_amount else "bid-firm"), fields
    return "bid-share", fields


def _strengths(sampled: Charuma, seat: int, group: int) -> tuple[int, int]:
    """The pairs and the cards from 9 up in the hand that a group makes with a seat's hidden cards."""
    cards = listed(sampled.hand[seat], sampled.twins[seat]) + listed(sampled.group[group], sampled.group_twins[group])
    values = Counter(card % 10 for card in cards)
    return sum(count // 2 for count in values.values()), values[NINE] + values[NINE + 1]


def _hand_points(evaluator: CharumaEvaluator, sampled: Charuma, seat: int, group: int) -> float:
    """The mean points in a round of a hand like the one that this group makes."""
    size = deck(sampled).group_size + 2
    aces = 4 * size * sampled.players / deck(sampled).size
    rest = [evaluator.group_value(sampled, seat, other) for other in range(sampled.players) if other != group]
    better = evaluator.group_value(sampled, seat, group) - sum(rest) / len(rest)
    return max(0.0, (size + 2 + aces) / sampled.players + better)


# ---- plays ---------------------------------------------------------------------------------------


def _play(
    evaluator: CharumaEvaluator,
    determinizations: list[tuple[float, Charuma]],
    unseen: list[int],
    seat: int,
    candidates: list[Candidate],
) -> Reason:
    here, move = determinizations[0][1], candidates[0].move
    fields: Fields = {"cards": _text(move)}
    if len(candidates) == 1:
        return "forced", fields
    if len(determinizations) == 1:
        points, other_points = (_solved_points(evaluator, here, seat, found.move) for found in candidates[:2])
        fields |= {"other": _text(candidates[1].move), "other_share": percent(candidates[1].share)}
        if points == other_points:
            fields["same"] = points
        if points >= other_points:
            return "solved", fields | {"points": points, "other_points": other_points}
        return "solved-share", fields
    if not leads_trick(here, seat, move):
        return _lost(here, seat, candidates, fields)
    return _taken(determinizations, unseen, seat, candidates, fields)


def _text(move: int) -> str:
    """The cards of a play, in a form to which the message adds the article."""
    return " ".join(["the", *(card_name(card) for card in cards_of(move))])


def _solved_points(evaluator: CharumaEvaluator, here: Charuma, seat: int, move: int) -> int:
    """The points a seat will still win after a play, if everyone plays perfectly."""
    after = _after(here, seat, move)
    won = _won(after, seat, here) if after.round != here.round or after.over else 0
    return evaluator.solver.points(after)[seat] + won


def _after(sampled: Charuma, seat: int, move: int) -> Charuma:
    after = position(sampled.copy())
    after.apply(move, seat)
    return after


def leads_trick(sampled: Charuma, seat: int, move: int) -> bool:
    """Whether a play leads its trick so far."""
    return _after(sampled, seat, move).ahead() == seat


def is_sure(sampled: Charuma, unseen: list[int], seat: int, move: int) -> bool:
    """Whether a play takes its trick whatever the others hold."""
    if not leads_trick(sampled, seat, move):
        return False
    later = _later(sampled, seat)
    if not later:
        return True
    table = _Table(_after(sampled, seat, move), seat)
    return not any(table.beaten_by(hand) for other in later for hand in _possible(sampled, other, unseen))


def _won(after: Charuma, seat: int, before: Charuma) -> int:
    """The points of a seat for the round's last trick."""
    return after.owned[seat] - before.owned[seat] - before.trick_points[seat] - before.aces[seat]


def _points(sampled: Charuma, seat: int, move: int) -> int:
    """The points of the trick after a play, including the last trick's two."""
    after = _after(sampled, seat, move)
    last = len(listed(sampled.hand[seat], sampled.twins[seat])) == len(cards_of(move))
    return len(cards_of(move)) + after.trick_aces + (2 if last else 0)


def _lost(here: Charuma, seat: int, candidates: list[Candidate], fields: Fields) -> Reason:
    """A play that cannot take the trick."""
    winning = [candidate for candidate in candidates if leads_trick(here, seat, candidate.move)]
    if not winning:
        return "cannot-win", fields
    best = winning[0]
    taken: Fields = {"other": _text(best.move), "points": _points(here, seat, best.move)}
    return "let-go", fields | taken | {"other_share": percent(best.share)}


def _taken(
    determinizations: list[tuple[float, Charuma]],
    unseen: list[int],
    seat: int,
    candidates: list[Candidate],
    fields: Fields,
) -> Reason:
    """A play that leads its trick so far."""
    here, move, other = determinizations[0][1], candidates[0].move, candidates[1]
    fields["points"] = _points(here, seat, move)
    later = _later(here, seat)
    if not later:
        return "take", fields
    table = _Table(_after(here, seat, move), seat)
    if any(table.beaten_by(_open(here, rival)) for rival in later):
        if here.led >= 0:
            return "play-under", fields
        fields |= {"other": _text(other.move), "other_share": percent(other.share)}
        if percent(other.share) == percent(candidates[0].share):
            fields["even"] = percent(other.share)
        return "lead-under", fields
    if not any(table.beaten_by(hand) for rival in later for hand in _possible(here, rival, unseen)):
        return "sure", fields
    total = sum(weight for weight, _ in determinizations)
    beaten = sum(w for w, sampled in determinizations if any(table.beaten_by(_all(sampled, rival)) for rival in later))
    fields["chance"] = max(1, round(100 * beaten / total))
    if beaten > total / 2:
        return "hidden-anyway", fields
    threats = {kind for kind in unseen if table.beaten_by([HIDDEN + kind])}
    if len(threats) == 1 and table.single:
        return "only-threat", fields | {"threat": f"the {card_name(threats.pop())}"}
    return "hidden-threat", fields


class _Table:
    """A trick that a seat leads."""

    def __init__(self, after: Charuma, seat: int) -> None:
        self.led = deck(after).suit[after.trick[after.leader]]
        self.single = self.led <= RED
        self._best, self._mine = after.best, after.ace_seat == seat

    def beaten_by(self, hand: list[int]) -> bool:
        """Whether something in a hand would take the trick (or raise another player's ace)."""
        return any(self._loses_to(value) for value in self._values(hand))

    def _loses_to(self, value: int) -> bool:
        return beats(value, self._best, self._mine)

    def _values(self, hand: list[int]) -> set[int]:
        """The values of a hand's cards, or pairs, of the led kind."""
        blue = [card % 10 for card in hand if card // 10 % 2 == 0]
        red = [card % 10 for card in hand if card // 10 % 2 == 1]
        if self.single:
            return set((blue, red)[self.led])
        if self.led == TWO_COLOURED:
            return set(blue) & set(red)
        same = (blue, red)[self.led - 2]
        return {value for value in same if same.count(value) == 2}


def _later(here: Charuma, seat: int) -> list[int]:
    """Who plays after a seat in this trick."""
    played = 0 if here.led < 0 else here.played
    return [(seat + step) % here.players for step in range(1, here.players - played)]


def _all(sampled: Charuma, other: int) -> list[int]:
    return listed(sampled.hand[other], sampled.twins[other])


def _open(sampled: Charuma, other: int) -> list[int]:
    return [card for card in _all(sampled, other) if card < HIDDEN]


def _possible(here: Charuma, other: int, unseen: list[int]) -> list[list[int]]:
    """Every hand that a seat may hold."""
    open_cards = _open(here, other)
    size = len(_all(here, other)) - len(open_cards)
    return [open_cards + [HIDDEN + kind for kind in kinds] for kinds in set(combinations(unseen, size))]
