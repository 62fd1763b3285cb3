"""Why a move is the best in China Moon: what it does, found by making it on a copy of the position."""

from __future__ import annotations

from typing import cast

from tsukimi.bots.china_moon.track import FAR, steps_between, steps_to_goal
from tsukimi.bots.engine import Reason, percent
from tsukimi.bots.tree import Candidate
from tsukimi.games.china_moon.notation import COLOUR_NAMES, board_of, frog_name
from tsukimi.games.china_moon.rules import BLACK, BLUE, COLOURS, DROP, DROPS, GOAL, PINK, TRADE, TRADES, ChinaMoon
from tsukimi.games.china_moon.stakes import best_answer

NEAR = 4  # steps within which a lily is worth mentioning


def reason(game: ChinaMoon, seat: int, candidates: list[Candidate]) -> Reason:
    move = candidates[0].move
    after = cast(ChinaMoon, game.copy())
    after.apply(move, seat)
    code, fields = _reason_for(game, after, seat, move)
    return f"china-moon.{code}", {**fields, "share": percent(candidates[0].share)}


def _reason_for(game: ChinaMoon, after: ChinaMoon, seat: int, move: int) -> Reason:
    if after.over:
        return _ending(after, seat)
    if move >= DROPS:
        return "drops", {"before": _points(game, seat), "after": _points(after, seat)}
    if move >= TRADES:
        return _trade(game, after, seat, (move - TRADES) // 5 % 5)
    frog = move >> 6
    return _own(game, after, seat, frog) if frog // 3 == seat else _others(game, after, frog)


def _ending(after: ChinaMoon, seat: int) -> Reason:
    mine = _points(after, seat)
    best = max(_points(after, other) for other in range(after.players) if other != seat)
    if mine == best:
        return "ends-level", {"points": mine}
    return ("ends-ahead" if mine > best else "ends-behind"), {"lead": abs(mine - best)}


def _trade(game: ChinaMoon, after: ChinaMoon, seat: int, other: int) -> Reason:
    fields = {
        "owner": other,
        "before": _points(game, seat),
        "after": _points(after, seat),
        "their_before": _points(game, other),
        "their_after": _points(after, other),
    }
    gained = fields["after"] - fields["before"] >= min(0, fields["their_after"] - fields["their_before"])
    return ("trades" if gained else "trades-anyway"), fields


def _own(game: ChinaMoon, after: ChinaMoon, seat: int, frog: int) -> Reason:
    """A move of the seat's own frog."""
    fields: dict[str, object] = {"frog": frog_name(frog)}
    points = {"before": _points(game, seat), "after": _points(after, seat)}
    if after.at[frog] == GOAL:
        return "arrives", {**fields, **points, "place": after.arrived}
    if after.asked == TRADE and after.frog == frog:
        return "may-trade", fields
    if after.asked == DROP and after.frog == frog:
        gain = best_answer(game, after, seat)
        loss = {"loss": -gain, "steps": steps_to_goal(board_of(game))[after.at[frog]]} if gain < 0 else {}
        return "must-drop", {**fields, "before": _points(game, seat), "best": _points(game, seat) + gain, **loss}
    won = [colour for colour in range(PINK, COLOURS) if _held(after, seat, colour) > _held(game, seat, colour)]
    if len(won) == 1 and won[0] < BLUE:
        return "takes", {**fields, **points, "count": _held(after, seat, won[0])}
    if won:
        return "takes-some", {**fields, **points}
    return "goes-on", {**fields, "steps": steps_to_goal(board_of(game))[after.at[frog]]}


def _others(game: ChinaMoon, after: ChinaMoon, frog: int) -> Reason:
    """A move of another player's frog."""
    owner = frog // 3
    fields: dict[str, object] = {"frog": frog_name(frog), "owner": owner}
    if _held(after, owner, BLACK) > _held(game, owner, BLACK):
        return "to-black", fields
    if after.asked in (DROP, TRADE) and after.frog == frog:
        best = best_answer(game, after, owner)
        found = {"gain": best} if best > 0 else {"loss": -best}
        return ("to-butterfly" if after.asked == DROP else "to-prankster"), {**fields, **found}
    gained = _points(after, owner) - _points(game, owner)
    if gained > 0:
        return "helps", {**fields, "points": gained}
    passed = _passed(game, after, frog)
    if passed is not None:
        return "past", {**fields, "colour": COLOUR_NAMES[game.lily[passed]], "points": _lily_value(game, owner, passed)}
    return "quiet", fields


def _passed(game: ChinaMoon, after: ChinaMoon, frog: int) -> int | None:
    """Of the lilies close ahead that the frog can no longer reach, the one worth most to its owner."""
    ways, lilies = steps_between(board_of(game)), list(after.lily)
    was, now = ways[game.at[frog]], ways[after.at[frog]]
    pads = [
        pad
        for pad in range(len(board_of(game).ids))
        if PINK <= lilies[pad] < BLUE and 0 < was[pad] <= NEAR and now[pad] == FAR
    ]
    return max(pads, key=lambda pad: _lily_value(game, frog // 3, pad), default=None)


def _lily_value(game: ChinaMoon, seat: int, pad: int) -> int:
    return _held(game, seat, game.lily[pad]) + 1


def _held(game: ChinaMoon, seat: int, colour: int) -> int:
    return game.held[seat * COLOURS + colour]


def _points(game: ChinaMoon, seat: int) -> int:
    return game.scores()[seat]
