"""Why a move is the best in China Moon: what it brings, what it denies the others, what it prepares, and how much more
often it wins than the move that looks obvious. All of it is found by making moves on copies of the position."""

from __future__ import annotations

from typing import NamedTuple, cast

from tsukimi.bots.china_moon.track import FAR, steps_between, steps_to_goal
from tsukimi.bots.engine import Reason, percent
from tsukimi.bots.tree import Candidate
from tsukimi.games.china_moon.notation import COLOUR_NAMES, board_of, frog_name
from tsukimi.games.china_moon.rules import BLACK, BLUE, COLOURS, DROP, DROPS, GOAL, PINK, TRADE, TRADES, ChinaMoon
from tsukimi.games.china_moon.stakes import best_answer
from tsukimi.games.china_moon.view import reach

STRIDE = 2  # pads that a frog goes without others to jump over
NEAR = 4  # steps within which a lily is worth mentioning


class Chance(NamedTuple):
    """A lily that a frog could take if it were moved now, and the points that it would bring the frog's owner."""

    points: int
    frog: int
    pad: int
    colour: int


def reason(game: ChinaMoon, seat: int, candidates: list[Candidate]) -> Reason:
    best = candidates[0]
    after = _made(game, seat, best.move)
    code, fields = _reason_for(game, after, seat, best.move)
    share = {"share": percent(best.share)}
    if after.over:
        return f"china-moon.{code}", {**fields, **share}
    also = [_instead(game, seat, candidates) or ("chance", share)]
    if best.move < TRADES:
        denied = [] if code == "past" else _denied(game, after, seat)  # whose own text mentions it
        also = [*denied, *_prepared(game, after, seat), *also]
    return f"china-moon.{code}", {**fields, **share, "also": [[f"china-moon.{one}", facts] for one, facts in also]}


def _made(game: ChinaMoon, seat: int, move: int) -> ChinaMoon:
    after = cast(ChinaMoon, game.copy())
    after.apply(move, seat)
    return after


def _denied(game: ChinaMoon, after: ChinaMoon, seat: int) -> list[Reason]:
    """Of the players whose frogs can take less now than before, the one who lost most."""
    losses = []
    for other in range(game.players):
        if other == seat:
            continue
        was, now = _chance(game, other), _chance(after, other)
        if was is not None and was.points > (now.points if now else 0):
            losses.append((was.points - (now.points if now else 0), other, was))
    if not losses:
        return []
    _, other, lost = max(losses)
    return [("denies", {"owner": other, "colour": COLOUR_NAMES[lost.colour], "points": lost.points})]


def _prepared(game: ChinaMoon, after: ChinaMoon, seat: int) -> list[Reason]:
    """A lily that the seat's own frogs can take now, and that is worth more than any before."""
    again = after.turn == seat and after.left > 0
    was, now = _chance(game, seat), _chance(after, seat, after.moved if again else 0)
    if now is None or (was is not None and was.points >= now.points):
        return []
    fields = {"frog": frog_name(now.frog), "colour": COLOUR_NAMES[now.colour], "points": now.points}
    return [("prepares" if again and not _needs_others(after, seat) else "prepares-later", fields)]


def _needs_others(game: ChinaMoon, seat: int) -> bool:
    """Whether the last frog of the turn must be another player's."""
    return game.left == 1 and _only_own_frogs_moved(game, seat)


def _only_own_frogs_moved(game: ChinaMoon, seat: int) -> bool:
    """Whether this turn has moved no other player's frog yet."""
    return not game.moved & ~(7 << 3 * seat)


def _chance(game: ChinaMoon, seat: int, moved: int = 0) -> Chance | None:
    """The best lily that lies in the reach of a frog of this seat."""
    found = [
        Chance(_lily_value(game, seat, pad), frog, pad, game.lily[pad])
        for frog in range(3 * seat, 3 * seat + 3)
        if not moved >> frog & 1
        for pad in reach(game, frog)
        if pad != GOAL and PINK <= game.lily[pad] < BLUE
    ]
    return max(found, default=None)


def _instead(game: ChinaMoon, seat: int, candidates: list[Candidate]) -> Reason | None:
    """The move that looks obvious, the one with most points at once, where another one wins more often."""
    best = candidates[0]
    if best.move >= TRADES:
        return None
    own = [candidate for candidate in candidates if candidate.move < TRADES and (candidate.move >> 6) // 3 == seat]
    gains = {
        candidate.move: _points(_made(game, seat, candidate.move), seat) - _points(game, seat) for candidate in own
    }
    if not own:
        return None
    other = max(own, key=lambda one: (gains[one.move], one.share))
    gain, (share, other_share) = gains[other.move], (percent(best.share), percent(other.share))
    if gain <= gains.get(best.move, 0) or share <= other_share:
        return None
    fields = {"other_frog": frog_name(other.move >> 6), "gain": gain, "share": share, "other_share": other_share}
    return "instead", fields


def _reason_for(game: ChinaMoon, after: ChinaMoon, seat: int, move: int) -> Reason:
    if after.over:
        return _ending(after, seat)
    if move >= DROPS:
        return "drops", {"before": _points(game, seat), "after": _points(after, seat)}
    if move >= TRADES:
        return _trade(game, after, seat, (move - TRADES) // 5 % 5)
    frog = move >> 6
    return _own(game, after, seat, frog) if frog // 3 == seat else _others(game, after, seat, frog)


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
        gain = best_answer(game, after, seat)
        return "may-trade", {**fields, **({"gain": gain} if gain > 0 else {})}
    if after.asked == DROP and after.frog == frog:
        gain = best_answer(game, after, seat)
        loss = {"loss": -gain, "steps": steps_to_goal(board_of(game))[after.at[frog]]} if gain < 0 else {}
        return "must-drop", {**fields, "before": _points(game, seat), "best": _points(game, seat) + gain, **loss}
    won = [colour for colour in range(PINK, COLOURS) if _held(after, seat, colour) > _held(game, seat, colour)]
    if len(won) == 1 and won[0] < BLUE:
        return "takes", {**fields, **points, "colour": COLOUR_NAMES[won[0]], "count": _held(after, seat, won[0])}
    if won:
        return "takes-some", {**fields, **points}
    pads = steps_between(board_of(game))[game.at[frog]][after.at[frog]]
    far = {"pads": pads} if pads > STRIDE else {}
    return "goes-on", {**fields, **far, "steps": steps_to_goal(board_of(game))[after.at[frog]]}


def _others(game: ChinaMoon, after: ChinaMoon, seat: int, frog: int) -> Reason:
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
    # Without this one, the turn would still lack a frog of another player.
    return ("duty" if _only_own_frogs_moved(game, seat) else "quiet"), fields


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
    """The points that one more lily of its colour brings."""
    return _held(game, seat, game.lily[pad]) + 1


def _held(game: ChinaMoon, seat: int, colour: int) -> int:
    return game.held[seat * COLOURS + colour]


def _points(game: ChinaMoon, seat: int) -> int:
    return game.scores()[seat]
