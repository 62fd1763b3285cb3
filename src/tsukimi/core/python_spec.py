"""The `Spec` of a game written in Python, derived from its class: notation, views, events and observations."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tsukimi.core.errors import IllegalMove, MalformedMove
from tsukimi.core.game import Table
from tsukimi.core.python_game import PythonGame
from tsukimi.core.spec import CHANCE, Field, Json, Spec
from tsukimi.core.stakes import score_change


def make_spec(
    game: type[PythonGame], name: str, seats: tuple[int, ...], folder: Path | None = None, **more: Any
) -> Spec:
    """The `Spec` of a class of positions. Whatever is passed in `more` replaces what would be derived."""

    def start(table: Table, players: int, options: Mapping[str, str]) -> PythonGame:
        return game(table, players, options)

    derived: dict[str, Any] = {
        "options": {option: tuple(values) for option, values in game.OPTIONS.items()},
        "start": start,
        "text": _text,
        "parse": _parse,
        "outcomes": _outcomes,
        "public": _public,
        "own": _own,
        "event": _event,
        "open_event": _open_event,
        "open_choice": _open_choice,
        "fields": _fields,
        "stakes": _stakes,
    }
    # A class in a notebook has no file: its texts and guides, if it has any, are in the current folder.
    home = folder or Path(getattr(sys.modules[game.__module__], "__file__", None) or ".").parent
    return Spec(name=name, seats=seats, folder=home, **{**derived, **more})


# ---- notation ------------------------------------------------------------------------------------


def _text(game: PythonGame, seat: int, move: int) -> str:
    if seat != CHANCE:
        return game.move_text(move)
    return f"first p{move + 1}" if game.first_waits else game.outcome_text(move)


def _parse(game: PythonGame, seat: int, text: str) -> int:
    if seat == CHANCE:
        found = {_text(game, CHANCE, outcome): outcome for outcome, _ in _outcomes(game)}
        if text not in found:
            raise IllegalMove("impossible-outcome", list(found))
        return found[text]
    if text in game.MOVES:
        return list(game.MOVES).index(text)
    moves = {game.move_text(move): move for move in game.actions(seat)}
    if text not in moves:
        raise MalformedMove("malformed-move", text=text[:60])
    return moves[text]


def _outcomes(game: PythonGame) -> list[tuple[int, float]]:
    if game.first_waits:
        return [(seat, 1 / game.players) for seat in range(game.players)]
    weights = {outcome: weight for outcome, weight in game.chance_outcomes().items() if weight}
    total = sum(weights.values())
    return [(outcome, weight / total) for outcome, weight in weights.items()]


# ---- views, events, observations -----------------------------------------------------------------


def _public(game: PythonGame) -> Json:
    view: Json = {"phase": game.phase(), "ask": game.ask() if game.actors else None}
    for cell in game.CELLS:
        if not cell.secret and not cell.per_seat:
            values = getattr(game, cell.name)
            view[cell.name] = cell.word(values) if isinstance(values, int) else [cell.word(value) for value in values]
    return view


def _own(game: PythonGame, observer: int) -> Json:
    """The cells of every seat; "?" is what the observer does not see."""
    cells = [cell for cell in game.CELLS if cell.per_seat]
    return {"seats": [_seat(game, cells, seat, observer) for seat in range(game.players)]} if cells else {}


def _seat(game: PythonGame, cells: list[Any], seat: int, observer: int) -> Json:
    known, shown = game.knows(observer, seat), dict[str, Any]()
    for cell in cells:
        open_to_all = known or not cell.secret
        values = [cell.word(value) if open_to_all or cell.empty(value) else "?" for value in cell.of(game, seat)]
        shown[cell.name] = values if cell.each > 1 else values[0]
    return shown


def _event(before: PythonGame, seat: int, move: int, after: PythonGame, observer: int) -> Json:
    if seat == CHANCE and before.first_waits:
        return {"type": "first", "to": move}
    text = _text(before, seat, move)
    event: Json = {"type": text.split()[0]}
    if seat != CHANCE:
        event["seat"] = seat
    if _sees(before, seat, move, observer):
        event["text"] = text
    if after.over:
        event["scores"], event["winners"] = after.scores(), after.winners()
    return event


def _sees(before: PythonGame, seat: int, move: int, observer: int) -> bool:
    if seat == CHANCE:
        return before.first_waits or before.sees_outcome(move, observer)
    return seat == observer or before.sees_move(move, seat, observer)


def _open_event(before: PythonGame, seat: int, move: int) -> bool:
    return all(_sees(before, seat, move, observer) for observer in range(-1, before.players))


def _open_choice(game: PythonGame, seat: int) -> bool:
    """A seat with secrets may have moves that depend on them."""
    return not any(cell.secret for cell in game.CELLS)


def _stakes(game: PythonGame, seat: int, move: int) -> list[Json]:
    """Without secrets the score after the move is known; with them, the game itself must say what its seat may know."""
    return [] if any(cell.secret for cell in game.CELLS) else score_change(game, seat, move)


def _fields(game: PythonGame) -> list[Field]:
    fields = [
        Field("seat", 0, 1, -1, game.players - 1, "The observing seat; -1 for a spectator."),
        Field("actors", 1, 1, 0, 2**game.players - 1, "The seats that decide now, as a bit mask."),
    ]
    for cell in game.CELLS:
        length = cell.each * game.players if cell.per_seat else 0 if cell.secret else cell.length
        if length:
            place = fields[-1].offset + fields[-1].length
            low = cell.low - 1 if cell.secret else cell.low
            meaning = cell.meaning or cell.name.replace("_", " ").capitalize() + "."
            if cell.secret:
                meaning += f" {low}: unknown."
            fields.append(Field(cell.name, place, length, low, cell.high, meaning))
    return fields
