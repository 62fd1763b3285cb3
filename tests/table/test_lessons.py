"""The table of a lesson: chance and bots follow the prepared line for as long as its learner does."""

from __future__ import annotations

import pytest

import tsukimi
from table.tables import Scene
from tsukimi.core.lesson import Lesson
from tsukimi.games import spec
from tsukimi.server.tables.opening import lesson_table
from tsukimi.table import commands
from tsukimi.table.table import Table

GAMES = [name for name in tsukimi.games() if spec(name).has_lesson]


class LessonScene(Scene):
    """Bots move whenever it is their turn: by the line, otherwise at random."""

    def __init__(self, game: str) -> None:
        wanted = lesson_table(game)
        self.table, self.rows, self.now = Table(), [], 1_000_000
        self.do(
            commands.open_table(
                "T", "ana", game, wanted.players, wanted.options, wanted.settings, lesson=True
            )
        )  # fmt: skip
        self.do(commands.sit(self.table, "ana", "h", "Ana", 0, ""))
        for _ in wanted.bots:
            self.do(commands.bot(self.table, "ana", "novice", None))
        self.do(commands.start(self.table, "ana"))
        self.let_bots_move()

    @property
    def lesson(self) -> Lesson:
        found = self.table.lesson
        assert found is not None
        return found

    def learner_plays(self, move: str) -> None:
        self.play(move, 0)
        self.let_bots_move()

    def let_bots_move(self) -> None:
        while self.table.bots_asked and self.table.status == "playing":
            seat = self.table.bots_asked[0]
            prepared = self.table.prepared(seat)
            self.play(None if prepared is None else self.table.playing.text(prepared, seat), seat)


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_played_to_its_end_at_a_table(game):
    scene = LessonScene(game)
    for number, step in enumerate(scene.lesson.steps, 1):
        if not step.asked:
            continue  # the page shows it before the move of another seat, which has come already
        assert scene.table.lesson_reached == step.at, f"step {number}"
        assert 0 in scene.table.asked, f"step {number}"
        assert scene.table.status == "playing", f"step {number}"
        if step.move is not None:
            scene.learner_plays(step.move)
    assert scene.table.lesson_reached == len(scene.lesson.line)
    scene.learner_plays(scene.table.playing.legal(0)[0])  # free play: dice and bots as at any table
    assert scene.table.lesson_reached == len(scene.lesson.line) + 1
    assert scene.table.practice
    assert not scene.table.counts


@pytest.mark.parametrize("game", GAMES)
def test_whoever_leaves_the_line_can_come_back_to_it(game):
    scene = LessonScene(game)
    step = next(step for step in scene.lesson.steps if step.otherwise)
    while scene.table.lesson_reached != step.at:
        asked = next(step for step in scene.lesson.steps if step.at == scene.table.lesson_reached and step.move)
        scene.learner_plays(asked.move)
    other = next(move for move in scene.table.playing.legal(0) if move != step.move)
    scene.learner_plays(other)
    assert scene.table.lesson_reached is None
    scene.command(commands.undo, "ana", 0)
    scene.let_bots_move()
    assert scene.table.lesson_reached == step.at
    scene.learner_plays(step.move)
    later = [one.at for one in scene.lesson.steps if one.at > step.at]
    assert scene.table.lesson_reached == later[0]


def test_the_log_of_a_lesson_gives_the_same_table():
    scene = LessonScene("dojo")
    scene.learner_plays("challenge")
    assert scene.reread().playing.record() == scene.table.playing.record()


def test_the_record_of_a_lesson_claims_no_proof_for_its_prepared_chance():
    scene = LessonScene("dojo")
    scene.command(commands.abort, "ana")
    assert "verify" not in scene.table.record()
    assert scene.table.chance == "none"
