"""The two encodings: both say what the numbers say, within the ranges that the game describes."""

from __future__ import annotations

import numpy as np
import pytest

import tsukimi
from conformance.variants import ALL, IDS, new, random_game
from tsukimi.core.encoding import Encoding
from tsukimi.core.spec import Field
from tsukimi.games import spec


def encodings(state):
    return [Encoding(state.spec, state.core, kind) for kind in ("numbers", "onehot")]


@pytest.mark.parametrize("variant", ALL, ids=IDS)
def test_every_observation_of_a_game_lies_within_its_fields(variant):
    numbers, hot = encodings(new(variant, 1))
    assert hot.encode(new(variant, 1).core.observation(0)).shape == (hot.size,)
    for state in random_game(variant, 2):
        seen = np.array([state.core.observation(seat) for seat in range(state.players)])
        outside = np.flatnonzero((seen < numbers.low).any(0) | (seen > numbers.high).any(0))
        assert not outside.size, [(i, seen[:, i], numbers.low[i], numbers.high[i]) for i in outside]


@pytest.mark.parametrize("game", tsukimi.games())
def test_one_hot_columns_can_be_read_back(game):
    state = tsukimi.new(game, players=spec(game).seats[0], seed=1)
    _, hot = encodings(state)
    seen = state.core.observation(0)
    encoded = hot.encode(seen)
    assert encoded.dtype == np.float32
    for part in hot.columns:
        field, width = part.field, part.width
        for i in range(field.length):
            columns = encoded[part.start + i * width : part.start + (i + 1) * width]
            value = columns.argmax() if width > 1 else round(float(columns[0]) * (field.high - field.low))
            assert field.low + value == seen[field.offset + i]
            assert width == 1 or columns.sum() == 1


@pytest.mark.parametrize("game", tsukimi.games())
def test_many_observations_are_encoded_as_each_of_them_is(game):
    batch = tsukimi.batch(game, players=spec(game).seats[0], games=5, seed=1)
    state = tsukimi.new(game, players=spec(game).seats[0], seed=1)
    for encoding in encodings(state):
        together = encoding.encode(batch.observations)
        assert together.shape == (5, encoding.size)
        assert all((together[i] == encoding.encode(batch.observations[i])).all() for i in range(5))
        assert not np.shares_memory(together, batch.observations)


def test_the_layout_is_a_table_with_a_line_per_field():
    game = tsukimi.games()[-1]
    state = tsukimi.new(game, players=spec(game).seats[0], seed=1)
    for encoding in encodings(state):
        assert len(encoding.table().splitlines()) == 2 + len(encoding.fields)


def test_fields_that_leave_a_gap_are_refused():
    from dataclasses import replace

    state = tsukimi.new("dojo", players=3, seed=1)
    gap = replace(state.spec, fields=lambda game: [Field("all but the last", 0, game.observation_size - 1, 0, 12)])
    with pytest.raises(ValueError, match="dojo"):
        Encoding(gap, state.core)
