"""Somebody plays game after game against bots that adapt: for the tests, and for bench/adaptive.py."""

from __future__ import annotations

import tsukimi
from tsukimi import bots
from tsukimi.bots import Budget, Fit

Season = tuple[list[float], list[float]]


def season(game: str, players: int, person: str, games: int, playouts: int, seed: str) -> Season:
    """A person's shares of the win game by game, and the strengths that they met."""
    fit, shares, strengths = Fit(), list[float](), list[float]()
    for number in range(games):
        state, me = tsukimi.new(game, players, seed=f"{seed} {number}"), number % players
        names = [person if seat == me else fit.bot for seat in range(players)]
        budget = Budget(playouts=playouts)
        playing = [bots.make(name, state, f"{number}/{seat}", budget) for seat, name in enumerate(names)]
        while not state.over:
            seat = state.actors[0]
            state.apply(playing[seat].choose(state, seat), seat)
        winners = state.winners()
        shares.append(1 / len(winners) if me in winners else 0.0)
        strengths.append(fit.strength)
        fit = fit.after(shares[-1])
    return shares, strengths
