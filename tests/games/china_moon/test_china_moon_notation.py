"""The texts of moves and outcomes, and the reasons why a move may not be made."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsukimi
from games.china_moon.china_moon_ponds import hub, line, play, pond, ready
from tsukimi.core import catalogue
from tsukimi.core.spec import CHANCE
from tsukimi.games.china_moon import SPEC

EXAMPLES = [
    "move p1a 2",
    "move p3c goal",
    "trade pink p2 white",
    "trade black p3 yellow",
    "drop yellow",
    "drop yellow a1",
]


def asking(kind: str) -> tsukimi.State:
    """p1 is asked: for a frog, for the way from a spring, for a trade, or for a drop with a choice of pads."""
    pads = {"a": "L t1", "b": "L t1", "p": "P t1", "s": "S c t1", "c": ". d", "d": "B t1"}
    state = ready(hub("a b p s d t1", pads), lilies={"a": "pink", "b": "white"})
    play(state, "move p1a a", "move p2a b", "move p3a t1")
    play(state, "move p3a t3", "move p2b t1", "move p2c t2")
    play(state, "move p2c t5", "move p3b t2", "move p3c t4")
    return play(state, *{"move": [], "spring": ["move p1b s"], "trade": ["move p1b p"], "drop": ["move p1b d"]}[kind])


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_text_is_its_numbers_only_text(text):
    core = ready().core
    move = SPEC.parse(core, 0, text)
    assert 0 <= move < core.move_ids
    assert SPEC.text(core, 0, move) == text


def test_every_number_has_a_text_of_its_own():
    core = ready(players=5).core
    pads = len(core.table.board.ids)
    real = [move for move in range(core.move_ids) if not (move < 960 and pads <= move % 64 < 63)]
    real = [move for move in real if not (move >= 1090 and (move - 1090) % 64 >= pads)]
    texts = [SPEC.text(core, 0, move) for move in real]
    assert len(set(texts)) == len(texts)
    assert [SPEC.parse(core, 0, text) for text in texts] == real


@pytest.mark.parametrize(
    "text",
    [
        "",
        "move",
        "move p1a",
        "move p1a 2 ",
        " move p1a 2",
        "move  p1a 2",
        "Move p1a 2",
        "move P1a 2",
        "move p0a 2",
        "move p6a 2",
        "move p1d 2",
        "move p1 2",
        "move p01a 2",
        "move p1a 2 3",
        "move p1a é",
        "move p1a\t2",
        "move p1a 2\n",
        "trade pink p2",
        "trade red p2 white",
        "trade pink p2 white p3",
        "drop",
        "drop green",
        "drop yellow 1 2",
        "goal 1 pink",
        "first p1",
        "lily 3 pink",
        "x" * 900,
        "move p1a " + "a" * 25,
        "move p١a 2",
    ],
)
def test_any_other_text_is_malformed(text):
    state = ready()
    before = state.record()
    with pytest.raises(tsukimi.MalformedMove):
        state.play(text)
    with pytest.raises(tsukimi.MalformedMove):
        SPEC.parse(state.core, 0, text)
    assert state.record() == before


@given(st.text(max_size=80) | st.from_regex(re.compile("(move|trade|drop|goal|lily|first)[ a-z0-9]*"), fullmatch=True))
def test_no_text_raises_anything_else(text):
    for core, seat in ((ready().core, 0), (tsukimi.new("china-moon", players=3, chance="manual").core, CHANCE)):
        try:
            move = SPEC.parse(core, seat, text)
        except (tsukimi.MalformedMove, tsukimi.IllegalMove):
            continue
        assert SPEC.text(core, seat, move) == text


def test_outcome_texts_can_be_parsed():
    state = tsukimi.new("china-moon", players=4, chance="manual")
    seen = []
    while state.chance:
        for text in state.legal():
            assert state.text(state.parse(text)) == text
        seen.append(state.legal()[-1])
        state.play(state.legal()[-1])
    assert seen[:5] == ["first p4", "goal 1 yellow", "goal 2 white", "goal 3 pink", "lily 3 yellow"]


@pytest.mark.parametrize("text", ["first p1", "goal 2 pink", "lily 3 pink", "lily 4 pink"])
def test_an_outcome_that_cannot_be_now_is_refused(text):
    state = tsukimi.new("china-moon", players=3, chance="manual", first="p1")
    with pytest.raises(tsukimi.IllegalMove) as caught:
        state.play(text)
    assert caught.value.code == "impossible-outcome"
    with pytest.raises(tsukimi.MalformedMove):
        state.play("goal 1 blue")
    state.play("goal 1 pink")
    with pytest.raises(tsukimi.IllegalMove):
        state.play("goal 2 pink")


REASONS = [
    ("move", "trade pink p2 white", "asked-move"),
    ("move", "drop pink", "asked-move"),
    ("move", "move p1b a1", "no-such-pad"),
    ("move", "move p1b start", "no-such-pad"),
    ("move", "move p4a t1", "no-such-player"),
    ("move", "move p1b c", "no-landing-own"),
    ("move", "move p1b goal", "no-landing-own"),
    ("move", "move p2b goal", "no-landing"),
    ("move", "move goal", "no-frog-lands"),
    ("spring", "move p1c t6", "asked-spring"),
    ("spring", "move p1b c", "no-landing-own"),
    ("spring", "move c", "no-frog-lands"),
    ("spring", "drop pink", "asked-spring"),
    ("trade", "move p1c a", "asked-trade"),
    ("trade", "trade pink p1 white", "trade-yourself"),
    ("trade", "trade pink p2 pink", "trade-same-colour"),
    ("trade", "trade blue p2 white", "no-such-lily"),
    ("trade", "trade pink p2 blue", "trade-not-theirs"),
    ("trade", "trade pink p5 white", "no-such-player"),
    ("drop", "move p1c a", "asked-drop"),
    ("drop", "move a", "asked-drop"),
    ("drop", "drop blue c", "no-such-lily"),
    ("drop", "drop pink", "drop-which-pad"),
    ("drop", "drop pink t9", "drop-which-pad"),
    ("drop", "drop pink goal", "no-such-pad"),
]


@pytest.mark.parametrize(("kind", "text", "code"), REASONS)
def test_an_illegal_move_gives_the_reason(kind, text, code):
    state = asking(kind)
    assert state.view(None)["phase"] == kind
    with pytest.raises(tsukimi.IllegalMove) as caught:
        state.play(text, seat=0)
    assert caught.value.code == f"china-moon.{code}"
    for lang in catalogue.LANGUAGES:
        assert len(caught.value.why(lang)) > 10


def test_a_place_alone_says_whether_a_frog_can_land_there_and_what_it_is():
    state = ready()
    reached = {move.split()[2] for move in state.legal()}
    for pad in state.view(None)["board"]["pads"]:
        with pytest.raises(tsukimi.IllegalMove) as caught:
            state.play(f"move {pad['id']}")
        assert caught.value.code == f"china-moon.{'which-frog' if pad['id'] in reached else 'no-frog-lands'}"
        assert caught.value.params == {"kind": pad["kind"]}


def test_a_number_of_a_pad_that_is_not_there_is_refused():
    state = asking("move")
    for move in (3 * 64 + 60, 14 * 64, 1085, 1090 + 60):
        with pytest.raises(tsukimi.IllegalMove):
            state.apply(move)
    with pytest.raises(tsukimi.IllegalMove) as caught:
        asking("drop").apply(1090 + 60)
    assert caught.value.code == "china-moon.no-such-pad"


def test_pad_names_may_look_like_other_words():
    board = pond({"1": ". move", "move": ". p2", "p2": "L pink", "pink": "B t1"})
    state = play(ready(board), "move p1a move", "move p2a p2")
    assert state.text(state.parse("move p3a pink")) == "move p3a pink"


def test_the_words_are_complete_in_three_languages():
    english = catalogue.messages("china-moon", "en")
    for lang in ("fr", "es"):
        other = catalogue.messages("china-moon", lang)
        for section in ("error", "ask", "log", "word"):
            assert set(other[section]) == set(english[section])
            for key, template in english[section].items():
                assert fields(other[section][key]) == fields(template), (lang, section, key)


def fields(template):
    texts = [template] if isinstance(template, str) else template
    return [set(re.findall(r"{(\w+)", text)) for text in texts]


def test_every_error_of_the_game_has_a_text_and_every_word_a_use():
    source = "".join((SPEC.folder / name).read_text("utf-8") for name in ("notation.py", "components.py"))
    for code in catalogue.messages("china-moon", "en")["error"]:
        assert f'"{code}"' in source, code
    used = set(re.findall(r'_bad\("([a-z-]+)"', source)) | {code for _, _, code in REASONS}
    assert used <= set(catalogue.messages("china-moon", "en")["error"])


def test_a_line_board_plays_from_a_record():
    state = play(ready(line("..")), "move p1a 2", "move p2a t1")
    assert tsukimi.replay(state.record()).record() == state.record()
