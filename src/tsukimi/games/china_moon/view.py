# mypy: ignore-errors
# cython: infer_types=True
"""What everyone sees of China Moon: nothing is hidden, so the view and the events are the same for all.

Their shape is documented in docs/games/china-moon.md.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import Any

import cython

from tsukimi.core.spec import CHANCE, Json
from tsukimi.games.china_moon.components import KINDS, Board
from tsukimi.games.china_moon.notation import COLOUR_NAMES, FROG_NAMES, drop_of, dropped_on, texts, trade_of

if not cython.compiled:
    from tsukimi.games.china_moon.rules import (
        BLACK,
        COLOURS,
        DROP,
        DROPS,
        FROG,
        GOAL,
        LEG,
        NONE,
        ONE,
        PINK,
        START,
        TRADE,
        TRADES,
        ChinaMoon,
    )

_PHASES = {FROG: "move", LEG: "spring", TRADE: "trade", DROP: "drop"}


# ---- the view -----------------------------------------------------------------------------


def public(game: ChinaMoon) -> Json:
    board = game.pond.board
    names = board.names
    phase = _phase(game)
    playing = phase in _PHASES.values()
    return {
        "phase": phase,
        "ask": phase if playing else None,
        "board": _board(board),
        "lilies": {names[pad]: COLOUR_NAMES[game.lily[pad]] for pad in range(game.pond.pads) if game.lily[pad] != NONE},
        "frogs": [[_frog(game, frog, names) for frog in range(3 * seat, 3 * seat + 3)] for seat in range(game.players)],
        "held": [_held(game, seat) for seat in range(game.players)],
        "points": game.scores(),
        "goal": [_goal_place(game, place) for place in range(1, 5)],
        "ending": game.arrived if playing and _can_end(game) else None,
        "turn": game.turn if game.dealt else None,
        "moves_left": game.left if playing else 0,
        "frog": FROG_NAMES[game.frog] if playing and game.asked != FROG else None,
        "routes": _legal_routes(game),
    }


def own(game: ChinaMoon, observer: int) -> Json:
    """Nothing: all lies open."""
    return {}


def _phase(game: ChinaMoon) -> str:
    if game.is_over():
        return "over"
    return "setup" if game.at_chance() else _PHASES[game.asked]


@lru_cache(64)
def _board(board: Board) -> Json:
    """The pond, which does not change during the game."""
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
                "to_goal": _to_goal(board)[pad],
            }
            for pad in range(len(board.ids))
        ],
        "goal": {"x": board.goal_spot[0], "y": board.goal_spot[1]},
    }


@lru_cache(64)
def _to_goal(board: Board) -> dict[int, int]:
    """How many pads each one is from the goal by the shortest way, whatever stands there."""
    steps: dict[int, int] = {GOAL: 0}

    def count(place: int) -> int:
        if place not in steps:
            steps[place] = 1 + min([count(after) for after in board.onward(place)])
        return steps[place]

    count(START)
    return steps


def _can_end(game: ChinaMoon) -> bool:
    """Whether as many frogs as are missing for the end could each go home in a single move."""
    if not game.arrived:
        return False
    near = sum([GOAL in reach(game, frog) for frog in range(3 * game.players)])
    return game.arrived + near >= 4


def _frog(game: ChinaMoon, frog: cython.int, names: dict[int, str]) -> Json:
    return {"frog": FROG_NAMES[frog], "pad": names[game.at[frog]], "moved": bool(game.moved >> frog & 1)}


def _held(game: ChinaMoon, seat: cython.int) -> Json:
    return {COLOUR_NAMES[colour]: game.held[seat * COLOURS + colour] for colour in range(PINK, BLACK + 1)}


def _goal_place(game: ChinaMoon, place: cython.int) -> Json:
    lily, frog = game.prize[place], game.arrival[place]
    return {
        "place": place,
        "lily": COLOUR_NAMES[lily] if lily != NONE and frog < 0 else None,
        "frog": FROG_NAMES[frog] if frog >= 0 else None,
    }


def _legal_routes(game: ChinaMoon) -> Json:
    """For every legal move of a frog, the places it passes until it lands, and for every drop the pad that the lily falls
    on: a client can show them before the move is made."""
    named = texts(game.pond.board)
    found = {}
    for seat in game.actors:
        for move in game.actions(seat):
            if move < TRADES:
                found[named[move]] = _route(game, seat, move)
            elif move >= DROPS:
                found[named[move]] = [dropped_on(game, move)]
    return found


def _route(game: ChinaMoon, seat: cython.int, move: cython.int) -> list[str]:
    landing = move % 64
    if landing == GOAL or KINDS[game.pond.kind[landing]] != "spring":
        return _way(game.pond.board, game.occupied, game.at[move // 64], landing)
    after: ChinaMoon = game.copy()
    after.apply(move, seat)
    return [place for leg in _legs(game, move // 64, landing, after) for place in leg["path"]]


def open_event(before: ChinaMoon, seat: int, move: int) -> bool:
    """All of them."""
    return True


# ---- the way of a frog --------------------------------------------------------------------


def _way(board: Board, occupied: int, origin: int, landing: int) -> list[str]:
    """The places that a frog passes, the landing included."""
    return _only_ways(board)[origin][landing] or _routes(board, occupied, origin)[landing]


@lru_cache(64)
def _only_ways(board: Board) -> dict[int, dict[int, list[str]]]:
    """From each place to each: the way there if it is the only one, so that no frog changes it, or else nothing."""
    ways: dict[int, dict[int, list[str]]] = {GOAL: {}}

    def search(origin: int) -> dict[int, list[str]]:
        if origin not in ways:
            found: dict[int, list[str]] = {}
            for after in board.onward(origin):
                name = board.names[after]
                for place, way in search(after).items():
                    found[place] = [name, *way] if way and place not in found else []
                found[after] = [name] if after not in found else []
            ways[origin] = found
        return ways[origin]

    search(START)
    return ways


def _routes(board: Board, occupied: int, origin: int) -> dict[int, list[str]]:
    """Each landing place of a frog with its way there: the shortest, first arms first."""
    found: dict[int, list[str]] = {}
    seen = {(origin, 0)}
    waiting = deque([(origin, 0, list[str]())])
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
                waiting.append((*on, [*way, board.names[after]]))
    return found


def reach(game: ChinaMoon, frog: cython.int) -> list[int]:
    """The places where a frog would land if somebody moved it now."""
    return [] if game.at[frog] == GOAL else list(_routes(game.pond.board, game.occupied, game.at[frog]))


def _legs(before: ChinaMoon, frog: cython.int, landing: cython.int, after: ChinaMoon) -> list[Json]:
    """The move and the spring legs that followed automatically."""
    board, occupied, origin = before.pond.board, before.occupied, before.at[frog]
    names, legs = board.names, list[Json]()
    while True:
        way = _way(board, occupied, origin, landing)
        jumped = [pad for pad in way[:-1] if occupied >> board.numbers[pad] & 1]
        leg: Json = {"origin": names[origin], "path": way, "jumped": jumped, "landing": names[landing]}
        if landing != GOAL:
            leg["kind"] = KINDS[before.pond.kind[landing]]
            if before.lily[landing] != NONE:
                leg["lily"] = COLOUR_NAMES[before.lily[landing]]
        legs.append(leg)
        if landing == after.at[frog]:
            return legs
        if origin != START:
            occupied &= ~(ONE << origin)
        occupied |= ONE << landing
        origin = landing
        (landing,) = _routes(board, occupied, origin)


# ---- the events ---------------------------------------------------------------------------


def event(before: ChinaMoon, seat: int, move: cython.int, after: ChinaMoon, observer: int) -> Json:
    if seat == CHANCE:
        return _chance(before, move)
    if move < TRADES:
        seen = _move(before, move // 64, move % 64, after)
    elif move < DROPS:
        give, other, take = trade_of(move)
        seen = {"type": "trade", "give": COLOUR_NAMES[give], "to": other, "take": COLOUR_NAMES[take]}
    else:
        seen = _drop(before, move)
    return {**seen, "seat": seat, **_what_now(before, after)}


def _chance(before: ChinaMoon, outcome: int) -> Json:
    if before.dealt == 0:
        return {"type": "first", "first_seat": outcome}
    colour = COLOUR_NAMES[outcome]
    if before.dealt <= 3:
        return {"type": "goal", "place": before.dealt, "colour": colour}
    pad = before.pond.lily_pad[before.dealt - 4]
    board = before.pond.board
    return {"type": "lily", "pad": board.names[pad], "colour": colour, "to_goal": _to_goal(board)[pad]}


def _move(before: ChinaMoon, frog: cython.int, landing: cython.int, after: ChinaMoon) -> Json:
    legs = _legs(before, frog, landing, after)
    seen: Json = {
        "type": "move",
        "frog": FROG_NAMES[frog],
        "owner": frog // 3,
        "origin": legs[0]["origin"],
        "landing": legs[-1]["landing"],
        "spring": before.asked == LEG,
        "legs": legs,
    }
    lilies = [leg["lily"] for leg in legs if "lily" in leg]
    seen.update(zip(("lily", "second_lily"), lilies, strict=False))
    if after.at[frog] == GOAL:
        seen["place"] = after.arrived
        seen["prize"] = COLOUR_NAMES[after.prize[after.arrived]]
    else:
        seen["to_goal"] = _to_goal(before.pond.board)[after.at[frog]]
    return seen


def _drop(before: ChinaMoon, move: int) -> Json:
    return {"type": "drop", "colour": COLOUR_NAMES[drop_of(move)[0]], "pad": dropped_on(before, move)}


def _what_now(before: ChinaMoon, after: ChinaMoon) -> dict[str, Any]:
    """What the move led to: the end, a question to someone, the next frog or the next player."""
    now: dict[str, Any] = {"points": after.scores()}
    if after.is_over():
        now["over"] = True
    elif after.asked != FROG:
        now["asks"] = _PHASES[after.asked]
        now["asked_seat"] = after.actors[0]
    elif after.turn != before.turn:
        now["next_seat"] = after.turn
    return now
