"""Charuma by rules of thumb, without `master`'s search, evaluator and solver: the baseline `scripted`. It never changes.

It thinks a round through as people do: if I play this and everybody goes on sensibly, who has how many points in the end?
It does so for each move, over a few deals of the cards that it cannot see. To go on sensibly means:

- in the auction, to take the group that is worth most beyond its price;
- to lead what the others' face-up cards cannot beat, a pair before a card; without such a lead, the card worth least;
- to take a trick with the lowest card that the face-up cards of those to come cannot beat;
- otherwise to give away what is worth least, and no ace.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tsukimi.core.game import Game
from tsukimi.games.charuma.notation import AMOUNTS, FIRST_DOUBLE, FIRST_SINGLE, HIDDEN, cards_of, position
from tsukimi.games.charuma.rules import Charuma

DEALS = 10  # that a move is tried on
ACE, TEN = 0, 9
TWO_COLOURED, NO_KIND = 4, 5
# In points:
WORTH = (1.2, 0.0, 0.05, 0.1, 0.15, 0.25, 0.35, 0.5, 0.7, 1.0)  # what A, 2 .. 10 are worth in hand
PAIR = 0.7  # what a pair is worth beyond its cards
WIN = 6.0  # what it is worth to have won the game


def kind_of(cards: Sequence[int]) -> int:
    """Blue, red, blue pair, red pair, two-coloured pair, or what cannot win."""
    colours = [card // 10 % 2 for card in cards]
    if len(cards) == 1:
        return colours[0]
    if not cards or cards[0] % 10 != cards[1] % 10:
        return NO_KIND
    return TWO_COLOURED if colours[0] != colours[1] else 2 + colours[0]


# By move:
_CARDS = [cards_of(move) if move >= FIRST_SINGLE else [] for move in range(FIRST_DOUBLE + HIDDEN * (2 * HIDDEN + 1))]
KIND = [kind_of(cards) for cards in _CARDS]
VALUE = [cards[0] % 10 if cards else 0 for cards in _CARDS]
SPENT = [sum(WORTH[card % 10] for card in cards) for cards in _CARDS]


def values(deals: Sequence[Game], seat: int, moves: Sequence[int]) -> list[float]:
    """What the seat's moves bring, in points, on average over these deals."""
    sums = [0.0] * len(moves)
    for deal in deals:
        here = position(deal)
        groups = [group_worth(here, group) for group in range(here.players)]
        for i, move in enumerate(moves):
            after = position(here.copy())
            after.apply(move, seat)
            while after.round == here.round and not after.over:
                after.apply(sensible(after, groups), after.turn)
            sums[i] += result(after, seat)
    return [total / len(deals) for total in sums]


def result(after: Charuma, seat: int) -> float:
    """The lead at the end of a round, half over the best of the others, half over all of them."""
    others = list(after.owned[: after.players])
    own = float(others.pop(seat))
    if after.over:
        own += WIN if seat in after.winners() else -WIN
    return own - (max(others) + sum(others) / len(others)) / 2


def sensible(here: Charuma, groups: Sequence[float]) -> int:
    """The next play of the seat whose turn it is, by the rules above."""
    moves = here.actions(here.turn)
    if moves[0] < FIRST_SINGLE:
        return max(moves, key=lambda bid: groups[bid // AMOUNTS] - bid % AMOUNTS)
    return (lead if here.led < 0 else follow)(here, here.turn, moves)


def lead(here: Charuma, seat: int, moves: Sequence[int]) -> int:
    others = face_up(here, [other for other in range(here.players) if other != seat])

    def worth(move: int) -> float:
        kind, value = KIND[move], VALUE[move]
        pair = kind > 1
        return -SPENT[move] - pair if beaten(others[kind], value, value == ACE) else 1 + pair + 0.01 * value

    return max(moves, key=worth)


def follow(here: Charuma, seat: int, moves: Sequence[int]) -> int:
    led, best, ace = here.led, here.best, here.ace_seat >= 0
    to_come = (here.leader - seat) % here.players
    threats = face_up(here, [(seat + step) % here.players for step in range(1, to_come)])[led]

    def worth(move: int) -> float:
        value = VALUE[move]
        takes = KIND[move] == led and beaten(1 << value, best, ace)
        holds = takes and not beaten(threats, max(value, best), ace or value == ACE)
        return 1 - 0.01 * value if holds else -SPENT[move]

    return max(moves, key=worth)


def beaten(values: int, best: int, ace: bool) -> bool:
    """Whether one of these values of the led kind, as bits, takes a trick with that best value (and an ace in it)."""
    winners = values >> best << best
    if best == TEN:
        winners |= values & 1 << ACE
    return winners & ~(1 << TEN) != 0 if ace else winners != 0


def face_up(here: Charuma, seats: Iterable[int]) -> list[int]:
    """For each kind, the values that these seats have among their face-up cards, as bits."""
    hands, twins = here.hand, here.twins
    found = [0] * (NO_KIND + 1)
    for seat in seats:
        hand, twin = hands[seat], twins[seat]
        for kind, held in enumerate((hand, hand >> 10, twin, twin >> 10, hand & hand >> 10)):
            found[kind] |= held & 1023
    return found


def group_worth(here: Charuma, group: int) -> float:
    cards, twins = here.group[group], here.group_twins[group]
    total = 0.0
    for value in range(10):
        held = sum((cards >> card & 1) + (twins >> card & 1) for card in (value, value + 10))
        total += held * WORTH[value] + held // 2 * PAIR
    return total
