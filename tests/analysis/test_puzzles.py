"""Puzzles: mined from games, shipped with them, and true when they are solved again."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest

from tsukimi.analysis import puzzles as mining
from tsukimi.bots import Budget
from tsukimi.core import catalogue
from tsukimi.core.puzzle import OF_THE_DAY, BadPuzzle, of_the_day, puzzles, read, write
from tsukimi.core.words import Words
from tsukimi.games import names, spec

SHIPPED = [spec(name) for name in ("charuma", "china-moon", "daruma", "dojo")]
SAMPLE = 0.05


@pytest.mark.compiled
@pytest.mark.parametrize("game", SHIPPED, ids=lambda one: one.name)
def test_a_game_ships_150_puzzles_with_one_best_move_and_named_themes(game):
    found = puzzles(game)
    assert len(found) >= 150
    for one in found.values():
        state = one.state(game)
        legal = state.legal(one.seat)
        assert one.share(legal, one.answer) == max(one.shares)
        assert sorted(one.shares)[-2] <= max(one.shares) - mining.MARGIN + 0.002
        assert one.themes
        for lang in catalogue.LANGUAGES:
            assert set(one.themes) <= catalogue.messages(game.name, lang)["theme"].keys()
            assert "{" not in Words(game.name, lang, ["Ana"] * one.players).why(*one.why)


@pytest.mark.compiled
def test_a_random_sample_of_the_puzzles_has_the_same_answers_when_it_is_solved_again():
    shipped = [(game.name, puzzle) for game in SHIPPED for puzzle in puzzles(game).values()]
    for game, one in random.sample(shipped, round(SAMPLE * len(shipped))):
        mining.check(game, one)


@pytest.mark.compiled
def test_a_puzzle_with_another_answer_is_found_out():
    one = next(puzzle for puzzle in puzzles(spec("daruma")).values() if puzzle.exact)
    legal = one.state(spec("daruma")).legal(one.seat)
    other = next(move for move in legal if move != one.answer)
    with pytest.raises(BadPuzzle) as problem:
        mining.check("daruma", type(one)(**{**vars(one), "answer": other}))
    assert problem.value.code == "puzzle-other-answer"


@pytest.mark.compiled
def test_mining_finds_the_same_puzzles_whenever_the_seed_is_the_same(monkeypatch):
    monkeypatch.setattr(mining, "QUICK", Budget(playouts=60))
    monkeypatch.setattr(mining, "MASTER", Budget(playouts=100))
    monkeypatch.setattr(mining, "LONG", Budget(playouts=2_000))
    once = list(mining.mine("daruma", 2, seed=3))
    assert once
    assert once == list(mining.mine("daruma", 2, seed=3))
    assert once != list(mining.mine("daruma", 2, seed=4))


def test_a_puzzle_is_the_same_after_it_was_written_and_read(tmp_path):
    file = tmp_path / "puzzles.jsonl"
    found = list(puzzles(spec("dojo")).values())[:3]
    file.write_text("".join(write(one) + "\n" for one in found), "utf-8")
    assert list(read(file)) == found


def test_a_bad_line_is_named(tmp_path):
    file = tmp_path / "puzzles.jsonl"
    file.write_text(write(next(iter(puzzles(spec("dojo")).values()))) + '\n{"id": "x"}\n', "utf-8")
    with pytest.raises(BadPuzzle) as problem:
        list(read(file))
    assert problem.value.params["line"] == 2


def test_the_puzzle_of_the_day_changes_game_every_day_and_repeats_none_for_months():
    days = [of_the_day(SHIPPED, date(2026, 11, 16) + timedelta(days=number)) for number in range(100)]
    assert [game.name for game, _ in days[:4]] != [game.name for game, _ in days[1:5]]
    assert {game.name for game, _ in days[:4]} == {game.name for game in SHIPPED}
    assert len({one.id for _, one in days}) == len(days)
    assert all(OF_THE_DAY[0] <= one.rating <= OF_THE_DAY[1] for _, one in days)
    assert of_the_day(list(reversed(SHIPPED)), date(2026, 11, 16)) == days[0]


def test_a_game_without_a_file_has_no_puzzles():
    without = [name for name in names() if name not in {game.name for game in SHIPPED}]
    assert all(not puzzles(spec(name)) for name in without)
    assert of_the_day([spec(name) for name in without], date(2026, 1, 1)) is None
