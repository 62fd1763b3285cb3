"""Daruma: every move and outcome has exactly one text, and nothing else is understood."""

from __future__ import annotations

import random
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsukimi
from games.daruma.daruma_table import FIVE, fortune, say, table
from tsukimi.core import catalogue
from tsukimi.core.errors import IllegalMove, MalformedMove
from tsukimi.games.daruma import SPEC
from tsukimi.games.daruma.codes import MOVE_GIVE, MOVE_REROLL, MOVE_SHIFT

USING = say(fortune(table(3), "red.swap"), "roll 1 2 2 3 4 5 6 6")
ROLLING = table(3)


def test_numbers_and_texts_of_all_moves_go_both_ways():
    core = USING.core
    for move in [*range(14), *range(MOVE_REROLL + 1, MOVE_SHIFT), *range(MOVE_GIVE, core.move_ids, 37)]:
        text = SPEC.text(core, 0, move)
        if text.count("p") == 3 and "." not in text:  # an exchange of nothing for nothing has no text
            continue
        assert SPEC.parse(core, 0, text) == move


# An underscore stands for a space.
MALFORMED = [
    "sweep_",
    "_roll",
    "Roll",
    "paint",
    "paint_0",
    "paint_6",
    "paint_01",
    "paint_1_2",
    "sake",
    "sake_7",
    "sake_22",
    "reroll",
    "reroll_2__2",
    "reroll_7",
    "reroll_6_2",
    "reroll_2,2",
    "shift",
    "shift_2",
    "shift_2-_2+",
    "shift_6+_2+",
    "shift_2_+",
    "give_red.swap",
    "give_red_p2",
    "give_p2_red.swap",
    "give_red.swap_2",
    "give_red.swap_p0",
    "give_red.swap_p6",
    "swap",
    "swap_p1_p2",
    "swap_p2_red.swap_p1",
    "swap_p1_red.swap",
    "swap_p1_red.swap_blue.swap_p2",
    "stop_1",
    "draw_red.swap",
    "first_p1",
    "p1_stop",
    "paint_１",
    "roll_1_2_3",
    "_",
]


@pytest.mark.parametrize("text", ["", "paint 1\n", "x" * 900, *(text.replace("_", " ") for text in MALFORMED)])
def test_what_is_not_a_move_is_malformed(text):
    with pytest.raises(MalformedMove):
        USING.parse(text)
    with pytest.raises(MalformedMove):
        SPEC.parse(USING.core, 0, text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("sweep", "only-at-the-start"),
        ("roll", "only-at-the-start"),
        ("stop", "ones-left"),
        ("sake 1", "no-sake-for-that"),
        ("sake 4", "no-sake-for-that"),
        ("reroll 2 2", "no-reroll-now"),
        ("reroll 4", "dice-not-there"),
        ("reroll 2 2 2 2 2 2 2 2", "dice-not-there"),
        ("shift 2+ 2+", "no-shift-now"),
        ("shift 2+ 2+ 3-", "shift-mixed"),
        ("shift 4+", "dice-not-there"),
        ("shift 5-", "never-a-four"),
        ("shift 3+", "never-a-four"),
        ("give red.swap p1", "no-gift-to-yourself"),
        ("give red.swap p4", "no-such-player"),
        ("give pink.swap p2", "no-such-daruma"),
        ("give blue.swap p2", "not-your-daruma"),
        ("swap p1 red.swap p2", "no-swap-now"),
    ],
)
def test_a_move_that_cannot_be_made_gives_the_reason_in_three_languages(text, code):
    with pytest.raises(IllegalMove) as caught:
        USING.play(text)
    assert caught.value.code == f"daruma.{code}"
    words = {caught.value.why(lang) for lang in ("en", "fr", "es")}
    assert len(words) == 3


@pytest.mark.parametrize(
    ("paint", "code"),
    [("sake 2", "must-sake"), ("paint 2", "must-reroll-multiples"), ("paint 4", "must-shift-multiples")],
)
def test_an_unfinished_action_comes_first(paint, code):
    state = say(table(), "roll 1 2 2 3 4 5 6 6", paint)
    for text in ("stop", "paint 1", "reroll 5 5", "shift 2+ 3-", "sweep"):
        with pytest.raises(IllegalMove) as caught:
            state.play(text)
        assert caught.value.code in (f"daruma.{code}", "daruma.only-at-the-start")


def test_what_a_swap_says_about_others_must_be_true():
    five = ["red.swap", "orange.swap", "yellow.reroll-all", "green.reroll-all", "blue.reroll-singles"]
    state = say(fortune(table(3, five=five), "green.swap"), "roll 1 1 2 2 2 3 3 3", "paint 1", "paint 1")
    for text, code in [
        ("swap p1 green.swap p2 blue.swap", "not-their-daruma"),
        ("swap p2 blue.swap p3", "not-their-daruma"),
        ("swap p1 p2 green.swap", "not-their-daruma"),
        ("stop", "must-swap"),
    ]:
        with pytest.raises(IllegalMove) as caught:
            state.play(text)
        assert caught.value.code == f"daruma.{code}"


def test_before_the_first_roll_only_sweep_or_roll():
    state = table(five=["red.swap", "red.reroll-all", "red.reroll-singles", *FIVE[3:]])
    for text in ("paint 1", "stop", "sake 2"):
        with pytest.raises(IllegalMove) as caught:
            state.play(text)
        assert caught.value.code == "daruma.sweep-or-roll"


@pytest.mark.parametrize(
    "text", ["roll 1 2", "roll 1 1 1 1 1 1 1 1 1", "roll 2 1 1 1 1 1 1 1", "draw red.swap", "first p1"]
)
def test_outcomes_that_cannot_be_are_refused(text):
    with pytest.raises((IllegalMove, MalformedMove)):
        ROLLING.copy().play(text)


def test_outcomes_of_the_set_up_that_cannot_be_are_refused():
    state = tsukimi.new("daruma", players=2, chance="manual", first="p1")
    for text in (
        "track blank",
        "track blank blank blank blank blank blank blank",
        "track four four four four blank blank",
    ):
        with pytest.raises(IllegalMove):
            state.play(text)
    say(state, "track blank blank blank blank blank blank")
    for text in ("objective p2 1", "objective p1 7", "objective p5 1"):
        with pytest.raises(IllegalMove):
            state.play(text)
    with pytest.raises(MalformedMove):
        state.play("objective p1 01")


@given(st.text(alphabet="abcdeghiklnoprstuwy. +-p123456789", max_size=40) | st.text(max_size=20))
def test_no_text_breaks_the_parser(text):
    for state in (USING, ROLLING):
        legal = set(state.legal())
        try:
            move = state.parse(text)
        except (MalformedMove, IllegalMove):
            assert text not in legal
        else:
            seat = -1 if state.chance else 0
            assert SPEC.text(state.core, seat, move) == text


def test_all_messages_are_there_in_three_languages():
    tables = [
        tomllib.loads((SPEC.folder / "messages" / f"{lang}.toml").read_text("utf-8")) for lang in ("en", "fr", "es")
    ]
    for section in ("error", "ask", "log", "word"):
        assert tables[0][section].keys() == tables[1][section].keys() == tables[2][section].keys()
    for ask in ("start", "use", "sake", "reroll-multiples", "shift-multiples", "shift-singles", "swap"):
        assert ask in tables[0]["ask"]


def test_every_code_in_the_modules_has_a_text_and_every_error_word_is_used():
    source = "".join(path.read_text("utf-8") for path in SPEC.folder.glob("*.py"))
    words = tomllib.loads((SPEC.folder / "messages" / "en.toml").read_text("utf-8"))["error"]
    for code in words:
        assert f'"{code}"' in source or f'daruma.{code}"' in source or code.startswith("must-"), code


@pytest.mark.parametrize("lang", ["en", "fr", "es"])
def test_every_event_has_a_sentence(lang):
    kinds = set()
    for players in (2, 4):
        state, luck = tsukimi.new("daruma", players=players, seed=players), random.Random(players)
        while not state.over:
            state.apply(luck.choice(state.actions()))
        log = catalogue.messages("daruma", lang)["log"]
        for event in state.events(0):
            sentence = catalogue.fill(log[event["type"]], event)
            assert sentence.endswith(".")
            assert "{" not in sentence
            kinds.add(event["type"])
    assert kinds >= {"first", "track", "objective", "draw", "roll", "paint", "sake", "reroll", "stop", "give"}
