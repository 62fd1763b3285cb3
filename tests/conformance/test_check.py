"""The checks find what is wrong with a game."""

from __future__ import annotations

import pytest

import tsukimi
from core.kuhn import Kuhn
from tsukimi import check
from tsukimi.plugin import make_spec


@pytest.fixture
def broken(tmp_path):
    """A variation of Kuhn poker, and what the checks say against it."""

    def find(changed=None, **more):
        for lang in ("en", "fr", "es"):
            (tmp_path / "messages").mkdir(exist_ok=True)
            text = '[game]\ntitle = "Kuhn"\nsummary = "One bet, three cards."\n'
            (tmp_path / "messages" / f"{lang}.toml").write_text(text)
        kind = type("Broken", (Kuhn,), changed or {})
        tsukimi.games.register(make_spec(kind, "broken", **{"seats": (2,), "folder": tmp_path, "length": 3, **more}))
        return {result.name: result.detail for result in check.run("broken", games=6) if not result.ok}

    yield find
    tsukimi.games._registered.clear()


def deal_all(game, seat, rng):
    """Forgets that a seat knows its own card."""
    if -1 not in game.card:
        game.card = [rng.randrange(2), 2]


def deal_low(game, seat, rng):
    """Gives the other player the lowest card that there can be."""
    for owner in range(game.dealt):
        if not game.knows(seat, owner):
            taken = [game.card[other] for other in range(game.dealt) if other < owner or game.knows(seat, other)]
            game.card[owner] = min(card for card in range(3) if card not in taken)


def test_a_good_game_passes(broken):
    assert broken() == {}


def test_a_result_says_which_variant_failed_and_why(broken):
    found = broken(length=1000)
    assert list(found) == ["random games take about as long as declared"]
    assert found.popitem()[1].startswith("broken-2-1: ")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"resample_secrets": deal_all}, "resampling a position changes nothing its seat sees"),
        ({"resample_secrets": lambda self, seat, rng: None}, "resampling depends only on what the seat knows"),
        ({"outcome_text": lambda self, card: "deal"}, "manual chance waits and its probabilities sum to one"),
        ({"leaders": lambda self: []}, "random games end with a winner"),
        ({"phase": lambda self: None}, "views and events are plain data and match the record"),
        ({"resample_secrets": deal_low}, "positions and games are resampled with the same distribution"),
        ({"MOVES": ("pass", "pass")}, "legal moves are distinct and their texts can be parsed"),
        ({"on_move": lambda self, move, seat: 1 / 0}, "random games end with a winner"),
    ],
)
def test_what_is_wrong_is_found(broken, changed, expected):
    assert expected in broken(changed)


def test_fields_that_do_not_fit_are_found(broken):
    found = broken(fields=lambda game: ())
    assert list(found) == ["labelled fields cover the observation"]


def test_forced_moves_that_reveal_a_secret_are_found(broken):
    changed = {"legal_moves": lambda self, seat: (0, 1) if self.card[seat] else (0,)}
    assert broken(changed) == {}
    found = broken(changed, open_choice=lambda game, seat: True)
    assert list(found) == ["automatic moves reveal nothing hidden"]


def test_missing_texts_are_found(broken, tmp_path):
    broken()
    (tmp_path / "messages" / "fr.toml").write_text("[game]\n")
    found = {result.name for result in check.run("broken", games=6) if not result.ok}
    assert {"three languages have the same messages", "the game has a title and a summary"} <= found
