"""A game written in plain Python, without a compiler, is a game like the others."""

from __future__ import annotations

import sys
import types

import pytest

from core.kuhn import SPEC, Kuhn, make_spec
from tsukimi.core import setup
from tsukimi.core.batch import Batch
from tsukimi.core.rng import Rng
from tsukimi.core.source import Source
from tsukimi.plugin import Cell, Cells, PerSeat, PythonGame, Table


def new(spec=SPEC, seed=1, **options):
    return setup.make(spec, 2, options, None, None if seed is None else Source.of(seed))


def dealt(*cards, seed=None):
    state = new(seed=seed, first="p1")
    for card in cards:
        state.play(card)
    return state


def cards(state, seat):
    return [one["card"] for one in state.view(seat)["seats"]]


def test_it_is_played_by_its_texts():
    state = dealt("deal p1 king", "deal p2 queen")
    assert state.legal() == ["pass", "bet"]
    state.play("pass").play("bet").play("bet")
    assert state.over
    assert state.scores() == [2, -2]
    assert state.winners() == [0]


def test_each_seat_sees_only_its_own_card_until_the_showdown():
    state = dealt("deal p1 king", "deal p2 queen")
    assert [cards(state, seat) for seat in (0, 1, None)] == [["king", "?"], ["?", "queen"], ["?", "?"]]
    assert [event.get("text") for event in state.events(0)] == ["deal p1 king", None]
    state.play("pass").play("pass")
    assert cards(state, None) == ["king", "queen"]


def test_what_is_hidden_is_drawn_by_the_laws_of_chance():
    state = dealt("deal p1 queen", "deal p2 jack")
    drawn = [state.resample(0, seed).lines()[1] for seed in range(200)]
    assert 70 < drawn.count("deal p2 jack") < 130
    assert {state.resample(0, seed).lines()[0] for seed in range(20)} == {"deal p1 queen"}
    assert len({tuple(state.resample(None, seed).lines()) for seed in range(100)}) == 6


def test_what_a_move_taken_back_has_shown_stays_known():
    state = dealt("deal p1 queen", "deal p2 jack")
    state.play("pass").play("pass").undo(2)
    assert {state.resample(0, seed).lines()[1] for seed in range(20)} == {"deal p2 jack"}


def test_playouts_and_batches_run_on_it():
    core = new(seed=None).core
    assert 2000 < core.playouts(Rng(1), 1000) < 3000
    batch = Batch(core.copy(), 8, Rng(3), 2)
    ended = 0
    for _ in range(20):
        batch.step(batch.pick())
        ended += batch.over.sum()
        assert (batch.rewards.sum(axis=1) == batch.over).all()
    assert ended > 20
    assert batch.observations.shape == (8, 8)


def test_options_and_copies_belong_to_the_position():
    core = new(ante="2").core
    assert core.options == {"first": "random", "ante": "2"}
    assert list(core.copy().chips) == [2, 2]


@pytest.mark.parametrize("method", ["on_move", "legal_moves", "points", "resample_secrets", "begin", "on_outcome"])
def test_an_exception_in_its_rules_reaches_the_caller(method):
    def broken(self, *arguments):
        raise ZeroDivisionError(method)

    spec = make_spec(type("Broken", (Kuhn,), {method: broken}), "broken", (2,))

    def play():
        state = new(spec)
        state.scores()
        state.core.resample(0, Rng(1))
        state.core.playouts(Rng(1), 3)

    with pytest.raises(ZeroDivisionError, match=method):
        play()

    def batch():
        started = Batch(new(spec, seed=None).core, 4, Rng(1))
        for _ in range(3):
            started.step(started.pick())

    if method != "resample_secrets":
        with pytest.raises(ZeroDivisionError, match=method):
            batch()


@pytest.mark.parametrize("moves", [[], [-1], [2], ["x"], [0] * 3, None])
def test_moves_that_do_not_exist_are_an_error_of_the_games_rules(moves):
    spec = make_spec(type("Odd", (Kuhn,), {"legal_moves": lambda self, seat: moves}), "odd", (2,))
    with pytest.raises((ValueError, TypeError)):
        new(spec).core.actions()


class Wide(PythonGame):
    MOVES = ("go",)
    rows = Cells(3, low=-1, high=9, start=0)
    hand = PerSeat(2, names=("a", "b"))
    top = Cell(secret=True, high=5)

    def begin(self, first):
        self.turn = (0, 1)


def test_cells_are_read_and_written_like_attributes_and_lists():
    game = Wide(Table(), 2, {"first": "p1"})
    game.rows[1] += 4
    game.rows[-1] = 9
    game.hand[1][0] = 1
    assert list(game.rows) == [0, 4, 9]
    assert game.rows[:2] == [0, 4]
    assert [list(row) for row in game.hand] == [[-1, -1], [1, -1]]
    assert 9 in game.rows
    assert game.turn == (0, 1)
    assert game.actors == (0, 1)
    twin = game.copy()
    game.rows = (1, 2, 3)
    assert list(twin.rows) == [0, 4, 9]


def test_a_named_cell_is_an_empty_place_until_something_lies_there():
    assert [list(row) for row in Wide(Table(), 2).hand] == [[-1, -1], [-1, -1]]
    assert Cell(names=("a", "b")).start == -1
    assert Cell(names=("a", "b"), low=0).start == 0
    assert Cell().start == 0


def test_a_game_may_be_a_class_of_a_notebook(monkeypatch):
    monkeypatch.setitem(sys.modules, "notebook", types.ModuleType("notebook"))  # without a file
    state = new(make_spec(type("Here", (Kuhn,), {"__module__": "notebook"}), "here", (2,)))
    assert state.legal() == ["pass", "bet"]


@pytest.mark.parametrize(
    "change",
    [
        lambda game: game.rows.__setitem__(0, 10),
        lambda game: game.rows.__setitem__(3, 0),
        lambda game: setattr(game, "rows", (1, 2)),
        lambda game: setattr(game, "top", 6),
        lambda game: setattr(game, "top", "x"),
        lambda game: setattr(game, "turn", 2),
        lambda game: setattr(game, "turn", ()),
        lambda game: setattr(game, "unknown", 1),
    ],
)
def test_what_no_cell_can_hold_is_refused(change):
    with pytest.raises((ValueError, TypeError, IndexError, AttributeError)):
        change(Wide(Table(), 2))
