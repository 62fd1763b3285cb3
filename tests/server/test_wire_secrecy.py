"""What is sent to a seat or a spectator contains nothing that they may not know: whole games over real sockets.

A game is played; then, for an observer, everything that this observer cannot know is resampled, and that other
game is played over sockets too. Every byte that the observer receives must be the same.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

import tsukimi
from seats import some_players
from server.live import Live, serving
from server.sockets import PATIENCE
from tsukimi.client import Client, Seat
from tsukimi.core.spec import CHANCE
from tsukimi.core.state import State
from tsukimi.server import messages as m
from tsukimi.server.sockets import session
from tsukimi.server.tables import broadcaster, committed, opening, registry, scheduler
from tsukimi.table import fair
from tsukimi.table.settings import Settings

NAMES = ("Ana", "Bruno", "Chloe")
GAMES = tsukimi.games()
Bytes = dict[int | None, list[str]]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch, serving(Path(tmp_path_factory.mktemp("wire"))) as server:
        # All that differs between two games without being a secret is held constant.
        for module in (broadcaster, committed, opening, registry, scheduler, session):
            patch.setattr(module, "clock", lambda: 1_700_000_000_000)
        patch.setattr(fair, "new_secret", lambda: "5e" * 32)
        yield server


def a_game(game: str, seed: int, moves: int, **options: str) -> State:
    state, chance = tsukimi.new(game, players=some_players(game), seed=seed, **options), random.Random(seed)
    for _ in range(moves):
        if state.over:
            break
        seat = chance.choice(state.actors)
        state.play(chance.choice(state.legal(seat)), seat)
    return state


def played_over_sockets(live: Live, state: State, name: str, patch: pytest.MonkeyPatch) -> Bytes:
    """Play exactly this game (its moves, its chance) at a table of this name; what each observer received."""
    outcomes = [what for mover, what in state.history if mover == CHANCE]

    patch.setattr(fair, "draw", lambda *_: outcomes.pop(0))
    patch.setattr(opening, "new_id", lambda: name)
    return asyncio.run(_play(live, state, name))


async def _play(live: Live, state: State, name: str) -> Bytes:
    clients = [live.client(one) for one in (*NAMES[: state.players], "Zoe")]
    quiet = Settings(forced=False, round_pause=False)
    async with clients[0] as host:
        await host.create(state.game, state.players, options=state.options, settings=quiet)
    seats: list[Seat] = []
    try:
        for client in clients:
            seats.append(await _come(client, name))
        for number, seat in enumerate(seats[1:-1], 1):
            await seat.ask(m.Sit(f"sit-{number}", number, None, "ab"))
        await seats[0].ask(m.Start("start"))
        events = len(state.history)
        texts = dict(enumerate(state.lines()))
        for number, (mover, _) in enumerate(state.history):
            if mover == CHANCE:
                continue
            await _all(seats, number)
            question = seats[mover].game.question  # type: ignore[union-attr]
            assert question is not None
            move = texts[number].split(" ", 1)[1]
            await seats[mover].ask(m.AskStakes(f"stakes-{number}", question.decision))
            await seats[mover].ask(m.Play(f"move-{number}", question.decision, move))
        await _all(seats, events)
        return {(seat if seat < state.players else None): _received(one) for seat, one in enumerate(seats)}
    finally:
        for seat in seats:
            await seat.__aexit__(None, None, None)


def _received(seat: Seat) -> list[str]:
    """Everything but the answers to the client's own pings, whose number depends on how long the game takes."""
    return [text for text in seat.raw or [] if not text.startswith('{"type":"pong"')]


async def _come(client: Client, table: str) -> Seat:
    await client.__aenter__()
    seat = client.table(table)
    seat.raw = []
    await seat.__aenter__()
    await seat.until(lambda: seat.table is not None, PATIENCE)
    return seat


async def _all(seats: list[Seat], events: int) -> None:
    for seat in seats:
        await seat.until(lambda seat=seat: len(seat.events) >= events, PATIENCE)


@pytest.mark.parametrize("part", [0.35, 0.8])
@pytest.mark.parametrize("game", GAMES)
def test_bytes_sent_to_an_observer_do_not_depend_on_what_it_cannot_know(
    live: Live, game: str, part: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = a_game(game, 11, 400)
    length = sum(mover >= 0 for mover, _ in whole.history)
    moves = int(part * length)
    state = a_game(game, 11, moves)
    table = f"{game}-{round(100 * part)}"
    true = played_over_sockets(live, state, table + "-t", monkeypatch)
    differs = False
    for observer in (*range(state.players), None):
        other = state.resample(observer, f"{table}-{observer}")
        differs = differs or other.lines() != state.lines()
        # The same table's name must stand in the bytes, so it is made equal before they are compared.
        found = played_over_sockets(live, other, table + f"-{observer}", monkeypatch)
        expected = [text.replace(table + "-t", "TABLE") for text in true[observer]]
        assert [text.replace(table + f"-{observer}", "TABLE") for text in found[observer]] == expected
        assert len(expected) > 3 + moves, "the welcome, the people, the start, every move"
    assert differs or game == "china-moon", "nothing was hidden: the test would not have noticed anything"


def test_bytes_reveal_the_secret_only_when_the_game_has_ended(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    state = a_game("daruma", 3, 12)
    assert not state.over
    for texts in played_over_sockets(live, state, "secret", monkeypatch).values():
        assert not any("5e" * 32 in text for text in texts)
    over = a_game("daruma", 3, 1000)
    for texts in played_over_sockets(live, over, "revealed", monkeypatch).values():
        assert any("5e" * 32 in text for text in texts)
