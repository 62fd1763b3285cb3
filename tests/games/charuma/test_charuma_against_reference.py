"""The fast rules against the same rules written plainly, move by move, in random games."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsukimi
from games.charuma.charuma_reference import Reference
from tsukimi.core.rng import Rng
from tsukimi.games.charuma import SPEC

CHECKSUMS = [
    (2, "on", (348, 3825564367801120881)),
    (2, "off", (146, 1398781276919475341)),
    (2, "from-second", (223, 10443525581620656888)),
    (3, "on", (898, 11348591949534222055)),
    (3, "off", (351, 7244942984515122320)),
    (3, "from-second", (1043, 11869354855840365464)),
    (4, "on", (2182, 13944048190235358035)),
    (4, "off", (428, 13448360156417957821)),
    (4, "from-second", (1193, 16109463265558186850)),
    (5, "on", (2208, 12916046376273187835)),
    (5, "off", (445, 10999694776056614598)),
    (5, "from-second", (4322, 696574888757659444)),
]


@given(st.integers(2, 5), st.sampled_from(["on", "off", "from-second"]), st.integers(0, 2**32))
def test_a_random_game_goes_as_the_plain_rules_say(players: int, auction: str, seed: int) -> None:
    state = tsukimi.new("charuma", players=players, chance="manual", first="p2", auction=auction)
    plain = Reference(players, auction, 1)
    choose = random.Random(seed)
    for _ in range(400):
        assert state.over == plain.over
        assert state.scores() == plain.points
        if state.over:
            assert state.winners() == [plain.points.index(max(plain.points))]
            break
        if state.chance:
            texts, odds = zip(*state.outcomes(), strict=True)
            text = choose.choices(texts, odds)[0]
        else:
            assert state.actors == (plain.turn,)
            legal = state.legal()
            assert len(legal) == len(set(legal))
            assert set(legal) == plain.legal()
            text = choose.choice(legal)
        state.play(text)
        plain.play(text)
    assert state.view(None)["token"] == plain.token


@pytest.mark.parametrize(("players", "auction", "checksum"), CHECKSUMS)
def test_playouts_are_the_same_compiled_and_plain(players: int, auction: str, checksum: tuple[int, int]) -> None:
    game = SPEC.start(SPEC.load({}, players), players, {"first": "random", "auction": auction})
    rng = Rng(1)
    assert (game.playouts(rng, 4), rng.state) == checksum


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_random_move_is_any_legal_move_equally_often(players: int) -> None:
    game = SPEC.start(SPEC.load({}, players), players, {"first": "random", "auction": "on"})
    rng = Rng(players)
    game.sample_chance(rng)
    for _ in range(60):
        (seat,) = game.actors
        moves = game.actions(seat)
        draws = 40 * len(moves)
        counts = dict.fromkeys(moves, 0)
        for _ in range(draws):
            counts[game.random_action(seat, rng)] += 1
        chi_square = sum((count - 40) ** 2 / 40 for count in counts.values())
        freedom = len(moves) - 1
        assert chi_square < freedom + 5 * (2 * freedom) ** 0.5 + 12
        game.apply(game.random_action(seat, rng), seat)
        game.sample_chance(rng)
