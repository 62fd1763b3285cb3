"""Leduc poker: two players, six cards, two rounds of betting. Rules: guide/en.md."""

from tsukimi.plugin import CHANCE, OVER, Cell, PerSeat, PythonGame, draw, make_spec

RANKS = ("J", "Q", "K")  # two cards of each: suits do not matter
NONE = -1  # no card yet
CHECK, BET, FOLD, CALL, RAISE = range(5)


class Leduc(PythonGame):
    MOVES = ("check", "bet", "fold", "call", "raise")
    card = PerSeat(names=RANKS, secret=True)
    public_card = Cell(names=RANKS)
    chips = PerSeat(start=1, high=13, meaning="Chips in the pot, the ante included.")
    raises = Cell(high=2, meaning="Bets and raises in this round.")
    first_seat = Cell(high=1, meaning="Who acts first in both rounds.")

    def begin(self, first):
        self.first_seat = first
        self.turn = CHANCE

    # ---- the cards ----

    def receiver(self):
        """Who gets the next card: a seat, or None for the table."""
        return self.card.index(NONE) if NONE in self.card else None

    def chance_outcomes(self):
        dealt = [*self.card, self.public_card]
        return {rank: 2 - dealt.count(rank) for rank in range(3)}

    def on_outcome(self, rank):
        if self.receiver() is None:
            self.public_card = rank
        else:
            self.card[self.receiver()] = rank
        self.turn = self.first_seat if self.receiver() is None else CHANCE

    def outcome_text(self, rank):
        if self.receiver() is None:
            return f"public {RANKS[rank]}"
        return f"deal p{self.receiver() + 1} {RANKS[rank]}"

    # ---- the betting ----

    def legal_moves(self, seat):
        if self.chips[seat] == self.chips[1 - seat]:
            return [CHECK, BET]
        return [FOLD, CALL, RAISE] if self.raises < 2 else [FOLD, CALL]

    def on_move(self, move, seat):
        if move in (CALL, RAISE):
            self.chips[seat] = self.chips[1 - seat]
        if move in (BET, RAISE):
            self.chips[seat] += 2 if self.public_card == NONE else 4
            self.raises += 1
        if move in (BET, RAISE) or (move == CHECK and seat == self.first_seat):
            self.turn = 1 - seat
        elif move == FOLD or self.public_card != NONE:
            self.turn = OVER
        else:
            self.raises = 0
            self.turn = CHANCE

    def points(self, seat):
        mine, theirs = self.strength(seat), self.strength(1 - seat)
        return (mine > theirs) * self.chips[1 - seat] - (mine < theirs) * self.chips[seat]

    def strength(self, seat):
        """A player who folded has fewer chips in the pot; otherwise a pair wins, then the higher card."""
        return self.chips[seat], self.card[seat] == self.public_card, self.card[seat]

    # ---- the secrets ----

    def knows(self, seat, owner):
        showdown = self.turn == OVER and self.chips[0] == self.chips[1]
        return seat == owner or showdown

    def sees_outcome(self, rank, seat):
        return self.receiver() in (None, seat)

    def resample_secrets(self, seat, rng):
        hidden = [owner for owner in range(2) if self.card[owner] != NONE and not self.knows(seat, owner)]
        for owner in hidden:
            self.card[owner] = NONE
        for owner in hidden:
            self.card[owner] = draw(self.chance_outcomes(), rng)


def stakes(game, seat, move):
    """What a move costs; what it wins depends on a card that the seat does not see."""
    if move == FOLD:
        return [{"kind": "lost", "chips": game.chips[seat]}]
    after = game.copy()
    after.apply(move, seat)
    return [{"kind": "paid", "chips": after.chips[seat] - game.chips[seat]}]


SPEC = make_spec(Leduc, "leduc", seats=(2,), length=5, stakes=stakes)
