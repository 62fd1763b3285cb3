"""Templates of the catalogues: signs, percentages, plurals and lists, in each language."""

from __future__ import annotations

import pytest

from tsukimi.core import catalogue, setup
from tsukimi.core.python_spec import make_spec
from tsukimi.core.source import Source
from tsukimi.core.words import Words
from tsukimi.games import spec
from tsukimi.plugin import OVER, PerSeat, PythonGame

LANGUAGES = ("en", "fr", "es")
NO_BREAK = "\u00a0"


def said(template: str, **fields: object) -> list[str]:
    return [catalogue.fill(template, fields, lang) for lang in LANGUAGES]


def test_a_sign_precedes_the_number_and_the_noun_agrees_with_it() -> None:
    assert said("{n:+}", n=3) == ["+3"] * 3
    assert said("{n:+}", n=0) == ["0"] * 3
    assert said("{n:+point|points}", n=-1) == ["\u22121 point"] * 3
    assert said("{n:+point|points}", n=0) == ["0 points", "0 point", "0 points"]
    assert said("{n:+point|points}", n=2) == ["+2 points"] * 3


@pytest.mark.parametrize(
    ("chance", "shown"), [(0.0, "0"), (0.001, "1"), (0.166, "17"), (0.5, "50"), (0.999, "99"), (1.0, "100")]
)
def test_what_can_happen_is_never_0_percent_and_what_can_fail_never_100(chance: float, shown: str) -> None:
    assert said("{p:%}", p=chance) == [f"{shown}%", f"{shown}{NO_BREAK}%", f"{shown}{NO_BREAK}%"]


def test_a_list_ends_with_and() -> None:
    assert said("{cards:and}", cards="red, blue, gold") == [
        "red, blue and gold",
        "red, blue et gold",
        "red, blue y gold",
    ]
    assert said("{cards:and}", cards="red") == ["red"] * 3


def test_each_of_a_list_can_have_an_article() -> None:
    assert said("{cards:each le}", cards="red, blue") == ["le red and le blue", "le red et le blue", "le red y le blue"]
    assert said("{cards:each the}", cards="red") == ["the red"] * 3


def test_a_question_offers_what_the_legal_moves_allow() -> None:
    view = {"ask": "use", "actors": [0]}
    moves = ["paint 2", "paint 3", "sake 1", "stop"]
    words = [Words(spec("daruma").name, lang, ["Ana", "Bruno"]) for lang in LANGUAGES]
    assert [word.ask(view, moves) for word in words] == [
        "Paint an eye with a 1, put a die on the sake bottle or stop.",
        "Peins un œil avec un 1, place un dé sur la bouteille de saké ou arrête-toi.",
        "Pinta un ojo con un 1, coloca un dado en la botella de sake o plántate.",
    ]
    assert words[0].ask(view, ["stop"]) == "Stop."
    assert words[0].ask({"ask": "sake", "actors": [0]}, ["reroll 1"]) == "Which dice do you re-roll?"


class Race(PythonGame):
    """Each step counts one point."""

    MOVES = ("step", "leap")
    steps = PerSeat(high=20)

    def begin(self, first: int) -> None:
        self.turn = first

    def legal_moves(self, seat: int) -> list[int]:
        return [0, 1]

    def on_move(self, move: int, seat: int) -> None:
        self.steps[seat] += 1 + move
        self.turn = OVER if self.steps[seat] > 3 else 1 - seat

    def points(self, seat: int) -> int:
        return self.steps[seat]


def test_the_stakes_of_a_game_without_secrets_are_derived() -> None:
    state = setup.make(make_spec(Race, "race", seats=(2,)), 2, {"first": "p1"}, None, Source.of(1))
    assert state.stakes() == {
        "step": [{"kind": "points", "points": 1}],
        "leap": [{"kind": "points", "points": 2}],
    }
    assert state.stakes(1) == {}


def test_stakes_are_put_into_one_line_and_those_without_words_are_left_out() -> None:
    catalogue.register("race", catalogue._folders[""])
    words = Words("race", "es", ["Ana", "Bruno"])
    assert words.stakes([{"kind": "points", "points": 2}, {"kind": "unheard-of"}]) == "+2 puntos"
    assert words.stakes([]) == ""


def test_english_says_an_before_a_percentage_that_begins_with_a_vowel() -> None:
    texts = [
        catalogue.fill("You have a {share}% chance.", {"share": share})
        for share in (1, 8, 10, 11, 18, 80, 88, 81, 28, 98)
    ]
    assert [text.split()[2] for text in texts] == ["a", "an", "a", "an", "an", "an", "an", "an", "a", "a"]
    assert catalogue.fill("Une chance a {share} % ici.", {"share": 18}, "fr") == "Une chance a 18 % ici."
