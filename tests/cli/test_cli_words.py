"""Words: every key in three languages, a sentence for every event, boards that fit the screen."""

from __future__ import annotations

import random
import re
from string import Formatter

import pytest

import tsukimi
from tsukimi.cli import boards, story
from tsukimi.cli.boards import lanes
from tsukimi.cli.style import INDEXED, PLAIN, TRUE, Style, bare, clip, pad, width, wrap
from tsukimi.cli.watching import Film
from tsukimi.cli.words import Words
from tsukimi.core import catalogue
from tsukimi.games import spec

LANGUAGES = ("en", "fr", "es")
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


@pytest.mark.parametrize("name", ["", "cli", *tsukimi.games()])
def test_every_message_is_there_in_three_languages_with_the_same_fields(name):
    if name not in ("", "cli"):
        spec(name)
    english = dict(flat(catalogue.messages(name, "en")))
    for lang in ("fr", "es"):
        other = dict(flat(catalogue.messages(name, lang)))
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
    told = [state.events(seat) for seat in (None, *range(players))] + [Film(state, None, "en").events]
    for lang in LANGUAGES:
        words = Words(game, lang, names)
        for events in told:
            sentences = story.sentences(events, words)
            assert len(sentences) > 20
            for sentence in sentences:
                assert "{" not in sentence
                assert sentence[0].isupper() or sentence[0] in "¡¿«" or sentence.split()[0] in names
                assert sentence[-1] in ".!?"


NOTATION = re.compile(r"\bp[1-5]|\b(10|[A2-9])[br]\b|\*|[a-z]\.[a-z]|(monkey|fox|tigress|crane|bear|raccoon)\d")


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_the_story_of_a_game_has_no_notation_in_it(game, players, options):
    events = Film(played(game, players, options), None, "en").events
    for lang in LANGUAGES:
        words = Words(game, lang, ["Ana", "Bo", "Cy", "Di", "Eo"][:players])
        for sentence in story.sentences(events, words):
            assert not NOTATION.search(sentence), sentence


def test_what_is_ones_own_is_called_so():
    words = Words("dojo", "en", ["Ana", "Bo"])
    give = {"type": "give", "seat": 0, "card": "fox3"}
    assert words.event({**give, "to": 0}) == "Ana keeps the green-belt fox."
    assert words.event({**give, "to": 1}) == "Ana gives the green-belt fox to Bo."
    assert words.word("p2") == "Bo"


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_boards_fit_into_eighty_columns_for_every_seat_and_language(game, players, options):
    state, luck = tsukimi.new(game, players=players, seed=2, chance="manual", **options), random.Random(2)
    board, names = boards.of(game), ["Ana", "Bo-Lieselotte the Great", "Cy", "Di", "Eo"][:players]
    step = 0
    while not state.over and step < 400:
        if step % 29 == 0 or step < 3:
            look(board, state, names, LANGUAGES[step // 29 % 3])
        if state.chance:
            chances = state.spec.outcomes(state.core)
            state.apply(luck.choices([what for what, _ in chances], [p for _, p in chances])[0])
        else:
            seat = luck.choice(state.actors)
            state.apply(luck.choice(state.actions(seat)), seat)
        step += 1
    look(board, state, names, "es")


def look(board, state, names, lang):
    words = Words(state.game, lang, names)
    for seat in (None, *range(state.players)):
        moves = [] if state.chance or seat is None else state.legal(seat)
        view = {**state.view(seat), "moves": moves}
        for depth in (PLAIN, TRUE):
            lines = board.draw(view, Style(depth), names, lang)
            assert max(map(width, lines)) <= 80, [bare(line) for line in lines if width(line) > 80]
        assert "\x1b" not in "".join(board.draw(view, Style(PLAIN), names, lang))
        assert all(width(board.gloss(move, view, Style(PLAIN), words)) < 30 for move in moves[:40])
        if moves:
            assert words.ask(view).endswith((".", "?"))
        assert width(board.headline(view, words)) < 60


def test_every_question_is_asked_in_words():
    for game in tsukimi.games():
        state = tsukimi.new(game, players=3, seed=1)
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


def test_colours_take_no_room():
    for depth in (INDEXED, TRUE):
        style = Style(depth)
        assert width(style("moon", "moon", bold=True)) == 4
        assert bare(style("moon", "moon", "ink")) == "moon"
    assert pad("é月", 5) == "é月  "
    assert clip("abcdef", 4) == "abc…"


def test_lines_are_broken_at_spaces():
    lines = wrap("one two three four", 9, "- ")
    assert lines == ["- one two", "  three", "  four"]
    assert wrap("", 9) == [""]
    assert wrap("est-ce toi ?", 10) == ["est-ce", "toi ?"]
