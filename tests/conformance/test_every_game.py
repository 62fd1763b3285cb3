"""What holds for every game, player count, edition and variant."""

from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsukimi
from conformance.variants import ALL, IDS, canonical, fingerprint, new, observers, played, random_game
from conftest import COMPILED
from tsukimi.core.rng import Rng

every_variant = pytest.mark.parametrize("variant", ALL, ids=IDS)
GAMES = 100 if COMPILED else 4
LONG = 200  # decisions: what holds so far holds on


@every_variant
def test_random_games_come_to_an_end_with_a_winner(variant):
    start = new(variant, 0, chance="manual").core
    for seed in range(GAMES):
        core = start.copy()
        assert core.playout(Rng(seed)) > 0
        assert core.over
        assert not core.chance
        assert core.actors == ()
        assert core.winners()


@every_variant
def test_exactly_one_of_chance_decision_and_end_is_there(variant):
    core, rng = new(variant, 0, chance="manual").core.copy(), Rng(5)
    while not core.over:
        assert core.chance != bool(core.actors)
        if core.chance:
            core.apply(core.sample_outcome(rng))
        else:
            seat = core.actors[rng.randrange(len(core.actors))]
            core.apply(core.random_action(seat, rng), seat)


@every_variant
def test_legal_moves_are_distinct_and_their_texts_go_both_ways(variant):
    for state in random_game(variant, 1):
        for seat in range(state.players):
            moves = state.actions(seat)
            assert bool(moves) == (seat in state.actors)
            assert len(set(moves)) == len(moves)
            assert all(0 <= move < state.core.move_ids for move in moves)
            assert len(moves) <= state.core.max_moves
            texts = state.legal(seat)
            assert len(set(texts)) == len(texts)
            for move, text in list(zip(moves, texts, strict=True))[:40]:
                assert state.parse(text, seat) == move
                assert state.text(move, seat) == text


@every_variant
def test_a_random_move_is_one_of_the_legal_ones_and_every_legal_one_comes(variant):
    rng = Rng(3)
    for decision, state in enumerate(random_game(variant, 2)):
        if decision > 40 or state.over:
            break
        seat = state.actors[0]
        moves = set(state.actions(seat))
        drawn = {state.core.random_action(seat, rng) for _ in range(min(2000, 12 * len(moves)))}
        assert drawn <= moves
        if len(moves) <= 12 and COMPILED:
            assert {state.core.random_action(seat, rng) for _ in range(400)} == moves


@every_variant
def test_a_replay_of_the_record_gives_the_same_game(variant):
    state = played(variant, 3)
    state.names = {0: "Ana", 1: "Naoko del Carmen"}
    again = tsukimi.replay(state.record())
    assert fingerprint(again) == fingerprint(state)
    assert again.names == state.names
    assert state.record().endswith("scores " + " ".join(map(str, state.scores())) + "\n")


@every_variant
def test_an_unfinished_record_goes_on(variant):
    for decision, state in enumerate(random_game(variant, 4)):
        if decision in (0, 1, 7, 20):
            again = tsukimi.replay(state.record(), seed=9)
            assert fingerprint(again) == fingerprint(state)
            assert again.play(again.legal()[0]).lines()[: len(state.lines())] == state.lines()


@every_variant
def test_a_copy_is_independent(variant):
    for decision, state in enumerate(random_game(variant, 5)):
        if decision in (3, 9):
            before = fingerprint(state)
            twin = state.copy()
            assert fingerprint(twin) == before
            twin.play(twin.legal()[0])
            assert fingerprint(state) == before
            assert fingerprint(twin) != before


@every_variant
def test_a_copy_does_not_tell_the_dice_to_come_and_yet_is_reproducible(variant):
    one, same = new(variant, 6), new(variant, 6)
    assert fingerprint(one) == fingerprint(same)
    copies = [_play_on(one.copy()), _play_on(same.copy()), _play_on(one.copy()), _play_on(one)]
    assert copies[0] == copies[1]
    if variant[0] != "china-moon":  # no chance after the set-up
        assert len(set(copies)) == 3


def _play_on(state):
    luck = random.Random(1)
    for _ in range(60):
        if not state.over:
            state.apply(luck.choice(state.actions()))
    return state.record()


@every_variant
def test_a_state_can_be_pickled_with_its_future(variant):
    for decision, state in enumerate(random_game(variant, 7)):
        if decision == 5:
            again = pickle.loads(pickle.dumps(state))
            assert fingerprint(again) == fingerprint(state)
            assert _play_on(again) == _play_on(state)
            break


@every_variant
def test_moves_that_are_not_legal_are_refused_and_change_nothing(variant):
    luck = random.Random(8)
    for decision, state in enumerate(random_game(variant, 8)):
        if decision % 9 or state.over:
            continue
        if decision > LONG:
            break
        before = fingerprint(state)
        for seat in range(state.players):
            legal = set(state.actions(seat))
            if seat not in state.actors:
                with pytest.raises(tsukimi.NotYourTurn):
                    state.play("pass", seat)
                with pytest.raises(tsukimi.NotYourTurn):
                    state.apply(0, seat)
                continue
            for move in [luck.randrange(state.core.move_ids) for _ in range(15)]:
                if move not in legal:
                    with pytest.raises(tsukimi.IllegalMove) as caught:
                        state.apply(move, seat)
                    assert caught.value.legal == state.legal(seat)
                    assert all(len(caught.value.message(lang)) > 5 for lang in ("en", "fr", "es"))
            for bad in (-1, state.core.move_ids, 2**40, None, "0", 1.0, True):
                with pytest.raises(tsukimi.MalformedMove):
                    state.apply(bad, seat)
            for bad in ("", " ", "play", "hello", None, 7, "p1 stop", "place 0 0 ", "roll\n", "x" * 10**6):
                with pytest.raises((tsukimi.MalformedMove, tsukimi.IllegalMove)):
                    state.play(bad, seat)
        assert fingerprint(state) == before


@every_variant
def test_texts_that_are_legal_elsewhere_are_refused_or_legal_here(variant):
    texts = set()
    for state in random_game(variant, 9):
        texts.update(state.legal()[:6])
    texts = sorted(texts)
    luck = random.Random(9)
    for decision, state in enumerate(random_game(variant, 10)):
        if decision % 7 or state.over:
            continue
        if decision > LONG:
            break
        before, seat = fingerprint(state), state.actors[0]
        legal = set(state.legal(seat))
        for text in luck.sample(texts, min(20, len(texts))):
            if text not in legal:
                with pytest.raises((tsukimi.MalformedMove, tsukimi.IllegalMove)) as caught:
                    state.play(text, seat)
                assert all(len(caught.value.message(lang)) > 5 for lang in ("en", "fr", "es"))
        assert fingerprint(state) == before


WORDS = [
    "bid",
    "play",
    "deal",
    "group",
    "first",
    "track",
    "objective",
    "draw",
    "roll",
    "sweep",
    "paint",
    "reroll",
    "shift",
    "sake",
    "give",
    "swap",
    "stop",
    "trophy",
    "challenge",
    "pass",
    "throw",
    "keep",
    "place",
    "row",
    "column",
    "goal",
    "lily",
    "move",
    "trade",
    "drop",
    "A",
    "B",
    "7b",
    "8r*",
    "10b",
    "Ab",
    "1",
    "2",
    "-1",
    "0",
    "p1",
    "p2",
    "p5",
    "p1a",
    "red.swap",
    "gold.fictive-four",
    "2+",
    "2-",
    "fox4",
    "raccoon5",
    "incense",
    "rock",
    "pink",
    "white",
    "yellow",
    "black",
    "blue",
]


@every_variant
@given(data=st.data())
def test_no_text_whatever_breaks_a_state(variant, data):
    states = _some_states(variant)
    state = data.draw(st.sampled_from(states))
    text = data.draw(st.one_of(st.text(max_size=30), st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)))
    before = state.record()
    try:
        state.parse(text)
    except (tsukimi.MalformedMove, tsukimi.IllegalMove):
        pass
    try:
        state.copy().play(text)
    except (tsukimi.MalformedMove, tsukimi.IllegalMove):
        assert text not in state.legal()
    else:
        assert text in state.legal()
    assert state.record() == before


_kept: dict[str, list] = {}


def _some_states(variant):
    key = str(variant)
    if key not in _kept:
        states = [s.copy() for i, s in enumerate(random_game(variant, 11)) if i % 11 == 0 and not s.over][:12]
        manual = new(variant, 0, chance="manual")
        luck = random.Random(1)
        while not manual.over and len(states) < 24:
            states.append(manual.copy())
            manual.apply(luck.choice(manual.actions()))
        _kept[key] = states
    return _kept[key]


@every_variant
def test_views_and_events_are_plain_data_and_events_match_the_record(variant):
    for decision, state in enumerate(random_game(variant, 12)):
        if decision % 5 and not state.over:
            continue
        for seat in observers(state):
            view = state.view(seat)
            canonical(view)
            assert view["actors"] == list(state.actors)
            assert isinstance(view["phase"], str)
            assert (view["ask"] is None) == (not state.actors)
    lines = state.lines()
    for seat in observers(state):
        events = state.events(seat)
        canonical(events)
        assert [event["index"] for event in events] == list(range(len(lines)))
        for event, line in zip(events, lines, strict=True):
            assert isinstance(event["type"], str)
            mover = line.split()[0]
            if mover in ("p1", "p2", "p3", "p4", "p5"):
                assert event["seat"] == int(mover[1]) - 1
        assert state.events(seat, since=len(lines) - 2) == events[-2:]


@every_variant
def test_manual_chance_waits_and_its_outcomes_have_probability_one_in_sum(variant):
    state, luck = new(variant, 0, chance="manual"), random.Random(13)
    seen = 0
    while not state.over and seen < 120:
        if not state.chance:
            state.apply(luck.choice(state.actions()))
            continue
        seen += 1
        outcomes = state.outcomes()
        assert state.actors == ()
        assert all(state.legal(seat) == [] for seat in range(state.players))
        assert sum(p for _, p in outcomes) == pytest.approx(1)
        assert all(p > 0 for _, p in outcomes)
        assert len({text for text, _ in outcomes}) == len(outcomes)
        assert state.legal() == [text for text, _ in outcomes]
        with pytest.raises(tsukimi.NotYourTurn):
            state.play(outcomes[0][0], 0)
        state.play(luck.choices([text for text, _ in outcomes], [p for _, p in outcomes])[0])


@every_variant
def test_chance_drawn_from_a_seed_is_one_of_the_outcomes(variant):
    core, spec, rng = new(variant, 0, chance="manual").core.copy(), new(variant, 0).spec, Rng(14)
    for _ in range(150):
        if core.over:
            break
        if core.chance:
            possible = dict(spec.outcomes(core))
            drawn = [core.sample_outcome(rng) for _ in range(5)]
            assert all(outcome in possible for outcome in drawn)
            core.apply(drawn[0])
        else:
            seat = core.actors[0]
            core.apply(core.random_action(seat, rng), seat)


@every_variant
def test_undo_goes_back_and_the_record_remembers_it(variant):
    luck = random.Random(15)
    for decision, state in enumerate(random_game(variant, 15)):
        if decision not in (4, 13, 31) or state.over:
            continue
        trial = state.copy()
        before = [trial.view(seat) for seat in observers(trial)]
        scores = trial.scores()
        moves = luck.randrange(1, 4)
        for _ in range(moves):
            if trial.over:
                return
            trial.apply(luck.choice(trial.actions()))
        trial.undo(moves)
        assert [trial.view(seat) for seat in observers(trial)] == before
        assert trial.scores() == scores
        assert trial.lines()[-1] == f"undo {moves}"
        assert trial.events(0)[-1]["type"] == "undo"
        assert fingerprint(tsukimi.replay(trial.record())) == fingerprint(trial)
        with pytest.raises(tsukimi.IllegalMove):
            trial.undo(10**6)
        with pytest.raises(tsukimi.IllegalMove):
            trial.undo(0)


@every_variant
def test_the_first_player_is_drawn_or_chosen(variant):
    game, players, options = variant
    assert new(variant, 16).lines()[0].startswith("first p")
    chosen = tsukimi.new(game, players=players, seed=16, first="p2", **options)
    assert not any(line.startswith("first") for line in chosen.lines())
    assert "option first p2" in chosen.record()
    assert tsukimi.new(game, players=players, chance="manual", **options).legal() == [
        f"first p{seat + 1}" for seat in range(players)
    ]
