"""The pond of the box, custom boards, and where their pads are drawn."""

from __future__ import annotations

import copy
import json
import tomllib
from collections import Counter
from itertools import combinations
from math import dist, inf, nan

import pytest
from hypothesis import given

import tsukimi
from games.china_moon.china_moon_ponds import line, pond, ponds, ready
from tsukimi.core import catalogue
from tsukimi.games.china_moon import SPEC

BOX = tomllib.loads((SPEC.folder / "components.toml").read_text("utf-8"))
PADS = {pad["id"]: pad for pad in BOX["pad"]}


def ways(place: str) -> list[list[str]]:
    """Every way from a place to the goal."""
    onward = BOX["start"] if place == "start" else PADS[place]["next"]
    return [[after, *rest] for after in onward for rest in ([[]] if after == "goal" else ways(after))]


# ---- the pond of the box -----------------------------------------------------------------


def test_the_box_pond_has_46_pads_13_lilies_5_pranksters_4_springs_4_butterflies_and_20_blank():
    assert Counter(pad["kind"] for pad in BOX["pad"]) == {
        "lily": 13,
        "prankster": 5,
        "spring": 4,
        "butterfly": 4,
        "blank": 20,
    }


def test_it_forks_at_three_places_into_two_arms_that_join_again():
    forks = [pad["id"] for pad in BOX["pad"] if len(pad["next"]) > 1]
    assert [len(PADS[fork]["next"]) for fork in forks] == [2, 2, 2]
    assert len(ways("start")) == 8
    joins = Counter(after for pad in BOX["pad"] for after in pad["next"])
    assert sorted(joins.values(), reverse=True)[:4] == [2, 2, 2, 1]


@pytest.mark.parametrize("fork", ["5", "10", "15"])
def test_both_arms_of_a_fork_are_a_real_choice_one_richer_the_other_shorter(fork):
    long, short = (arm(first) for first in PADS[fork]["next"])
    lilies = [sum(PADS[pad]["kind"] == "lily" for pad in way) for way in (long, short)]
    assert lilies[0] > lilies[1]
    assert len(long) >= len(short) + 2
    assert any(PADS[pad]["kind"] == "spring" for pad in short)


def arm(pad: str) -> list[str]:
    """The pads of an arm: those named by the same letter."""
    return [name for name in PADS if name[0] == pad[0]]


def test_its_pads_lie_well_apart_around_the_goal_in_the_middle():
    view = ready().view(None)["board"]
    spots = {pad["id"]: (pad["x"], pad["y"]) for pad in view["pads"]}
    goal = (view["goal"]["x"], view["goal"]["y"])
    assert goal == (0.5, 0.5)
    assert min(dist(a, b) for a, b in combinations(spots.values(), 2)) > 0.075
    assert min(dist(spot, goal) for spot in spots.values()) > 0.2
    assert all(0.03 <= x <= 0.97 and 0.03 <= y <= 0.97 for x, y in spots.values())
    assert max(dist(spots[pad], spots[after]) for pad in PADS for after in PADS[pad]["next"] if after != "goal") < 0.11


def test_none_of_its_ways_cross():
    view = ready().view(None)["board"]
    spots = {pad["id"]: (pad["x"], pad["y"]) for pad in view["pads"]}
    spots |= {"start": (view["start"]["x"], view["start"]["y"]), "goal": (0.5, 0.5)}
    steps = [("start", after) for after in BOX["start"]] + [(pad, after) for pad in PADS for after in PADS[pad]["next"]]
    for (a, b), (c, d) in combinations(steps, 2):
        if not {a, b} & {c, d}:
            assert not crossed(spots[a], spots[b], spots[c], spots[d]), (a, b, c, d)


def crossed(a, b, c, d) -> bool:
    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


# ---- custom boards -----------------------------------------------------------------


def broken(change):
    board = copy.deepcopy(line("..PSB"))
    change(board)
    return board


def set_pad(number, **values):
    return lambda board: board["pad"][number].update(values)


BAD = {
    "board-key": lambda board: board.update(colour="red"),
    "board-missing": lambda board: board.pop("start"),
    "board-pads": lambda board: board.update(pad=[]),
    "board-table": lambda board: board["pad"].append("7"),
    "board-too-many": lambda board: board["pad"].extend(
        {"id": f"m{n}", "kind": "blank", "next": ["t1"]} for n in range(46)
    ),
    "board-id": set_pad(0, id="Pad 1"),
    "board-twice": set_pad(0, id="2"),
    "board-kind": set_pad(0, kind="rock"),
    "board-next-empty": set_pad(0, next=[]),
    "board-next-unknown": set_pad(0, next=["99"]),
    "board-next-twice": set_pad(0, next=["2", "2"]),
    "board-unreached": set_pad(0, next=["3"]),
    "board-cycle": set_pad(3, next=["2", "5"]),
    "board-lilies": set_pad(0, kind="lily"),
    "board-xy": set_pad(0, x=0.5, y=0.5),
}


@pytest.mark.parametrize("code", BAD)
def test_a_board_that_cannot_be_played_is_refused_with_what_and_where(code):
    with pytest.raises(tsukimi.BadComponents) as caught:
        ready(broken(BAD[code]))
    assert caught.value.code == f"china-moon.{code}"
    for lang in catalogue.LANGUAGES:
        assert len(caught.value.message(lang)) > 10


def test_exactly_one_lily_pad_has_no_other_after_it():
    """t12 and t13 side by side: the race has two last lily pads."""

    def two_last(board):
        board["pad"][-3]["next"] = ["t12", "t13"]
        board["pad"][-2]["next"] = ["goal"]

    with pytest.raises(tsukimi.BadComponents) as caught:
        ready(broken(two_last))
    assert caught.value.code == "china-moon.board-last-lily"
    assert caught.value.params["ids"] == "t12, t13"


@pytest.mark.parametrize("spot", [-0.1, 1.1, nan, inf, True, "0.5", None, 10**400])
def test_x_and_y_are_numbers_from_0_to_1(spot):
    board = line("")
    for pad in board["pad"]:
        pad.update(x=0.5, y=spot)
    with pytest.raises(tsukimi.BadComponents) as caught:
        ready(board)
    assert caught.value.code == "china-moon.board-xy"


@pytest.mark.parametrize("name", ["", "start", "goal", "a b", "A", "é", "x" * 25, 7, None, ["a"]])
def test_an_id_is_a_short_word_and_neither_start_nor_goal(name):
    with pytest.raises(tsukimi.BadComponents) as caught:
        ready(broken(set_pad(0, id=name)))
    assert caught.value.code == "china-moon.board-id"


@pytest.mark.parametrize("value", [None, 3, "1", {}, {"1": 2}, [["1"]], [None], [3], ["goal"]])
def test_the_start_is_a_list_of_pads(value):
    with pytest.raises(tsukimi.BadComponents):
        ready(broken(lambda board: board.update(start=value)))


@pytest.mark.parametrize("value", [None, 3, "pads", {}, [3], [None], [[]], [{}]])
def test_data_of_any_other_shape_is_refused(value):
    with pytest.raises(tsukimi.BadComponents):
        ready(broken(lambda board: board.update(pad=value)))


@pytest.mark.parametrize("value", [None, 3, {}, "prankster frog", ["blank"]])
def test_a_kind_is_one_of_five_words(value):
    with pytest.raises(tsukimi.BadComponents) as caught:
        ready(broken(set_pad(0, kind=value)))
    assert caught.value.code == "china-moon.board-kind"


def test_63_pads_are_the_most_and_13_the_fewest():
    for board in (line("." * 50), line("")):
        state = tsukimi.new("china-moon", players=5, seed=1, components=board)
        while not state.over:
            state.apply(state.actions()[-1])
    with pytest.raises(tsukimi.BadComponents):
        ready(line("." * 51))


def test_the_order_of_the_file_changes_nothing_but_the_order_of_the_set_up():
    board = {**BOX, "pad": BOX["pad"][::-1]}
    state = tsukimi.new("china-moon", players=3, seed=1, components=board, first="p1")
    assert state.lines()[3].startswith("lily e4 ")
    assert state.view(None)["lilies"]["19"] == "black"


def test_components_may_come_from_a_file(tmp_path):
    path = tmp_path / "pond.toml"
    path.write_text((SPEC.folder / "components.toml").read_text("utf-8"), "utf-8")
    assert (
        tsukimi.new("china-moon", players=3, seed=1, components=path).view(None)["board"] == ready().view(None)["board"]
    )


# ---- where the pads are drawn -------------------------------------------------------------


def layout(board):
    shown = ready(board).view(None)["board"]
    return {pad["id"]: (pad["x"], pad["y"]) for pad in shown["pads"]}, shown


def test_a_board_without_x_and_y_is_laid_out_along_a_spiral_into_the_middle():
    board = {"start": BOX["start"], "pad": [{k: v for k, v in pad.items() if k not in "xy"} for pad in BOX["pad"]]}
    spots, shown = layout(board)
    assert (shown["goal"]["x"], shown["goal"]["y"]) == (0.5, 0.5)
    assert min(dist(a, b) for a, b in combinations(spots.values(), 2)) > 0.05
    assert dist(spots["1"], (0.5, 0.5)) > dist(spots["20"], (0.5, 0.5)) + 0.1


@given(ponds())
def test_every_layout_is_inside_the_pond_and_no_two_pads_share_a_spot(board):
    shown = tsukimi.new("china-moon", players=3, seed=1, components=board).view(None)["board"]
    spots = [(pad["x"], pad["y"]) for pad in shown["pads"]]
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in spots)
    assert len(set(spots)) == len(spots)
    json.dumps(shown, allow_nan=False)


def test_start_and_goal_are_drawn_a_step_before_the_first_and_after_the_last_pad_unless_the_board_says_where():
    board = line("")
    for n, pad in enumerate(board["pad"]):
        pad.update(x=0.2 + n / 20, y=0.5)
    _, shown = layout(board)
    assert (shown["start"]["x"], shown["start"]["y"]) == pytest.approx((0.15, 0.5))
    assert (shown["goal"]["x"], shown["goal"]["y"]) == pytest.approx((0.85, 0.5))
    _, shown = layout({**board, "start_xy": [0, 1], "goal_xy": [0.25, 0]})
    assert (shown["start"]["x"], shown["start"]["y"], shown["goal"]["x"], shown["goal"]["y"]) == (0, 1, 0.25, 0)


def test_a_pond_with_a_start_that_forks_has_all_its_first_pads_side_by_side():
    spots, _ = layout(pond({"a": ". c", "b": ". c", "c": ". t1"}, start="a b"))
    assert dist(spots["a"], spots["b"]) == pytest.approx(0.1, abs=0.01)
