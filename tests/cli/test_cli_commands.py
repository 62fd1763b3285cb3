"""The other commands: replay, rules, simulate; exit codes and error messages."""

from __future__ import annotations

import io
import json
import random
import re
import subprocess
import sys

import pytest
from rich.cells import cell_len
from rich.text import Text

import tsukimi
from cli.typist import OURS, process, run
from tsukimi.cli import guide
from tsukimi.cli.console import Console
from tsukimi.cli.options import usual_players
from tsukimi.core.puzzle import puzzles
from tsukimi.core.words import Words
from tsukimi.games import spec
from tsukimi.lab.summary import interval

LANGUAGES = ("en", "fr", "es")


def recorded(tmp_path, game, seed=4, moves=10_000):
    state, luck = tsukimi.new(game, players=usual_players(spec(game).seats), seed=seed), random.Random(seed)
    while not state.over and moves:
        seat = luck.choice(state.actors)
        state.apply(luck.choice(state.actions(seat)), seat)
        moves -= 1
    state.names[0] = "Ana"
    file = tmp_path / f"{game}.txt"
    file.write_text(state.record(), "utf-8")
    return state, str(file)


# ---- usage -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["dance"],
        ["play", "chess"],
        ["play", "daruma", "--players", "9"],
        ["play", "daruma", "--players", "many"],
        ["play", "daruma", "--seat", "0"],
        ["play", "daruma", "--seat", "4"],
        ["play", "daruma", "--option", "edition"],
        ["play", "daruma", "--option", "edition=klingon"],
        ["play", "daruma", "--belt", "black"],
        ["play", "daruma", "--lang", "de"],
        ["simulate", "dojo", "--games", "0"],
        ["simulate"],
        ["rules", "dojo", "--section", "nowhere"],
        ["rules"],
        ["replay"],
    ],
)
def test_bad_usage_is_one_line_and_code_2(monkeypatch, words):
    done = run(monkeypatch, *words)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("tsukimi")
    assert done.err.count("\n") == 1


def test_failures_are_one_line_and_code_1(monkeypatch, tmp_path):
    (tmp_path / "bad.txt").write_text("tsukimi 1\ngame dojo\n---\n", "utf-8")
    (tmp_path / "noise.txt").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "bad.toml").write_text("[[tatami]]\n", "utf-8")
    for words in (
        ["replay", str(tmp_path / "none.txt")],
        ["replay", str(tmp_path / "bad.txt")],
        ["replay", str(tmp_path / "noise.txt")],
        ["replay", str(tmp_path)],
        ["play", "dojo", "--components", str(tmp_path / "bad.toml")],
        ["play", "dojo", "--save", str(tmp_path / "no" / "such" / "folder")],
    ):
        done = run(monkeypatch, *words)
        assert done.code == 1, words
        assert done.err.count("\n") == 1
        assert "Traceback" not in done.err


def test_help_is_in_the_requested_language(monkeypatch):
    for lang, word in (("en", "record"), ("fr", "partie"), ("es", "partida")):
        done = run(monkeypatch, "play", "--help", "--lang", lang)
        assert done.code == 0
        assert word in done.out
    everything = run(monkeypatch, "--help")
    assert all(command in everything.out for command in ("play", "replay", "rules", "simulate"))
    assert run(monkeypatch, "--version").out.startswith("tsukimi ")


def test_a_reader_that_closes_the_pipe_is_not_an_error(tmp_path):
    _, file = recorded(tmp_path, "charuma")
    command = f"'{sys.executable}' -m tsukimi.cli replay '{file}' | head -1; echo ${{PIPESTATUS[0]}}"
    environment = {"PYTHONPATH": ":".join(sys.path), "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.endswith("\n0\n")
    assert "Error" not in done.stderr


def test_old_terminals_get_plain_letters():
    done = process("rules", "dojo", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert done.stdout.isascii()


# ---- replay ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", tsukimi.games())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_record_is_shown_to_its_end(monkeypatch, tmp_path, game, lang):
    state, file = recorded(tmp_path, game)
    done = run(monkeypatch, "replay", file, "--lang", lang)
    assert done.code == 0
    assert "Ana" in done.out
    lines = done.out.splitlines()
    assert len(lines) > len(state.history)
    assert max(map(cell_len, lines)) <= 80
    for score in state.scores():
        assert str(score) in "\n".join(lines[-5:]).replace("−", "-")


def test_one_seat_is_shown_what_it_knew_and_open_shows_everything(monkeypatch, tmp_path):
    state, file = recorded(tmp_path, "charuma")
    everything = run(monkeypatch, "replay", file).out
    known = run(monkeypatch, "replay", file, "--seat", "p2").out
    words = Words("charuma", "en", [])
    mine = [words.word(event["card"]) for event in state.events(1) if event["type"] == "deal" and event.get("to") == 1]
    theirs = [
        words.word(event["card"]) for event in state.events(0) if event["type"] == "deal" and event.get("to") == 0
    ]
    assert f"p2 gets the {mine[0]}." in known
    assert f"Ana gets the {theirs[0]}." not in known
    assert f"Ana gets the {theirs[0]}." in everything
    assert run(monkeypatch, "replay", file, "--seat", "4").code == 2
    assert run(monkeypatch, "replay", file, "--seat", "x").code == 2


@pytest.mark.parametrize("game", tsukimi.games())
def test_a_record_is_shown_step_by_step(monkeypatch, tmp_path, game):
    state, file = recorded(tmp_path, game, moves=25)
    last = len(state.history)
    done = run(monkeypatch, "replay", file, "--step", typed=f"\n\nb\n{last}\n\n")
    assert done.code == 0
    for at in (0, 1, 2, last):
        assert f"event {at} of {last}" in done.out
    assert run(monkeypatch, "replay", file, "--step", "--seat", "1", typed="5\nq\n").code == 0
    assert run(monkeypatch, "replay", file, "--step", typed="").code == 0


def test_a_record_with_a_move_taken_back_and_no_end(monkeypatch, tmp_path):
    state = tsukimi.new("dojo", players=3, seed=1)
    state.play(state.legal()[0]).undo()
    file = tmp_path / "short.txt"
    file.write_text(state.record(), "utf-8")
    done = run(monkeypatch, "replay", str(file))
    assert "Taken back" in done.out
    assert "The record ends here" in done.out
    assert run(monkeypatch, "replay", str(file), "--step", typed="99\n\n").code == 0


def test_replay_prints_data(monkeypatch, tmp_path):
    state, file = recorded(tmp_path, "china-moon")
    data = json.loads(run(monkeypatch, "replay", file, "--json").out)
    assert data["scores"] == state.scores()
    assert data["events"] == state.events(None)
    assert data["names"] == {"p1": "Ana"}


# ---- rules -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", tsukimi.games())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_are_there_in_three_languages(monkeypatch, game, lang):
    done = run(monkeypatch, "rules", game, "--lang", lang)
    assert done.code == 0
    assert len(done.out.splitlines()) > (60 if game in OURS else 5)
    assert max(map(cell_len, done.out.splitlines())) <= 96
    assert "<!--" not in done.out
    assert "**" not in done.out
    for anchor in guide.anchors(guide.text(spec(game), lang)):
        part = run(monkeypatch, "rules", game, "--lang", lang, "--section", anchor)
        assert part.code == 0
        assert 1 < len(part.out.splitlines()) < len(done.out.splitlines())


def test_markdown_on_a_terminal(monkeypatch):
    text = (
        "# A\n<!-- anchor: a -->\n\nOne **two** `three`\nfour.\n\n- a\n  more\n- b\n\n## B\n\n"
        "| x | y |\n|---|---|\n| 1 | a cell |\n"
    )
    plain = written(guide.rendered(text, False))
    assert plain[:2] == ["A", "━"]
    assert "One two `three` four." in plain
    assert " • a more" in plain
    assert "▸ B" in plain
    assert any(line.split() == ["1", "a", "cell"] for line in plain)
    monkeypatch.setenv("FORCE_COLOR", "1")
    painted = written(guide.rendered(text, True))
    assert [ESCAPE.sub("", line).rstrip() for line in painted] == [line.replace("`", "") for line in plain]
    assert painted != plain


def test_french_punctuation_stays_with_its_word():
    for space in (" ", "\N{NO-BREAK SPACE}"):
        lines = written(Text(f"{'a' * 70} est-ce toi{space}? oui{space}!"))
        assert [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines] == ["a" * 70 + " est-ce", "toi ? oui !"]


ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def written(*parts):
    out = io.StringIO()
    Console(out).write(*parts)
    return out.getvalue().splitlines()


# ---- review ------------------------------------------------------------------------------------


def test_review_judges_every_decision_and_its_numbers_add_up(monkeypatch, tmp_path):
    state, file = recorded(tmp_path, "daruma", moves=25)
    done = run(monkeypatch, "review", file, "--ms", "1", "--json", "--lang", "fr")
    data = json.loads(done.out)
    assert len(data["decisions"]) == 25
    assert all(decision["sentence"] for decision in data["decisions"] if decision["judgement"] != "forced")
    for seat in data["seats"]:
        parts = 1 / state.players + seat["luck"] + seat["own"] + seat["others"]
        assert parts == pytest.approx(seat["result"], abs=2e-4)


def test_review_is_in_three_languages(monkeypatch, tmp_path):
    _, file = recorded(tmp_path, "daruma", moves=8)
    for lang, word in (("en", "accuracy"), ("fr", "précision"), ("es", "precisión")):
        done = run(monkeypatch, "review", file, "--ms", "1", "--lang", lang)
        assert word in done.out
        assert "Ana" in done.out


# ---- simulate ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", tsukimi.games())
def test_simulate_counts_random_games(monkeypatch, game):
    done = run(monkeypatch, "simulate", game, "--games", "8", "--seed", "5", "--json")
    data = json.loads(done.out)
    assert done.err == ""
    assert data["games"] == 8
    assert sum(seat["win_share"] for seat in data["seats"]) == pytest.approx(1)
    for seat in data["seats"]:
        low, high = seat["win_share_95"]
        assert low <= seat["win_share"] <= high
    assert data["mean_decisions"] > (10 if game in OURS else 1)


def test_simulate_is_in_three_languages(monkeypatch):
    for lang, word in (("en", "win share"), ("fr", "victoires"), ("es", "victorias")):
        done = run(monkeypatch, "simulate", "china-moon", "--games", "3", "--lang", lang)
        assert word in done.out
        assert "China Moon" in done.out


def test_the_interval_is_wilsons():
    low, high = interval(0.5, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    assert interval(0.0, 10)[0] == 0.0
    assert interval(1.0, 10)[1] == 1.0


def test_the_command_starts_without_numpy_and_loads_one_command_only():
    code = (
        "import sys, tsukimi.cli as c; c.main(['rules', 'dojo', '--section', 'round']);"
        "print('numpy' in sys.modules, 'tsukimi.cli.simulate' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False False"


# ---- arena -------------------------------------------------------------------------------------


def test_arena_says_by_which_clock_the_bots_thought(monkeypatch):
    words = ["arena", "dojo", "--players", "3", "--bots", "random,flat@20", "--deals", "1", "--ms", "5"]
    for more, clock in (([], "5 ms per move, measured in the thread's own CPU time"), (["--clock", "wall"], "wall")):
        done = run(monkeypatch, *words, *more)
        assert done.code == 0
        assert clock in done.out.splitlines()[0]
        assert "flat@20" in done.out
    data = json.loads(run(monkeypatch, *words, "--json").out)
    assert data["match"]["clock"] == "cpu"


def test_puzzles_are_listed_and_one_is_played_with_its_reason(monkeypatch):
    assert f"Dojo: {len(puzzles(spec('dojo')))} puzzles" in run(monkeypatch, "puzzles").out
    played = run(monkeypatch, "puzzles", "play", "dojo", "--seed", "3", typed="1\n\nquit\n")
    assert played.code == 0
    assert "Right!" in played.out or "The best move is" in played.out
    assert "%  place" in played.out


def test_puzzles_need_to_know_which_game_to_play(monkeypatch):
    asked = run(monkeypatch, "puzzles", "play")
    assert asked.code == 2
    assert "puzzles play GAME" in asked.err
