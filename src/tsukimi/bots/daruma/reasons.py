"""Why a move is the best in Daruma: a message code and its parameters."""

from __future__ import annotations

from collections.abc import Mapping

from tsukimi.bots.engine import Reason, percent
from tsukimi.bots.tree import Candidate
from tsukimi.games.daruma.codes import (
    ASK_REROLL,
    MOVE_GIVE,
    MOVE_PAINT,
    MOVE_REROLL,
    MOVE_SAKE,
    MOVE_SHIFT,
    MOVE_STOP,
    PLACES,
    START,
)
from tsukimi.games.daruma.decode import faces_in, reroll_of, shift_of, shifted, swap_base, swap_of
from tsukimi.games.daruma.rules import Daruma
from tsukimi.games.daruma.stakes import bad_luck, chance_of_a_one


def reason(game: Daruma, seat: int, candidates: list[Candidate]) -> Reason:
    best = candidates[0].move
    shares = {candidate.move: candidate.share for candidate in candidates}
    share = percent(shares[best])
    if game.stage == START:
        return ("daruma.sweep", "daruma.roll")[best], {"fresh": percent(shares[0]), "row": percent(shares[1])}
    if best == MOVE_STOP:
        return _stop(game, seat, candidates)
    if best < MOVE_SAKE:
        return _paint(game, seat, best - MOVE_PAINT, share)
    if best < MOVE_REROLL:
        return _sake(game, seat, best - MOVE_SAKE + 1, shares)
    if best < MOVE_SHIFT:
        return _reroll(game, len(reroll_of(best)))
    if best < MOVE_GIVE:
        return "daruma.shift", {"ones": _ones_after(game, best), "share": share}
    if best < swap_base(game):
        points = _points(game, seat, (best - MOVE_GIVE) // game.players)
        left = game.ledger + game.fictive - 1
        return "daruma.give", {"points": points, "fours": left, "share": share}
    change = _swapped(game, seat, best)
    return "daruma.swap", {"points": change, "share": share}


def _stop(game: Daruma, seat: int, candidates: list[Candidate]) -> Reason:
    faces = faces_in(game.dice)
    dice = len(faces)
    fields = {**_finished(game, seat), "steps": min(2, dice)}
    if dice < 2 or faces[-1] == 1 or len(candidates) < 2:
        return "daruma.stop-last", fields
    one, all_dice = bad_luck(1, _fours(game)), bad_luck(dice - 1, _fours(game))
    shares = {"share": percent(candidates[0].share), "other_share": percent(candidates[1].share)}
    risks = _risks(low=one) if one == all_dice else _risks(low=one, high=all_dice)
    return "daruma.stop", {**fields, **shares, **risks}


def _paint(game: Daruma, seat: int, place: int, share: int) -> Reason:
    second = game.painted >> place & 1
    fields = {
        "card": game.cards.names[game.face[place]],
        "points": _points(game, seat, game.face[place]),
        "share": share,
    }
    return "daruma.paint-second" if second else "daruma.paint-first", fields


def _sake(game: Daruma, seat: int, face: int, shares: Mapping[int, float]) -> Reason:
    share = percent(shares[MOVE_SAKE + face - 1])
    risk = _risks(low=bad_luck(1, _fours(game)))
    fields: dict[str, object] = {**_finished(game, seat), "face": face, **risk, "share": share}
    if MOVE_STOP in shares:
        return "daruma.sake", {**fields, "stop": percent(shares[MOVE_STOP])}
    return "daruma.sake-first", fields


def _reroll(game: Daruma, dice: int) -> Reason:
    fields = {"dice": dice, "ones": percent(chance_of_a_one(dice)), **_risks(risk=bad_luck(dice, _fours(game)))}
    return "daruma.reroll-value" if game.stage == ASK_REROLL else "daruma.reroll", fields


def _risks(**chances: float) -> dict[str, int]:
    """The non-zero chances of bad luck, in per cent: without them a different text is used."""
    return {name: max(1, percent(chance)) for name, chance in chances.items() if chance}


def _fours(game: Daruma) -> int:
    return game.ledger + game.fictive


def _finished(game: Daruma, seat: int) -> dict[str, object]:
    """The darumas with two eyes: how many, and their points."""
    done = [place for place in range(PLACES) if game.complete >> place & 1]
    return {"count": len(done), "points": sum(_points(game, seat, game.face[place]) for place in done)}


def _points(game: Daruma, seat: int, kind: int) -> int:
    return int(game.cards.points[game.objective[seat] * 64 + kind])


def _ones_after(game: Daruma, move: int) -> int:
    """How many ones there are after a shift."""
    ones = game.dice & 15
    for face, way in shift_of(move):
        ones += (shifted(face, way) == 1) - (face == 1)
    return ones


def _swapped(game: Daruma, seat: int, move: int) -> int:
    """What an exchange changes in the seat's own points."""
    one, other = swap_of(game, move)
    change = 0
    for (giver, gives), (_, gets) in ((one, other), (other, one)):
        if giver == seat:
            change += _points(game, seat, gets) if gets >= 0 else 0
            change -= _points(game, seat, gives) if gives >= 0 else 0
    return change
