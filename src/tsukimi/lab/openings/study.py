"""Games between masters, and what they chose in the first decisions. The same seed gives the same figures."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context

import tsukimi
from tsukimi import bots
from tsukimi.core.errors import BadOptions
from tsukimi.lab.openings.topics import TOPICS, Decision

LEVEL = "master"
CHUNK = 5
Cell = tuple[int, float]
"""How often something was chosen, and the shares of the win after it, added up."""
Cells = dict[tuple[str, str, str], Cell]
"""By topic, situation and choice."""


@dataclass(frozen=True)
class Study:
    """What was played, and what was chosen."""

    game: str
    players: int
    games: int
    playouts: int
    cells: Cells = field(default_factory=dict)

    def count(self, topic: str, situation: str, choice: str | None = None) -> int:
        """How often a choice was made in a situation, or any choice."""
        return sum(
            n for key, (n, _) in self.cells.items() if key[:2] == (topic, situation) and choice in (None, key[2])
        )

    def part(self, topic: str, situation: str, choice: str) -> float:
        """The fraction of choices in a situation that were this one."""
        return self.count(topic, situation, choice) / (self.count(topic, situation) or 1)

    def share(self, topic: str, situation: str, choice: str) -> tuple[float, float]:
        """The share of the win after a choice, with its 95 % interval."""
        number, wins = self.cells[topic, situation, choice]
        share = wins / number
        # Agresti and Coull: a choice that always won still has an interval.
        centre = (wins + 2) / (number + 4)
        return share, 1.96 * math.sqrt(centre * (1 - centre) / (number + 4))


def study(
    game: str,
    games: int,
    playouts: int,
    processes: int = 1,
    progress: Callable[[int], None] = lambda games: None,
    seed: str = "openings",
) -> Study:
    """Play that many games, and count."""
    if game not in TOPICS:
        raise BadOptions("bad-option", option="game", value=game, known=", ".join(TOPICS))
    chunks = [range(low, min(low + CHUNK, games)) for low in range(0, games, CHUNK)]
    found: dict[int, Cells] = {}
    if processes == 1:
        for number, chunk in enumerate(chunks):
            found[number] = play(game, chunk, playouts, seed)
            progress(len(chunk))
    else:
        with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
            waiting = {pool.submit(play, game, chunk, playouts, seed): number for number, chunk in enumerate(chunks)}
            for done in as_completed(waiting):
                found[waiting[done]] = done.result()
                progress(len(chunks[waiting[done]]))
    total: Cells = {}
    for number in sorted(found):
        for key, cell in found[number].items():
            before = total.get(key, (0, 0.0))
            total[key] = (before[0] + cell[0], before[1] + cell[1])
    return Study(game, TOPICS[game].players, games, playouts, dict(sorted(total.items())))


def play(game: str, numbers: range, playouts: int, seed: str) -> Cells:
    cells: defaultdict[tuple[str, str, str], Cell] = defaultdict(lambda: (0, 0.0))
    for number in numbers:
        state = tsukimi.new(game, TOPICS[game].players, seed=f"{seed} {number}")
        budget = bots.Budget(playouts=playouts)
        masters = [bots.make(LEVEL, state, f"{seed} {number}/{seat}", budget) for seat in range(state.players)]
        moments = list(TOPICS[game].watch(_decisions(state, masters)))
        while not state.over:  # later decisions are ignored
            seat = state.actors[0]
            state.apply(masters[seat].choose(state, seat), seat)
        winners = state.winners()
        for topic, seat, situation, choice in moments:
            count, wins = cells[topic, situation, choice]
            cells[topic, situation, choice] = (count + 1, wins + (1 / len(winners) if seat in winners else 0.0))
    return dict(cells)


def _decisions(state: tsukimi.State, masters: Sequence[bots.Bot]) -> Iterator[Decision]:
    """Every decision where there is a choice, while the game is played."""
    while not state.over:
        seat = state.actors[0]
        move = masters[seat].choose(state, seat)
        legal = [state.text(action, seat) for action in state.actions(seat)]
        if len(legal) > 1:
            yield Decision(seat, state.view(seat), legal, state.text(move, seat))
        state.apply(move, seat)
