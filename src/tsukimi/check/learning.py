"""Checks of what learning programs use: observations, their fields, and batches."""

from __future__ import annotations

from typing import Any

import tsukimi
from tsukimi.check.trial import Check, Trial, observers, require
from tsukimi.core.rng import Rng
from tsukimi.core.source import rng_of


def labelled_fields_cover_the_observation(trial: Trial) -> None:
    core = trial.new(30).core
    fields = trial.spec.fields(core)
    place = 0
    for field in fields:
        require(field.offset == place, f"{field.name} does not begin at {place}")
        require(field.length > 0 and field.low <= field.high, f"{field.name} has no room or no range")
        require(field.name and field.meaning, f"the field at {place} has no name or no meaning")
        place += field.length
    require(place == core.observation_size, f"the fields have {place} numbers, the observation {core.observation_size}")
    names = [field.name for field in fields]
    require(len(set(names)) == len(names), "two fields have the same name")


def every_observed_number_is_within_its_fields_range(trial: Trial) -> None:
    start, rng = trial.start(), Rng(trial.seed + 31)
    fields = trial.spec.fields(start)
    for _ in range(min(5, trial.games)):
        core = start.copy()
        while not core.over:
            if core.chance:
                core.apply(core.sample_outcome(rng))
            else:
                seat = core.actors[0]
                core.apply(core.random_action(seat, rng), seat)
            for observer in (rng.randrange(core.players), None):
                numbers = core.observation(observer)
                for field in fields:
                    part = numbers[field.offset : field.offset + field.length]
                    require(
                        field.low <= min(part) and max(part) <= field.high,
                        f"{field.name} is {field.low}..{field.high}, but {part} was seen",
                    )


def a_position_and_its_copy_have_the_same_observation(trial: Trial) -> None:
    for _, state in trial.some(32, 10):
        for seat in observers(state):
            require(
                state.core.observation(seat) == state.copy().core.observation(seat),
                "a copy has a different observation",
            )


def a_batch_plays_exactly_like_single_games(trial: Trial) -> None:
    variant, number = trial.variant, 8
    options: dict[str, Any] = dict(variant.options)
    batch: Any = tsukimi.batch(variant.game, variant.players, games=number, seed=1, threads=2, **options)
    root, start = rng_of(1), trial.start()
    rngs = [Rng(root.number()) for _ in range(number)]
    cores = [start.copy() for _ in range(number)]
    for core, rng in zip(cores, rngs, strict=True):
        core.sample_chance(rng)
    for _ in range(5 * trial.games):
        for i, core in enumerate(cores):
            seat = core.actors[0]
            moves = batch.moves[batch.offsets[i] : batch.offsets[i + 1]].tolist()
            require(batch.actors[i] == seat and moves == core.actions(seat), "the moves differ")
            seen = batch.observations[i].tolist()[: core.observation_size]
            require(seen == core.observation(seat), "the observations differ")
        chosen = batch.pick()
        for i, (core, rng) in enumerate(zip(cores, rngs, strict=True)):
            moves = core.actions()
            require(moves[rng.randrange(len(moves))] == chosen[i], "a different move is picked")
            core.apply(chosen[i])
            core.sample_chance(rng)
        batch.step(chosen)
        for i, (core, rng) in enumerate(zip(cores, rngs, strict=True)):
            require(batch.over[i] == core.over, "only one of the two has ended")
            winners = core.winners() if core.over else []
            shares = [1 / len(winners) if seat in winners else 0 for seat in range(core.players)]
            require(all(abs(batch.rewards[i] - shares) < 1e-6), "the rewards differ")
            if core.over:
                require(batch.scores[i].tolist() == core.scores(), "the scores differ")
                core.assign(start)
                core.sample_chance(rng)


CHECKS: tuple[Check, ...] = (
    labelled_fields_cover_the_observation,
    every_observed_number_is_within_its_fields_range,
    a_position_and_its_copy_have_the_same_observation,
    a_batch_plays_exactly_like_single_games,
)
