"""When a bot answers, and when it is shown to be thinking, reveals nothing about its cards."""

from __future__ import annotations

import asyncio
import math
import pickle
import random
import time
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import pytest

import tsukimi
from server.simulated import BotTable, in_simulated_time, instant_search
from tsukimi.bots import NAMES
from tsukimi.bots.charuma.engine import CharumaEngine
from tsukimi.games import spec
from tsukimi.games.charuma.notation import HIDDEN, phase
from tsukimi.server.tables import bot_pool
from tsukimi.server.tables.bot_pool import BotPool
from tsukimi.server.tables.pace import LEAST, ORDINARY_MS
from tsukimi.table import fair
from tsukimi.table.table import Table

DECISIONS = 1500


class Decision(NamedTuple):
    """A decision in a trick by a bot that still has hidden cards: only it knows how many moves it has."""

    moves: int
    hidden: int
    """The sum of its hidden cards, as a number for their strength."""
    seconds: float
    shown: bool


async def decisions(level: str, tables: int) -> list[Decision]:
    """Of bots of one level, while so many tables are played at once."""
    pool, found = BotPool(1, 1000.0), list[Decision]()

    def answered(table: Table, seat: int, seconds: float, shown: bool) -> None:
        game = table.playing.core
        hidden = game.hand[seat] >> HIDDEN
        if table.seats[seat].level == level and phase(game) == "tricks" and hidden:
            cards = [kind for kind in range(hidden.bit_length()) if hidden >> kind & 1]
            found.append(Decision(len(table.choices(seat)), sum(cards), seconds, shown))

    async def play() -> None:
        while len(found) < DECISIONS:
            table = BotTable(pool, "charuma", 3, level, answered)
            await table.over.wait()
            table.close()

    try:
        await asyncio.gather(*(play() for _ in range(tables)))
    finally:
        pool.close()
    return found


@pytest.mark.parametrize(("level", "tables"), [("master", 1), ("regular", 1), ("novice", 1), ("master", 6)])
def test_over_a_thousand_decisions_answer_times_do_not_depend_on_hidden_cards(
    level: str, tables: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(1)
    monkeypatch.setattr(fair, "new_secret", lambda: f"{chance.getrandbits(256):064x}")
    monkeypatch.setattr(bot_pool, "random", random.Random(2), raising=False)
    found = in_simulated_time(decisions(level, tables), instant_search(monkeypatch, CharumaEngine))
    seconds = [sample.seconds for sample in found]
    alone = [sample.seconds for sample in found if sample.moves == 1]
    several = [sample.seconds for sample in found if sample.moves > 1]
    assert min(len(alone), len(several)) > 100
    assert abs(rank_sum(alone, several)) < 3
    assert abs(correlation([sample.moves for sample in found], seconds)) < 0.1
    assert abs(correlation([sample.hidden for sample in found], seconds)) < 0.1
    assert abs(correlation([sample.moves > 1 for sample in found], [one.shown for one in found])) < 0.1


def correlation(one: Sequence[float], two: Sequence[float]) -> float:
    """Pearson's; 0 if one of them never changes."""
    n, mean_one, mean_two = len(one), sum(one) / len(one), sum(two) / len(two)
    both = sum((x - mean_one) * (y - mean_two) for x, y in zip(one, two, strict=True)) / n
    spread = [sum((x - mean) ** 2 for x in xs) / n for xs, mean in ((one, mean_one), (two, mean_two))]
    return both / math.sqrt(spread[0] * spread[1]) if min(spread) > 0 else 0.0


def rank_sum(one: Sequence[float], two: Sequence[float]) -> float:
    """Wilcoxon's test of whether two samples are alike, in standard deviations from that."""
    order, n, m = sorted([*one, *two]), len(one), len(two)
    found = sum((bisect_left(order, value) + bisect_right(order, value)) / 2 for value in one)
    expected = n * (n + m) / 2
    return (found - expected) / math.sqrt(n * m * (n + m + 1) / 12)


@pytest.mark.compiled
@pytest.mark.parametrize("game", tsukimi.games())
def test_no_bot_and_no_hint_needs_much_more_time_than_it_is_given(game: str) -> None:
    """Measured on the processor, so that it does not matter what else the machine does."""
    ms, chance = 60.0, random.Random(1)
    state = tsukimi.new(game, players=spec(game).seats[-1], seed=1)
    for decision in range(40):
        if state.over:
            break
        seat = state.actors[0]
        if decision % 4 == 0:
            frozen = pickle.dumps(state)
            for level in NAMES:
                began = time.thread_time()
                _, share = bot_pool._choose(f"{game} {level}", frozen, seat, level, ms)
                over = time.thread_time() - began - share * ms / 1000
                assert not decision or over < LEAST * ORDINARY_MS / 1000  # the first one imports what it needs
            began = time.thread_time()
            bot_pool._hint(frozen, {}, seat, "en", ms)
            assert time.thread_time() - began < ms / 1000 + 0.1
        state.apply(chance.choice(state.actions(seat)), seat)
