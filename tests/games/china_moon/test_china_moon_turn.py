"""The set-up and the turn: sentences of docs/games/china-moon.md."""

from __future__ import annotations

from collections import Counter
from math import prod

import pytest

import tsukimi
from conftest import COMPILED
from games.china_moon.china_moon_ponds import at, held, hub, landings, line, play, pond, ready
from tsukimi.core.rng import Rng

# ---- set-up -------------------------------------------------------------------------------


def test_each_player_has_three_frogs_on_the_start():
    for players in (3, 4, 5):
        frogs = ready(players=players).view(None)["frogs"]
        assert [[frog["pad"] for frog in mine] for mine in frogs] == [["start"] * 3] * players


def test_one_pink_one_white_and_one_yellow_lily_lie_on_goal_places_1_to_3_and_the_blue_one_on_4():
    for seed in range(5):
        places = tsukimi.new("china-moon", players=3, seed=seed).view(None)["goal"]
        assert [place["place"] for place in places] == [1, 2, 3, 4]
        assert sorted(place["lily"] for place in places[:3]) == ["pink", "white", "yellow"]
        assert places[3]["lily"] == "blue"


def test_the_black_lily_lies_on_the_last_lily_pad_and_four_of_each_colour_on_the_other_twelve():
    for seed in range(5):
        lilies = tsukimi.new("china-moon", players=3, seed=seed).view(None)["lilies"]
        assert lilies.pop("19") == "black"
        assert Counter(lilies.values()) == {"pink": 4, "white": 4, "yellow": 4}


def test_the_last_lily_pad_is_the_last_of_the_race_wherever_the_file_has_it():
    board = line("LLLL")
    board["pad"].reverse()
    assert ready(board).view(None)["lilies"]["t9"] == "black"


def test_chance_comes_in_the_order_first_goal_and_pads_in_the_files_order():
    lines = tsukimi.new("china-moon", players=3, seed=1).lines()
    places = [text.rsplit(" ", 1)[0] for text in lines]
    lily_pads = ["3", "a1", "a3", "b3", "7", "9", "c1", "c3", "c5", "13", "e2", "e4"]
    assert places == ["first", "goal 1", "goal 2", "goal 3", *(f"lily {pad}" for pad in lily_pads)]


def test_every_arrangement_of_the_lilies_is_equally_likely():
    for seed in range(6):
        state, chances = tsukimi.new("china-moon", players=3, chance="manual", first="p1"), []
        for text in tsukimi.new("china-moon", players=3, seed=seed, first="p1").lines():
            chances.append(dict(state.outcomes())[text])
            state.play(text)
        assert prod(chances) == pytest.approx(1 / 6 / 34650)  # 3! orders, 12! / 4!^3 arrangements


def test_lilies_are_drawn_as_often_as_their_outcomes_are_likely():
    core = tsukimi.new("china-moon", players=3, chance="manual").core.copy()
    spec, rng, draws = tsukimi.new("china-moon", players=3, seed=0).spec, Rng(2), 6000 if COMPILED else 1500
    while core.chance:
        law = dict(spec.outcomes(core))
        counts = Counter(core.sample_outcome(rng) for _ in range(draws))
        assert set(counts) == set(law)
        assert sum((counts[what] - p * draws) ** 2 / (p * draws) for what, p in law.items()) < 25
        core.apply(core.sample_outcome(rng))


def test_the_first_player_is_random_or_an_option():
    drawn = tsukimi.new("china-moon", players=5, chance="manual")
    assert drawn.outcomes() == [(f"first p{n}", 0.2) for n in range(1, 6)]
    chosen = tsukimi.new("china-moon", players=5, seed=1, first="p4")
    assert chosen.lines()[0].startswith("goal 1 ")
    assert chosen.actors == (3,)


def test_there_is_no_luck_after_the_set_up():
    state = tsukimi.new("china-moon", players=3, chance="manual", first="p1")
    while state.chance:
        state.play(state.legal()[0])
    while not state.over:
        assert not state.chance
        state.play(state.legal()[-1])


# ---- the turn -----------------------------------------------------------------------------


def test_three_frogs_are_moved_one_after_the_other_then_the_next_player_plays():
    state = ready(line("." * 20))
    turns = []
    for _ in range(12):
        turns.append(state.actors[0])
        state.play(next(text for text in state.legal() if f"p{state.actors[0] + 1}" not in text))
    assert turns == [0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0]


def test_the_three_frogs_are_different_ones():
    state = play(ready(line("." * 20)), "move p2a 2")
    assert landings(state, "p2a") == set()
    play(state, "move p3b 3")
    assert {text.split()[1] for text in state.legal()} == {"p1a", "p1b", "p1c", "p2b", "p2c", "p3a", "p3c"}
    with pytest.raises(tsukimi.IllegalMove) as caught:
        state.play("move p2a 5")
    assert caught.value.code == "china-moon.frog-moved"


def test_at_least_one_of_the_three_is_another_players():
    state = play(ready(line("." * 20)), "move p1a 2", "move p1b 3")
    assert {text.split()[1][:2] for text in state.legal()} == {"p2", "p3"}
    with pytest.raises(tsukimi.IllegalMove) as caught:
        state.play("move p1c 4")
    assert caught.value.code == "china-moon.another-players-frog"
    after_one_of_another = play(ready(line("." * 20)), "move p1a 2", "move p2b 3")
    assert "move p1b 4" in after_one_of_another.legal()


def test_all_three_may_be_other_players_frogs():
    state = play(ready(line("." * 20)), "move p2a 2", "move p3a 3", "move p2b 4")
    assert state.actors == (1,)


def test_a_frog_that_moved_may_move_again_in_the_next_turn():
    state = play(ready(line("." * 20)), "move p2a 2", "move p3a 3", "move p2b 4")
    assert landings(state, "p2a") == {"6"}


def test_a_frog_moves_two_pads_forward():
    state = ready(line("." * 20))
    assert landings(state, "p1a") == {"2"}
    assert landings(play(state, "move p2a 2", "move p1a 3", "move p1b 4"), "p1a") == {"6"}


def test_only_pads_without_a_frog_count():
    state = play(ready(line("." * 20)), "move p1a 2")
    assert landings(state, "p1b") == {"3"}  # 1, jump over 2, 3
    play(state, "move p2a 3")
    assert landings(state, "p1b") == {"4"}  # 1, jump over 2 and 3 at once, 4
    play(state, "move p3a 4")
    assert landings(state, "p1a") == {"6"}  # jump over 3 and 4, then 5 and 6
    play(state, "move p1a 6")
    assert landings(state, "p2a") == {"7"}  # jump over 4, 5, jump over 6, 7


def test_the_pads_behind_do_not_matter_and_the_frogs_own_pad_becomes_free():
    state = play(ready(line("." * 20)), "move p1a 2", "move p2a 3", "move p2b 4", "move p1a 6")
    assert landings(state, "p1b") == {"2"}


def test_start_and_goal_hold_any_number_of_frogs():
    state = play(ready(hub("goal t1")), "move p1a goal", "move p2a goal", "move p3a goal")
    assert [at(state, f"{seat}a") for seat in ("p1", "p2", "p3")] == ["goal"] * 3
    assert [at(state, f"{seat}{frog}") for seat in ("p1", "p2", "p3") for frog in "bc"] == ["start"] * 6
    assert landings(state, "p1b") == {"goal", "t1"}


def fork():
    return pond(
        {"1": ". 2", "2": ". a1 b1", "a1": ". a2", "a2": ". 3", "b1": ". 3", "3": ". 4", "4": ". 5", "5": ". t1"}
    )


def test_at_a_fork_the_mover_chooses():
    state = play(ready(fork()), "move p2a 2", "move p3a a1")
    assert landings(state, "p1a") == {"a2", "b1"}
    state = play(ready(fork()), "move p2a 2", "move p3a a1", "move p3b a2")
    assert state.actors == (1,)  # p2 may choose the way of anybody's frog
    assert landings(state, "p2a") == {"3", "4"}  # a1, a2 taken: 3, 4; or b1, 3
    assert landings(state, "p3a") == {"4"}


def test_two_ways_to_the_same_pad_are_one_move():
    board = pond({"1": ". a b", "a": ". 2", "b": ". 2", "2": ". 3", "3": ". t1"})
    state = play(ready(board), "move p1a a", "move p2a b")
    assert [text for text in state.legal() if text.startswith("move p1b ")] == ["move p1b 2"]


def test_start_may_lead_to_several_pads_a_fork_like_any_other():
    board = pond({"a": ". 2", "b": ". 3", "2": ". 3", "3": ". t1"}, start="a b")
    state = ready(board)
    assert landings(state, "p1a") == {"2", "3"}
    assert landings(play(state, "move p2a 3"), "p1a") == {"2", "t1"}


def test_the_goal_ends_any_move_even_after_one_pad():
    state = ready(hub("e t1", {"e": ". goal"}))
    play(state, "move p1a e", "move p2a t1", "move p3a t2")
    assert landings(state, "p1a") == {"goal"}
    play(state, "move p1a goal")
    assert at(state, "p1a") == "goal"


def test_pads_with_a_frog_before_the_goal_are_jumped_over():
    state = play(ready(hub("d e", {"d": ". e", "e": ". goal t1"})), "move p1a e", "move p2a d")
    assert landings(state, "p3a") == {"goal", "t1"}


def test_frogs_in_the_goal_do_not_move_again():
    state = play(ready(hub("goal t1")), "move p2a goal", "move p2b t1", "move p1a t2")
    assert landings(state, "p2a") == set()
    assert landings(state, "p2b") == {"t4"}
    with pytest.raises(tsukimi.IllegalMove) as caught:
        state.play("move p2a t3")
    assert caught.value.code == "china-moon.frog-home"


def test_the_three_frogs_of_a_seat_are_distinct_moves_even_on_the_start():
    assert len(ready(line("." * 20)).legal()) == 9


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("board", [line(""), line("SSSSSSSS"), line("BBPPSS")], ids=["short", "springs", "asking"])
def test_whoever_is_asked_has_a_move_until_the_end(board, players):
    start = ready(board, players=players).core
    pads = len(board["pad"])
    for seed in range(30 if COMPILED else 6):
        core, rng, decisions = start.copy(), Rng(seed), 0
        while not core.over:
            (seat,) = core.actors
            assert core.actions(seat)
            core.apply(core.random_action(seat, rng), seat)
            decisions += 1
        # A frog makes at most one move, and its landing requires at most one decision, for every place ahead of it.
        assert decisions <= 2 * 3 * players * (pads + 1)


def test_held_lilies_lie_open():
    state = play(ready(line(".L"), lilies={"2": "white"}), "move p2a 2")
    assert held(state, 1) == {"white": 1}
    assert all(state.view(seat)["held"] == state.view(None)["held"] for seat in range(3))
