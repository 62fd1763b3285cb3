"""What a move of China Moon brings and costs, its player and the others: nothing is hidden, so all of it is certain."""

from __future__ import annotations

from tsukimi.core.spec import Json, Position
from tsukimi.core.stakes import played, points
from tsukimi.games.china_moon.notation import COLOUR_NAMES
from tsukimi.games.china_moon.rules import COLOURS, DROP, GOAL, LEG, TRADE, TRADES, ChinaMoon

Stakes = list[Json]
ASKS = {LEG: "spring", TRADE: "prankster", DROP: "butterfly"}


def stakes(game: Position, seat: int, move: int) -> Stakes:
    before: ChinaMoon = game
    after: ChinaMoon = played(before, seat, move)
    found = _move(before, move // 64, after, seat) if move < TRADES else []
    found += _points(before, after, seat)
    if after.over:
        found.append({"kind": "ends"})
    return found or [{"kind": "even"}]


def _move(before: ChinaMoon, frog: int, after: ChinaMoon, seat: int) -> Stakes:
    owner = frog // 3
    mine: Json = {} if owner == seat else {"owner": owner}
    gained = [
        COLOUR_NAMES[colour]
        for colour in range(1, COLOURS)
        for _ in range(after.held[owner * COLOURS + colour] - before.held[owner * COLOURS + colour])
    ]
    found: Stakes = []
    if after.at[frog] == GOAL:
        found.append({"kind": "goal", "place": after.arrived, **mine})
    for colour in gained:
        found.append({"kind": "lily", "lily": colour, **mine})
    if after.asked in ASKS and not after.over:
        best: Json = {} if after.asked == LEG else {"best": best_answer(before, after, owner)}
        found.append({"kind": ASKS[after.asked], **mine, **best})
    return found or [{"kind": "quiet"}]


def best_answer(before: ChinaMoon, after: ChinaMoon, owner: int) -> int:
    """How much a frog's owner gains with the best answer to the pad it landed on (a trade, a drop), compared with before the move."""
    best: int = max(played(after, owner, answer).scores()[owner] for answer in after.actions(owner))
    return best - before.scores()[owner]


def _points(before: ChinaMoon, after: ChinaMoon, seat: int) -> Stakes:
    found: Stakes = []
    for other, (old, new) in enumerate(zip(before.scores(), after.scores(), strict=True)):
        if other == seat and new != old:
            found.append(points(new - old))
        elif new != old:
            found.append({"kind": "their-points", "to": other, "points": new - old})
    return found
