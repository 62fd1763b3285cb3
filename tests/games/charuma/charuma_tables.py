"""Small builders for Charuma's tests: a table with the cards that a test needs, the rest filled up."""

from __future__ import annotations

from collections import Counter

import tsukimi
from tsukimi import State

VALUES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
LEFT_OUT = {2: "2345", 3: "45", 4: "", 5: ""}


def deck(players: int) -> list[str]:
    """The cards for so many players, two of each."""
    return [value + colour for colour in "br" for value in VALUES if value not in LEFT_OUT[players] for _ in range(2)]


def deal(state: State, groups: list[str], hidden: list[str]) -> State:
    """Deal the named cards where they are named and others, in the deck's order, where they are not."""
    players = state.players
    size = 5 if players == 5 else 6
    wanted = [(hidden + [""] * players)[seat].split() for seat in range(players)]
    wanted += [(groups + [""] * players)[group].split() for group in range(players)]
    rest = list((Counter(deck(players)) - Counter(card for part in wanted for card in part)).elements())
    for place, part in enumerate(wanted):
        part += [rest.pop() for _ in range((2 if place < players else size) - len(part))]
        for card in part:
            state.play(f"deal {card}")
    return state


def auction(*groups: str, players: int = 3, hidden: tuple[str, ...] = (), **options: str) -> State:
    """A table at the start of its first auction; p1 has the token unless specified otherwise."""
    options = {"first": "p1", **options}
    return deal(tsukimi.new("charuma", players=players, chance="manual", **options), list(groups), list(hidden))


def tricks(*hands: str, hidden: tuple[str, ...] = (), **options: str) -> State:
    """A table at its first lead: each seat has the face-up cards named, p1 leads unless specified otherwise."""
    state = auction(*hands, players=len(hands), hidden=hidden, auction="off", **options)
    for seat in range(len(hands)):
        state.play(f"group p{seat + 1} {'ABCDE'[seat]}")
    return state


def play(state: State, *moves: str) -> State:
    for move in moves:
        state.play(move)
    return state


def plays(state: State) -> set[str]:
    """The legal plays, without the word."""
    return {text.removeprefix("play ") for text in state.legal()}


def finish(state: State, choose: int = 0) -> State:
    """Play on to the end of the round, or of the game, always the legal move of that number."""
    now = state.view(None)["round"]
    while not state.over and not state.chance and state.view(None)["round"] == now:
        moves = state.legal()
        state.play(moves[choose % len(moves)])
    return state
