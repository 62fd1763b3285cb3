"""A hint's numbers agree with its advice, and read as a player would say them."""

from __future__ import annotations

import pytest

from conftest import COMPILED
from hint_checks import decisions, problems
from tsukimi.core import catalogue
from tsukimi.core.words import Words

GAMES = [("charuma", 2), ("charuma", 4), ("china-moon", 3), ("daruma", 3), ("dojo", 4)]
HINTS, PLAYOUTS = (120, 120) if COMPILED else (8, 10)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_no_hint_contradicts_its_move(game, players):
    codes = set()
    for number, (state, seat) in enumerate(decisions(game, players, HINTS)):
        code, found = problems(state, seat, number, PLAYOUTS)
        assert not found
        codes.add(code)
    assert len(codes) > (4 if COMPILED else 1)


@pytest.mark.parametrize(
    ("lang", "number", "words"),
    [
        *[("en", 1, "1 point"), ("en", 0, "0 points"), ("en", 0.8, "0.8 points"), ("en", -1, "-1 point")],
        *[("fr", 1, "1 point"), ("fr", 0, "0 point"), ("fr", 2, "2 points"), ("fr", "1,5", "1,5 point")],
        *[("es", 1, "1 point"), ("es", 0, "0 points"), ("es", "1,5", "1,5 points")],
    ],
)
def test_a_number_agrees_with_its_word(lang, number, words):
    assert catalogue.fill("{number:point|points}.", {"number": number}, lang) == f"{words}."


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("the 6b", "le 6 bleu"),
        ("the Ar", "l’as rouge"),
        ("the 6b Ab", "le 6 bleu et l’as bleu"),
        ("the Ab Ar", "l’as bleu et l’as rouge"),
    ],
)
def test_cards_have_their_article(cards, words):
    assert Words("charuma", "fr", []).why("charuma.forced", {"cards": cards}) == f"Tu ne peux jouer que {words}."
