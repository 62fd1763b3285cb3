"""`tsukimi play`: whole games through a pipe, the commands within a game, the hand-over between two people."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pytest

import tsukimi
from cli.typist import OURS, Typist, run
from tsukimi.cli import guide
from tsukimi.cli.console import Console
from tsukimi.cli.opponents import opponents
from tsukimi.cli.picker import Picker
from tsukimi.cli.session import Session
from tsukimi.core.catalogue import messages
from tsukimi.core.words import Words
from tsukimi.games import spec
from tsukimi.terminal import board_class

TABLES = [
    ("charuma", 2, ["--auction", "off"]),
    ("charuma", 4, []),
    ("china-moon", 3, []),
    ("daruma", 2, ["--edition", "es"]),
    ("daruma", 3, []),
    ("dojo", 3, ["--option", "belt=black"]),
    ("dojo", 4, []),
    *((game, spec(game).seats[0], []) for game in tsukimi.games() if game not in OURS),
]


@pytest.mark.parametrize(("game", "players", "more"), TABLES)
def test_a_whole_game_can_be_played_through_a_pipe(monkeypatch, tmp_path, game, players, more):
    file = tmp_path / "game.txt"
    words = ["play", game, "--players", str(players), "--seed", "3", "--names", "Ana", "--save", str(file), *more]
    done = run(monkeypatch, *words, typed=Typist(1))
    assert done.code == 0
    assert not done.err
    state = tsukimi.replay(file.read_text("utf-8"))
    assert state.over
    assert "Ana" in done.out
    assert "\x1b" not in done.out
    assert max(map(len, done.out.splitlines())) <= 100
    words_of = Words(game, "en", [])
    end = done.out[done.out.rindex("◐") :]
    for row in state.score_sheet():
        assert words_of.row(row) in end
    for seat in state.winners():
        assert state.names[seat] in done.out.split("●")[-1] or "share" in done.out
    for score in state.scores():
        assert str(score) in done.out[-600:].replace("−", "-")


def test_the_menu_asks_for_the_game_and_the_players(monkeypatch):
    done = run(monkeypatch, "play", "--seed", "1", typed="daruma\n2\n\n")
    assert done.code == 0
    assert "Which game?" in done.out
    assert "p2 Botan" in done.out
    assert "p3" not in done.out.split("Daruma")[-1]
    by_enter = run(monkeypatch, "play", "--seed", "1", typed="\n\n\n")
    assert "Charuma" in by_enter.out
    assert "p3 Chiyo" in by_enter.out


def test_the_menu_asks_again_for_what_it_does_not_know(monkeypatch):
    done = run(monkeypatch, "play", typed="chess\n9\n4\n7\n3\n\n")
    assert done.out.count("Please choose from the list.") == 3
    assert "Dojo" in done.out


@pytest.mark.parametrize("lang", ["en", "fr", "es"])
def test_the_game_uses_the_language_of_the_environment_or_of_the_option(monkeypatch, lang):
    ask = messages("charuma", lang)["ask"]["bid"][-1]
    flagged = run(monkeypatch, "play", "charuma", "--lang", lang)
    by_environment = run(monkeypatch, "play", "charuma", LANG=f"{lang}_XX.UTF-8")
    assert ask in " ".join(flagged.out.split())
    assert ask in " ".join(by_environment.out.split())


def test_a_move_is_played_by_its_text_and_an_illegal_one_is_explained(monkeypatch):
    words = ["play", "charuma", "--seed", "4", "--first", "p1", "--players", "2"]
    done = run(monkeypatch, *words, typed="bid 9 A\nplay 7b\nfoo\nbid 2 A\n")
    assert "First comes the auction" in done.out
    assert "is not a move of this game" in done.out
    assert "bids 2 for group A" in done.out


def test_help_rules_log_save_undo_and_quit(monkeypatch, tmp_path):
    file = tmp_path / "kept.txt"
    typed = f"undo\n?\nrules\nrules set-up\nlog\nbid 0 A\nundo\nsave\nsave {file}\nquit\n\n"
    done = run(monkeypatch, "play", "charuma", "--seed", "4", "--first", "p1", "--names", "Ana", typed=typed)
    assert done.code == 0
    assert "You have not made a move yet." in done.out
    assert "take back your last move" in done.out
    assert "▸ Auction" in done.out
    assert "▸ Set-up" in done.out
    assert "Taken back: " in done.out
    assert "Say where" in done.out
    assert "undo" in file.read_text("utf-8")
    again = run(monkeypatch, "play", "--resume", str(file), "--seat", "1", typed="")
    assert again.code == 0
    assert "Ana" in again.out


def test_quit_offers_to_save(monkeypatch, tmp_path):
    file = tmp_path / "left.txt"
    done = run(monkeypatch, "play", "dojo", "--seed", "2", typed=f"quit\n{file}\n")
    assert done.code == 0
    assert file.read_text("utf-8").startswith("tsukimi 1\ngame dojo\n")


def test_the_end_of_the_input_leaves_the_game_quietly(monkeypatch):
    done = run(monkeypatch, "play", "daruma", typed="")
    assert (done.code, done.err) == (0, "")


def test_ctrl_c_leaves_with_130(monkeypatch, tmp_path):
    class Impatient(io.StringIO):
        def readline(self, size=-1, /):
            raise KeyboardInterrupt

    file = tmp_path / "left.txt"
    done = run(monkeypatch, "play", "daruma", "--save", str(file), typed=Impatient())
    assert done.code == 130
    assert file.exists()


def test_adaptive_opponents_learn_from_the_result_and_say_so(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    words = ["play", "daruma", "--players", "2", "--bots", "adaptive", "--ms", "1"]
    first = run(monkeypatch, *words, "--seed", "3", typed=Typist(1))
    kept = tmp_path / "tsukimi" / "practice.json"
    [(key, fit)] = json.loads(kept.read_text("utf-8")).items()
    assert first.code == 0 and key == "daruma/2" and fit["games"] == 1
    assert ("will be a little stronger" if fit["strength"] > 30 else "will be a little weaker") in first.out
    run(monkeypatch, *words, "--seed", "4", typed="quit\n\n")  # left: nothing to learn from
    run(monkeypatch, "play", "daruma", "--players", "3", "--bots", "adaptive,random", "--ms", "1", typed=Typist(1))
    assert json.loads(kept.read_text("utf-8")) == {key: fit}


def test_any_opponent_can_sit_at_the_table():
    asked = []

    def choose(state, seat):
        asked.append(seat)
        return state.actions(seat)[0]

    state = tsukimi.new("dojo", players=3, seed=1)
    console = Console(io.StringIO(), Typist(2))
    assert Session(console, state, {1}, choose, "en").run() == 0
    assert state.over
    assert set(asked) == {0, 2}


# ---- the hand-over ----------------------------------------------------------------------------


class Watched(Console):
    """A console that records everything shown, in order."""

    def __init__(self, seed):
        super().__init__(io.StringIO(), Typist(seed, 160))
        self.shown, self.screen_now = [], ""
        self.check = lambda: None

    def write_lines(self, lines):
        self.screen_now += "\n".join("".join(segment.text for segment in line) for line in lines) + "\n"

    def clear(self, home=True, scrollback=False):
        if scrollback:
            self.shown.append("cleared")
            self.screen_now = ""

    def ask(self, prompt):
        self.shown.append((str(prompt).split()[0], self.screen_now))
        self.check()
        return super().ask("")


def hotseat(game, players, seed):
    state = tsukimi.new(game, players=players, seed=seed)
    console = Watched(seed)
    for seat in range(players):
        state.names[seat] = f"Name{seat}"
    return (
        state,
        console,
        Session(console, state, set(range(players)), opponents("random", state, range(players), 1, 10), "en"),
    )


@pytest.mark.parametrize("game", ["charuma", "daruma", "dojo"])
def test_the_screen_is_cleared_whenever_the_keyboard_changes_hands(game):
    _, console, session = hotseat(game, 3, 5)
    session.run()
    sitting, changes = None, 0
    for before, here in zip([None, *console.shown], console.shown, strict=False):
        if here == "cleared" or not here[0].startswith("Name"):
            continue
        if here[0] != sitting:
            changes += 1
            assert before == "cleared"
            sitting = here[0]
    assert changes > 10 or game == "daruma"
    assert changes > 1


def test_hidden_cards_of_others_are_never_on_the_screen():
    state, console, session = hotseat("charuma", 3, 8)
    looks = []

    def check():
        sitting = session.sitting
        if sitting is None:
            return
        played = {card for event in state.events(None) if event["type"] == "play" for card in event["cards"]}
        hands = [set(state.view(seat)["hands"][seat]["hidden"]) for seat in range(3)]
        may = hands[sitting] | played
        for other in range(3):
            for card in hands[other] - may:
                looks.append(card)
                assert card not in console.screen_now

    console.check = check
    session.run()
    assert len(looks) > 30


def test_the_screen_shows_no_more_than_the_seat_knows():
    """Everything secret redrawn: the seat's screen stays the same."""
    for game in ("charuma", "daruma", "dojo"):
        state = tsukimi.new(game, players=3, seed=6)
        luck = random.Random(6)
        for step in range(40):
            if state.over:
                break
            seat = luck.choice(state.actors)
            if step % 8 == 0:
                assert _screen(state, seat) == _screen(state.resample(seat, step), seat)
            state.apply(luck.choice(state.actions(seat)), seat)


def _screen(state, seat):
    console = Console(io.StringIO(), io.StringIO("log\n"))
    Session(console, state.copy(), {seat}, lambda *_: 0, "en").run()
    return console.file.getvalue()


def test_the_screen_is_not_cleared_where_nothing_is_hidden():
    _, console, session = hotseat("china-moon", 3, 5)
    session.run()
    assert "cleared" not in console.shown


# ---- the list of moves -------------------------------------------------------------------------


def test_long_lists_are_paged_and_narrowed_by_a_prefix():
    picker = Picker([f"reroll {i}" for i in range(1, 200)] + ["stop"])
    first = picker.lines(80, 5)
    assert len(first) == 5
    assert picker.pages[1] > 5
    picker.turn_page()
    assert picker.lines(80, 5) != first
    assert not picker.narrow("paint")
    assert picker.narrow("reroll 19")
    assert len(picker.found) == 11
    assert picker.move("200") == "stop"
    assert picker.move("reroll 7") == "reroll 7"
    assert picker.move("Reroll  7") == "reroll 7"
    assert picker.move("201") is None
    assert picker.move("") is None
    assert picker.narrow("sto")
    assert picker.move("") == "stop"


def test_every_game_has_a_guide_section_for_every_question():
    for game in OURS:
        state, luck = tsukimi.new(game, players=3, seed=1), random.Random(1)
        board = board_class(state.spec)(game, "en", ["a", "b", "c"], colour=False)
        texts = [guide.text(state.spec, lang) for lang in ("en", "fr", "es")]
        while not state.over:
            seat = state.actors[0]
            wanted = board.anchors(state.view(seat))
            for text in texts:
                assert guide.section(text, wanted), (game, wanted)
            state.apply(luck.choice(state.actions(seat)), seat)
        assert guide.section(texts[0], board.anchors(state.view(0)))


def test_the_record_that_is_saved_is_that_of_the_game(monkeypatch, tmp_path):
    file = tmp_path / "record.txt"
    run(monkeypatch, "play", "china-moon", "--seed", "9", "--save", str(file), typed=Typist(5))
    text = Path(file).read_text("utf-8")
    assert tsukimi.replay(text).record() == text
