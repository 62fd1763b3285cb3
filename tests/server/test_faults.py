"""The store and the bus fail at one call after another while whole games are played.

After each failure the process lives, sends only what is stored, recovers by itself and loses nothing: the game is
played to its end. Here one call of each kind fails in each way; `make chaos` breaks them all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from faults import Fault, Faults
from server.faulty_games import ACCOUNTS, GAMES, STEADY, Violation, every_fault, play, sample, servers
from server.live import Live
from services import postgres, redis_server, shared_postgres, shared_redis  # noqa: F401
from tsukimi.server.tables.committed import CommittedTable
from tsukimi.table import events as e
from tsukimi.table.pending import successor

pytestmark = pytest.mark.compiled
faults = Faults()


@pytest.fixture(scope="module")
def one_worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Live]]:
    with servers(tmp_path_factory.mktemp("faults"), faults, {}) as lives:
        yield lives


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Live]]:
    shared = {"database": shared_postgres().database(), "bus": shared_redis().url, "secret": "two workers" * 4}
    with servers(tmp_path_factory.mktemp("faults"), faults, shared, shared) as lives:
        yield lives


def break_calls(lives: list[Live], game: str, without: set[str]) -> None:
    """All that every game does is broken in every game; of the rest, each game takes its half (`make chaos` takes all)."""
    calls = asyncio.run(play(game, lives, faults, None))
    chosen = [fault for fault in sample(every_fault(calls)) if fault.call not in without]
    rest = [fault for fault in chosen if fault.call not in STEADY]
    broken = [fault for fault in chosen if fault.call in STEADY] + rest[list(GAMES).index(game) % 2 :: 2]
    fired = {fault.call for fault in broken if asyncio.run(play(game, lives, faults, fault))["fired"]}
    # How often a call is made depends on time, so one fault may come too late; not all of a kind.
    assert {fault.call for fault in broken if fault.call in STEADY} <= fired


@pytest.mark.parametrize("game", GAMES)
def test_whichever_call_fails_at_one_worker_nothing_is_lost_and_the_game_continues(
    one_worker: list[Live], game: str
) -> None:
    break_calls(one_worker, game, set() if game == next(iter(GAMES)) else ACCOUNTS)


@pytest.mark.parametrize("game", GAMES)
def test_whichever_call_fails_at_two_workers_nothing_is_lost_and_the_game_continues(
    two_workers: list[Live],
    game: str,
    postgres: object,  # noqa: F811
    redis_server: object,  # noqa: F811
) -> None:
    break_calls(two_workers, game, ACCOUNTS)


def test_a_server_that_broadcasts_before_it_stores_is_detected(
    one_worker: list[Live], monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = CommittedTable._commit

    async def too_early(self: CommittedTable, events: list[e.Event]) -> None:
        listener, self._listener = self._listener, lambda *_: None
        listener(self.table, *successor(self.table, events, self.now()))
        try:
            await commit(self, events)
        finally:
            self._listener = listener

    monkeypatch.setattr(CommittedTable, "_commit", too_early)
    with pytest.raises(Violation, match="broadcast before it was stored"):
        asyncio.run(play("game_by_turns", one_worker, faults, Fault("append", 9, "before")))
