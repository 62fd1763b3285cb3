"""Words: every key in three languages, a sentence for every event, boards that fit the screen."""

from __future__ import annotations

import io
import random
import re
import tomllib
from pathlib import Path
from string import Formatter

import pytest
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import ConsoleDimensions

import tsukimi
from cli.typist import OURS
from tsukimi import cli, core
from tsukimi.cli import log
from tsukimi.cli.console import Console
from tsukimi.cli.options import usual_players
from tsukimi.cli.viewer import Viewer
from tsukimi.core.words import Words
from tsukimi.games import spec
from tsukimi.games.china_moon import lanes
from tsukimi.terminal import Board, board_class, clip, item, line, pad

LANGUAGES = ("en", "fr", "es")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
TABLES = [
    ("charuma", 2, {}),
    ("charuma", 3, {"auction": "off"}),
    ("charuma", 5, {"auction": "from-second"}),
    ("china-moon", 5, {}),
    ("daruma", 2, {}),
    ("daruma", 5, {"edition": "es"}),
    ("dojo", 3, {"belt": "black"}),
    ("dojo", 4, {"belt": "white"}),
    ("dojo", 5, {}),
]


def flat(table, path=()):
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, (*path, key))
        else:
            yield (*path, key), value


def fields(template):
    return {name for _, name, _, _ in Formatter().parse(template) if name}


FOLDERS = [Path(package.__file__).parent for package in (core, cli)] + [spec(game).folder for game in OURS]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_message_is_there_in_three_languages_with_the_same_fields(folder):
    texts = {
        lang: dict(flat(tomllib.loads((folder / "messages" / f"{lang}.toml").read_text("utf-8")))) for lang in LANGUAGES
    }
    english = texts["en"]
    for lang in ("fr", "es"):
        other = texts[lang]
        assert other.keys() == english.keys(), lang
        for key, text in other.items():
            if isinstance(text, str) and isinstance(english[key], str):
                assert fields(text) == fields(english[key]), key
            elif key[0] != "command":
                assert [fields(one) for one in text] == [fields(one) for one in english[key]], key


def played(game, players, options, most=400):
    state, luck = tsukimi.new(game, players=players, seed=11, **options), random.Random(3)
    for _ in range(most):
        if state.over:
            break
        seat = luck.choice(state.actors)
        state.apply(luck.choice(state.actions(seat)), seat)
    return state


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_every_event_has_a_sentence_in_three_languages(game, players, options):
    state = played(game, players, options)
    state.undo(2)
    names = ["Ana", "Bo", "Cy", "Di", "Eo"][:players]
    seen = [state.events(seat) for seat in (None, *range(players))] + [Viewer(state, None, "en").events]
    for lang in LANGUAGES:
        words = Words(game, lang, names)
        for events in seen:
            sentences = log.sentences(events, words)
            assert len(sentences) > 20
            for sentence in sentences:
                assert "{" not in sentence
                assert sentence[0].isupper() or sentence[0] in "¡¿«" or sentence.split()[0] in names
                assert sentence[-1] in ".!?"


NOTATION = re.compile(r"\bp[1-5]|\b(10|[A2-9])[br]\b|\*|[a-z]\.[a-z]|(monkey|fox|tigress|crane|bear|raccoon)\d")


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_the_story_of_a_game_has_no_notation_in_it(game, players, options):
    events = Viewer(played(game, players, options), None, "en").events
    for lang in LANGUAGES:
        words = Words(game, lang, ["Ana", "Bo", "Cy", "Di", "Eo"][:players])
        for sentence in log.sentences(events, words):
            assert not NOTATION.search(sentence), sentence


def test_the_players_own_components_are_marked_as_such():
    words = Words("dojo", "en", ["Ana", "Bo"])
    give = {"type": "give", "seat": 0, "card": "fox3"}
    assert words.event({**give, "to": 0}) == "Ana keeps the green-belt fox."
    assert words.event({**give, "to": 1}) == "Ana gives the green-belt fox to Bo."
    assert words.word("p2") == "Bo"


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_boards_fit_into_eighty_columns_for_every_seat_and_language(game, players, options):
    state, luck = tsukimi.new(game, players=players, seed=2, chance="manual", **options), random.Random(2)
    names = ["Ana", "Bo-Lieselotte the Great", "Cy", "Di", "Eo"][:players]
    step = 0
    while not state.over and step < 400:
        if step % 29 == 0 or step < 3:
            look(board_class(state.spec), state, names, LANGUAGES[step // 29 % 3])
        if step in (0, 145):
            look(Board, state, names, LANGUAGES[step % 3])
        if state.chance:
            chances = state.spec.outcomes(state.core)
            state.apply(luck.choices([what for what, _ in chances], [p for _, p in chances])[0])
        else:
            seat = luck.choice(state.actors)
            state.apply(luck.choice(state.actions(seat)), seat)
        step += 1
    look(board_class(state.spec), state, names, "es")
    look(Board, state, names, "es")


def look(kind, state, names, lang):
    for colour in (False, True):
        board = kind(state.game, lang, names, colour)
        for seat in (None, *range(state.players)):
            moves = [] if state.chance or seat is None else state.legal(seat)
            view = {**state.view(seat), "moves": moves}
            lines = shown(board.draw(view), colour, 80 if kind is Board else 200)
            assert ("\x1b" in "".join(lines)) == colour
            assert max(cell_len(ESCAPE.sub("", text)) for text in lines) <= 80, lines
            assert all(board.gloss(move, view).cell_len < 30 for move in moves[:40])
            assert cell_len(board.headline(view)) < 60
            if moves:
                assert board.words.ask(view).endswith((".", "?"))


class Wide(Console):
    """A console of any width, with or without colours."""

    def __init__(self, columns, colour):
        super().__init__(io.StringIO())
        self.columns = columns
        self._color_system = ColorSystem.TRUECOLOR if colour else None

    @property
    def size(self):
        return ConsoleDimensions(self.columns, 40)


def shown(part, colour, columns):
    console = Wide(columns, colour)
    console.write(part)
    return console.file.getvalue().splitlines()


def test_every_question_is_asked_in_words():
    for game in tsukimi.games():
        state = tsukimi.new(game, players=usual_players(spec(game).seats), seed=1)
        for lang in LANGUAGES:
            assert Words(game, lang, ["a", "b", "c"]).ask(state.view(state.actors[0]))


# ---- lanes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("nexts", "first"),
    [
        ({"a": ["b"], "b": ["goal"]}, ["a"]),
        ({"a": ["c"], "b": ["c"], "c": ["goal"]}, ["a", "b"]),
        ({"a": ["b", "c", "d"], "b": ["e"], "c": ["e"], "d": ["f"], "f": ["e"], "e": ["goal"]}, ["a"]),
        ({"a": ["b", "e"], "b": ["c", "d"], "c": ["e"], "d": ["e"], "e": ["goal"]}, ["a"]),
    ],
)
def test_pads_have_places_of_their_own_and_every_step_leads_on(nexts, first):
    where = lanes.spots(nexts, first)
    assert where.keys() == nexts.keys()
    assert len(set(where.values())) == len(where)
    for pad_, afters in nexts.items():
        for after in afters:
            if after in where:
                assert where[after][0] > where[pad_][0]
    turns, _, _ = lanes.gaps(nexts, where)
    assert all(turn in lanes.LINES for turn in turns.values())


# ---- text --------------------------------------------------------------------------------------


def test_text_is_padded_and_cut_by_columns():
    assert pad("é月", 5).plain == "é月  "
    assert pad("ab", 5, "right").plain == "   ab"
    assert pad("ab", 5, "center").plain == " ab  "
    assert pad("abcdef", 5).plain == "abcdef"
    assert clip("abcdef", 4) == "abc…"
    assert clip("abc", 4) == "abc"


def test_a_paragraph_hangs_behind_its_mark():
    assert shown(item("- ", "one two three four"), False, 9) == ["- one two", "  three", "  four"]


def test_a_line_is_never_broken():
    assert shown(line("one ", ("two", "moon"), " three"), False, 8) == ["one two…"]
