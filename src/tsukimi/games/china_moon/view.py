"""What everybody sees of China Moon: nothing is hidden, so the view and the events are the same for all.

Their shape is documented in docs/games/china-moon.md.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from tsukimi.core.game import Game
from tsukimi.core.spec import CHANCE, Json
from tsukimi.games.china_moon.components import KINDS, Board
from tsukimi.games.china_moon.notation import COLOUR_NAMES, board_of, drop_of, frog_name, text, trade_of
from tsukimi.games.china_moon.notation import own as as_own
from tsukimi.games.china_moon.rules import (
    BLACK,
    COLOURS,
    DROP,
    DROPS,
    FROG,
    GOAL,
    LEG,
    NONE,
    PINK,
    START,
    TRADE,
    TRADES,
    ChinaMoon,
)

_PHASES = {FROG: "move", LEG: "spring", TRADE: "trade", DROP: "drop"}


# ---- the view -----------------------------------------------------------------------------


def public(position: Game) -> Json:
    game = as_own(position)
    board = board_of(game)
    lily = game.lily
    phase = _phase(game)
    playing = phase in _PHASES.values()
    return {
        "phase": phase,
        "ask": phase if playing else None,
        "board": _board(board),
        "lilies": {board.ids[pad]: COLOUR_NAMES[lily[pad]] for pad in range(len(board.ids)) if lily[pad] != NONE},
        "frogs": [_frogs(game, seat) for seat in range(game.players)],
        "held": [_held(game, seat) for seat in range(game.players)],
        "points": game.points(),
        "goal": [_goal_place(game, place) for place in range(1, 5)],
        "turn": game.turn if game.dealt else None,
        "moves_left": game.left if playing else 0,
        "frog": frog_name(game.frog) if playing and game.asked != FROG else None,
        "routes": _legal_routes(game),
    }


def own(position: Game, observer: int) -> Json:
    """Nothing: all lies open."""
    return {}


def _phase(game: ChinaMoon) -> str:
    if game.is_over():
        return "over"
    return "setup" if game.at_chance() else _PHASES[game.asked]


@lru_cache(64)
def _board(board: Board) -> Json:
    """The pond as it lies all game long."""
    return {
        "start": {
            "next": [board.name(place) for place in board.first],
            "x": board.start_spot[0],
            "y": board.start_spot[1],
        },
        "pads": [
            {
                "id": board.ids[pad],
                "kind": KINDS[board.kinds[pad]],
                "next": [board.name(place) for place in board.nexts[pad]],
                "x": board.spots[pad][0],
                "y": board.spots[pad][1],
            }
            for pad in range(len(board.ids))
        ],
        "goal": {"x": board.goal_spot[0], "y": board.goal_spot[1]},
    }


def _frogs(game: ChinaMoon, seat: int) -> list[Json]:
    board, at = board_of(game), game.at
    return [
        {"frog": frog_name(frog), "pad": board.name(at[frog]), "moved": bool(game.moved >> frog & 1)}
        for frog in range(3 * seat, 3 * seat + 3)
    ]


def _held(game: ChinaMoon, seat: int) -> Json:
    held = game.held
    return {COLOUR_NAMES[colour]: held[seat * COLOURS + colour] for colour in range(PINK, BLACK + 1)}


def _goal_place(game: ChinaMoon, place: int) -> Json:
    lily, frog = game.prize[place], game.arrival[place]
    return {
        "place": place,
        "lily": COLOUR_NAMES[lily] if lily != NONE and frog < 0 else None,
        "frog": frog_name(frog) if frog >= 0 else None,
    }


def _legal_routes(game: ChinaMoon) -> Json:
    """For every move of a frog that is legal now, the places it passes: a client can show them before it is made."""
    board, at = board_of(game), game.at
    result: Json = {}
    ways: dict[int, dict[int, list[int]]] = {}
    for seat in game.acting():
        for move in game.moves(seat):
            if move < TRADES:
                origin = at[move // 64]
                if origin not in ways:
                    ways[origin] = routes(board, game.occupied, origin)
                result[text(game, seat, move)] = [board.name(place) for place in ways[origin][move % 64]]
    return result


def open_event(before: Game, seat: int, move: int) -> bool:
    """All of them."""
    return True


# ---- the way of a frog --------------------------------------------------------------------


def routes(board: Board, occupied: int, origin: int) -> dict[int, list[int]]:
    """Each landing place of a frog with the places passed, the landing included: the shortest way, first arms first."""
    found: dict[int, list[int]] = {}
    seen = {(origin, 0)}
    waiting = deque([(origin, 0, list[int]())])
    while waiting:
        place, steps, way = waiting.popleft()
        if place == GOAL or steps == 2:
            found.setdefault(place, way)
            continue
        for after in board.onward(place):
            taken = occupied >> after & 1 if after != GOAL else 0
            on = (after, steps if taken else steps + 1)
            # A frog cannot stop on a taken pad; the steps decide, not the way, so each (place, steps) is tried once.
            if on not in seen:
                seen.add(on)
                waiting.append((*on, [*way, after]))
    return found


def _legs(before: ChinaMoon, frog: int, landing: int, after: ChinaMoon) -> Iterator[Json]:
    """The move and the spring legs that followed it by themselves."""
    board, occupied, origin = board_of(before), before.occupied, before.at[frog]
    lily = before.lily
    while True:
        way = routes(board, occupied, origin)[landing]
        leg: Json = {"origin": board.name(origin), "path": [board.name(place) for place in way]}
        leg["jumped"] = [board.name(place) for place in way[:-1] if occupied >> place & 1]
        leg["landing"] = board.name(landing)
        if landing != GOAL:
            leg["kind"] = KINDS[board.kinds[landing]]
            if lily[landing] != NONE:
                leg["lily"] = COLOUR_NAMES[lily[landing]]
        yield leg
        if landing == after.at[frog]:
            return
        if origin != START:
            occupied &= ~(1 << origin)
        occupied |= 1 << landing
        origin = landing
        (landing,) = routes(board, occupied, origin)


# ---- the events ---------------------------------------------------------------------------


def event(position: Game, seat: int, move: int, position_after: Game, observer: int) -> Json:
    before, after = as_own(position), as_own(position_after)
    if seat == CHANCE:
        return _chance(before, move)
    if move < TRADES:
        told = _move(before, move // 64, move % 64, after)
    elif move < DROPS:
        give, other, take = trade_of(move)
        told = {"type": "trade", "give": COLOUR_NAMES[give], "to": other, "take": COLOUR_NAMES[take]}
    else:
        told = _drop(before, move)
    return {**told, "seat": seat, **_what_now(before, after)}


def _chance(before: ChinaMoon, outcome: int) -> Json:
    if before.dealt == 0:
        return {"type": "first", "first_seat": outcome}
    colour = COLOUR_NAMES[outcome]
    if before.dealt <= 3:
        return {"type": "goal", "place": before.dealt, "colour": colour}
    board = board_of(before)
    return {"type": "lily", "pad": board.name(board.lily_pads[before.dealt - 4]), "colour": colour}


def _move(before: ChinaMoon, frog: int, landing: int, after: ChinaMoon) -> Json:
    legs = list(_legs(before, frog, landing, after))
    told: Json = {
        "type": "move",
        "frog": frog_name(frog),
        "owner": frog // 3,
        "origin": legs[0]["origin"],
        "landing": legs[-1]["landing"],
        "spring": before.asked == LEG,
        "legs": legs,
    }
    lilies = [leg["lily"] for leg in legs if "lily" in leg]
    told.update(zip(("lily", "second_lily"), lilies, strict=False))
    if after.at[frog] == GOAL:
        told["place"] = after.arrived
        told["prize"] = COLOUR_NAMES[after.prize[after.arrived]]
    return told


def _drop(before: ChinaMoon, move: int) -> Json:
    board = board_of(before)
    colour, pad = drop_of(move)
    if pad is None:
        (pad,) = before.open_behind(before.at[before.frog])
    return {"type": "drop", "colour": COLOUR_NAMES[colour], "pad": board.name(pad)}


def _what_now(before: ChinaMoon, after: ChinaMoon) -> dict[str, Any]:
    """What the move led to: the end, a question to somebody, the next frog or the next player."""
    now: dict[str, Any] = {"points": after.points()}
    if after.is_over():
        now["over"] = True
    elif after.asked != FROG:
        now["asks"] = _PHASES[after.asked]
        now["asked_seat"] = after.acting()[0]
    elif after.turn != before.turn:
        now["next_seat"] = after.turn
    return now
