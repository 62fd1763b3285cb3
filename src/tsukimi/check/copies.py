"""Checks of records, copies, pickles, comparisons and taking back."""

from __future__ import annotations

import copy
import pickle

import tsukimi
from tsukimi.check.trial import Check, Trial, fingerprint, observers, refused, require
from tsukimi.core.state import State


def replaying_a_record_gives_the_same_game(trial: Trial) -> None:
    state = trial.played(3)
    state.names = {0: "Ana", 1: "Naoko del Carmen"}
    again = tsukimi.replay(state.record())
    require(fingerprint(again) == fingerprint(state), "the replay is a different game")
    require(again == state and again.names == state.names, "the replay is a different game")
    scores = "scores " + " ".join(map(str, state.scores())) + "\n"
    require(state.record().endswith(scores), "the record does not end with the scores")


def an_unfinished_record_can_be_continued(trial: Trial) -> None:
    for decision, state in enumerate(trial.game(4)):
        if decision in (0, 1, 7, 20) and not state.over:
            again = tsukimi.replay(state.record(), seed=9)
            require(fingerprint(again) == fingerprint(state), "the replay is a different game")
            again.play(again.legal()[0])
            require(again.lines()[: len(state.lines())] == state.lines(), "the replay has a different history")


def a_copy_is_independent(trial: Trial) -> None:
    for decision, state in enumerate(trial.game(5)):
        if decision in (0, 3, 9) and not state.over:
            before = fingerprint(state)
            twin = state.copy()
            require(fingerprint(twin) == before and twin == state, "the copy differs")
            twin.play(twin.legal()[0])
            require(fingerprint(state) == before, "a move in the copy changes the original")
            require(fingerprint(twin) != before and twin != state, "a move changes nothing")


def a_copy_is_reproducible_but_does_not_reveal_future_chance(trial: Trial) -> None:
    one, same = trial.new(6), trial.new(6)
    require(fingerprint(one) == fingerprint(same), "the same seed gives two different games")
    copies = [_play_on(one.copy(), trial), _play_on(same.copy(), trial)]
    require(copies[0] == copies[1], "copies of equal states continue differently")
    if trial.chance_comes_later():
        futures = {copies[0], *(_play_on(one.copy(), trial) for _ in range(20)), _play_on(one, trial)}
        require(len(futures) > 1, "a copy has the dice of its original")


def _play_on(state: State, trial: Trial) -> str:
    luck = trial.luck(1)
    for _ in range(60):
        if not state.over:
            state.apply(luck.choice(state.actions()))
    return state.record()


def pickled_states_and_positions_are_complete(trial: Trial) -> None:
    for decision, state in enumerate(trial.game(7)):
        if decision in (0, 2, 5) or state.over:
            state.names, state.proof = {0: "Ana"}, ["verify commitment abc"]
            for again in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
                require(fingerprint(again) == fingerprint(state), "an unpickled state differs")
                require(again == state and hash(again) == hash(state), "an unpickled state differs")
                require((again.names, again.proof) == (state.names, state.proof), "names or proof are lost")
                require(
                    _play_on(again, trial) == _play_on(copy.deepcopy(state), trial),
                    "an unpickled state continues differently",
                )
            for core in (pickle.loads(pickle.dumps(state.core)), copy.deepcopy(state.core), state.core.copy()):
                require(core == state.core and hash(core) == hash(state.core), "an unpickled position differs")
                require(core.actions() == state.core.actions(), "an unpickled position has different moves")


def undo_restores_the_state_and_is_in_the_record(trial: Trial) -> None:
    luck = trial.luck(15)
    for decision, state in enumerate(trial.game(15)):
        if decision not in (0, 4, 13, 31) or state.over:
            continue
        tried = state.copy()
        before = [tried.view(seat) for seat in observers(state)]
        scores, made = tried.scores(), 0
        for _ in range(luck.randrange(1, 4)):
            if not tried.over:
                tried.apply(luck.choice(tried.actions()))
                made += 1
        tried.undo(made)
        require([tried.view(seat) for seat in observers(state)] == before, "a view is not what it was")
        require(tried.scores() == scores, "the scores are not what they were")
        require(tried.lines()[-1] == f"undo {made}", "the record has no line for the undo")
        require(tried.events(0)[-1]["type"] == "undo", "there is no event for the undo")
        require(fingerprint(tsukimi.replay(tried.record())) == fingerprint(tried), "the replay differs")
        for moves in (0, 10**6):
            refused(tsukimi.IllegalMove, f"undo {moves}", tried.undo, moves)


CHECKS: tuple[Check, ...] = (
    replaying_a_record_gives_the_same_game,
    an_unfinished_record_can_be_continued,
    a_copy_is_independent,
    a_copy_is_reproducible_but_does_not_reveal_future_chance,
    pickled_states_and_positions_are_complete,
    undo_restores_the_state_and_is_in_the_record,
)
