"""What the numbers of an observation of Daruma are."""

from __future__ import annotations

from tsukimi.core.spec import Field, Position, lay_out


def fields(game: Position) -> tuple[Field, ...]:
    players, kinds = game.players, game.cards.kinds
    cards = sum(game.cards.count[:kinds])
    most = max(game.cards.count[:kinds])
    return lay_out(
        ("stage", 17, 0, 1, "What waits, one of seventeen: the phases of the view in their order."),
        ("turn", players, 0, 1, "Whose turn it is, one of the players from the observer on."),
        ("first", 1, 0, players - 1, "The first player, counted from the observer."),
        ("rolling", 1, 0, 8, "Dice that are about to be rolled."),
        ("ledger", 1, 0, 8, "Fours in the ledger."),
        ("fictive", 1, 0, 8, "Fictive fours."),
        ("gift_used", 1, 0, 1, "Whether a daruma was given away in this turn."),
        ("swept", 1, 0, 1, "Whether there was a sweep in this turn."),
        ("steps", 1, 0, 16, "Steps of the counter, there and back."),
        ("pile_size", 1, 0, cards, "Darumas in the pile."),
        ("dice", 6, 0, 8, "Available dice by face."),
        ("sake", 6, 0, 8, "Dice on the bottle by face."),
        ("painted", 5, 0, 1, "Places with at least one eye done."),
        ("complete", 5, 0, 1, "Places with both eyes done."),
        ("pupils", 5, 0, 1, "Places with a token of an earlier turn."),
        ("counter", 9, 0, 1, "The token under the counter."),
        ("track", 27, 0, 1, "For each of nine tokens: blank, daruma, four."),
        ("places", 5 * kinds, 0, 1, "The daruma on each of the five places, one of the kinds."),
        ("pile", kinds, 0, most, "The pile: how many of each kind."),
        *(
            (f"seat{seat}.collection", kinds, 0, most, "The player's darumas: how many of each kind.")
            for seat in range(players)
        ),
        ("objective", game.cards.objectives, 0, 1, "The observer's objective."),
    )
