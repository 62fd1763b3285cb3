"""Kuhn poker as an outside package would write it: three cards, one bet. Two may decide at once in `rock`."""

from __future__ import annotations

from pathlib import Path

from tsukimi.plugin import CHANCE, OVER, Cell, PerSeat, PythonGame, Rng, make_spec

CARDS = ("jack", "queen", "king")
PASS, BET = 0, 1


class Kuhn(PythonGame):
    MOVES = ("pass", "bet")
    OPTIONS = {"ante": ("1", "2")}
    card = PerSeat(names=CARDS, secret=True)
    chips = PerSeat(high=3)
    passed = Cell(high=2)

    def begin(self, first):
        ante = int(self.options["ante"])
        self.chips = [ante] * 2
        self.first = first
        self.turn = CHANCE

    first = Cell(high=1)

    def chance_outcomes(self):
        return {card: 1 for card in range(3) if card not in self.card}

    def on_outcome(self, card):
        self.card[self.dealt] = card
        if self.dealt == 2:
            self.turn = self.first

    @property
    def dealt(self):
        return 2 - self.card.count(-1)

    def outcome_text(self, card):
        return f"deal p{self.dealt + 1} {CARDS[card]}"

    def sees_outcome(self, card, seat):
        return seat == self.dealt

    def legal_moves(self, seat):
        return (PASS, BET)

    def on_move(self, move, seat):
        other = 1 - seat
        behind = self.chips[other] > self.chips[seat]
        if move == BET:
            self.chips[seat] += 1
        else:
            self.passed += 1
        self.turn = OVER if behind or self.passed == 2 else other

    def points(self, seat):
        if -1 in self.card:
            return 0
        other = 1 - seat
        if self.chips[0] != self.chips[1]:
            return self.chips[other] if self.chips[seat] > self.chips[other] else -self.chips[seat]
        return self.chips[other] if self.card[seat] > self.card[other] else -self.chips[seat]

    def resample_secrets(self, seat, rng: Rng):
        pool = [card for card in range(3) if seat < 0 or card != self.card[seat]]
        for owner in range(self.dealt):
            if owner != seat and not self.knows(seat, owner):
                self.card[owner] = pool.pop(rng.randrange(len(pool)))

    def knows(self, seat, owner):
        return seat == owner or (self.turn == OVER and self.chips[0] == self.chips[1])


SPEC = make_spec(Kuhn, "kuhn", seats=(2,), folder=Path(__file__).parent, length=3)
