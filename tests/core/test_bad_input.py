"""Bad options, components and records: a clear error of the right class, never a crash, a hang or a changed state."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsukimi
from conformance.variants import ALL, IDS, played
from tsukimi.core import catalogue
from tsukimi.core.errors import IllegalMove, TsukimiError
from tsukimi.games import spec

every_game = pytest.mark.parametrize("game", tsukimi.games())


@pytest.mark.parametrize("game", ["chess", "", "Charuma", "china_moon", "../daruma", "charuma "])
def test_an_unknown_game_is_bad_options(game):
    with pytest.raises(tsukimi.BadOptions):
        tsukimi.new(game, players=3)


@every_game
@pytest.mark.parametrize("players", [0, 1, 6, -3, 10**9, "3", 3.0, None, True, [3]])
def test_a_wrong_number_of_players_is_bad_options(game, players):
    with pytest.raises(tsukimi.BadOptions):
        tsukimi.new(game, players=players)


@every_game
@pytest.mark.parametrize(
    "options",
    [
        {"first": "p9"},
        {"first": "p0"},
        {"first": 1},
        {"edition": "de"},
        {"auction": "maybe"},
        {"belt": "pink"},
        {"x": "y"},
    ],
)
def test_wrong_options_are_bad_options(game, options):
    with pytest.raises(tsukimi.BadOptions) as caught:
        tsukimi.new(game, players=min(spec(game).seats), **options)
    assert next(iter(options)) in str(caught.value)


@every_game
def test_chance_and_seed_are_checked(game):
    with pytest.raises(tsukimi.BadOptions):
        tsukimi.new(game, players=min(spec(game).seats), chance="maybe")
    with pytest.raises(tsukimi.BadOptions):
        tsukimi.new(game, players=min(spec(game).seats), seed=1.5)


def test_seeds_of_different_kinds_are_different_seeds():
    records = {tsukimi.new("daruma", players=2, seed=seed).record() for seed in (7, "7", b"7", 8, -7, 10**40, "é")}
    assert len(records) == 7
    assert tsukimi.new("daruma", players=2).record() != tsukimi.new("daruma", players=2).record()


@every_game
@pytest.mark.parametrize("seat", [-1, 9, 1.0, "0", True, 10**30])
def test_a_seat_that_is_not_there_is_refused(game, seat):
    state = tsukimi.new(game, players=min(spec(game).seats), seed=1)
    for ask in (state.view, state.events, state.resample):
        with pytest.raises(tsukimi.BadOptions):
            ask(seat)
    for act in (state.play, state.apply, state.parse, state.text):
        with pytest.raises(tsukimi.NotYourTurn):
            act("pass", seat)
    assert state.legal(seat) == []


@pytest.mark.parametrize("components", [7, 3.5, ["a"], b"x", "/no/such/file.toml", "/", "\0"])
@pytest.mark.parametrize("game", ["china-moon", "daruma", "dojo"])
def test_components_that_are_neither_a_file_nor_data_are_bad_components(game, components):
    with pytest.raises(tsukimi.BadComponents):
        tsukimi.new(game, players=3, components=components)


def test_charuma_has_no_components():
    with pytest.raises(tsukimi.BadComponents):
        tsukimi.new("charuma", players=3, components={})


@pytest.mark.parametrize("game", ["china-moon", "daruma", "dojo"])
def test_component_files_that_are_not_toml_are_bad_components(game, tmp_path):
    for i, content in enumerate([b"\xff\xfe\x00", b"a = ", b"a = [" * 5000, b"", b"x" * 3_000_000]):
        path = tmp_path / f"{i}.toml"
        path.write_bytes(content)
        with pytest.raises(tsukimi.BadComponents):
            tsukimi.new(game, players=3, components=path)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 80) | st.floats(allow_nan=True) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
KEYS = [
    "colours",
    "daruma",
    "objective",
    "token",
    "tatami",
    "start",
    "pad",
    "id",
    "kind",
    "next",
    "colour",
    "action",
    "count",
    "good",
    "bad",
    "disciple",
    "belt",
    "x",
    "y",
]


@pytest.mark.parametrize("game", ["china-moon", "daruma", "dojo"])
@given(data=st.data())
def test_arbitrary_component_data_never_breaks_the_loader(game, data):
    table = st.dictionaries(st.sampled_from(KEYS), json_values, max_size=6)
    components = data.draw(
        st.dictionaries(st.sampled_from(KEYS), json_values | st.lists(table, max_size=4), max_size=5)
    )
    with pytest.raises(tsukimi.BadComponents):
        tsukimi.new(game, players=3, components=components)


@pytest.mark.parametrize("game", ["china-moon", "daruma", "dojo"])
@given(data=st.data())
def test_edited_components_play_or_are_refused(game, data):
    import tomllib

    from tsukimi.games import spec

    components = tomllib.loads((spec(game).folder / "components.toml").read_text("utf-8"))
    for _ in range(data.draw(st.integers(1, 3))):
        _edit(components, data)
    try:
        state = tsukimi.new(game, players=3, seed=1, components=components)
    except tsukimi.BadComponents as problem:
        assert all(len(problem.message(lang)) > 10 for lang in ("en", "fr", "es"))
        return
    luck = random.Random(1)
    for _ in range(200):
        if not state.over:
            state.apply(luck.choice(state.actions()))
    assert tsukimi.replay(state.record()).lines() == state.lines()


def _edit(value, data):
    while True:
        if isinstance(value, dict) and value:
            key = data.draw(st.sampled_from(sorted(value)))
        elif isinstance(value, list) and value:
            key = data.draw(st.integers(0, len(value) - 1))
        else:
            return
        if not isinstance(value[key], dict | list) or not value[key] or data.draw(st.integers(0, 5)) == 0:
            what = data.draw(st.sampled_from(["replace", "delete", "double"]))
            if what == "delete":
                del value[key]
            elif what == "double" and isinstance(value, list):
                value.append(value[key])
            else:
                value[key] = data.draw(
                    st.integers(-1, 200) | st.sampled_from(["gold", "red", "goal", "lily", "swap", "", "1", "é"])
                )
            return
        value = value[key]


def test_records_of_another_kind_are_bad_records():
    for text in [
        "",
        "\n",
        "hello",
        "tsukimi 2\n",
        "tsukimi 1",
        "tsukimi 1\n---\n",
        "\x00" * 100,
        "é" * 100,
        "---\n---\n---\n",
    ]:
        with pytest.raises(tsukimi.BadRecord):
            tsukimi.replay(text)
    for thing in (None, 7, b"tsukimi 1\n", []):
        with pytest.raises(tsukimi.BadRecord):
            tsukimi.replay(thing)


@pytest.mark.parametrize("variant", ALL[::4], ids=IDS[::4])
def test_truncated_records_are_unfinished_games_or_bad_records(variant):
    text = played(variant, 1).record()
    luck = random.Random(2)
    for _ in range(25):
        cut = text[: luck.randrange(len(text))]
        try:
            state = tsukimi.replay(cut, chance="manual")
        except tsukimi.BadRecord as problem:
            assert all(len(problem.message(lang)) > 10 for lang in ("en", "fr", "es"))
        else:
            assert text.startswith("\n".join(state.record().splitlines()))


@pytest.mark.parametrize("variant", ALL[::4], ids=IDS[::4])
def test_edited_records_replay_or_are_bad_records(variant):
    text = played(variant, 3).record()
    luck = random.Random(4)
    for _ in range(40):
        lines = text.split("\n")
        where = luck.randrange(len(lines))
        what = luck.randrange(5)
        if what == 0:
            del lines[where]
        elif what == 1:
            lines.insert(where, lines[luck.randrange(len(lines))])
        elif what == 2:
            other = luck.randrange(len(lines))
            lines[where], lines[other] = lines[other], lines[where]
        elif what == 3:
            lines[where] = lines[where].replace(luck.choice("0123456789pbr "), luck.choice("0123456789pbr \x00é"), 1)
        else:
            lines[where] = luck.choice(
                ["undo 1", "undo 99999999", "undo -1", "undo", "---", "p9 pass", "p1", "first p1", "x" * 10**5]
            )
        try:
            state = tsukimi.replay("\n".join(lines), seed=1)
        except tsukimi.BadRecord as problem:
            assert "ine" in str(problem)
        else:
            assert tsukimi.replay(state.record()).record() == state.record()


def test_a_bad_record_says_the_line():
    lines = tsukimi.new("charuma", players=3, seed=1, first="p1").record().split("\n")
    lines[lines.index("---") + 2] = "deal 99z"
    with pytest.raises(tsukimi.BadRecord) as caught:
        tsukimi.replay("\n".join(lines))
    assert caught.value.params["line"] == lines.index("deal 99z") + 1


@pytest.mark.parametrize("filler", ["x", "\n", "a\n", "undo 1\n", "seat 1 x\n", "p1 pass\n"])
def test_huge_records_are_refused_at_once(filler):
    started = time.perf_counter()
    with pytest.raises(tsukimi.BadRecord):
        tsukimi.replay("tsukimi 1\n" + filler * (100_000_000 // len(filler)))
    assert time.perf_counter() - started < 10


def test_large_records_of_nonsense_are_refused_soon():
    body = "tsukimi 1\ngame daruma\nplayers 2\n---\n" + "first p1\n" * 100_000
    started = time.perf_counter()
    with pytest.raises(tsukimi.BadRecord):
        tsukimi.replay(body)
    with pytest.raises(tsukimi.BadRecord):
        tsukimi.replay("tsukimi 1\ngame dojo\nplayers 3\ncomponents " + "[" * 100_000 + "\n---\n")
    assert time.perf_counter() - started < 10


def test_every_error_is_in_three_languages_with_the_same_parameters():
    from string import Formatter

    for game in ["", *tsukimi.games()]:
        if game:
            spec(game)
        tables = {lang: catalogue.messages(game, lang) for lang in catalogue.LANGUAGES}
        for section in tables["en"]:
            assert tables["fr"][section].keys() == tables["en"][section].keys() == tables["es"][section].keys(), (
                game,
                section,
            )
            for key, english in tables["en"][section].items():
                for lang in ("fr", "es"):
                    for ours, theirs in zip(_list(english), _list(tables[lang][section][key]), strict=True):
                        fields = [{f for _, f, _, _ in Formatter().parse(text) if f} for text in (ours, theirs)]
                        assert fields[0] == fields[1], (game, section, key, lang)


def _list(value):
    return value if isinstance(value, list) else [value]


def test_errors_are_value_errors_with_a_code_and_survive_pickling():
    import pickle

    state = tsukimi.new("charuma", players=3, seed=1)
    with pytest.raises(ValueError, match="not a move") as caught:
        state.play("castle")
    assert isinstance(caught.value, TsukimiError)
    assert caught.value.code
    again = pickle.loads(pickle.dumps(IllegalMove("impossible-outcome", legal=["a"])))
    assert (again.code, again.legal, str(again)) == ("impossible-outcome", ["a"], "This cannot happen now. Legal: a.")
