"""A hint's numbers agree with its advice, and read as a player would say them."""

from __future__ import annotations

import re

import pytest

import tsukimi
from conftest import COMPILED
from tsukimi import bots
from tsukimi.bots.budget import Budget
from tsukimi.core import catalogue
from tsukimi.core.rng import Rng
from tsukimi.core.words import Words

GAMES = [("charuma", 2), ("charuma", 4), ("china-moon", 3), ("daruma", 3), ("dojo", 4)]
HINTS, PLAYOUTS = (120, 120) if COMPILED else (8, 10)

# For every code that compares: the number of the advised move, and that of the other one.
SHARES = ("share", "other_share")
COMPARED = {
    "search": [SHARES],
    "charuma.bid": [SHARES, ("left", "other_left")],
    "charuma.bid-share": [SHARES],
    "charuma.bid-price": [SHARES],
    "charuma.solved": [SHARES, ("points", "other_points")],
    "charuma.solved-share": [SHARES],
    "charuma.let-go": [SHARES],
    "daruma.sweep": [("fresh", "row")],
    "daruma.roll": [("row", "fresh")],
    "daruma.stop": [SHARES],
    "daruma.sake": [("share", "stop")],
    "dojo.challenge": [("attack", "still")],
    "dojo.pass": [("still", "attack")],
    "dojo.later": [("expected", "other_expected")],
    "dojo.later-share": [SHARES],
    "dojo.trophy": [("after", "before")],
    "dojo.trophy-share": [SHARES],
    "dojo.row": [("after", "before")],
    "dojo.gain": [("after", "before")],
    "dojo.give": [SHARES],
    "dojo.give-keep-share": [SHARES],
    "dojo.swap": [SHARES],
    "dojo.keep": [SHARES],
    "dojo.swap-spite": [SHARES],
    "dojo.keep-spite": [SHARES],
    "dojo.swap-even": [SHARES],
    "dojo.keep-even": [SHARES],
}
NUMBERS = re.compile(r"(?<![\d.,])1 (points|puntos|darumas)\b")
BARE_CARD = re.compile(r"(?<!\ble )(?<!\bl’)\b(\d+|As) (bleu|rouge)")


def decisions(game, players):
    """Decisions met when players who know a little play: every third with a choice."""
    rng, found = Rng(players), 0
    for deal in range(400):
        state = tsukimi.new(game, players=players, seed=f"hints {deal}")
        table = [bots.make("greedy", state, seat) for seat in range(players)]
        while not state.over:
            seat = state.actors[0]
            if len(state.actions(seat)) > 1 and rng.randrange(3) == 0:
                yield state, seat
                found += 1
                if found == HINTS:
                    return
            random = rng.randrange(4) == 0
            state.apply(state.core.random_action(seat, rng) if random else table[seat].choose(state, seat), seat)


def contradictions(code, fields, candidates):
    """What of a reason speaks against its move."""
    found = [(own, other) for own, other in COMPARED.get(code, []) if fields[own] < fields[other]]
    if "share" in fields and fields["share"] != round(100 * candidates[0].share):
        found.append(("share", "candidate"))
    if "other_share" in fields and code not in COMPARED:
        found.append((code, "is not checked"))
    if code in ("charuma.only-threat", "charuma.hidden-threat") and fields["chance"] > 50:
        found.append(("chance", "more often beaten than not"))
    if code == "dojo.give-keep" and fields["percent"] < 50:
        found.append(("percent", "most cards"))
    if code in ("dojo.swap", "dojo.keep") and fields["difference"] <= 0:
        found.append(("difference", "nothing"))
    return found


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_no_hint_contradicts_its_move(game, players):
    codes = set()
    for number, (state, seat) in enumerate(decisions(game, players)):
        engine = bots.engine_for(state, number)
        candidates = engine.analyse(state, seat, Budget(None, PLAYOUTS))
        shares = [round(candidate.share, 6) for candidate in candidates]
        assert shares == sorted(shares, reverse=True)
        code, fields = engine.reason(state, seat, candidates)
        assert not contradictions(code, fields, candidates), (code, fields)
        codes.add(code)
        for lang in catalogue.LANGUAGES:
            sentence = Words(game, lang, ["Ana", "Bo", "Cy", "Di"]).why(code, fields)
            assert not re.search(r"[{}|]|\bthe the\b|\bel el\b", sentence), sentence
            assert not NUMBERS.search(sentence), sentence
            assert lang != "fr" or not BARE_CARD.search(sentence), sentence
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
        ("the Ar", "l’As rouge"),
        ("the 6b Ab", "le 6 bleu et l’As bleu"),
        ("the Ab Ar", "l’As bleu et l’As rouge"),
    ],
)
def test_cards_have_their_article(cards, words):
    assert Words("charuma", "fr", []).why("charuma.forced", {"cards": cards}) == f"Tu ne peux jouer que {words}."
