"""The texts of Dojo, its components, its messages, and that compiled and plain rules are the same game."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsukimi
from games.dojo.dojo_builders import all_pass, next_cards, play, recruit, table
from tsukimi.core import catalogue
from tsukimi.core.rng import Rng
from tsukimi.core.spec import CHANCE
from tsukimi.games.dojo import SPEC, notation


def positions(players=4, belt="black", seed=1):
    core = SPEC.start(SPEC.load(default_components(), players), players, {"belt": belt, "first": "random"})
    rng = Rng(seed)
    while not core.over:
        yield core
        if core.chance:
            core.apply(core.sample_outcome(rng))
        else:
            seat = core.actors[rng.randrange(len(core.actors))]
            core.apply(core.random_action(seat, rng), seat)


def default_components():
    return tomllib.loads((SPEC.folder / "components.toml").read_text("utf-8"))


@pytest.mark.parametrize(("players", "belt"), [(3, "black"), (4, "classic"), (5, "white")])
def test_every_move_and_outcome_has_one_text_and_parses_back(players, belt):
    words = set()
    for core in positions(players, belt):
        for seat in core.actors:
            moves = core.actions(seat)
            texts = [SPEC.text(core, seat, move) for move in moves]
            assert len(set(texts)) == len(moves) > 0
            assert [SPEC.parse(core, seat, text) for text in texts] == moves
            words |= {text.split()[0] for text in texts}
        if core.chance:
            outcomes = [what for what, _ in SPEC.outcomes(core)]
            texts = [SPEC.text(core, CHANCE, what) for what in outcomes]
            assert len(set(texts)) == len(outcomes)
            assert [SPEC.parse(core, CHANCE, text) for text in texts] == outcomes
    assert words >= {"give", "challenge", "pass", "swap", "keep", "place"}


def test_the_numbers_of_moves_are_the_rules_own():
    assert len(notation.MOVES) == table().core.move_ids
    state = recruit(table(), "fox1", "fox2", "fox3", "fox4")
    assert state.actions(1) == [notation.NUMBERS["challenge"], notation.NUMBERS["pass"]]


def test_random_moves_are_uniform_over_the_legal_ones():
    state = all_pass(recruit(table(3), "fox1", "fox2", "fox3"))
    for seat in range(3):
        state.play("place 0 0", seat)
    all_pass(recruit(state, *next_cards(state)))
    rng = Rng(1)
    seen = [state.core.random_action(0, rng) for _ in range(4000)]
    assert set(seen) == set(state.actions(0))
    assert all(850 < seen.count(move) < 1150 for move in state.actions(0))


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "\x00", "give", "give p0", "give p6", "give p2 ", " give p2", "give  p2", "Give p2", "give p02"),
        *("place 0", "place 0 0 0", "place 00 0", "place -0 0", "place +1 0", "place 0,0", "place 1e0 0", "place ٣ 0"),
        *("place 12345 0", "throw Rock", "throw", "trophy row", "trophy line 0", "trophy incense", "draw fox4"),
        *("challenge p1", "p1 give p2", "swap\n"),
    ],
)
def test_a_text_outside_the_grammar_is_malformed(text):
    state = play(table(), "trophy broom", "draw fox4")
    with pytest.raises(tsukimi.MalformedMove):
        state.play(text)


@pytest.mark.parametrize(
    "text", ["", "first p1", "draw", "draw fox0", "draw fox6", "draw wolf1", "draw Fox1", "deal p1 fox1 ", "give p1"]
)
def test_a_text_that_is_not_an_outcome_here_is_refused(text):
    state = play(table(), "trophy broom")
    with pytest.raises((tsukimi.MalformedMove, tsukimi.IllegalMove)):
        state.play(text)
    assert state.view(None)["phase"] == "draw"


@given(st.text(max_size=40), st.sampled_from(["draw", "give", "place"]))
def test_no_text_raises_anything_but_our_errors(text, phase):
    state = table()
    if phase != "draw":
        play(state, "trophy broom", "draw fox4")
    if phase == "place":
        play(state, "p1 give p1")
        all_pass(recruit(play(state, "draw fox3", "p1 give p2", "draw fox2", "p1 give p3", "draw fox1", "p1 give p4")))
    seat = CHANCE if phase == "draw" else 0
    for candidate in (text, f"place {text}", f"draw {text}", f"give p{text}", text * 50):
        try:
            SPEC.parse(state.core, seat, candidate)
        except tsukimi.TsukimiError as problem:
            assert str(problem)


@pytest.mark.parametrize(
    ("text", "code"),
    [("give p5", "no-such-player"), ("pass", "not-now-give"), ("place 0 0", "not-now-give"), ("place 9 9", "no-fit")],
)
def test_a_move_that_cannot_be_made_now_is_illegal_and_gives_the_reason(text, code):
    state = play(table(), "trophy broom", "draw fox4")
    with pytest.raises(tsukimi.IllegalMove) as problem:
        state.play(text)
    assert problem.value.code == f"dojo.{code}"
    assert problem.value.legal == state.legal()
    for lang in catalogue.LANGUAGES:
        assert problem.value.message(lang)


def test_every_illegal_move_has_a_reason_in_three_languages():
    for core in positions(3, "black", 4):
        for seat in core.actors[:1]:
            legal = core.actions(seat)
            for move in range(0, core.move_ids, 3):
                if move not in legal:
                    code, params = SPEC.reason(core, seat, move)
                    for lang in catalogue.LANGUAGES:
                        assert catalogue.say("error", code, params, lang)


def test_a_record_replays_to_the_same_game():
    state = tsukimi.new("dojo", players=5, seed=3, belt="black")
    rng = Rng(2)
    while not state.over:
        seat = state.actors[-1]
        state.apply(state.core.random_action(seat, rng), seat)
    record = state.record()
    again = tsukimi.replay(record)
    assert again.record() == record
    assert again.scores() == state.scores()


# ---- messages --------------------------------------------------------------------------------


def test_the_messages_are_complete_in_three_languages():
    english = catalogue.messages("dojo", "en")
    for lang in ("fr", "es"):
        other = catalogue.messages("dojo", lang)
        assert {section: set(table) for section, table in other.items()} == {
            section: set(table) for section, table in english.items()
        }
    cards = {*notation.CARDS, *notation.DISCIPLES, *notation.TROPHIES, *notation.HANDS, *notation.BELTS}
    assert cards <= set(english["word"])


@pytest.mark.parametrize(("players", "belt"), [(3, "black"), (5, "classic"), (4, "white")])
def test_every_event_has_a_text_for_every_observer_and_every_question_too(players, belt):
    state = tsukimi.new("dojo", players=players, seed=5, belt=belt)
    rng = Rng(2)
    asked = set()
    while not state.over:
        asked.add(state.view(None)["ask"])
        seat = state.actors[0]
        state.apply(state.core.random_action(seat, rng), seat)
    for lang in catalogue.LANGUAGES:
        for observer in (None, 0, 1):
            for event in state.events(observer):
                assert catalogue.say("log", f"dojo.{event['type']}", event, lang)
        for ask in asked:
            assert catalogue.say("ask", f"dojo.{ask}", {}, lang)


# ---- components ------------------------------------------------------------------------------


def test_the_box_has_sixty_tatamis_six_disciples_by_five_belts_twice():
    entries = default_components()["tatami"]
    assert {(entry["disciple"], entry["belt"]) for entry in entries} == {
        (disciple, belt) for disciple in notation.DISCIPLES for belt in range(1, 6)
    }
    assert {entry["count"] for entry in entries} == {2}
    assert table().core.pile == 60


FOX = {"disciple": "fox", "belt": 1, "count": 36}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({}, "no-tatami"),
        ({"tatami": []}, "no-tatami"),
        ({"tatami": "fox"}, "no-tatami"),
        ({"tatami": [FOX], "trophy": []}, "unknown-key"),
        ({"tatami": [5]}, "not-a-table"),
        ({"tatami": [{**FOX, "colour": 1}]}, "unknown-key"),
        ({"tatami": [{**FOX, "disciple": "wolf"}]}, "bad-disciple"),
        ({"tatami": [{**FOX, "disciple": ["fox"]}]}, "bad-disciple"),
        ({"tatami": [{"belt": 1, "count": 36}]}, "bad-disciple"),
        ({"tatami": [{**FOX, "belt": 0}]}, "bad-number"),
        ({"tatami": [{**FOX, "belt": 6}]}, "bad-number"),
        ({"tatami": [{**FOX, "belt": True}]}, "bad-number"),
        ({"tatami": [{**FOX, "count": 0}]}, "bad-number"),
        ({"tatami": [{**FOX, "count": 101}]}, "bad-number"),
        ({"tatami": [{**FOX, "count": 36.0}]}, "bad-number"),
        ({"tatami": [FOX, FOX]}, "twice"),
        ({"tatami": [FOX] * 31}, "too-many-entries"),
        ({"tatami": [{**FOX, "count": 35}]}, "too-few"),
    ],
)
def test_bad_components_say_what_and_where(data, code):
    with pytest.raises(tsukimi.BadComponents) as problem:
        tsukimi.new("dojo", players=3, components=data)
    assert problem.value.code == f"dojo.{code}"
    for lang in catalogue.LANGUAGES:
        assert problem.value.message(lang)


def test_at_least_twelve_cards_per_player_are_needed():
    tsukimi.new("dojo", players=3, seed=1, components={"tatami": [FOX]})
    with pytest.raises(tsukimi.BadComponents):
        tsukimi.new("dojo", players=4, components={"tatami": [FOX]})


# ---- speed and sameness ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "belt", "expected"),
    [(3, "classic", 191530086), (4, "classic", 146660085), (4, "black", 358284465), (5, "white", 24101026)],
)
def test_compiled_and_plain_rules_play_the_same_games(players, belt, expected):
    start = SPEC.start(SPEC.load(default_components(), players), players, {"belt": belt, "first": "random"})
    rng, core, check = Rng(3), start.copy(), 0
    for _ in range(12):
        core.assign(start)
        decisions = core.playout(rng)
        for number in (decisions, *core.scores(), *core.winners(), *core.observation(0)):
            check = (check * 31 + number) % 1000000007
    assert check == expected


def test_playouts_leave_the_position_as_it_was():
    core = table().core
    before = core.observation(0)
    assert core.playouts(Rng(1), 3) > 300
    assert core.observation(0) == before
