"""Checks that nobody learns what they may not know: everything hidden is redrawn, and nothing that a seat sees changes."""

from __future__ import annotations

import numpy as np

from tsukimi.check.trial import Check, Trial, canonical, observers, require
from tsukimi.core.events import stakes, walk
from tsukimi.core.game import Game
from tsukimi.core.rng import Rng
from tsukimi.core.spec import SPECTATOR
from tsukimi.core.state import State


def _seen(state: State, seat: int | None) -> str:
    return canonical([state.view(seat), state.legal(seat) if seat is not None else [], state.events(seat)])


def resampling_a_position_changes_nothing_its_seat_sees(trial: Trial) -> None:
    rng = Rng(trial.seed + 1)
    for seed in range(3 if trial.games >= 20 else 1):
        for state in trial.game(100 + seed):
            for seat in observers(state):
                observer = SPECTATOR if seat is None else seat
                core = state.core.resample(seat, rng)
                require(
                    canonical(state.spec.view(core, observer)) == canonical(state.spec.view(state.core, observer)),
                    "the view changes",
                )
                if seat is not None:
                    require(core.actions(seat) == state.core.actions(seat), "the legal moves change")
                require(core.observation(seat) == state.core.observation(seat), "the observation changes")
                require(core.actors == state.core.actors and core.over == state.core.over, "who may act changes")


def resampling_depends_only_on_what_the_seat_knows(trial: Trial) -> None:
    for decision, state in enumerate(trial.game(150)):
        if decision % 3:
            continue
        for seat in observers(state):
            others = [state.core.resample(seat, Rng(decision))]
            if decision % 9 == 0:
                others.append(state.resample(seat, decision).core)
            one = state.core.resample(seat, Rng(7))
            for other in others:
                two = other.resample(seat, Rng(7))
                seats = range(state.players)
                require(
                    [one.observation(each) for each in seats] == [two.observation(each) for each in seats],
                    "what is drawn depends on what is hidden",
                )
                require(
                    [one.actions(each) for each in seats] == [two.actions(each) for each in seats],
                    "the legal moves after a draw depend on what is hidden",
                )


def positions_and_games_are_resampled_with_the_same_distribution(trial: Trial) -> None:
    draws = min(200, 5 * trial.games)
    for decision, state in trial.some(160, 3):
        if state.over:
            break
        for seat in (0, None):
            cores = [state.core.resample(seat, Rng(1000 * decision + draw)) for draw in range(draws)]
            games = [state.resample(seat, 1000 * decision + draw).core for draw in range(draws)]
            one, two = (np.array([_all_seen(core) for core in drawn]) for drawn in (cores, games))
            spread = 6 * np.sqrt((one.var(axis=0) + two.var(axis=0)) / draws) + 6 / draws
            apart = abs(one.mean(axis=0) - two.mean(axis=0)) > spread
            require(
                not apart.any(),
                f"positions and games draw what seat {seat} cannot know from different distributions at decision {decision}",
            )


def _all_seen(core: Game) -> list[int]:
    return [number for seat in range(core.players) for number in core.observation(seat)]


def resampling_a_game_changes_nothing_its_seat_sees(trial: Trial) -> None:
    for decision, state in trial.some(200, trial.games):
        for seat in observers(state):
            require(
                _seen(state.resample(seat, seed=decision), seat) == _seen(state, seat), f"seat {seat} sees a change"
            )


def stakes_depend_only_on_what_the_seat_knows(trial: Trial) -> None:
    for decision, state in enumerate(trial.game(210)):
        for seat in state.actors:
            shown = canonical(state.stakes(seat))
            others = [state.core.resample(seat, Rng(decision))]
            if decision % 9 == 0:
                others.append(state.resample(seat, decision).core)
            for other in others:
                require(canonical(stakes(state.spec, other, seat)) == shown, f"seat {seat} is shown what is hidden")


def information_from_moves_taken_back_stays_known(trial: Trial) -> None:
    luck = trial.luck(3)
    for decision, state in enumerate(trial.game(300)):
        if decision % 12 not in (1, 6) or state.over or decision > 160:
            continue
        tried = state.copy()
        for _ in range(3):
            for _ in range(luck.randrange(1, 9)):
                if not tried.over:
                    seat = luck.choice(tried.actors)
                    tried.apply(luck.choice(tried.actions(seat)), seat)
            tried.undo(luck.randrange(1, 1 + min(5, _standing_moves(tried))))
        for observer in observers(tried):
            require(
                _seen(tried.resample(observer, seed=decision), observer) == _seen(tried, observer),
                "what was shown by a move taken back is forgotten",
            )


def _standing_moves(state: State) -> int:
    return sum(-move if mover == -2 else mover >= 0 for mover, move in state.history)


def a_resampled_game_can_be_played_to_its_end(trial: Trial) -> None:
    luck = trial.luck(4)
    for decision, state in enumerate(trial.game(400)):
        if decision in (0, 2, 11, 30):
            for seat in observers(state):
                other = state.resample(seat, seed=5)
                while not other.over:
                    other.apply(luck.choice(other.actions()))
                require(other.winners(), "a resampled game ends without a winner")


def a_resampled_game_has_its_own_future_chance(trial: Trial) -> None:
    if not trial.chance_comes_later():
        return
    state = next(iter(trial.game(500)))
    futures = {_future(state.resample(0, seed), trial) for seed in range(20)}
    require(len(futures) > 1, "a resampled game has the dice of the real one")
    require(
        _future(state.resample(0, 1), trial) == _future(state.resample(0, 1), trial),
        "the same seed gives two different futures",
    )


def _future(state: State, trial: Trial) -> str:
    luck = trial.luck(2)
    while not state.over:
        state.apply(luck.choice(state.actions()))
    return state.record()


def infosets_are_equal_exactly_for_indistinguishable_states(trial: Trial) -> None:
    keys: dict[bytes, str] = {}
    for decision, state in trial.some(600, 12):
        for seat in observers(state):
            key, seen = state.infoset(seat), _seen(state, seat)
            require(state.resample(seat, seed=decision).infoset(seat) == key, "the key depends on what is hidden")
            require(keys.setdefault(key, seen) == seen, "two states that a seat can tell apart have the same key")
    require(len(keys) == len(set(keys.values())), "two states that a seat cannot tell apart have different keys")


def open_events_look_the_same_to_everyone(trial: Trial) -> None:
    state = trial.played(77)
    for before, mover, move, after in walk(state.fresh(), state.history):
        if state.spec.open_event(before, mover, move):
            seen = [
                state.spec.event(before, mover, move, after, observer)
                for observer in (*range(state.players), SPECTATOR)
            ]
            require(all(event == seen[0] for event in seen), f"{seen[0]} looks different to others")


def the_public_part_of_a_view_does_not_depend_on_the_viewer(trial: Trial) -> None:
    for _, state in trial.some(78, 40):
        for seat in observers(state):
            parts = {**state.public(), **state.own(seat)}
            require(canonical(parts) == canonical(state.view(seat)), "the two parts do not add up to the view")


def automatic_moves_reveal_nothing_hidden(trial: Trial) -> None:
    rng, open_choice = Rng(trial.seed + 2), trial.spec.open_choice
    for _, state in trial.some(79, 80):
        for seat in state.actors:
            if open_choice(state.core, seat):
                forced = len(state.core.actions(seat)) == 1
                for observer in observers(state):
                    if observer != seat:
                        other = state.core.resample(observer, rng)
                        require(open_choice(other, seat), "whether everybody sees the moves depends on what is hidden")
                        require((len(other.actions(seat)) == 1) == forced, "a forced move depends on what is hidden")


CHECKS: tuple[Check, ...] = (
    resampling_a_position_changes_nothing_its_seat_sees,
    resampling_depends_only_on_what_the_seat_knows,
    positions_and_games_are_resampled_with_the_same_distribution,
    resampling_a_game_changes_nothing_its_seat_sees,
    stakes_depend_only_on_what_the_seat_knows,
    information_from_moves_taken_back_stays_known,
    a_resampled_game_can_be_played_to_its_end,
    a_resampled_game_has_its_own_future_chance,
    infosets_are_equal_exactly_for_indistinguishable_states,
    open_events_look_the_same_to_everyone,
    the_public_part_of_a_view_does_not_depend_on_the_viewer,
    automatic_moves_reveal_nothing_hidden,
)
