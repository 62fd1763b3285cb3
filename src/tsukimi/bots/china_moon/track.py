"""Distances on a pond: the shortest paths, ignoring frogs in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tsukimi.games.china_moon.rules import GOAL, PLACES, START

if TYPE_CHECKING:
    from tsukimi.games.china_moon.components import Board

FAR = 255


def steps_to_goal(board: Board) -> list[int]:
    """The steps from each place to the goal."""
    return [ways[GOAL] for ways in steps_between(board)]


def steps_between(board: Board) -> list[list[int]]:
    """The steps from each place to each pad and to the goal; FAR where there is no path."""
    return [_steps_from(board, place) for place in range(PLACES)]


def _steps_from(board: Board, place: int) -> list[int]:
    steps = [FAR] * PLACES
    steps[place] = 0
    if place != START and place >= len(board.ids):
        return steps
    ring = [place]
    while ring:
        after = [(steps[here] + 1, there) for here in ring for there in board.onward(here)]
        ring = []
        for count, there in after:
            if steps[there] == FAR:
                steps[there] = count
                ring.append(there)
    return steps
