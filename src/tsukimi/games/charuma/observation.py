"""What the numbers of an observation of Charuma are."""

from __future__ import annotations

from tsukimi.core.spec import Field, Position, lay_out

LARGEST = 32767  # rounds and points have no bound: ties prolong a game


def fields(game: Position) -> tuple[Field, ...]:
    players = game.players
    shared = (
        ("phase", 1, 0, 5, "0 first player, 1 deal, 2 groups, 3 auction, 4 tricks, 5 over."),
        ("round", 1, 0, LARGEST, "The number of the round."),
        ("last_round", 1, 0, 1, "Whether somebody has reached the goal."),
        ("goal", 1, 20, 25, "The points at which the last round begins."),
        ("token", 1, 0, players, "Who has the Charuma token."),
        ("turn", 1, 0, players, "Who is to move."),
        ("led", 1, 0, 5, "What was led: 1 blue, 2 red, 3 blue pair, 4 red pair, 5 two-coloured pair; 0 nothing."),
        ("leader", 1, 0, players, "Who led to the trick, or to the last one."),
        ("hidden", 20, 0, 2, "The observer's hidden cards: how many of each kind."),
        ("unseen", 20, 0, 2, "Cards that the observer has not seen: how many of each kind."),
    )
    return lay_out(*shared, *(part for seat in range(players) for part in _seat(seat, players)))


def _seat(seat: int, players: int) -> list[tuple[str, int, int, int, str]]:
    parts = [
        ("face_up", 20, 0, 2, "The player's face-up cards: how many of each kind."),
        ("group", 20, 0, 2, "The cards of the group with this number (A is 0): how many of each kind."),
        ("bid", 1, 0, 6, "The bid on that group + 1; 0 none."),
        ("bidder", 1, 0, players, "Whose bid it is."),
        ("points", 1, 0, LARGEST, "The player's points."),
        ("tricks", 1, 0, 8, "Tricks won in this round."),
        ("trick_points", 1, 0, 16, "Points for these tricks."),
        ("aces", 1, 0, 8, "Aces won in this round."),
        ("hidden_left", 1, 0, 2, "How many hidden cards the player still has."),
        ("first_card", 1, 0, 40, "The first card played to the trick + 1; 0 none."),
        ("second_card", 1, 0, 40, "The second card played to the trick + 1; 0 none."),
        ("won_last", 1, 0, 1, "Whether the player won the last trick."),
    ]
    return [(f"seat{seat}.{name}", length, low, high, meaning) for name, length, low, high, meaning in parts]
