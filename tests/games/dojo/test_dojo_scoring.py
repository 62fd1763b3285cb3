"""What a dojo counts, and who wins."""

from __future__ import annotations

import random
from functools import cache
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tsukimi
from games.dojo.dojo_builders import (
    EMPTY,
    all_pass,
    grid_of,
    place_anywhere,
    play,
    points,
    quiet_round,
    recruit,
    signs_of,
    table,
)
from tsukimi.core.rng import Rng
from tsukimi.games.dojo.scoring import best_dojo
from tsukimi.games.dojo.sheet import score_sheet


def row(cards, trophy=None):
    """The points of a row alone; each column has one card only."""
    return points(cards, on_rows={0: trophy} if trophy else None)


def column(*belts, trophy=None):
    """The points of the first column alone; each row has one card, which is one point."""
    rows = [f"{disciple}{belt}" for disciple, belt in zip(("fox", "bear", "crane"), belts, strict=False)]
    return points(*rows, on_columns={0: trophy} if trophy else None) - len(rows)


# ---- rows and columns ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("monkey1 fox1 bear1 crane1", 1),
        ("monkey1 fox1 bear1 monkey1", 3),
        ("monkey1 monkey1 bear1 bear1", 3),  # the rulebook's example of Ryu: only one of two equal pairs counts
        ("monkey1 monkey2 bear1 monkey3", 6),
        ("monkey1 monkey2 monkey4 monkey3", 10),
        ("monkey1", 1),
        ("", 0),
    ],
)
def test_a_row_counts_its_most_frequent_disciple_1_3_6_10_points_for_1_2_3_4(cards, expected):
    assert row(cards) == expected


@pytest.mark.parametrize("belt", [1, 2, 3, 4, 5])
def test_three_equal_belts_in_a_column_score_the_belt(belt):
    assert column(belt, belt, belt) == belt
    assert column(belt, belt, belt % 5 + 1) == 0
    assert column(belt, belt) == 0


def test_example_of_a_whole_count():
    rows = ("tigress1 tigress2 tigress4 bear5", "crane3 crane2 fox1 bear4", "monkey5 fox2 bear3 crane1")
    assert points(*rows) == 6 + 3 + 1 + 2


def test_a_raccoon_card_is_a_disciple_of_the_owners_choice_each_on_its_own():
    assert row("fox1 fox2 raccoon3 bear4") == 6
    assert row("raccoon1 raccoon2 raccoon3 raccoon4") == 10
    rows = ("fox1 fox2 raccoon3", "bear1 bear2 raccoon4")
    assert points(*rows) == 6 + 6


def test_a_raccoon_cards_belt_counts_as_printed():
    assert points("fox4", "raccoon4", "bear4") == 3 + 4


# ---- trophies --------------------------------------------------------------------------------


def test_multicolour_belt_two_equal_belts_suffice():
    assert column(3, 3, 5, trophy="multicolour-belt") == 3  # the rulebook's example, its misprint put right
    assert column(5, 1, 5, trophy="multicolour-belt") == 5
    assert column(1, 2, 3, trophy="multicolour-belt") == 0
    assert column(4, 4, trophy="multicolour-belt") == 4


def test_multicolour_belt_three_equal_belts_score_the_same_plain():
    assert column(4, 4, 4, trophy="multicolour-belt") == 4


def test_kimono_three_equal_belts_score_double():
    assert column(4, 4, 4, trophy="kimono") == 8  # the rulebook's example
    assert column(4, 4, 5, trophy="kimono") == 0


def test_broom_the_columns_cards_may_be_rearranged_before_scoring():
    rows = ("fox1 bear2", "bear2 fox3")
    assert points(*rows) == 2
    assert points(*rows, on_columns={0: "broom"}) == 6


def test_raccoon_one_card_of_the_row_becomes_a_raccoon():
    assert row("fox1 bear2 crane3 monkey4", "raccoon") == 3
    assert row("fox1 fox2 crane3 monkey4", "raccoon") == 6
    assert row("fox1 fox2 raccoon3 monkey4", "raccoon") == 10


def test_raccoon_has_no_effect_on_four_equal_disciples():
    assert row("fox1 fox2 fox3 fox4", "raccoon") == 10
    assert row("fox1 fox2 raccoon3 fox4", "raccoon") == 10
    assert row("fox1", "raccoon") == 1


def test_incense_every_disciple_present_scores():
    assert row("fox1 bear2 crane3 monkey4", "incense") == 4  # the rulebook's example
    assert row("fox1 fox2 bear3 bear4", "incense") == 6
    assert row("fox1 fox2 fox3 bear4", "incense") == 7


def test_with_incense_each_joker_counts_as_one_of_the_five_chosen_for_the_best_sum():
    assert row("fox1 bear2 raccoon3 monkey4", "incense") == 5
    assert row("fox1 fox2 bear3 raccoon4", "incense") == 7
    assert row("raccoon1 raccoon2 bear3 fox4", "incense") == 7


def test_assistant_the_rows_cards_may_be_rearranged_before_scoring():
    rows = ("fox1 bear2", "crane2 fox1", "bear1 monkey2")
    assert points(*rows) == 1 + 1 + 1
    assert points(*rows, on_rows={1: "assistant"}) == 3 + 1 + 2


def test_several_brooms_and_assistants_are_used_in_the_order_that_gains_most():
    # First the assistant puts the lower fox into the broom's column, then the broom lifts it beside the other fox.
    rows = ("bear1 fox2", "monkey3 fox5")
    assert points(*rows, on_columns={0: "broom"}) == 1 + 1
    assert points(*rows, on_rows={1: "assistant"}) == 1 + 1
    assert points(*rows, on_columns={0: "broom"}, on_rows={1: "assistant"}) == 3 + 1
    # First the broom lowers the fox's black belt, then the assistant puts it under the two others.
    rows = ("fox5 bear5", "crane1 fox5", "monkey2 tigress1")
    assert points(*rows, on_columns={0: "broom"}) == 1 + 3 + 1
    assert points(*rows, on_rows={2: "assistant"}) == 1 + 1 + 1
    assert points(*rows, on_columns={0: "broom"}, on_rows={2: "assistant"}) == 1 + 1 + 1 + 5


def test_each_broom_and_each_assistant_is_used_once_only():
    # A second use of the assistant would be needed to bring both foxes of the second row up.
    rows = ("bear1 fox2 monkey2 .", "fox3 fox4 crane5 .")
    grid, signs = grid_of(rows), signs_of({1: "assistant"}, {0: "broom"})
    assert best_dojo(grid, signs)[0] == brute(grid, signs) == 3 + 1


def test_rearranging_comes_before_raccoon_trophies_and_jokers():
    rows = ("fox1 fox2 bear3 crane4", "bear5 bear1 fox2 monkey3")
    assert points(*rows, on_rows={0: "raccoon"}) == 6 + 3
    assert points(*rows, on_rows={0: "raccoon"}, on_columns={2: "broom"}) == 10 + 6


def test_in_an_unfinished_dojo_rearranging_permutes_the_places_already_taken():
    assert points("fox1 fox2 .", ". . bear2", on_rows={0: "assistant"}) == 3 + 1
    assert points("fox2 bear1", ". bear2", ". crane2") == 3
    assert points("fox2 bear1", ". bear2", ". crane2", on_rows={0: "assistant"}) == 3 + 2


def test_a_rearrangement_that_gains_nothing_is_not_made():
    plain = grid_of(["fox1 bear2 fox3 fox4", "crane1"])
    assert best_dojo(plain, signs_of({0: "assistant"}, {0: "broom"}))[1:] == plain


def test_only_the_cards_that_must_move_are_moved():
    # The crane and the second fox change places for the blue belts; the two others stay where they are.
    lies = grid_of(["monkey3 fox1 crane4 fox2", "bear5 tigress2 bear1 bear4", "bear3 tigress3 bear2 tigress4"])
    counts = grid_of(["monkey3 fox1 fox2 crane4", "bear5 tigress2 bear1 bear4", "bear3 tigress3 bear2 tigress4"])
    assert best_dojo(lies, signs_of({0: "assistant"}))[1:] == counts
    # A broom that has nothing to do leaves its column alone.
    assert best_dojo(lies, signs_of({0: "assistant"}, {0: "broom"}))[1:] == counts


# ---- against every choice there is -----------------------------------------------------------


@cache
def brute_row(disciples, trophy):
    """The best over every joker and every card that a raccoon trophy may change."""
    best = 0
    changes = [None, *range(len(disciples))] if trophy == 4 else [None]
    for change in changes:
        row = [5 if i == change else disciple for i, disciple in enumerate(disciples)]
        for named in product(*(range(5) if disciple == 5 else (disciple,) for disciple in row)):
            values = [(0, 1, 3, 6, 10)[named.count(disciple)] for disciple in range(5)]
            best = max(best, sum(values) if trophy == 5 else max(values))
    return best


def brute_column(belts, trophy):
    if len(belts) == 3 and len(set(belts)) == 1:
        return belts[0] * (2 if trophy == 2 else 1)
    pairs = [belt for belt in belts if belts.count(belt) == 2]
    return pairs[0] if pairs and trophy == 1 else 0


def brute_points(grid, signs):
    total = 0
    for i in range(3):
        cards = [card for card in grid[4 * i : 4 * i + 4] if card != EMPTY]
        total += brute_row(tuple(card & 7 for card in cards), signs[i])
    for i in range(4):
        total += brute_column([card >> 3 for card in grid[i::4] if card != EMPTY], signs[3 + i])
    return total


def reachable(grid, lines):
    """Every arrangement that using each of these lines at most once, in any order, can lead to."""
    seen = set()
    todo = [(tuple(grid), frozenset(lines))]
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        cards, unused = state
        for line in unused:
            places = range(4 * line, 4 * line + 4) if line < 3 else range(line - 3, 12, 4)
            taken = [place for place in places if cards[place] != EMPTY]
            for order in set(permutations([cards[place] for place in taken])):
                moved = list(cards)
                for place, card in zip(taken, order, strict=True):
                    moved[place] = card
                todo.append((tuple(moved), unused - {line}))
    return {cards for cards, _ in seen}


def rearranging(signs):
    return [line for line in range(7) if signs[line] == (6 if line < 3 else 3)]


def brute(grid, signs):
    return max(brute_points(cards, signs) for cards in reachable(grid, rearranging(signs)))


def moved(grid, cards):
    return sum(one != other for one, other in zip(grid, cards, strict=True))


@st.composite
def dojos(draw, movers):
    """A dojo, finished or not, with up to this many brooms and assistants, of few kinds so that much can be gained."""
    shape = draw(st.sets(st.integers(0, 11), min_size=1, max_size=12))
    kinds = st.tuples(st.integers(0, 5), st.integers(1, 5))
    cards = [disciple | belt << 3 for disciple, belt in draw(st.lists(kinds, min_size=1, max_size=12 - 2 * movers))]
    grid = [draw(st.sampled_from(cards)) if place in shape else EMPTY for place in range(12)]
    signs = [draw(st.sampled_from((0, 0, 4, 5))) for _ in range(3)] + [
        draw(st.sampled_from((0, 1, 2))) for _ in range(4)
    ]
    for line in draw(st.sets(st.integers(0, 6), min_size=min(1, movers), max_size=movers)):
        signs[line] = 6 if line < 3 else 3
    if signs[:3].count(6) == 3:
        signs[2] = 0
    if signs[3:].count(3) > 2:
        signs[6] = signs[5] = 0
    return grid, signs


@given(dojos(0))
@settings(max_examples=150)
def test_rows_and_columns_agree_with_every_choice_of_jokers(dojo):
    assert best_dojo(*dojo)[0] == brute_points(*dojo)


@given(dojos(2))
@settings(max_examples=80)
def test_two_rearrangements_are_used_as_well_as_can_be(dojo):
    check(*dojo)


@given(dojos(4))
@settings(max_examples=60)
def test_up_to_four_rearrangements_are_used_as_well_as_can_be(dojo):
    check(*dojo)


def check(grid, signs):
    best, *taken = best_dojo(grid, signs)
    assert best == brute(grid, signs)
    as_good = [cards for cards in reachable(grid, rearranging(signs)) if brute_points(cards, signs) == best]
    assert tuple(taken) in as_good
    assert moved(grid, taken) == min(moved(grid, cards) for cards in as_good)


def test_two_brooms_and_two_assistants_on_a_full_dojo():
    grid = grid_of(["fox1 bear2 fox1 bear2", "bear2 bear2 fox1 fox2", "fox2 fox1 bear2 bear2"])
    check(grid, signs_of({0: "assistant", 2: "assistant"}, {1: "broom", 3: "broom"}))


# ---- the count that is shown -----------------------------------------------------------------


@pytest.mark.parametrize("belt", ["classic", "white", "black"])
def test_the_count_in_the_view_adds_up_to_the_score_line_by_line(belt):
    for seed in range(12):
        state = tsukimi.new("dojo", players=5 if seed % 2 else 3, seed=seed, belt=belt)
        rng = Rng(seed)
        step = 0
        while not state.over:
            seat = state.actors[rng.randrange(len(state.actors))]
            state.apply(state.core.random_action(seat, rng), seat)
            step += 1
            if step % 23 == 0 or state.over:
                counts = [dojo["count"] for dojo in state.view(None)["dojos"]]
                assert [count["points"] for count in counts] == state.scores()
                for count in counts:
                    parts = sum(line["points"] for line in count["rows"] + count["columns"])
                    assert count["points"] == parts + count["trophies"]


def p2_wins(trophy, line):
    """p2 places bear5 and then this trophy."""
    state = recruit(table(3, first="p3"), "fox1", "bear5", "fox2", trophy=trophy)
    play(state, "p1 pass", "p2 challenge", "p2 keep")
    place_anywhere(state)
    return state.play(line, 1)


def all_place(state, cards, place, trophy="incense"):
    all_pass(recruit(state, *cards, trophy=trophy))
    for seat in range(3):
        state.play(f"place {place}", seat)


@pytest.mark.parametrize("trophy", ["raccoon", "incense"])
def test_raccoons_among_themselves_are_shown_as_what_they_are(trophy):
    state = recruit(table(3, first="p3"), "fox1", "raccoon5", "fox2", trophy=trophy)
    play(state, "p1 pass", "p2 challenge", "p2 keep")
    place_anywhere(state)
    state.play("trophy row 0", 1)
    all_place(state, ("crane1", "raccoon2", "crane2"), "0 1")
    row = state.view(0)["dojos"][1]["count"]["rows"][0]
    assert (row["as"], row["points"]) == (["raccoon", "raccoon"], 3)


def test_the_view_shows_what_jokers_and_raccoon_trophies_count_as():
    state = p2_wins("raccoon", "trophy row 0")
    all_place(state, ("crane1", "raccoon2", "crane2"), "0 1")
    all_place(state, ("crane3", "bear3", "crane4"), "0 2")
    all_place(state, ("tigress3", "fox3", "tigress4"), "0 3")
    count = state.view(0)["dojos"][1]["count"]
    assert count["rows"] == [
        {
            "row": 0,
            "trophy": "raccoon",
            "cards": ["bear5", "raccoon2", "bear3", "fox3"],
            "as": ["bear"] * 4,
            "points": 10,
            "by_moving": 0,
            "gain": 4,
        }
    ]
    assert count["points"] == 10
    assert count["rearranged"] is False


def test_the_view_shows_the_arrangement_taken():
    state = p2_wins("broom", "trophy column 0")
    all_place(state, ("crane1", "fox1", "crane2"), "1 0")
    all_place(state, ("crane3", "fox3", "crane4"), "0 1")
    count = state.view(None)["dojos"][1]["count"]
    assert [line["cards"] for line in count["rows"]] == [["fox1", "fox3"], ["bear5", None]]
    assert [line["trophy"] for line in count["columns"]] == ["broom", None]
    # Two foxes beside each other instead of one: the row has the points, and owes them to the broom.
    assert [line["points"] for line in count["rows"]] == [3, 1]
    assert [line["gain"] for line in count["rows"] + count["columns"]] == [0, 0, 2, 0]
    assert [line["by_moving"] for line in count["rows"] + count["columns"]] == [2, 0, 0, 0]
    assert count["rearranged"] is True
    assert state.scores()[1] == 3 + 1
    rows, columns = [
        [
            (row["marks"][1], row["gains"][1])
            for row in score_sheet(state.core, ())
            if row["row"] == kind and "marks" in row
        ]
        for kind in ("row", "column")
    ]
    assert (rows, columns) == ([], [("broom", 2)])  # where it stands, with what it has earned elsewhere


def test_what_moved_cards_bring_to_the_lines_is_what_rearranging_brings_to_the_dojo():
    """Every line as the cards were placed, and what moving them adds or takes, make up the points."""
    lines = moved = 0
    for seed in range(150):
        state = tsukimi.new("dojo", 3, seed=seed)
        luck = random.Random(seed)
        while not state.over:
            seat = luck.choice(state.actors)
            state.apply(luck.choice(state.actions(seat)), seat)
        for dojo in state.view(None)["dojos"]:
            count = dojo["count"]
            gains = [line["by_moving"] for line in count["rows"] + count["columns"]]
            assert any(gains) == (count["rearranged"] and sum(gains) > 0)
            for kind, mover, crossing in (("rows", "broom", "columns"), ("columns", "assistant", "rows")):
                if any(line["by_moving"] for line in count[kind]):
                    assert mover in [line["trophy"] for line in count[crossing]]
                    moved += 1
            lines += len(gains)
    assert lines > 1000
    assert moved > 20


# ---- the end ---------------------------------------------------------------------------------


def finish(state):
    while not state.over:
        quiet_round(state)
    return state


def test_most_points_win():
    state = finish(table(3))
    best = max(state.scores())
    assert state.winners() == [seat for seat, score in enumerate(state.scores()) if score == best]


ALIKE = {"tatami": [{"disciple": "fox", "belt": 1, "count": 36}]}


def test_equal_points_are_shared_when_equally_many_challenges_were_won():
    state = finish(table(3, components=ALIKE))
    assert state.scores() == [34, 34, 34]
    assert state.winners() == [0, 1, 2]
    assert state.view(None)["tie"] == "shared"


def test_of_equal_points_most_challenges_won_wins():
    state = table(3, components=ALIKE, first="p1")
    recruit(state, "fox1", "fox1", "fox1", trophy="incense")
    play(state, "p2 challenge", "p2 keep")
    place_anywhere(state)
    state.play("trophy row 0")
    finish(state)
    assert state.scores() == [34, 34, 34]
    assert state.winners() == [1]
    assert state.view(None)["tie"] == "challenges"


def test_a_boxed_trophy_counts_as_a_challenge_won():
    state = table(3, components=ALIKE, first="p3")
    for trophy, attacker in (("incense", 1), ("raccoon", 1)):
        recruit(state, "fox1", "fox1", "fox1", trophy=trophy)
        while state.actors != (attacker,):
            state.play("pass")
        play(state, f"p{attacker + 1} challenge", f"p{attacker + 1} keep")
        for seat in range(3):
            state.play("place 0 0" if trophy == "incense" else "place 0 1", seat)
        if trophy == "incense":
            state.play("trophy row 0")
    assert len(state.view(None)["dojos"][1]["trophies"]) == 1
    recruit(state, "fox1", "fox1", "fox1", trophy="assistant")
    play(state, "p3 challenge", "p3 keep")
    place_anywhere(state)
    state.play(state.legal()[0])
    finish(state)
    assert state.scores() == [34, 34, 34]
    assert state.winners() == [1]


def test_winners_before_the_end_are_none():
    assert quiet_round(table(3)).winners() == []
