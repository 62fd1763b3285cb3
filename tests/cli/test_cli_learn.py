"""`tsukimi learn`: every lesson in every language, at the keyboard."""

from __future__ import annotations

import pytest

import tsukimi
from cli.typist import run
from tsukimi.core.lesson import lesson
from tsukimi.core.words import Words
from tsukimi.games import spec

GAMES = [name for name in tsukimi.games() if spec(name).has_lesson]


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("lang", ["en", "fr", "es"])
@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_says_everything_and_ends_in_free_play(monkeypatch, game, lang):
    found = lesson(spec(game))
    typed = [step.move or "" for step in found.steps[:-1]]
    done = run(
        monkeypatch, "learn", game, "--lang", lang, typed="\n".join([*typed, "quit", ""]), USER="", COLUMNS="300"
    )
    words = Words(game, lang, ["p1", "Botan", "Chiyo", "Daigo", "Emi"][: found.players])
    assert done.code == 0
    shown = plain(done.out)
    for step in found.steps:
        assert plain(words.lesson(step.say)) in shown, step.say


def test_another_move_is_answered_and_may_be_played_all_the_same(monkeypatch):
    words = Words("dojo", "en", ["p1", "Botan", "Chiyo"])
    typed = "\n\npass\nchallenge\nkeep\nquit\n"
    done = run(monkeypatch, "learn", "dojo", typed=typed, USER="", COLUMNS="300")
    assert plain(words.lesson("challenge-not")) in plain(done.out)
    assert plain(words.lesson("trophy")) in plain(done.out)
    typed = "\n\npass\npass\nundo\nquit\n"
    done = run(monkeypatch, "learn", "dojo", typed=typed, USER="", COLUMNS="300")
    assert "You have left the prepared game" in plain(done.out)
    back = plain(done.out).partition("You have left the prepared game")[2]
    assert plain(words.lesson("goal")) in back


def test_a_game_without_a_lesson_says_so(monkeypatch):
    without = next((name for name in tsukimi.games() if not spec(name).has_lesson), None)
    if without is None:
        pytest.skip("every installed game has a lesson")
    done = run(monkeypatch, "learn", without)
    assert done.code == 2
    assert "has no lesson" in done.err
