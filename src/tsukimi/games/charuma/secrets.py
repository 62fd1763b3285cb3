"""Charuma's secrets: the hidden cards of the others, and the cards left over.

A history holds deals, each a shuffle of its own. Of a deal a seat knows its own two cards, the groups, and every
hidden card that was ever played from it, in parts of the game that were taken back too.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tsukimi.core.events import walk
from tsukimi.core.game import Game
from tsukimi.core.rng import Rng
from tsukimi.core.spec import CHANCE, UNDO, History
from tsukimi.games.charuma.notation import FIRST_SINGLE, HIDDEN, cards_of, deck, phase, position
from tsukimi.games.charuma.rules import Charuma


@dataclass
class _Deal:
    hidden: list[list[tuple[int, int]]]
    """Of each seat: where in the history each of its hidden cards was dealt, and which kind it is."""
    groups: list[int] = field(default_factory=list)
    shown: dict[int, Counter[int]] = field(default_factory=dict)
    """Of each seat: the hidden cards that it has played; the most that any line of play has shown."""

    def show(self, here: Charuma, seat: int, kind: int) -> None:
        dealt = [dealt_kind for _, dealt_kind in self.hidden[seat]].count(kind)
        left = (here.hand[seat] >> HIDDEN + kind & 1) + (here.twins[seat] >> HIDDEN + kind & 1)
        known = self.shown.setdefault(seat, Counter())
        known[kind] = max(known[kind], dealt - left)


def resample(start: Game, history: History, seat: int, rng: Rng) -> History:
    kinds = deck(start).kind[: deck(start).size]
    drawn = list(history)
    for deal in _deals(start, history):
        _redraw(deal, kinds, seat, drawn, rng)
    return drawn


def _deals(start: Game, history: History) -> list[_Deal]:
    deals: list[_Deal] = []
    line: list[tuple[int, int]] = []  # who acted, and the number of the deal then in play
    for where, (before, mover, move, after) in enumerate(walk(start, history)):
        here, then = position(before), position(after)
        if mover == UNDO:
            made = [place for place, (who, _) in enumerate(line) if who >= 0]
            del line[made[-move] :]
            continue
        current = line[-1][1] if line else -1
        if mover == CHANCE and phase(here) == "deal":
            if here.dealt == 0:
                deals.append(_Deal([[] for _ in range(here.players)]))
                current = len(deals) - 1
            if here.dealt < 2 * here.players:
                deals[current].hidden[here.dealt // 2].append((where, move))
            else:
                deals[current].groups.append(move)
        elif mover >= 0 and move >= FIRST_SINGLE:
            for card in cards_of(move):
                if card >= HIDDEN:
                    deals[current].show(then, mover, card - HIDDEN)
        line.append((mover, current))
    return deals


def _redraw(deal: _Deal, kinds: list[int], seat: int, drawn: History, rng: Rng) -> None:
    """Write new cards where others' unseen ones were dealt; which place held a card that was shown is open too.

    A hand of two equal cards was dealt half as often as one of a shown card and another one, so every other draw of
    the twin of a card that was shown is drawn again.
    """
    unseen = Counter(kinds) - Counter(deal.groups)
    if seat >= 0:
        unseen -= Counter(kind for _, kind in deal.hidden[seat])
    others = [other for other in range(len(deal.hidden)) if other != seat]
    for other in others:
        unseen -= deal.shown.get(other, Counter())
    hands = None
    while hands is None:
        hands = _hands(deal, others, sorted(unseen.elements()), rng)
    for other, cards in hands.items():
        for where, _ in deal.hidden[other]:
            drawn[where] = (CHANCE, cards.pop(rng.randrange(len(cards))))


def _hands(deal: _Deal, others: list[int], pool: list[int], rng: Rng) -> dict[int, list[int]] | None:
    hands: dict[int, list[int]] = {}
    for other in others:
        cards = sorted(deal.shown.get(other, Counter()).elements())
        known = len(cards)
        while len(cards) < len(deal.hidden[other]):
            cards.append(pool.pop(rng.randrange(len(pool))))
        if known == 1 and cards[:1] == cards[1:] and rng.randrange(2):
            return None
        hands[other] = cards
    return hands
