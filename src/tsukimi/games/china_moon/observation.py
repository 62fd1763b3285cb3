"""What the numbers of an observation of China Moon are."""

from __future__ import annotations

from tsukimi.core.spec import Field, Position, lay_out


def fields(game: Position) -> tuple[Field, ...]:
    players, pads = game.players, game.pond.pads
    return lay_out(
        (
            "frogs",
            pads,
            0,
            3 * players,
            "The frog on each pad: 1 + 3 x seat + frog, seats from the observer on; 0 none.",
        ),
        ("lilies", pads, 0, 5, "The lily on each pad: 1 pink, 2 white, 3 yellow, 4 blue, 5 black; 0 none."),
        *(part for seat in range(players) for part in _seat(seat)),
        ("turn", 1, 0, players - 1, "Whose turn it is, counted from the observer."),
        ("frogs_left", 1, 0, 3, "Frogs still to move in this turn."),
        ("arrived", 1, 0, 4, "Frogs that have arrived."),
        ("prizes", 4, 0, 5, "The lilies left on goal places 1 to 4."),
        ("asked", 4, 0, 1, "What is asked, one of four: a frog, a spring's second leg, a trade, a drop."),
        ("set_up", 1, 0, 16, "Set-up events done."),
    )


def _seat(seat: int) -> list[tuple[str, int, int, int, str]]:
    parts = [
        ("lilies", 5, 0, 17, "The player's lilies by colour."),
        ("frogs_home", 1, 0, 3, "Frogs in the goal."),
        ("frogs_waiting", 1, 0, 3, "Frogs on the start."),
        ("moved", 3, 0, 1, "Which of the player's frogs have moved in this turn."),
        ("in_question", 3, 0, 1, "Which of the player's frogs the decision is about."),
    ]
    return [(f"seat{seat}.{name}", length, low, high, meaning) for name, length, low, high, meaning in parts]
