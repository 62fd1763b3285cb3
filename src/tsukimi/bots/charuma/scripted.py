"""Charuma by the rules of thumb of a good player, without search: the baseline `scripted`. It never changes.

- Count: a card wins if nobody can beat it, face up or with a hidden card that has not been seen yet. Tens fear aces.
- Bid what a hand is worth against the groups that the others will get, and no more; a bid for a free group is firm.
- Take a trick if its points are worth more than the cards are later; else duck with the card that is worth least.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tsukimi.bots.charuma.greedy import beats, listed
from tsukimi.core.game import Game
from tsukimi.games.charuma.notation import AMOUNTS, FIRST_SINGLE, HIDDEN, cards_of, deck, position
from tsukimi.games.charuma.rules import Charuma

ACE, TEN = 0, 9
RED, TWO_COLOURED = 1, 4  # what can be led: blue, red, blue pair, red pair, two-coloured pair
TAKES = 0.85  # how often a player who can take a trick with face-up cards does
LEAD = 1.0  # points: what it is worth to lead next
LAST = 0.0
KEEP = 1.0  # the part of what a card promises that it keeps: not every winner gets its turn
CATCH, LOST = 0.9, -0.4  # points: an ace that a ten may still come for, and one that only others can win
WORTH = 0.9  # points in the auction for each point that the hand promises


class Other(NamedTuple):
    """What everybody may know of an opponent's hand."""

    face_up: list[int]
    hidden: int


def value_of(game: Game, seat: int, move: int) -> float:
    """The value of a move, in points."""
    here = position(game)
    return _bid(here, seat, move) if move < FIRST_SINGLE else _play(here, seat, move)


# ---- counting ------------------------------------------------------------------------------------


def unseen_kinds(here: Charuma, seat: int) -> list[int]:
    """The cards that this seat has not seen: aside, or hidden in other hands."""
    others = [other for other in range(here.players) if other != seat]
    hidden = [card for other in others for card in listed(here.hand[other], here.twins[other]) if card >= HIDDEN]
    return sorted([card - HIDDEN for card in hidden] + listed(here.rest, here.rest_twins))


def opponent(here: Charuma, other: int) -> Other:
    cards = listed(here.hand[other], here.twins[other])
    face_up = [card for card in cards if card < HIDDEN]
    return Other(face_up, len(cards) - len(face_up))


def makes(led: int, one: int, other: int) -> bool:
    """Whether two cards are a pair of the led kind."""
    colours = one // 10 % 2 + other // 10 % 2
    return one % 10 == other % 10 and (colours == 1 if led == TWO_COLOURED else colours == 2 * (led - 2))


def beaten_by(other: Other, led: int, best: int, ace: bool, unseen: Sequence[int]) -> float:
    """The chance that this opponent takes a trick with that best value of the led kind (and an ace of it, or not)."""
    if led <= RED:
        helpful = {card for card in other.face_up if card // 10 == led and beats(card % 10, best, ace)}
        hidden = [card // 10 == led and beats(card % 10, best, ace) for card in unseen]
    else:
        ups = [card for card in other.face_up if beats(card % 10, best, ace)]
        helpful = {card for place, card in enumerate(ups) if any(makes(led, card, one) for one in ups[:place])}
        hidden = [any(makes(led, card, one) for one in ups) for card in unseen]
    if helpful:
        return TAKES
    return 1 - (1 - sum(hidden) / max(1, len(hidden))) ** other.hidden


def holds(others: Sequence[Other], led: int, best: int, ace: bool, unseen: Sequence[int]) -> float:
    """The chance that none of these opponents takes the trick."""
    chance = 1.0
    for other in others:
        chance *= 1 - beaten_by(other, led, best, ace, unseen)
    return chance


def promise(hand: list[int], others: Sequence[Other], unseen: Sequence[int]) -> float:
    """The points that a hand promises: its cards, or pairs where those are better, led one after the other."""
    total = 0.0
    for value in {card % 10 for card in hand}:
        cards = sorted(card // 10 % 2 for card in hand if card % 10 == value)
        singles = [_single(colour, value, others, unseen) for colour in cards]
        best = sum(singles)
        for one in range(len(cards)):
            for two in range(one + 1, len(cards)):
                led = 2 + cards[one] if cards[one] == cards[two] else TWO_COLOURED
                points = 2 + 2 * (value == ACE)
                pair = points * holds(others, led, value, value == ACE, unseen)
                best = max(best, pair + sum(singles) - singles[one] - singles[two])
        total += best
    return total


def _single(colour: int, value: int, others: Sequence[Other], unseen: Sequence[int]) -> float:
    lead = holds(others, colour, value, value == ACE, unseen)
    if value != ACE:
        return lead
    ten = 10 * colour + TEN
    threats = ten in unseen or any(ten in other.face_up for other in others)
    return max(2 * lead, CATCH if threats else LOST)


# ---- bids ----------------------------------------------------------------------------------------


def _bid(here: Charuma, seat: int, move: int) -> float:
    """What the group is worth less its price; for a free group half of its advantage over the next best as well, so that
    it is not outbid at once."""
    group, amount = divmod(move, AMOUNTS)
    nets = [WORTH * group_worth(here, seat, one) - (here.bid[one] + 1) for one in range(here.players)]
    spare = nets[group] - max(net for one, net in enumerate(nets) if one != group)
    firm = int(spare / 2) if here.bid[group] < 0 else 0
    aim = max(here.bid[group] + 1, min(firm, here.owned[seat], AMOUNTS - 1))
    return nets[group] - 0.1 * abs(amount - aim)


def group_worth(here: Charuma, seat: int, group: int) -> float:
    """What a group promises with the seat's hidden cards, when the others hold the other groups."""
    groups = [listed(here.group[one], here.group_twins[one]) for one in range(here.players)]
    others = [Other(cards, 2) for one, cards in enumerate(groups) if one != group]
    return promise(groups[group] + listed(here.hand[seat], here.twins[seat]), others, unseen_kinds(here, seat))


# ---- plays ---------------------------------------------------------------------------------------


def _play(here: Charuma, seat: int, move: int) -> float:
    """The trick's points if it holds, less the aces that are lost if not, and what the rest of the hand promises."""
    then = position(here.copy())
    then.apply(move, seat)
    cards, unseen = cards_of(move), unseen_kinds(here, seat)
    left = listed(here.hand[seat], here.twins[seat])
    for card in cards:
        left.remove(card)
    everybody = {other: opponent(here, other) for other in range(here.players) if other != seat}
    rest = LAST * max(
        (_single(card // 10 % 2, card % 10, list(everybody.values()), unseen) for card in left), default=0.0
    )
    rest += KEEP * promise(left, list(everybody.values()), unseen)
    aces = sum(card % 10 == ACE for card in cards)
    if then.ahead() != seat:
        return rest - aces
    leads = here.led < 0
    leader = seat if leads else here.leader
    later = [(seat + step) % here.players for step in range(1, here.players)]
    later = later[: (leader - seat - 1) % here.players]
    led = deck(here).suit[move] if leads else here.led
    chance = holds([everybody[other] for other in later], led, then.best, then.ace_seat >= 0, unseen) if later else 1.0
    points = len(cards) + then.trick_aces + (2 if not left else LEAD)
    return rest + chance * points - (1 - chance) * aces
