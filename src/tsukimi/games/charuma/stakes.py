"""What a bid or a play of Charuma brings, risks or costs, as its seat may know it.

A play is reported as certain to win, as unable to win, or with the cards that can still beat it and the fraction of
deals in which nobody has them. All unseen cards are alike to a seat, so the result does not depend on who holds them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from tsukimi.core.spec import Json, Position
from tsukimi.core.stakes import played, points
from tsukimi.games.charuma.notation import AMOUNTS, FIRST_SINGLE, HIDDEN, card_name, cards_of, deck, position
from tsukimi.games.charuma.rules import Charuma

Stakes = list[Json]
ACE, TEN = 0, 9  # values, from the lowest
RED, TWO_COLOURED = 1, 4  # kinds of a lead, as in `deck`
FEW = 3  # threats that are named one by one
DEALS = 200  # drawn to count those in which nobody can beat a play: enough for a chance in steps of 5%


def stakes(game: Position, seat: int, move: int) -> Stakes:
    here = position(game)
    return _bid(here, seat, move) if move < FIRST_SINGLE else _play(here, seat, move)


def _bid(here: Charuma, seat: int, move: int) -> Stakes:
    group, amount = divmod(move, AMOUNTS)
    found: Stakes = [{"kind": "left", "left": here.owned[seat] - amount}]
    if here.bidder[group] >= 0:
        found.append({"kind": "outbid", "owner": here.bidder[group]})
    after = position(played(here, seat, move))
    if after.owned[seat] != here.owned[seat]:  # the last bid of the auction: all of them are paid
        found.append(points(after.owned[seat] - here.owned[seat]))
    return found


# ---- plays -----------------------------------------------------------------------------------


def _play(here: Charuma, seat: int, move: int) -> Stakes:
    after = position(played(here, seat, move))
    worth = _worth(here, seat, move, after)
    if after.winner >= 0:  # the trick is complete
        found: Stakes = [_won(worth) if after.winner == seat else {"kind": "lost", "winner": after.winner, **worth}]
        change = after.owned[seat] - here.owned[seat]
        return [*found, {"kind": "round-ends"}, points(change)] if after.phase != here.phase else found
    later = [(seat + step) % here.players for step in range(1, here.players - after.played + 1)]
    if after.ahead() != seat:
        raised = after.ace_seat == seat and any(TEN in _values(after, other, seat) for other in later)
        if raised:
            return [{"kind": "needs-ten", **worth}]
        aces = sum(card % 10 == ACE for card in cards_of(move))
        return [{"kind": "cannot-win", "aces": aces} if aces else {"kind": "cannot-win"}]
    beats = _threat(after, seat)
    if openly := [other for other in later if any(map(beats, _values(after, other)))]:
        return [{"kind": "ahead", **worth}, {"kind": "open-threat", "seats": openly}]
    if any(map(beats, (value for other in later for value in _values(after, other, seat)))):
        return [
            {"kind": "ahead", **worth},
            {**_hidden_threat(after, seat, beats), "chance": _safe(after, seat, later, beats)},
        ]
    return [{"kind": "sure", **worth}]


def _won(worth: Json) -> Json:
    return {"kind": "won", **worth}


def _worth(here: Charuma, seat: int, move: int, after: Charuma) -> Json:
    """The points of the trick as it lies: for its cards, its aces, and the round's last trick."""
    size = len(cards_of(move))
    last = 2 if _size(here, seat) == size else 0
    return {"trick": size + after.trick_aces + last}


def _threat(after: Charuma, seat: int) -> Callable[[int], bool]:
    """Which values of the led kind would take the trick from a seat that is ahead: a ten raises the aces above it."""
    if after.best == TEN:
        mine = after.ace_seat == seat
        return lambda value: value == ACE or (value == TEN and not mine)
    if after.best == ACE:
        return lambda value: value != TEN
    return lambda value: value >= after.best


def _hidden_threat(after: Charuma, seat: int, beats: Callable[[int], bool]) -> Json:
    led = _led(after)
    if led > RED:
        return {"kind": "hidden-threat"}
    cards = [card_name(kind) for kind in sorted(_unseen(after, seat)) if kind // 10 == led and beats(kind % 10)]
    return {"kind": "hidden-threat", "cards": cards} if len(cards) <= FEW else {"kind": "hidden-threat"}


def _safe(after: Charuma, seat: int, later: list[int], beats: Callable[[int], bool]) -> int:
    """In how many of a hundred deals nobody still to play can beat a play that is ahead; neither none nor all of them."""
    pool = sorted(_unseen(after, seat).elements())
    hands = [Counter(card for card in _hand(after, other) if card < HIDDEN) for other in later]
    slots = [_size(after, other) - hand.total() for other, hand in zip(later, hands, strict=True)]
    wanted = [_wanted(_led(after), value) for value in range(10) if beats(value)]
    luck, safe = random.Random(DEALS), 0  # the same deals for every play: so a better play never looks worse
    for _ in range(DEALS):
        dealt = luck.sample(pool, sum(slots))
        safe += not any(
            _makes(hand, [dealt.pop() for _ in range(count)], wanted) for hand, count in zip(hands, slots, strict=True)
        )
    return min(95, max(5, 5 * round(20 * safe / DEALS)))


def _makes(hand: Counter[int], hidden: list[int], wanted: list[list[tuple[int, int]]]) -> bool:
    return any(all(hand[kind] + hidden.count(kind) >= number for kind, number in kinds) for kinds in wanted)


# ---- what a seat may have --------------------------------------------------------------------


def _led(game: Charuma) -> int:
    return int(deck(game).suit[game.trick[game.leader]])


def _values(game: Charuma, other: int, observer: int | None = None) -> set[int]:
    """The values of the led kind that a seat may play: with its face-up cards, or for an observer with hidden ones too."""
    open_cards = Counter(card for card in _hand(game, other) if card < HIDDEN)
    slots = 0 if observer is None else _size(game, other) - open_cards.total()
    unseen = Counter() if observer is None else _unseen(game, observer)
    led = _led(game)
    found = set()
    for value in range(10):
        missing = [(kind, max(0, number - open_cards[kind])) for kind, number in _wanted(led, value)]
        if sum(number for _, number in missing) <= slots and all(unseen[kind] >= number for kind, number in missing):
            found.add(value)
    return found


def _wanted(led: int, value: int) -> list[tuple[int, int]]:
    """Which kinds of card make a play of this value of the led kind, and how many of each."""
    if led <= RED:
        return [(value + 10 * led, 1)]
    if led == TWO_COLOURED:
        return [(value, 1), (value + 10, 1)]
    return [(value + 10 * (led - 2), 2)]


def _unseen(game: Charuma, observer: int) -> Counter[int]:
    """The kinds that an observer has not seen in this round: the others' hidden cards and those that were not dealt."""
    found = Counter(_listed(game.rest, game.rest_twins))
    for other in range(game.players):
        if other != observer:
            found.update(card - HIDDEN for card in _hand(game, other) if card >= HIDDEN)
    return found


def _hand(game: Charuma, seat: int) -> list[int]:
    return _listed(game.hand[seat], game.twins[seat])


def _size(game: Charuma, seat: int) -> int:
    return int(game.hand[seat]).bit_count() + int(game.twins[seat]).bit_count()


def _listed(cards: int, twins: int) -> list[int]:
    return [card for mask in (cards, twins) for card in range(2 * HIDDEN) if mask >> card & 1]
