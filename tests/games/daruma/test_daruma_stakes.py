"""Daruma: what a move brings and risks is what happens when it is played."""

from __future__ import annotations

import pytest

from conftest import COMPILED
from games.daruma.daruma_table import BAD_LUCK, GOLDS, fortune, say, table
from games.random_games import decisions, of_kind, the
from tsukimi.core.words import Words

GAMES = 6 if COMPILED else 3
PLAYERS = (2, 3, 5)


def rolled(state, text, seat):
    """Every roll that a move leads to, with its probability, and whether it is bad luck; good fortune is rolled again."""
    core = state.core.copy()
    core.apply(state.parse(text, seat), seat)
    counted = []
    for outcome, chance in state.spec.outcomes(core):
        after = core.copy()
        after.apply(outcome)
        event = state.spec.event(core, -1, outcome, after, seat)
        if event.get("luck") != "good-fortune":
            counted.append((chance, event.get("luck") == "bad-luck", 1 in event["dice"]))
    total = sum(chance for chance, _, _ in counted)
    return [sum(chance for chance, *found in counted if found[i]) / total for i in range(2)]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_chances_of_a_roll_are_those_of_all_its_outcomes(players):
    checked = 0
    for state, seat, stakes in decisions("daruma", players, GAMES):
        for text, found in stakes.items():
            roll = the(found, "roll")
            if roll is None or text == "sweep" or roll["dice"] > 6 or checked > 400:
                continue
            bad, one = rolled(state, text, seat)
            stake = the(found, "bad-luck")
            assert (stake["chance"] if stake else 0) == pytest.approx(bad)
            assert roll["chance"] == pytest.approx(one)
            checked += 1
    assert checked > 50


def test_a_sweep_names_what_the_darumas_have_in_common():
    state = table(five=["red.swap", "red.reroll-all", "red.reroll-multiples", "blue.swap", "gold.fictive-four"])
    assert the(state.stakes(0)["sweep"], "sweep")["alike"] == ["red"]
    state = table(five=["red.swap", "red.reroll-all", "red.reroll-all", "blue.reroll-all", "gold.fictive-four"])
    assert the(state.stakes(0)["sweep"], "sweep")["alike"] == ["red", "reroll-all"]


def test_the_chances_of_all_eight_dice_are_exact():
    state = table(five=["red.swap", "red.reroll-all", "red.reroll-multiples", "blue.swap", "gold.fictive-four"])
    for text in ("roll", "sweep"):
        found = state.stakes(0)[text]
        bad, one = rolled(state, "roll", 0)
        assert the(found, "roll") == {"kind": "roll", "dice": 8, "chance": pytest.approx(one)}
        assert (the(found, "bad-luck") or {"chance": 0})["chance"] == pytest.approx(bad)


@pytest.mark.parametrize("players", PLAYERS)
def test_sake_risks_between_one_die_and_all_of_them(players):
    checked = 0
    for state, seat, stakes in decisions("daruma", players, GAMES):
        for text, found in stakes.items():
            if not text.startswith("sake"):
                continue
            stake = the(found, "sake")
            after = state.copy().play(text, seat)
            chances = [(the(stakes, "bad-luck") or {"chance": 0})["chance"] for stakes in after.stakes(seat).values()]
            assert stake["low"] == pytest.approx(min(chances))
            assert stake.get("high", stake["low"]) == pytest.approx(max(chances))
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("players", PLAYERS)
def test_the_end_of_a_turn_brings_what_its_stakes_say(players):
    kinds = ("take", "take-nothing", "counter", "reward", "four-token", "pupils", "last-turns", "end")
    ends = dict.fromkeys(kinds, 0)
    for state, seat, stakes in decisions("daruma", players, 3 * GAMES):
        for text, found in stakes.items():
            if not of_kind(found, "take", "take-nothing"):
                continue
            before, start = state.core.copy(), state.events_so_far
            after = state.copy().play(text, seat)
            events = after.events(seat, start)
            for kind in ends:
                ends[kind] += the(found, kind) is not None
            taken = [name.split(".")[0] for name in events[0].get("taken", [])]
            assert (the(found, "take") or {"colours": []})["colours"] == taken
            assert (the(found, "counter") or {"steps": 0})["steps"] == after.core.walked - before.walked
            assert (the(found, "reward") is not None) == any(event.get("why") == "reward" for event in events)
            assert (the(found, "pupils") or {"pupils": 0})["pupils"] == len(events[0].get("pupils_on", []))
            passed = next(event for event in events if "next_seat" in event or "scores" in event)
            assert (the(found, "four-token") is not None) == (passed.get("fictive") == 1)
            assert (the(found, "end") is not None) == ("scores" in passed)
            finishing = any("finishing" in event for event in events[: events.index(passed) + 1])
            assert (the(found, "last-turns") is not None) == (finishing and "scores" not in passed)
    rare = () if COMPILED else ("end", "last-turns")
    assert all(ends[kind] for kind in ends if kind not in rare), ends


@pytest.mark.parametrize("players", PLAYERS)
def test_what_is_certain_in_a_paint_happens(players):
    seen = set()
    for state, seat, stakes in decisions("daruma", players, GAMES):
        for text, found in stakes.items():
            if not text.startswith("paint"):
                continue
            start = state.events_so_far
            event = state.copy().play(text, seat).events(seat, start)[0]
            assert event["eye"] == (2 if the(found, "second-eye") else 1)
            asked = [stake["kind"][5:] for stake in found if stake["kind"].startswith("then-")]
            assert asked == ([event["effect"]] if event["effect"] not in ("none", "roll", "fictive-four") else [])
            assert (the(found, "roll") is not None) == (event["effect"] == "roll")
            assert (the(found, "fictive-four") is not None) == (event["effect"] == "fictive-four")
            assert (the(found, "certain-bad-luck") is not None) == (event.get("luck") == "bad-luck")
            taken = event["rolled"].count(1) if event["effect"] == "roll" else 0
            stake = the(found, "ones-rolled")
            assert (stake.get("ones", 1) if stake else 0) == taken
            seen.add(event["effect"])
    assert len(seen) > 3


@pytest.mark.parametrize("players", PLAYERS)
def test_painting_risks_what_its_re_roll_of_multiples_will_risk(players):
    checked = 0
    for state, seat, stakes in decisions("daruma", players, 2 * GAMES):
        for text, found in stakes.items():
            if (stake := the(found, "then-reroll-multiples")) is None:
                continue
            after = state.copy().play(text, seat)
            chances = [(the(stakes, "bad-luck") or {"chance": 0})["chance"] for stakes in after.stakes(seat).values()]
            assert stake.get("low", 0) == pytest.approx(min(chances))
            assert stake.get("high", stake.get("low", 0)) == pytest.approx(max(chances))
            checked += max(chances) > 0
    assert checked > 5


def test_a_shift_says_how_many_ones_there_will_be():
    checked = 0
    for state, seat, stakes in decisions("daruma", 3, GAMES):
        for text, found in stakes.items():
            if text.startswith("shift"):
                after = state.copy().play(text, seat)
                assert the(found, "ones")["ones"] == after.view(seat)["dice"].count(1)
                checked += 1
    assert checked


def test_the_stakes_of_stopping_fit_in_one_line():
    state = say(table(), "roll 1 1 1 2 3 4 5 6", "paint 5", "paint 5", "paint 4")
    said = [Words("daruma", lang, ["Ana", "Bruno"]).stakes(state.stakes(0)["stop"]) for lang in ("en", "fr", "es")]
    assert said == [
        "take blue · +1 point · 1 eye stays painted · rabbit +2",
        "tu prends bleu · +1 point · 1 œil reste peint · lapin +2",
        "te llevas azul · +1 punto · 1 ojo queda pintado · conejo +2",
    ]


@pytest.mark.parametrize("home", ["blank", "daruma"])
def test_stopping_says_that_it_ends_the_game_also_when_a_daruma_is_drawn_first(home):
    state = say(table(track={1: home}), *BAD_LUCK, *["roll 2 2 2 2 3 3 3 3", "stop"] * 4, "roll 2 2 2 2 3 3 3 3")
    reward = ["reward"] if home == "daruma" else []
    assert [stake["kind"] for stake in state.stakes(1)["stop"]] == ["take-nothing", "counter", *reward, "end"]


def test_stopping_says_how_many_turns_are_left_when_the_counter_comes_home():
    state = say(table(3), *BAD_LUCK, *["roll 2 2 2 2 3 3 3 3", "stop"] * 5, "roll 2 2 2 2 3 3 3 3")
    assert the(state.stakes(0)["stop"], "last-turns") == {"kind": "last-turns", "turns": 2}


def test_a_painted_phantom_four_that_loses_the_last_turn_ends_the_game():
    state = say(table(five=GOLDS), *["roll 2 2 2 2 3 3 3 3", "stop"] * 5, "roll 1 2 2 2 2 4 4 4")
    assert [stake["kind"] for stake in state.stakes(1)["paint 1"]][-2:] == ["certain-bad-luck", "end"]


def test_a_gift_costs_the_daruma_and_is_no_risk():
    state = say(fortune(table(), "red.swap"), "roll 2 2 2 2 2 4 4 4")
    found = state.stakes(0)["give red.swap p2"]
    assert [the(found, kind) is not None for kind in ("gift", "points", "no-bad-luck")] == [True] * 3
    assert the(found, "points")["points"] == -2
    assert the(found, "gift")["fours"] == 2
