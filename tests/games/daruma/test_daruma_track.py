"""Daruma: the round track, the end of the game and the count."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import tsukimi
from games.daruma.daruma_table import BAD_LUCK, FIVE, few_cards, fortune, last, look, say, table

TWO = ["roll 2 2 2 3 3 3 5 5", "stop"]
ONE = ["roll 2 2 2 2 2 2 4 4", *["sake 2", "reroll 2", "roll 2"] * 5, "stop"]


def at(state):
    return look(state)["counter"], look(state)["backwards"]


# ---- the counter ---------------------------------------------------------------------------


def test_the_counter_walks_to_the_last_token_turns_and_walks_back():
    state = table()
    assert at(state) == (1, False)
    path = []
    for _ in range(4):
        say(state, *TWO)
        path.append(at(state))
    assert path == [(3, False), (5, False), (5, True), (3, True)]
    assert at(say(state, *ONE)) == (2, True)


def test_on_the_last_token_the_counter_turns():
    state = say(table(), *TWO, *TWO, *ONE)
    assert at(state) == (6, True)
    assert at(say(state, *TWO)) == (4, True)


def test_a_daruma_token_pays_whoever_makes_the_counter_stop_there():
    state = say(table(track={3: "daruma"}), *TWO)
    assert last(state)["counter"] == 3
    assert last(state)["token"] == "daruma"
    say(state, "draw purple.swap")
    assert last(state)["why"] == "reward"
    assert look(state)["collections"] == [["purple.swap"], []]
    assert look(state)["turn"] == 1


def test_passing_over_a_daruma_token_pays_nothing():
    state = say(table(track={2: "daruma"}), *TWO)
    assert look(state)["phase"] == "roll"
    assert look(state)["turn"] == 1


def test_a_counter_that_does_not_move_pays_nothing():
    state = say(table(track={3: "daruma"}), *TWO, "draw purple.swap", *BAD_LUCK)
    assert look(state)["turn"] == 0
    assert look(state)["collections"] == [["purple.swap"], []]


def test_a_bounce_that_ends_on_the_token_it_left_pays_too():
    state = say(table(track={5: "daruma"}), *TWO, *TWO, "draw purple.swap", *TWO)
    assert at(state) == (5, True)
    say(state, "draw green.swap")
    assert look(state)["collections"] == [["green.swap"], ["purple.swap"]]


def test_the_reward_comes_after_the_refill():
    state = table(track={3: "daruma"})
    say(state, "roll 1 1 2 2 2 2 3 3", "paint 5", "paint 5", "stop")
    assert look(state)["phase"] == "refill"
    say(state, "draw red.swap")
    assert look(state)["phase"] == "reward"
    assert look(state)["counter"] == 3


def test_an_empty_pile_gives_no_reward_and_the_game_continues():
    state = say(table(track={3: "daruma"}, components=few_cards(*FIVE)), *TWO)
    assert look(state)["phase"] == "roll"
    assert look(state)["turn"] == 1
    assert look(state)["counter"] == 3


def test_a_turn_that_starts_on_a_four_token_starts_with_one_fictive_four():
    state = say(table(track={3: "four"}), *TWO)
    assert last(state)["fictive"] == 1
    assert look(state)["ledger"] == {"fours": 0, "fictive": 1}
    say(state, "roll 2 2 2 2 2 4 4 4")
    assert last(state)["luck"] == "bad-luck"


def test_a_four_token_reached_at_the_end_of_a_turn_counts_from_the_next_turn_on():
    state = say(table(track={1: "four", 3: "four"}))
    assert look(state)["ledger"]["fictive"] == 1
    say(state, *TWO, *BAD_LUCK[:1])
    assert last(state)["luck"] == "bad-luck"


# ---- the end -------------------------------------------------------------------------------


def nearly_home(track=None, players=2):
    """The counter is one step before its return, and it is p1's turn."""
    state = say(table(players, track=track), *TWO * 2, *TWO * 2, *ONE)
    assert at(state) == (2, True)
    return state


def test_the_steps_to_go_are_counted_and_the_round_that_may_be_the_last_is_known():
    state = say(table(players=2))
    far = look(state)
    assert (far["steps_left"], far["may_end"]) == (2 * (len(far["track"]) - 1), False)
    state = nearly_home()
    assert (look(state)["steps_left"], look(state)["turn"], look(state)["may_end"]) == (1, 1, True)
    say(state, *BAD_LUCK)
    assert look(state)["may_end"]  # two turns of the next round could bring it home
    say(state, *TWO)
    assert (look(state)["steps_left"], look(state)["may_end"]) == (0, True)


def test_back_on_the_first_token_the_counter_stays_and_a_second_step_is_lost():
    state = say(nearly_home(), *BAD_LUCK)
    assert look(state)["turn"] == 0
    say(state, *TWO)
    assert at(state) == (1, True)
    assert look(state)["finishing"]
    assert last(state)["finishing"]
    assert last(state)["turns_left"] == look(state)["turns_left"] == 1
    assert not state.over


def test_the_game_ends_when_all_have_had_the_same_number_of_turns():
    state = say(nearly_home(), *BAD_LUCK, *ONE)
    assert not state.over
    say(state, *TWO)
    assert state.over
    assert look(state)["counter"] == 1


def test_it_ends_at_once_when_the_last_player_of_the_round_brings_the_counter_home():
    state = say(nearly_home(), *TWO)
    assert state.over
    assert last(state)["winners"] == state.winners()


def test_the_round_ends_before_the_first_player_whoever_that_is():
    state = table(first="p2")
    say(state, *TWO * 2, *TWO * 2, *ONE)
    assert look(state)["turn"] == 0
    say(state, *ONE)
    assert state.over


def test_a_turn_of_bad_luck_is_a_turn():
    state = say(nearly_home(), *BAD_LUCK, *ONE, *BAD_LUCK)
    assert state.over


def test_a_daruma_token_on_the_first_place_pays_once_on_arrival():
    state = say(nearly_home({1: "daruma"}), *BAD_LUCK, *TWO, "draw purple.swap")
    assert look(state)["collections"] == [["purple.swap"], []]
    say(state, *TWO)
    assert state.over
    assert look(state)["collections"] == [["purple.swap"], []]


def test_the_reward_on_the_first_token_comes_before_the_end():
    state = say(nearly_home({1: "daruma"}), *TWO)
    assert not state.over
    say(state, "draw purple.swap")
    assert state.over
    assert look(state)["collections"] == [[], ["purple.swap"]]


def test_a_four_token_on_the_first_place_still_counts():
    state = say(nearly_home({1: "four"}), *BAD_LUCK, *TWO)
    assert look(state)["ledger"]["fictive"] == 1


def test_at_the_end_all_is_open():
    state = say(nearly_home(), *TWO)
    assert state.view(None)["held"] == [1, 2]
    assert state.view(0)["held"] == [1, 2]
    assert last(state)["held"] == [1, 2]
    assert last(state)["scores"] == state.scores() == state.view(1)["known_scores"]


# ---- the count -----------------------------------------------------------------------------


def test_golden_darumas_count_2():
    assert fortune(table(), "gold.fictive-four").scores() == [2, 0]


def test_the_two_top_colours_of_the_objective_count_2_each():
    assert fortune(table(), "red.swap", "orange.swap").scores() == [4, 0]


def test_the_bottom_colour_of_the_objective_counts_minus_3():
    assert fortune(table(), "green.swap", "green.reroll-all").scores() == [-6, 0]


def test_other_colours_count_1():
    assert fortune(table(), "yellow.swap", "blue.swap", "purple.swap").scores() == [3, 0]


def test_the_same_darumas_count_by_each_players_own_objective():
    state = say(fortune(table(), "green.swap"), "roll 2 2 2 2 2 2 4 4", "give green.swap p2", "roll 2")
    assert state.scores() == [0, 1]


def finished(p1, p2):
    """A game that ends with these collections: p1 for red, orange, against green; p2 for orange, yellow, against blue."""
    state = fortune(table(), *p1)
    fortune(say(state, *TWO), *p2)
    say(state, *TWO, *TWO, *TWO, *ONE, *TWO)
    assert state.over
    return state


def test_most_points_win():
    assert finished(["red.swap"], ["purple.swap"]).winners() == [0]


def test_with_equal_points_the_fewest_darumas_win():
    state = finished(["red.swap"], ["red.reroll-all", "green.swap"])
    assert state.scores() == [2, 2]
    assert state.winners() == [0]


def test_with_equal_points_and_darumas_the_win_is_shared():
    state = finished(["red.swap"], ["orange.swap"])
    assert state.scores() == [2, 2]
    assert state.winners() == [0, 1]


def test_nobody_with_anything_is_a_shared_win():
    assert finished([], []).winners() == [0, 1]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 5))
def test_the_count_of_random_games_is_that_of_the_shown_collections(seed, players):
    state = tsukimi.new("daruma", players=players, seed=seed)
    while not state.over and len(state.history) < 4000:
        moves = state.actions()
        state.apply(moves[seed % len(moves)])
        seed = seed * 6364136223846793005 % 2**61 + 1
    view = state.view(None)
    expected = []
    for seat in range(players):
        objective = view["objectives"][view["held"][seat] - 1]
        colours = [card.split(".")[0] for card in view["collections"][seat]]
        worth = [2 if c in ("gold", *objective["good"]) else -3 if c == objective["bad"] else 1 for c in colours]
        expected.append((sum(worth), -len(worth)))
    assert [points for points, _ in expected] == state.scores()
    assert state.winners() == [seat for seat in range(players) if expected[seat] == max(expected)]
    assert sum(map(len, view["collections"])) + view["pile"] + sum(p is not None for p in view["places"]) == 60
