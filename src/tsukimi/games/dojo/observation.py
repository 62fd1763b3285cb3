"""What the numbers of an observation of Dojo are."""

from __future__ import annotations

from tsukimi.core.spec import Field, Position, lay_out


def fields(game: Position) -> tuple[Field, ...]:
    most = max(game.table.counts)
    shared = (
        ("round", 1, 0, 12, "Rounds played."),
        ("phase", 11, 0, 1, "The phase, one of eleven: the phases of the view in their order."),
        ("belt", 3, 0, 1, "The belt variant, one of three."),
        ("trophy", 6, 0, 1, "The face-up trophy, one of six."),
        ("trophies_left", 6, 0, 2, "Trophies of each kind still face down."),
        ("looking", 1, 0, 1, "Whether the dealer looks at a card."),
        ("looked_at_disciple", 6, 0, 1, "For the dealer: its disciple, one of six."),
        ("looked_at_belt", 1, 0, 5, "For the dealer: its belt."),
        ("bonus", 2, 0, 3, "The bonus of the attacker and of the dealer."),
        ("attacker_disciple", 6, 0, 1, "The disciple of the attacker's card, if it is shown."),
        ("attacker_belt", 1, 0, 5, "Its belt."),
        ("dealer_disciple", 6, 0, 1, "The disciple of the dealer's card, if it is shown."),
        ("dealer_belt", 1, 0, 5, "Its belt."),
        ("attacker_throws", 3, 0, 4, "The attacker's throws: 1 rock, 2 paper, 3 scissors, 4 hidden; 0 none."),
        ("dealer_throws", 3, 0, 4, "The dealer's throws."),
        ("swapped", 1, 0, 1, "Whether the cards were swapped."),
        ("unseen", 30, 0, most, "Cards that the observer has not seen: how many of each kind."),
    )
    return lay_out(*shared, *(part for seat in range(game.players) for part in _seat(seat)))


def _seat(seat: int) -> list[tuple[str, int, int, int, str]]:
    parts = [
        ("dealer", 1, 0, 1, "Whether the player is the dealer."),
        ("attacker", 1, 0, 1, "Whether the player has challenged the dealer."),
        ("winner", 1, 0, 1, "Whether the player has won the challenge."),
        ("acts", 1, 0, 1, "Whether the player may decide now."),
        ("challenges_won", 1, 0, 12, "Challenges won so far."),
        ("has_card", 1, 0, 1, "Whether a card lies before the player."),
        ("card_disciple", 6, 0, 1, "Its disciple, if the observer knows it."),
        ("card_belt", 1, 0, 5, "Its belt, if the observer knows it; else 0."),
        ("trophies", 12, 0, 6, "The trophy of each line (five rows, seven columns): kind + 1; 0 none."),
        ("disciples", 35, 0, 6, "The disciple on each place: 1 to 6; 0 none."),
        ("belts", 35, 0, 5, "The belt on each place; 0 none."),
    ]
    return [(f"seat{seat}.{name}", length, low, high, meaning) for name, length, low, high, meaning in parts]
