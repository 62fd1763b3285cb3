"""The text of moves and outcomes, both ways, and the words for what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsukimi
from games.charuma.charuma_tables import auction, play, plays, tricks
from tsukimi.core import catalogue
from tsukimi.core.rng import Rng
from tsukimi.core.spec import CHANCE
from tsukimi.games.charuma import SPEC

GAME = SPEC.start(SPEC.load({}, 5), 5, {"first": "random", "auction": "on"})
TEXTS = [SPEC.text(GAME, 0, move) for move in range(GAME.move_ids)]


def test_every_move_has_one_text_and_every_text_one_move() -> None:
    assert len(set(TEXTS)) == GAME.move_ids == 30 + 40 + 820
    assert [SPEC.parse(GAME, 0, text) for text in TEXTS] == list(range(GAME.move_ids))


def test_bids_name_the_amount_and_the_group() -> None:
    assert {f"bid {amount} {group}" for amount in range(6) for group in "ABCDE"} == set(TEXTS[:30])


@pytest.mark.parametrize(
    "text",
    ["play Ab", "play 10r*", "play 8b 8b", "play 8b 8r*", "play 9b 7r", "play 9r 7b*", "play Ab 2b", "play 8r* 8r*"],
)
def test_two_cards_stand_face_up_before_hidden_then_blue_before_red_then_a_to_10(text: str) -> None:
    assert text in TEXTS


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "play",
        "play ",
        "play 7",
        "play 7b ",
        " play 7b",
        "play  7b",
        "Play 7b",
        "play 7B",
        "play ab",
        "play 1b",
        "play 07b",
        "play 11r",
        "play 7b**",
        "play 7b *",
        "play 7b* 9r",
        "play 7r 9b",
        "play 9b 7b",
        "play 7b 7b 7b",
        "bid 6 A",
        "bid -1 A",
        "bid 00 A",
        "bid 1 F",
        "bid 1 a",
        "bid A 1",
        "bid １ A",
        "deal 7b",
        "first p1",
        "group p1 A",
        "p1 play 7b",
        "play 7b\n",
        "play 7b\x00",
        "x" * 100_000,
    ],
)
def test_nothing_but_the_exact_text_is_a_move(text: str) -> None:
    with pytest.raises(tsukimi.MalformedMove):
        SPEC.parse(GAME, 0, text)


@given(st.one_of(st.text(max_size=40), st.sampled_from(TEXTS).flatmap(lambda t: st.permutations(t).map("".join))))
def test_parsing_knows_the_text_or_calls_it_malformed(text: str) -> None:
    for seat in (0, CHANCE):
        try:
            number = SPEC.parse(GAME, seat, text)
        except (tsukimi.MalformedMove, tsukimi.IllegalMove):
            continue
        assert SPEC.text(GAME, seat, number) == text


def test_every_outcome_has_a_text_that_parses_to_it() -> None:
    for option in ("on", "off"):
        game, rng = SPEC.start(SPEC.load({}, 3), 3, {"first": "random", "auction": option}), Rng(2)
        while game.chance:
            for outcome, _ in SPEC.outcomes(game):
                assert SPEC.parse(game, CHANCE, SPEC.text(game, CHANCE, outcome)) == outcome
            game.apply(game.sample_outcome(rng))
        assert SPEC.outcomes(game) == []


@pytest.mark.parametrize("text", ["deal 7b", "group p1 A", "first p4", "group p2 A"])
def test_an_outcome_that_cannot_happen_now_is_illegal(text: str) -> None:
    state = tsukimi.new("charuma", players=3, chance="manual")
    with pytest.raises(tsukimi.IllegalMove) as refused:
        state.play(text)
    assert refused.value.legal == ["first p1", "first p2", "first p3"]


def test_a_group_goes_to_the_seat_whose_turn_it_is() -> None:
    state = auction(players=2, auction="off")
    with pytest.raises(tsukimi.IllegalMove):
        state.play("group p2 A")
    with pytest.raises(tsukimi.IllegalMove):
        state.play("group p1 C")
    with pytest.raises(tsukimi.MalformedMove):
        state.play("bid 1 A")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("bid 1 C", "charuma.no-such-group"),
        ("bid 3 A", "charuma.bid-too-low"),
        ("bid 0 A", "charuma.bid-too-low"),
        ("play 7b", "charuma.auction-first"),
    ],
)
def test_a_bid_that_is_not_allowed_is_refused_with_the_reason(text: str, code: str) -> None:
    state = play(auction(players=2), "bid 3 A")
    before = state.record()
    with pytest.raises(tsukimi.IllegalMove) as refused:
        state.play(text)
    assert refused.value.code == code
    assert state.record() == before
    assert len({refused.value.message(lang) for lang in catalogue.LANGUAGES}) == 3


def test_every_move_that_is_not_legal_has_a_reason_in_three_languages() -> None:
    rng = Rng(4)
    for players in (2, 5):
        game = SPEC.start(SPEC.load({}, players), players, {"first": "random", "auction": "on"})
        for _ in range(40):
            game.sample_chance(rng)
            (seat,) = game.actors
            legal = set(game.actions(seat))
            for move in range(rng.randrange(7), game.move_ids, 7):
                if move not in legal:
                    code, params = SPEC.reason(game, seat, move)
                    assert all(catalogue.say("error", code, params, lang) for lang in catalogue.LANGUAGES)
            game.apply(game.random_action(seat, rng), seat)


def test_a_move_refused_for_a_duty_is_legal_where_the_card_that_obliges_is_hidden() -> None:
    face_up = play(tricks("7b", "9b 8r 8r 10r 10r 6r", hidden=("", "Ar 6r")), "play 7b")
    assert SPEC.reason(face_up.core, 1, face_up.parse("play 8r"))[0] == "charuma.follow-blue"
    hidden = play(tricks("7b", "6r 8r 8r 10r 10r 6r", hidden=("", "Ar 9b")), "play 7b")
    assert "8r" in plays(hidden)


def keys(table: dict, path: str = "") -> set[str]:
    found = set()
    for name, value in table.items():
        found |= keys(value, f"{path}{name}.") if isinstance(value, dict) else {path + name}
    return found


def test_the_three_languages_say_the_same_things() -> None:
    tsukimi.new("charuma", players=2, seed=1)
    tables = [catalogue.messages("charuma", lang) for lang in catalogue.LANGUAGES]
    assert keys(tables[0]) == keys(tables[1]) == keys(tables[2])
    assert set(tables[0]) >= {"error", "ask", "log", "form", "word", "why", "game", "option", "board"}


@pytest.mark.parametrize("lang", catalogue.LANGUAGES)
def test_every_question_and_every_event_has_a_text(lang: str) -> None:
    for option in ("on", "off"):
        state, rng = tsukimi.new("charuma", players=3, seed=5, auction=option), Rng(5)
        while not state.over:
            assert catalogue.say("ask", f"charuma.{state.view(None)['ask']}", {}, lang)
            state.apply(state.core.random_action(state.actors[0], rng))
        for seat in (0, None):
            for event in state.events(seat):
                assert "{" not in catalogue.say("log", f"charuma.{event['type']}", event, lang)
