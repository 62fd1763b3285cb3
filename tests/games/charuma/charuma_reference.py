"""Charuma once more, written plainly with lists of card names, to check the fast rules against."""

from __future__ import annotations

from itertools import combinations

from games.charuma.charuma_tables import VALUES


def value(card: str) -> int:
    return VALUES.index(card.rstrip("*")[:-1]) + 1


def colour(card: str) -> str:
    return card.rstrip("*")[-1]


def kind(cards: tuple[str, ...]) -> str | None:
    """`b` or `r` for a card; `bb`, `rr`, `br` for a pair; None for two cards that are no pair."""
    if len(cards) == 1:
        return colour(cards[0])
    if value(cards[0]) != value(cards[1]):
        return None
    return "".join(sorted(colour(card) for card in cards))


def order(card: str) -> tuple[bool, str, int]:
    return card.endswith("*"), colour(card), value(card)


class Reference:
    def __init__(self, players: int, auction: str, first: int) -> None:
        self.players, self.auction, self.token = players, auction, first
        self.points = [5] * players
        self.round = 0
        self.triggered = self.over = False
        self.start()

    def start(self) -> None:
        self.round += 1
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.groups: list[list[str]] = [[] for _ in range(self.players)]
        self.bids: dict[int, tuple[int, int]] = {}
        self.given: list[int] = []
        self.trick: list[tuple[int, tuple[str, ...]]] = []
        self.won: list[list[tuple[str, ...]]] = [[] for _ in range(self.players)]
        self.tricking = False
        self.turn = self.token

    # -- chance

    def deal(self, card: str) -> None:
        for hand in self.hands:
            if len(hand) < 2:
                hand.append(card + "*")
                return
        for group in self.groups:
            if len(group) < (5 if self.players == 5 else 6):
                group.append(card)
                return

    def give(self, group: int) -> None:
        self.given.append(group)
        if len(self.given) == self.players:
            for seat, which in enumerate(self.given):
                self.hands[seat] += self.groups[which]
            self.tricking = True

    # -- moves

    def legal(self) -> set[str]:
        return self.legal_plays() if self.tricking else self.legal_bids()

    def legal_bids(self) -> set[str]:
        texts = set()
        for group in range(self.players):
            for amount in range(6):
                higher = group not in self.bids or amount > self.bids[group][1]
                if higher and amount <= self.points[self.turn]:
                    texts.add(f"bid {amount} {'ABCDE'[group]}")
        return texts

    def legal_plays(self) -> set[str]:
        hand = sorted(self.hands[self.turn], key=order)
        open_cards = [card for card in hand if not card.endswith("*")]
        ones = {(card,) for card in hand}
        twos = set(combinations(hand, 2))
        if not self.trick:
            choices = ones | {two for two in twos if kind(two)}
        else:
            led = self.trick[0][1]
            choices = ones if len(led) == 1 else twos
            if any(kind(some) == kind(led) for some in combinations(open_cards, len(led))):
                choices = {some for some in choices if kind(some) == kind(led)}
        return {"play " + " ".join(some) for some in choices}

    def play(self, text: str) -> None:
        words = text.split()
        if words[0] == "deal":
            self.deal(words[1])
        elif words[0] == "group":
            self.give("ABCDE".index(words[2]))
        elif words[0] == "bid":
            self.bid(int(words[1]), "ABCDE".index(words[2]))
        else:
            self.play_cards(tuple(words[1:]))

    def bid(self, amount: int, group: int) -> None:
        self.bids[group] = self.turn, amount
        standing = {seat for seat, _ in self.bids.values()}
        if len(standing) == self.players:
            for which, (seat, spent) in self.bids.items():
                self.points[seat] -= spent
                self.hands[seat] += self.groups[which]
            self.tricking, self.turn = True, self.token
            return
        self.turn = (self.turn + 1) % self.players
        while self.turn in standing:
            self.turn = (self.turn + 1) % self.players

    def play_cards(self, cards: tuple[str, ...]) -> None:
        for card in cards:
            self.hands[self.turn].remove(card)
        self.trick.append((self.turn, cards))
        self.turn = (self.turn + 1) % self.players
        if len(self.trick) == self.players:
            self.finish_trick()

    def finish_trick(self) -> None:
        led = kind(self.trick[0][1])
        valid = [(seat, cards) for seat, cards in self.trick if kind(cards) == led]
        ten = any(value(cards[0]) == 10 for _, cards in valid)
        strength = [(11 if ten and value(cards[0]) == 1 else value(cards[0]), n) for n, (_, cards) in enumerate(valid)]
        winner = valid[max(strength)[1]][0]
        self.won[winner].append(tuple(card for _, cards in self.trick for card in cards))
        self.trick, self.turn = [], winner
        if not self.hands[winner]:
            self.finish_round(winner)

    def finish_round(self, last: int) -> None:
        for seat in range(self.players):
            for cards in self.won[seat]:
                self.points[seat] += len(cards) // self.players + sum(value(card) == 1 for card in cards)
        self.points[last] += 2
        after = [(self.token + step) % self.players for step in range(1, self.players + 1)]
        self.token = min(after, key=lambda seat: self.points[seat])
        self.triggered |= max(self.points) >= (25 if self.players <= 3 else 20)
        if self.triggered and self.points.count(max(self.points)) == 1:
            self.over = True
        else:
            self.start()
