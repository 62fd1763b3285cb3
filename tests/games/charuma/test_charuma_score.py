"""Counting a round, passing the token, and the end of the game."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import tsukimi
from games.charuma.charuma_tables import finish, play, tricks
from tsukimi.core.rng import Rng
from tsukimi.games.charuma import SPEC


def whole_round() -> tsukimi.State:
    """The rulebook's count, played out: Gear is p1, Coffee Pot p2, Owl p3."""
    return play(
        tricks(
            "9r 9r 10b 10b 6b 6b",
            "Ar Ar 2b 2b 8b 8b",
            "2r 2r 3b 3b 7b 7b",
            hidden=("3r Ab", "9b 7r", "6r 8r"),
        ),
        *["play 9r", "play Ar", "play 2r"] * 2,
        *["play 10b", "play 2b", "play 3b"] * 2,
        *["play 6b", "play 8b", "play 7b"],
        *["play 8b", "play 7b", "play 6b"],
        *["play 9b*", "play 6r*", "play 3r*"],
        *["play 7r*", "play 8r*", "play Ab*"],
    )


def test_gear_counts_4_and_2_aces_coffee_pot_3_owl_1_an_ace_and_the_last_trick() -> None:
    state = whole_round()
    last = state.events(None)[-1]
    assert last["trick_points"] == [4, 3, 1]
    assert last["ace_points"] == [2, 0, 1]
    assert last["last_trick_points"] == [0, 0, 2]
    assert last["gains"] == [6, 3, 4]
    assert state.scores() == last["totals"] == [11, 8, 9]


def test_trick_points_and_bonuses_come_at_the_end_of_the_round() -> None:
    state = whole_round()
    state.undo(1)
    assert state.scores() == [5, 5, 5]
    assert state.view(None)["tricks"] == [4, 3, 0]


def test_a_trick_is_1_point_and_a_trick_won_by_a_pair_2() -> None:
    state = play(tricks("9b 9b 9r 7b 7r 10r", "8b 8b 7b 7r 8r 8r"), "play 9b 9b", "play 8b 8b")
    assert state.view(None)["trick_points"] == [2, 0]
    assert state.events(None)[-1]["points"] == 2
    play(state, "play 9r", "play 7r")
    assert state.view(None)["trick_points"] == [3, 0]
    assert state.view(None)["tricks"] == [2, 0]
    assert state.events(None)[-1]["points"] == 1


def test_each_ace_in_a_trick_counts_1_whoever_played_it_and_also_when_thrown_off() -> None:
    state = play(tricks("9b 9b", "Ab Ab", "Ar Ar 8r 8r 7r 7r", hidden=("", "", "3r 3r")))
    play(state, "play 9b 9b", "play Ab Ab", "play Ar Ar")
    assert state.events(None)[-1] | {"winner": 0, "points": 2, "aces": 4} == state.events(None)[-1]
    assert finish(state).events(None)[-1]["ace_points"] == [4, 0, 0]


def test_the_token_goes_to_the_player_with_the_fewest_points() -> None:
    state = whole_round()
    assert state.view(None)["token"] == 1
    assert state.events(None)[-1]["token_seat"] == 1


def round_ends(players: int, games: int) -> Iterator[tuple[int, dict]]:
    """Who had the token, and the event that ended the round."""
    for seed in range(games):
        core, rng = SPEC.start(SPEC.load({}, players), players, {"first": "random", "auction": "off"}), Rng(seed)
        before = core.copy()
        while not core.over:
            core.sample_chance(rng)
            before.assign(core)
            (seat,) = core.actors
            move = core.random_action(seat, rng)
            core.apply(move, seat)
            if core.over or core.chance:
                yield before.token, SPEC.event(before, seat, move, core, -1)


def test_among_equals_the_first_one_clockwise_after_the_present_holder_who_comes_last() -> None:
    holder_in_tie = passed_on = 0
    for holder, event in round_ends(4, 40):
        if "token_seat" not in event:
            continue
        poorest = [seat for seat, total in enumerate(event["totals"]) if total == min(event["totals"])]
        clockwise = [(holder + step) % 4 for step in (1, 2, 3, 4)]
        assert event["token_seat"] == next(seat for seat in clockwise if seat in poorest)
        holder_in_tie += len(poorest) > 1 and holder in poorest
        passed_on += len(poorest) > 1 and holder not in poorest
    assert holder_in_tie
    assert passed_on


@pytest.mark.parametrize(("players", "goal"), [(2, 25), (3, 25), (4, 20), (5, 20)])
def test_the_game_ends_after_a_round_in_which_someone_has_reached_25_or_with_four_and_five_20(
    players: int, goal: int
) -> None:
    assert tsukimi.new("charuma", players=players, seed=1).view(None)["goal"] == goal
    ended = 0
    for _, event in round_ends(players, 12):
        reached = max(event["totals"]) >= goal
        alone = event["totals"].count(max(event["totals"])) == 1
        assert event["last_round"] == reached  # without an auction nobody falls back
        assert ("champion_seat" in event) == (reached and alone)
        if "champion_seat" in event:
            ended += 1
            assert event["totals"][event["champion_seat"]] == max(event["totals"])
    assert ended == 12


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_round_that_may_be_the_last_is_announced_when_it_begins_and_one_that_is_as_soon_as_it_is(
    players: int,
) -> None:
    announced = reached = 0
    for seed in range(12):
        state, luck, decided = tsukimi.new("charuma", players=players, seed=seed), random.Random(seed), None
        while not state.over:
            view = state.view(None)
            end, goal, best = view["end"], view["goal"], max(view["points"])
            kind = end and end["kind"]
            if decided is not None and view["round"] > decided:
                assert kind == "shared"  # the goal was reached: only a shared first place continues the game
            if view["phase"] == "auction" and not view["last_round"]:
                half = (13 if players == 5 else 14) // 2
                assert kind == ("reached" if best >= goal else "near" if best + half >= goal else None)
                announced += kind == "near"
            if kind == "reached":
                decided, reached = view["round"] if view["phase"] == "tricks" else decided, reached + 1
                assert all(points >= goal for points in end["points"])
            state.apply(luck.choice(state.actions()), state.actors[0])
    assert announced
    assert reached


def test_a_tie_for_first_is_one_more_round_for_all_until_one_leads_alone() -> None:
    more = 0
    for seed in range(400):
        core, rng = SPEC.start(SPEC.load({}, 2), 2, {"first": "p1", "auction": "off"}), Rng(seed)
        while not core.over:
            core.sample_chance(rng)
            (seat,) = core.actors
            if core.last_round:
                more += 1
                assert core.owned[0] == core.owned[1] >= 25
                assert sum(bool(core.hand[s]) for s in (0, 1)) == 2
                break
            core.apply(core.random_action(seat, rng), seat)
        if core.over:
            continue
        while not core.over:
            (seat,) = core.actors
            core.apply(core.random_action(seat, rng), seat)
            core.sample_chance(rng)
        assert core.winners() == [0 if core.owned[0] > core.owned[1] else 1]
        break
    assert more


def test_once_triggered_the_end_stays_triggered_even_if_bids_take_everyone_below_the_mark() -> None:
    for seed in range(3000):
        core, rng = SPEC.start(SPEC.load({}, 4), 4, {"first": "p1", "auction": "on"}), Rng(seed)
        while not core.over:
            core.sample_chance(rng)
            (seat,) = core.actors
            # Once the end is triggered everyone bids as much as they can, to fall below the mark.
            moves = core.actions(seat)
            bidding = SPEC.text(core, seat, moves[0]).startswith("bid")
            core.apply(
                max(moves, key=lambda move: move % 6) if core.last_round and bidding else core.random_action(seat, rng),
                seat,
            )
        if max(core.scores()) < 20:
            assert len(core.winners()) == 1
            return
    pytest.fail("no such game was found")


def test_the_player_with_the_most_points_wins() -> None:
    state = tsukimi.new("charuma", players=2, seed=3)
    while not state.over:
        state.play(state.legal()[0])
    assert state.winners() == [state.scores().index(max(state.scores()))]


def test_a_game_that_is_not_over_has_no_winners() -> None:
    assert finish(tricks("", "")).winners() == []
