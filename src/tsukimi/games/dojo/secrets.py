"""What a seat cannot know is resampled: cards that it has not seen and throws that were not revealed.

A history is a tree: taking moves back leaves branches behind. A card that a seat saw in any branch stays what it is.
The others are drawn with exactly the right probabilities given those: see `_Deck`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from tsukimi.core.rng import Rng
from tsukimi.core.spec import CHANCE, UNDO, History
from tsukimi.games.dojo import notation
from tsukimi.games.dojo.rules import Dojo


@dataclass(eq=False)
class Draw:
    """One tatami leaving the pile, at one line of the history."""

    kind: int
    before: Draw | None
    """The draw before it in the same line of play."""
    known: bool = False
    after: list[Draw] = field(default_factory=list)
    wanted: set[int] = field(default_factory=set)
    """The kinds of the known draws from here on, in all branches."""


def resample(start: Dojo, history: History, seat: int, rng: Rng) -> History:
    """A history that looks the same to a seat, with everything it cannot know resampled."""
    witness = _watch(start, history, seat)
    dealt = list(history)
    deck = _Deck(list(start.left), list(witness.draws.values()))
    for where, draw in witness.draws.items():
        if not draw.known:
            draw.kind = deck.draw(draw, rng)
            dealt[where] = (CHANCE, draw.kind)
    rock = notation.NUMBERS["throw rock"]
    for where in sorted(witness.secret_throws):
        dealt[where] = (history[where][0], rock + rng.randrange(3))
    return dealt


def _watch(start: Dojo, history: History, seat: int) -> _Witness:
    """A witness of the whole history, with every branch followed once."""
    back_to = _branchings(history)
    witness = _Witness(start, seat)
    branches = dict.fromkeys(back_to.values(), witness)
    for where, (mover, move) in enumerate(history):
        if mover == UNDO:
            witness = branches[back_to[where]].branch()
        else:
            if where in branches:
                branches[where] = witness.branch()
            witness.step(where, mover, move)
    return witness


def _branchings(history: History) -> dict[int, int]:
    """For every line that takes moves back: the line of the first of these moves."""
    back_to: dict[int, int] = {}
    line: list[int] = []
    for where, (mover, moves) in enumerate(history):
        if mover == UNDO:
            made = [i for i, step in enumerate(line) if history[step][0] >= 0]
            back_to[where] = line[made[-moves]]
            del line[made[-moves] :]
        else:
            line.append(where)
    return back_to


class _Witness:
    """Follows a line of play and notes which draws and throws a seat has seen."""

    def __init__(self, core: Dojo, seat: int) -> None:
        twin = core.copy()
        assert isinstance(twin, Dojo)
        self.core = twin
        self.seat = seat
        self.draws: dict[int, Draw] = {}
        self.secret_throws: set[int] = set()
        self.last: Draw | None = None
        self.looked_at: Draw | None = None
        self.lying: dict[int, Draw] = {}
        self.bout: list[int] = []

    def branch(self) -> _Witness:
        """A witness at the same point that writes into the same notes."""
        twin = _Witness(self.core, self.seat)
        twin.draws, twin.secret_throws = self.draws, self.secret_throws
        twin.last, twin.looked_at = self.last, self.looked_at
        twin.lying, twin.bout = dict(self.lying), list(self.bout)
        return twin

    def step(self, where: int, mover: int, move: int) -> None:
        core = self.core
        phase = notation.phase(core)
        if phase in ("draw", "deal"):
            self._draw(where, move)
        elif phase == "give":
            assert self.looked_at is not None
            self.lying[move] = self.looked_at
        elif phase == "throw":
            self.bout.append(where)
            if mover != self.seat:
                self.secret_throws.add(where)
        if mover == CHANCE:
            core.apply(move)
        else:
            core.apply(move, mover)
        if len(self.bout) == 2:
            self.secret_throws.difference_update(self.bout)
            self.bout = []
        self._look()

    def _draw(self, where: int, kind: int) -> None:
        draw = self.draws[where] = Draw(kind, self.last)
        if self.last is not None:
            self.last.after.append(draw)
        self.last = draw
        if notation.phase(self.core) == "deal":
            self.lying[notation.receiver(self.core)] = draw
        else:
            self.looked_at = draw

    def _look(self) -> None:
        core = self.core
        if core.looking >= 0 and core.dealer == self.seat and self.looked_at is not None:
            self.looked_at.known = True
        held = core.held
        for owner, draw in self.lying.items():
            if not draw.known and (held[owner] < 0 or core.knows(self.seat, owner)):
                draw.known = True


class _Deck:
    """Draws unknown cards given the known ones, exactly.

    Every history has the weight of its draws: at each one, the number of cards of that kind then left. An unknown
    kind is drawn by the sum of the weights of all completions; these depend on it only through the known draws
    that come after it (in several branches perhaps), so kinds that none of them wants count alike.
    """

    def __init__(self, counts: list[int], draws: list[Draw]) -> None:
        self.counts = counts
        self.memo: dict[tuple[int, tuple[int, ...]], int] = {}
        for draw in reversed(draws):
            draw.wanted = {draw.kind} if draw.known else set()
            draw.wanted.update(*(later.wanted for later in draw.after))

    def draw(self, draw: Draw, rng: Rng) -> int:
        """A kind for an unknown draw whose earlier draws are all settled."""
        picks: list[int] = []
        before = draw.before
        while before is not None:
            if not before.known:
                picks.append(before.kind)
            before = before.before
        left = self._left(draw)
        weights = [
            max(0, left[kind] - picks.count(kind)) * self._later(draw, (*picks, kind)) for kind in range(len(left))
        ]
        return _choose(weights, rng)

    def _left(self, draw: Draw) -> list[int]:
        """What the pile holds before a draw, cards of unknown draws still counted in."""
        left = list(self.counts)
        before = draw.before
        while before is not None:
            if before.known:
                left[before.kind] -= 1
            before = before.before
        return left

    def _later(self, draw: Draw, picks: tuple[int, ...]) -> int:
        return prod(self._weight(later, picks) for later in draw.after)

    def _weight(self, draw: Draw, picks: tuple[int, ...]) -> int:
        """The weight of all completions from a draw on, given the kinds of the unknown draws before it."""
        if not draw.wanted:
            return 1
        wanted = tuple(sorted(kind for kind in picks if kind in draw.wanted))
        key = (id(draw), wanted)
        if key not in self.memo:
            self.memo[key] = self._sum(draw, wanted, len(picks))
        return self.memo[key]

    def _sum(self, draw: Draw, picks: tuple[int, ...], unknown: int) -> int:
        left = self._left(draw)
        if draw.known:
            mine = left[draw.kind] - picks.count(draw.kind)
            return mine * self._later(draw, self._padded(picks, unknown)) if mine > 0 else 0
        kinds = sorted(set().union(*(later.wanted for later in draw.after)))
        numbers = [max(0, left[kind] - picks.count(kind)) for kind in kinds]
        others = sum(left) - unknown - sum(numbers)
        total = others * self._later(draw, self._padded(picks, unknown + 1))
        for kind, number in zip(kinds, numbers, strict=True):
            if number:
                total += number * self._later(draw, self._padded((*picks, kind), unknown + 1))
        return total

    @staticmethod
    def _padded(picks: tuple[int, ...], unknown: int) -> tuple[int, ...]:
        """The picks that matter, filled up with some that do not, so that their number is right."""
        return picks + (-1,) * (unknown - len(picks))


def _choose(weights: list[int], rng: Rng) -> int:
    """An index, exactly by these weights, however large they are."""
    total = sum(weights)
    while True:
        number, span = 0, 1
        while span < total << 16:
            number, span = number << 16 | rng.randrange(1 << 16), span << 16
        if number < span - span % total:
            break
    number %= total
    for index, weight in enumerate(weights):
        if number < weight:
            return index
        number -= weight
    raise AssertionError("no weights")
