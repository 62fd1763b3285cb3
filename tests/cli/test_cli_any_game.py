"""A game that brings neither a board nor words of its own is playable in the terminal; plain output stays plain."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

import pytest
from rich.text import Text

import tsukimi
from cli.typist import Typist, process, run
from tsukimi.cli import COMMANDS
from tsukimi.cli.console import Console
from tsukimi.cli.progress import progress
from tsukimi.cli.session import Session
from tsukimi.core import catalogue, setup
from tsukimi.core.source import Source
from tsukimi.core.words import summary, title
from tsukimi.games import spec
from tsukimi.terminal import Board

ESCAPE = "\x1b"


def nameless(folder, players=3):
    """Charuma under another name, without its texts and its board."""
    bare = replace(spec("charuma"), name="no-name", folder=folder, terminal_board="")
    catalogue.register("no-name", folder / "messages")
    catalogue.messages.cache_clear()
    return setup.make(bare, players, {}, None, Source.of(1))


@pytest.mark.parametrize("lang", ["en", "fr", "es"])
def test_a_game_without_board_and_words_is_played_to_its_end(tmp_path, lang):
    state = nameless(tmp_path)
    console = Console(io.StringIO(), Typist(4))
    session = Session(console, state, {1}, lambda state, seat: state.actions(seat)[0], lang)
    assert type(session.board) is Board
    session.run()
    assert state.over
    out = console.file.getvalue()
    assert "No Name" in out
    assert {"en": "Choose a move.", "fr": "Choisis un coup.", "es": "Elige una jugada."}[lang] in out
    assert "▸p2•" in out
    assert re.search(r"\[\w+\] \[\w+\]", out)
    assert ESCAPE not in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_game_without_rules_says_so_in_one_line(tmp_path):
    from tsukimi.cli import guide
    from tsukimi.core.errors import BadOptions

    with pytest.raises(BadOptions) as caught:
        guide.text(nameless(tmp_path).spec, "fr")
    assert caught.value.message("en") == "no-name comes without a rules text."


def test_english_stands_in_for_what_is_not_translated(tmp_path):
    (tmp_path / "messages").mkdir()
    (tmp_path / "messages" / "en.toml").write_text('[game]\ntitle = "Leduc"\nsummary = "poker"\n[word]\npot = "pot"\n')
    (tmp_path / "messages" / "fr.toml").write_text('[game]\nsummary = "le poker"\n')
    nameless(tmp_path)
    assert (title("no-name", "fr"), summary("no-name", "fr")) == ("Leduc", "le poker")
    assert (title("no-name", "es"), summary("no-name", "es")) == ("Leduc", "poker")
    assert catalogue.messages("no-name", "fr")["word"] == {"pot": "pot"}


def test_the_command_names_no_game():
    folder = Path(sys.modules["tsukimi.cli"].__file__).parent
    for path in (*folder.glob("*.py"), *folder.glob("messages/*.toml")):
        text = path.read_text("utf-8").lower()
        for game in tsukimi.games():
            if (path.name, game) != ("options.py", "china-moon"):  # an example of how names may be written
                assert game not in text, (path.name, game)


def test_every_installed_game_is_in_the_menu_and_in_the_help(monkeypatch):
    menu = run(monkeypatch, "play", typed="").out
    for game in tsukimi.games():
        spec(game)
        assert title(game, "en") in menu
    assert ", ".join(tsukimi.games()) in " ".join(run(monkeypatch, "simulate", "--help").out.split())
    assert "Charuma: on, off, from-second" in " ".join(run(monkeypatch, "play", "--help").out.split())
    assert "--belt" not in run(monkeypatch, "play", "charuma", "--help").out


# ---- plain output ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["rules", "dojo"],
        ["simulate", "charuma", "--games", "3"],
        ["arena", "dojo", "--players", "3", "--bots", "random", "--deals", "1"],
        ["play", "daruma", "--seed", "1"],
        ["play"],
    ],
)
def test_piped_output_has_no_escape_codes(words):
    done = process(*words, typed="1\n", TERM="xterm-256color", COLORTERM="truecolor")
    assert done.returncode == 0
    assert done.stdout
    assert ESCAPE not in done.stdout + done.stderr
    assert not any(line.endswith(" ") for line in done.stdout.splitlines() if "▸" not in line and "?" not in line)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal(monkeypatch, **environment):
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm-256color", **environment}.items():
        monkeypatch.setenv(name, value)
    console = Console(Terminal())
    console.write(Text("moon", "moon.bold"))
    return console


def test_colours_are_used_where_they_are_welcome(monkeypatch):
    assert terminal(monkeypatch).color_system == "256"
    assert ESCAPE in terminal(monkeypatch).file.getvalue()
    assert terminal(monkeypatch, COLORTERM="truecolor").color_system == "truecolor"
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert terminal(monkeypatch, **environment).file.getvalue() == "moon\n"


def test_light_terminals_get_darker_colours(monkeypatch):
    def moon(**environment):
        return terminal(monkeypatch, **environment).get_style("moon").color.name

    assert (moon(COLORFGBG="15;0"), moon(COLORFGBG="0;15")) == ("#f2c14e", "#b9770e")


def test_progress_is_shown_on_a_terminal_only(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with progress(10) as update:
            update(advance=5)
        assert ("5/10" in stream.getvalue()) == shown


# ---- what is missing ---------------------------------------------------------------------------


def without_rich(*words):
    code = f"import sys; sys.modules['rich'] = None; from tsukimi.cli import main; sys.exit(main({list(words)}))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_without_rich_the_command_says_what_to_install():
    for words in (["rules", "dojo"], ["play", "dojo"], ["simulate", "dojo", "--games", "1"]):
        done = without_rich(*words)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "tsukimi[terminal]" in done.stderr


def test_data_for_programs_needs_no_rich():
    done = without_rich("simulate", "dojo", "--games", "1", "--json")
    assert json.loads(done.stdout)["games"] == 1


# ---- check -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    name: str
    ok: bool
    detail: str


def checking(monkeypatch, *results):
    module = ModuleType("tsukimi.check")
    module.run = lambda game, seed=0, games=20: iter(results)
    monkeypatch.setitem(sys.modules, "tsukimi.check", module)
    monkeypatch.setattr(tsukimi, "check", module, raising=False)


def test_check_prints_a_line_per_check_and_fails_if_one_does(monkeypatch):
    good, bad = Result("Every game ends.", True, "20 games"), Result("No secret is seen.", False, "p2 saw 7b")
    checking(monkeypatch, good)
    done = run(monkeypatch, "check", "dojo")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == ["ok      Every game ends. (20 games)", "", "dojo: 1 checks, 0 failed."]
    checking(monkeypatch, good, bad)
    done = run(monkeypatch, "check", "dojo", "--lang", "fr")
    assert done.code == 1
    assert "échec  No secret is seen. (p2 saw 7b)" in done.out
    done = run(monkeypatch, "check", "dojo", "--json")
    assert done.code == 1
    assert json.loads(done.out)[1] == {"name": "No secret is seen.", "ok": False, "detail": "p2 saw 7b"}
    assert run(monkeypatch, "check", "chess").code == 2


def test_every_command_has_help(monkeypatch):
    for command in COMMANDS:
        for lang in ("en", "fr", "es"):
            assert run(monkeypatch, command, "--help", "--lang", lang).code == 0
