"""Daruma: own components, and what is wrong with bad ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsukimi
from games.daruma.daruma_table import default_components, few_cards, many_tokens, say, table
from tsukimi.core.rng import Rng
from tsukimi.games.daruma import SPEC


def changed(**entries):
    return default_components() | entries


CARD = {"colour": "red", "action": "swap", "count": 60}
GOAL = {"good": ["red"], "bad": "blue"}


@pytest.mark.parametrize(
    ("data", "code", "where"),
    [
        ({}, "missing-key", "colours"),
        (changed(extra=1), "unknown-key", "extra"),
        (changed(colours="red"), "not-a-list", "colours"),
        (changed(colours=[]), "too-few", "colours"),
        (changed(colours=["red", 3]), "not-a-text", "colours[2]"),
        (changed(colours=["red", "Blue"]), "bad-colour-name", "colours[2]"),
        (changed(colours=["red", "gold"]), "gold-listed", "colours[2]"),
        (changed(colours=["red", "red"]), "twice", "colours[2]"),
        (changed(colours=["a" * n for n in range(1, 14)]), "too-many", "colours"),
        (changed(daruma={}), "not-a-list", "daruma"),
        (changed(daruma=[]), "too-few", "daruma"),
        (changed(daruma=[3]), "not-a-table", "daruma[1]"),
        (changed(daruma=[{"colour": "red"}]), "missing-key", "daruma[1].action"),
        (changed(daruma=[CARD | {"eyes": 2}]), "unknown-key", "daruma[1].eyes"),
        (changed(daruma=[CARD | {"colour": "pink"}]), "unknown-name", "daruma[1].colour"),
        (changed(daruma=[CARD | {"action": "dance"}]), "unknown-name", "daruma[1].action"),
        (changed(daruma=[CARD | {"action": "fictive-four"}]), "not-gold", "daruma[1].action"),
        (changed(daruma=[CARD | {"count": 0}]), "too-few", "daruma[1].count"),
        (changed(daruma=[CARD | {"count": 4}]), "too-few", "daruma.count"),
        (changed(daruma=[CARD | {"count": 121}]), "too-many", "daruma[1].count"),
        (changed(daruma=[CARD | {"count": 1.0}]), "not-a-number", "daruma[1].count"),
        (changed(daruma=[CARD | {"count": True}]), "not-a-number", "daruma[1].count"),
        (changed(daruma=[CARD, CARD]), "twice", "daruma[2]"),
        (changed(daruma=[CARD, CARD | {"action": "reroll-all", "count": 61}]), "too-many", "daruma.count"),
        (changed(objective=[GOAL]), "too-few", "objective"),
        (changed(objective=[GOAL] * 33), "too-many", "objective"),
        (changed(objective=[GOAL, GOAL | {"good": []}]), "too-few", "objective[2].good"),
        (changed(objective=[GOAL, GOAL | {"good": ["gold"]}]), "unknown-name", "objective[2].good"),
        (changed(objective=[GOAL, GOAL | {"good": ["red", "red"]}]), "twice", "objective[2].good[2]"),
        (changed(objective=[GOAL, GOAL | {"bad": "red"}]), "twice", "objective[2].bad"),
        (changed(objective=[GOAL, GOAL | {"bad": ["red"]}]), "not-a-text", "objective[2].bad"),
        (changed(token=[{"kind": "blank", "count": 5}]), "too-few", "token.count"),
        (changed(token=[{"kind": "blank", "count": 101}]), "too-many", "token[1].count"),
        (changed(token=[{"kind": "blank", "count": 50}, {"kind": "four", "count": 51}]), "too-many", "token.count"),
        (changed(token=[{"kind": "moon", "count": 5}]), "unknown-name", "token[1].kind"),
        (changed(token=[{"kind": "blank", "count": 5}] * 2), "twice", "token[2]"),
    ],
)
def test_bad_components_say_what_and_where_in_three_languages(data, code, where):
    with pytest.raises(tsukimi.BadComponents) as caught:
        tsukimi.new("daruma", players=2, components=data)
    assert caught.value.code == f"daruma.{code}"
    assert caught.value.params["where"] == where
    assert len({caught.value.message(lang) for lang in ("en", "fr", "es")}) == 3


def test_more_players_need_more_objectives_and_tokens():
    data = changed(objective=[GOAL] * 3, token=[{"kind": "blank", "count": 7}])
    assert tsukimi.new("daruma", players=3, seed=1, components=data).players == 3
    with pytest.raises(tsukimi.BadComponents):
        tsukimi.new("daruma", players=4, components=data)


def test_own_components_are_played_and_stand_in_the_record():
    data = {
        "colours": ["pink", "pale-blue"],
        "daruma": [{"colour": c, "action": "swap", "count": 20} for c in ("pink", "pale-blue", "gold")],
        "objective": [{"good": ["pink"], "bad": "pale-blue"}, {"good": ["pale-blue"], "bad": "pink"}],
        "token": [{"kind": "blank", "count": 6}],
    }
    state = tsukimi.new("daruma", players=2, seed=1, components=data)
    assert state.view(0)["places"][0]["colour"] in ("pink", "pale-blue", "gold")
    assert tsukimi.replay(state.record()).view(None) == state.view(None)


def test_a_gold_daruma_may_carry_another_action_and_counts_2():
    state = table(
        five=["gold.swap"] * 2 + ["red.swap"] * 3, components=few_cards(*["gold.swap"] * 6, *["red.swap"] * 6)
    )
    say(state, "roll", "roll 1 1 2 2 2 3 3 3", "paint 1", "paint 1", "stop", "draw gold.swap")
    assert state.scores() == [2, 0]


@pytest.mark.parametrize("players", [2, 5])
def test_the_largest_components_stay_within_the_limits(players):
    """64 kinds, 120 cards, 12 colours: exchanges, the longest list of moves, stay below the limit."""
    colours = ["a" * n for n in range(1, 13)]
    actions = ["reroll-all", "reroll-multiples", "shift-singles", "swap", "reroll-singles"]
    kinds = [(c, a) for a in actions for c in colours][:63] + [("gold", a) for a in (*actions[:3], "fictive-four")]
    kinds = kinds[:60] + kinds[-4:]
    data = {
        "colours": colours,
        "daruma": [{"colour": c, "action": a, "count": 2 if i < 56 else 1} for i, (c, a) in enumerate(kinds)],
        "objective": [{"good": colours[:2], "bad": colours[5]}] * 32,
        "token": [{"kind": "daruma", "count": 34}, {"kind": "four", "count": 33}, {"kind": "blank", "count": 33}],
    }
    state = tsukimi.new("daruma", players=players, seed=1, components=data)
    assert len(state.core.collection(0)) == 64
    assert state.core.max_moves <= 8192
    assert state.core.observation_size <= 4096
    rng, most = Rng(1), 0
    for _ in range(3):
        core = SPEC.start(state.core.table, players, {}).copy()
        while not core.over:
            core.sample_chance(rng)
            for seat in core.actors:
                moves = core.actions(seat)
                most = max(most, len(moves))
                assert len(moves) <= core.max_moves
                assert len(core.observation(seat)) == core.observation_size
                core.apply(core.random_action(seat, rng), seat)
    assert most > 30


@pytest.mark.parametrize(
    "names",
    [
        ["red.swap"] * 5,
        ["red.swap"] * 7,
        ["gold.fictive-four"] * 120,
        ["red.reroll-all"] * 20,
        ["red.shift-multiples"] * 6 + ["blue.shift-singles"] * 6,
    ],
)
@pytest.mark.parametrize("edition", ["fr", "es"])
def test_games_with_strange_components_come_to_an_end(names, edition):
    state = tsukimi.new("daruma", players=5, chance="manual", components=few_cards(*names), edition=edition)
    for seed in range(4):
        core = state.core.copy()
        core.playout(Rng(seed))
        assert core.over


json = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 200) | st.text(max_size=5) | st.sampled_from(["red", "swap", "blank"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["colour", "action", "count", "good", "bad", "kind", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["colours", "daruma", "objective", "token"]), json, max_size=4))
def test_arbitrary_data_never_breaks_the_reader(entries):
    try:
        SPEC.load(many_tokens() | entries, 2)
    except tsukimi.BadComponents as problem:
        assert problem.message("fr")
