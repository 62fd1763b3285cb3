"""What is counted over many games. Tallies can be added and are plain data, so that they can be stored in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import pairwise
from typing import Any

from tsukimi.core.events import walk
from tsukimi.core.spec import CHANCE, SPECTATOR, UNDO, Json
from tsukimi.core.state import State

TENTHS = 10
MARKS = ("quarter", "half", "three_quarters")  # the moments at which the leader is determined
OWNERS = ("seat", "to", "owner")  # whose event it is: the first of these fields that it has
NOT_NAMES = ("type", "text", "frog", "origin", "luck", "reason", "why", "best", "counter", "lead")
MOST_NAMES = 2000
Count = dict[str, int]


@dataclass
class Tally:
    """Sums over games; those from `watched` on are over the games followed move by move."""

    games: int = 0
    lengths: Count = field(default_factory=dict)
    """The number of games by number of decisions."""
    wins: list[float] = field(default_factory=list)
    """By seat, as are the scores: how often each score was reached."""
    scores: list[Count] = field(default_factory=list)
    margins: Count = field(default_factory=dict)
    """The number of games by distance between the two best scores."""
    bots: dict[str, list[float]] = field(default_factory=dict)
    """By bot: games, wins, points."""

    watched: int = 0
    decisions: int = 0
    choices: Count = field(default_factory=dict)
    """The number of decisions by number of legal moves."""
    lead_changes: Count = field(default_factory=dict)
    settled: Count = field(default_factory=dict)
    """After how many tenths of the game only its winners led, to the end."""
    leaders: dict[str, list[float]] = field(default_factory=dict)
    """At a point in the game: how often someone was the sole leader, and how often that player won."""
    events: dict[str, list[int]] = field(default_factory=dict)
    """By type: how often it happened, and in how many games."""
    names: dict[str, list[float]] = field(default_factory=dict)
    """By what players did or got: how many did, their wins, their points, the points' squares."""
    everybody: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0, 0.0])
    """The same of all players of the watched games."""

    def add(self, other: Mapping[str, Any]) -> None:
        """Add another tally, as plain data."""
        for entry in fields(self):
            setattr(self, entry.name, _sum(getattr(self, entry.name), other[entry.name]))

    def data(self) -> Json:
        return asdict(self)

    def count(self, scores: Sequence[int], winners: Sequence[int], decisions: int, seated: Sequence[str]) -> None:
        """A finished game."""
        self.games += 1
        _more(self.lengths, decisions)
        if not self.wins:
            self.wins, self.scores = [0.0] * len(scores), [{} for _ in scores]
        for seat, score in enumerate(scores):
            share = 1 / len(winners) if seat in winners else 0.0
            self.wins[seat] += share
            _more(self.scores[seat], score)
            _add(self.bots, seated[seat], (1.0, share, float(score)))
        best = sorted(scores, reverse=True)
        if len(best) > 1:
            _more(self.margins, best[0] - best[1])

    def watch(self, state: State) -> Iterator[tuple[int, int, str, list[int]]]:
        """Go through a finished game; yield each decision: seat, number of legal moves, the move, scores after."""
        winners, scores = state.winners(), state.scores()
        done: list[set[str]] = [set() for _ in scores]
        kinds: dict[str, int] = {}
        leads: list[list[int]] = []
        for before, mover, move, after in walk(state.fresh(), state.history):
            if mover == UNDO:
                continue
            event = _event(state, before, mover, move, after)
            _more(kinds, event["type"])
            for seat, name in _names(event):
                if 0 <= seat < len(done):
                    done[seat].add(name)
            if mover != CHANCE:
                legal, text = len(before.actions(mover)), state.spec.text(before, mover, move)
                now = after.scores()
                leads.append([seat for seat, score in enumerate(now) if score == max(now)])
                _more(self.choices, legal)
                yield mover, legal, text, now
        self.watched += 1
        self.decisions += len(leads)
        for kind, times in kinds.items():
            _add(self.events, kind, (times, 1))
        self._count_leads(leads, winners)
        for seat, score in enumerate(scores):
            row = (1.0, 1 / len(winners) if seat in winners else 0.0, float(score), float(score) ** 2)
            self.everybody = [a + b for a, b in zip(self.everybody, row, strict=True)]
            for name in sorted(done[seat]):
                if name in self.names or len(self.names) < MOST_NAMES:
                    _add(self.names, name, row)

    def _count_leads(self, leads: list[list[int]], winners: list[int]) -> None:
        alone = [leaders[0] for leaders in leads if len(leaders) == 1]
        _more(self.lead_changes, sum(a != b for a, b in pairwise(alone)))
        unsettled = [i for i, one in enumerate(leads) if not set(one) <= set(winners)]
        _more(self.settled, TENTHS * (unsettled[-1] + 1) // len(leads) if unsettled else 0)
        for number, mark in enumerate(MARKS, 1):
            leading = leads[(len(leads) - 1) * number // 4]
            if len(leading) == 1:
                _add(self.leaders, mark, (1.0, 1 / len(winners) if leading[0] in winners else 0.0))


def _event(state: State, before: Any, mover: int, move: int, after: Any) -> Json:
    """What happened, as seen by the player concerned."""
    event = state.spec.event(before, mover, move, after, SPECTATOR if mover == CHANCE else mover)
    if mover == CHANCE and isinstance(to := event.get("to", event.get("dealer")), int):
        return state.spec.event(before, mover, move, after, to)
    return event


def _names(event: Json) -> Iterator[tuple[int, str]]:
    """What an event records about a player: that it happened, and everything that it names (cards, actions, pads, ..)."""
    owner = next((event[key] for key in OWNERS if isinstance(event.get(key), int)), None)
    if owner is None:
        return
    yield owner, event["type"]
    for key, value in event.items():
        if key in NOT_NAMES:
            continue
        for name in value if isinstance(value, list) else [value]:
            if isinstance(name, str) and name:
                yield owner, f"{event['type']} {name.rstrip('*')}"


def _more(counts: Count, key: object) -> None:
    counts[str(key)] = counts.get(str(key), 0) + 1


def _add(rows: dict[str, Any], key: str, numbers: Iterable[float]) -> None:
    rows[key] = _sum(rows.get(key, []), list(numbers))


def _sum(mine: Any, other: Any) -> Any:
    if isinstance(other, Mapping):
        return {
            key: _sum(mine[key], other[key]) if key in mine and key in other else (mine | other)[key]
            for key in mine | other
        }
    if isinstance(other, list):
        return [_sum(a, b) for a, b in zip(mine, other, strict=True)] if mine and other else [*mine, *other]
    return mine + other
