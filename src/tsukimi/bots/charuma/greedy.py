"""Charuma's greedy bot: what a thoughtful beginner looks at, one ply deep. It never changes, as a baseline must not.

Bids: the value of the hand (high cards, aces, pairs, a long colour) less the price. Plays: the points of the trick if it
can be held against the face-up cards, less the value that the cards would keep in hand.
"""

from __future__ import annotations

from tsukimi.core.game import Game
from tsukimi.games.charuma.notation import AMOUNTS, FIRST_SINGLE, HIDDEN, cards_of, deck, position
from tsukimi.games.charuma.rules import Charuma

STRENGTH = (0.5, 0.0, 0.05, 0.1, 0.15, 0.25, 0.35, 0.5, 0.7, 1.0)  # of A, 2 .. 10
HOLDS = 0.8  # the probability of holding the trick against a hand with hidden cards
FALLS = 0.2  # the same against a face-up card that beats it
KEEP = 0.6  # the part of a card's strength that is lost with it
ACE, TEN = 0, 9


def value_of(game: Game, seat: int, move: int) -> float:
    """The value of a move, in points."""
    here = position(game)
    return _bid(here, seat, move) if move < FIRST_SINGLE else _play(here, seat, move)


# ---- bids ----------------------------------------------------------------------------------------


def _bid(here: Charuma, seat: int, move: int) -> float:
    """The value less the price; the bid for a free group is raised by half of its advantage over the next best."""
    group, amount = move // AMOUNTS, move % AMOUNTS
    nets = [_net(here, seat, other) for other in range(here.players)]
    others = [net for other, net in enumerate(nets) if other != group]
    least = here.bid[group] + 1
    guard = int((nets[group] - max(others)) / 2) if here.bid[group] < 0 else 0
    aim = max(least, min(guard, here.owned[seat], AMOUNTS - 1))
    return nets[group] - 0.1 * abs(amount - aim)


def _net(here: Charuma, seat: int, group: int) -> float:
    return hand_value(group_cards(here, seat, group)) - (here.bid[group] + 1)


def group_cards(here: Charuma, seat: int, group: int) -> list[int]:
    """The hand that a group would give: its cards and the seat's own hidden ones."""
    return listed(here.group[group], here.group_twins[group]) + listed(here.hand[seat], here.twins[seat])


def listed(hand: int, twins: int) -> list[int]:
    """The cards of a set, equal ones twice."""
    return [card for card in range(2 * HIDDEN) for _ in range((hand >> card & 1) + (twins >> card & 1))]


def hand_value(cards: list[int]) -> float:
    """The value of a hand in points: high cards, aces, pairs, and a long colour."""
    values = [card % 10 for card in cards]
    total = sum(STRENGTH[value] for value in values)
    for value in set(values):
        pairs = values.count(value) // 2
        total += pairs * (0.3 + 0.7 * STRENGTH[value])
    reds = sum(card // 10 % 2 for card in cards)
    return total + 0.3 * max(0, max(reds, len(cards) - reds) - 4)


# ---- plays ---------------------------------------------------------------------------------------


def _play(here: Charuma, seat: int, move: int) -> float:
    then = here.copy()
    then.apply(move, seat)
    assert isinstance(then, Charuma)
    cards = cards_of(move)
    cost = KEEP * sum(STRENGTH[card % 10] for card in cards) + _broken(here, seat, cards)
    if here.led < 0:
        cost -= 0.05 * STRENGTH[cards[0] % 10]  # among equal leads the higher one
    points = len(cards) + then.trick_aces + (2 if then.hand[seat] == 0 else 0)
    if then.ahead() != seat:
        return -cost - sum(card % 10 == ACE for card in cards)
    return points * _chance(here, seat, then, len(cards)) - cost


def _broken(here: Charuma, seat: int, cards: list[int]) -> float:
    """What it costs to take one card out of a pair."""
    held = [card % 10 for card in listed(here.hand[seat], here.twins[seat])]
    values = [card % 10 for card in cards]
    lost = sum(held.count(v) // 2 - (held.count(v) - values.count(v)) // 2 for v in set(values))
    whole = len(values) == 2 and values[0] == values[1]
    return 0.3 * (lost - whole)


def _chance(here: Charuma, seat: int, then: Charuma, size: int) -> float:
    """The probability that the trick is held against those who play after this seat."""
    leader = seat if here.led < 0 else here.leader
    chance = 1.0
    for step in range(1, here.players):
        other = (seat + step) % here.players
        if other == leader:
            break
        chance *= FALLS if _can_beat(here, other, then, size) else HOLDS if here.hand[other] >> HIDDEN else 1.0
    return chance


def _can_beat(here: Charuma, other: int, then: Charuma, size: int) -> bool:
    """Whether that seat's face-up cards beat those in the trick."""
    led = deck(here).suit[then.trick[then.leader]]
    return any(beats(value, then.best, then.ace_seat >= 0) for value in face_up_values(here, other, led))


def face_up_values(here: Charuma, other: int, led: int) -> list[int]:
    """The values of that seat's face-up cards, or pairs, of the led kind."""
    hand, twins = here.hand[other], here.twins[other]
    held = (hand & 1023, hand >> 10 & 1023, twins & 1023, twins >> 10 & 1023, hand & hand >> 10 & 1023)[led]
    return [value for value in range(10) if held >> value & 1]


def beats(value: int, best: int, ace: bool) -> bool:
    """Whether a value of the led kind, played last, takes a trick with this best value (and an ace in it)."""
    if value == ACE:
        return best in (ACE, TEN)
    if value == TEN:
        return not ace
    return value >= best
