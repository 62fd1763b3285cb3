"""Why a move of Daruma may not be made now: a code of `[error]` in the messages, and its parameters."""

from __future__ import annotations

from typing import cast

from tsukimi.core.game import Game
from tsukimi.games.daruma.codes import (
    ALL_PLACES,
    ASK_SWAP,
    MOVE_GIVE,
    MOVE_PAINT,
    MOVE_REROLL,
    MOVE_SAKE,
    MOVE_SHIFT,
    MOVE_STOP,
    PHASES,
    START,
    USE,
)
from tsukimi.games.daruma.decode import faces_in, shift_of, shifted, swap_base, swap_of
from tsukimi.games.daruma.rules import Daruma

Reason = tuple[str, dict[str, object]]


def reason(game: Game, seat: int, move: int) -> Reason:
    daruma = cast(Daruma, game)
    code, params = _reason(daruma, move)
    return f"daruma.{code}", params


def _reason(game: Daruma, move: int) -> Reason:
    if game.stage == START:
        return "sweep-or-roll", {}
    if move < MOVE_STOP:
        return "only-at-the-start", {}
    if MOVE_SHIFT <= move < MOVE_GIVE and any(shifted(face, way) == 4 for face, way in shift_of(move)):
        return "never-a-four", {}
    if game.stage == ASK_SWAP and move >= swap_base(game):
        return _swap(game, move)
    if game.stage != USE:
        return f"must-{PHASES[game.stage]}", {}
    if move == MOVE_STOP:
        return "ones-left", {}
    if move < MOVE_SAKE:
        return _paint(game, move - MOVE_PAINT)
    if move < MOVE_REROLL:
        return _sake(game, move - MOVE_SAKE + 1)
    if move < MOVE_GIVE:
        return "no-reroll-now" if move < MOVE_SHIFT else "no-shift-now", {}
    if move < swap_base(game):
        return _give(game, *divmod(move - MOVE_GIVE, game.players))
    return "no-swap-now", {}


def _paint(game: Daruma, place: int) -> Reason:
    if game.complete >> place & 1 and game.complete != ALL_PLACES:
        return "both-eyes-painted", {"place": place + 1}
    return ("no-one-left" if 1 not in faces_in(game.dice) else "no-free-eye"), {}


def _sake(game: Daruma, face: int) -> Reason:
    if face in (1, 4):
        return "no-sake-for-that", {"face": face}
    if face not in faces_in(game.dice):
        return "no-such-die", {"face": face}
    return "sake-needs-another-die", {}


def _give(game: Daruma, kind: int, to: int) -> Reason:
    if game.gift_used:
        return "one-gift-a-turn", {}
    if to == game.turn:
        return "no-gift-to-yourself", {}
    if not game.collection(game.turn)[kind]:
        return "not-your-daruma", {"name": game.cards.names[kind]}
    return "no-four-on-the-ledger", {}


def _swap(game: Daruma, move: int) -> Reason:
    for seat, kind in swap_of(game, move):
        if kind >= 0 and not game.collection(seat)[kind]:
            return "not-their-daruma", {"who": f"p{seat + 1}", "name": game.cards.names[kind]}
    return "must-swap", {}
