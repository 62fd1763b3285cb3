"""What the tests of the scripted bots have in common, whichever game they play."""

from __future__ import annotations

import tsukimi
from tsukimi import State, bots
from tsukimi.lab.arena import Match, Standing, run, standings


def text_of(state: State, move: int) -> str:
    """A move of the seat to play, in notation."""
    seat = state.actors[0]
    return dict(zip(state.actions(seat), state.legal(seat), strict=True))[move]


def chosen(state: State) -> str:
    """What the bot plays."""
    return text_of(state, bots.make("scripted", state, 1).choose(state, state.actors[0]))


def played(game: str, players: int, *, rounds: int | None = None, **options: str) -> list[str]:
    """The record of a game of scripted bots, or of its first rounds."""
    state = tsukimi.new(game, players=players, seed=players, **options)
    seats = [bots.make("scripted", state, seat) for seat in range(players)]
    while not state.over and (rounds is None or state.view(None)["round"] <= rounds):
        seat = state.actors[0]
        state.apply(seats[seat].choose(state, seat), seat)
    return state.record()


def standing(game: str, *others: str, games: int) -> dict[str, Standing]:
    """How scripted bots and these do against each other."""
    return {row.name: row for row in standings(run(Match(game, ("scripted", *others), seed=1), games))}
