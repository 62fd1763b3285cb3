"""Small builders for the tests of Dojo: tables with chosen cards, and dojos to be counted."""

from __future__ import annotations

import tsukimi
from tsukimi.games.dojo.notation import CARDS, DISCIPLES, TROPHIES
from tsukimi.games.dojo.scoring import best_dojo

EMPTY = 6  # a free place, as the scoring module writes it


def table(players=4, belt="classic", first="p1", **more):
    """A game with manual chance."""
    return tsukimi.new("dojo", players=players, chance="manual", belt=belt, first=first, **more)


def play(state, *lines):
    """Lines of a record: chance, or a move after its seat."""
    for line in lines:
        head, _, rest = line.partition(" ")
        if head in ("p1", "p2", "p3", "p4", "p5"):
            state.play(rest, int(head[1]) - 1)
        else:
            state.play(line)
    return state


def turn_if_asked(state, trophy="incense"):
    if state.view(None)["phase"] == "turn":
        state.play(f"trophy {trophy}")


def recruit(state, *cards, trophy="incense"):
    """The dealer draws these cards and gives them to p1, p2, .. in turn."""
    turn_if_asked(state, trophy)
    for seat, card in enumerate(cards):
        if state.view(None)["phase"] == "deal":
            state.play(f"deal p{seat + 1} {card}")
        else:
            play(state, f"draw {card}")
            state.play(f"give p{seat + 1}")
    return state


def all_pass(state):
    while state.view(None)["phase"] == "challenge":
        state.play("pass")
    return state


def place_anywhere(state):
    while state.view(None)["phase"] == "place":
        state.play(state.legal()[0])
    return state


def next_cards(state, wanted=None):
    """Cards that are still in the pile, for one round: the wanted ones, or the first there are."""
    left = list(state.core.left)
    cards = []
    for seat in range(state.players):
        kind = CARDS.index(wanted[seat]) if wanted else next(k for k, n in enumerate(left) if n)
        left[kind] -= 1
        cards.append(CARDS[kind])
    return cards


def quiet_round(state, *cards):
    """A whole round without a challenge."""
    recruit(state, *(cards or next_cards(state)))
    return place_anywhere(all_pass(state))


def won_trophy(state, trophy, winner=1, place=True):
    """A round in which this seat wins the trophy: with the strongest card left, against the weakest."""
    turn_if_asked(state, trophy)
    left = list(state.core.left)
    by_belt = sorted((kind % 5, kind) for kind, number in enumerate(left) for _ in range(number))
    kinds = [kind for _, kind in by_belt[: state.players - 1]]
    kinds.insert(winner, by_belt[-1][1])
    recruit(state, *(CARDS[kind] for kind in kinds))
    while winner not in (state.actors[0], state.core.dealer):
        state.play("pass")
    state.play("challenge")
    state.play("keep")
    return place_anywhere(state) if place else state


def code(card):
    """A card as the scoring module writes it."""
    return DISCIPLES.index(card[:-1]) | int(card[-1]) << 3


def grid_of(rows):
    """Rows of text, `.` for a free place."""
    grid = []
    for row in rows:
        cards = row.split()
        cards += ["."] * (4 - len(cards))
        grid += [EMPTY if card == "." else code(card) for card in cards]
    return grid + [EMPTY] * (12 - len(grid))


def signs_of(on_rows=None, on_columns=None):
    signs = [0] * 7
    for row, trophy in (on_rows or {}).items():
        signs[row] = TROPHIES.index(trophy) + 1
    for column, trophy in (on_columns or {}).items():
        signs[3 + column] = TROPHIES.index(trophy) + 1
    return signs


def points(*rows, on_rows=None, on_columns=None):
    """The count of a dojo written as rows of cards."""
    return best_dojo(grid_of(rows), signs_of(on_rows, on_columns))[0]
