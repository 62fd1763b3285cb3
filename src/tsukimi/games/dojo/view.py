# mypy: ignore-errors
# cython: infer_types=True
"""What each seat of Dojo may know: views, events and the count of a dojo. Shapes are in docs/games/dojo.md.

The answers are read only: they share dojos, cards and trophies.
"""

from __future__ import annotations

import cython

from tsukimi.core.spec import CHANCE, Json
from tsukimi.games.dojo import notation
from tsukimi.games.dojo.notation import BELTS, CARDS, DISCIPLES, HANDS, PHASES, TROPHIES, VARIANTS, WORDS
from tsukimi.games.dojo.scoring import DISCIPLE_POINTS, RACCOON

if not cython.compiled:
    from tsukimi.games.dojo.bits import lowest
    from tsukimi.games.dojo.dojos import LINES, ROUNDS, ROW_LINES, WIDTH
    from tsukimi.games.dojo.rules import (
        CHALLENGE,
        DEAL,
        DO_PASS,
        FIRST,
        GIVE,
        OVER,
        PLACE,
        PLACE_AT,
        SWAP,
        THROW,
        THROW_AS,
        TROPHY_AT,
        TROPHY_KINDS,
        TURN,
        WHITE,
        WHITE_TROPHY,
        Dojo,
    )
    from tsukimi.games.dojo.scoring import EMPTY

    packed = bytes

FACE_DOWN = "?"
_CARD_AT = [[{"row": row, "column": column, "card": card} for card in CARDS] for row, column in notation.PLACES]
_TROPHY_AT = [[{"line": line, "at": at, "trophy": trophy} for trophy in TROPHIES] for line, at in notation.LINES]
_SIGNS = (None, *TROPHIES)
_DISCIPLE_OF = (*DISCIPLES, None)  # nobody in a free place
_CARD_OF = {EMPTY: None} | {kind // 5 | (kind % 5 + 1) << 3: card for kind, card in enumerate(CARDS)}
_DOJOS: dict[tuple[object, ...], Json] = {}
_MOST_DOJOS = 2048


# ---- views -----------------------------------------------------------------------------------


def public(game: Dojo) -> Json:
    phase = PHASES[game.phase]
    left = sum([game.trophies_left[kind] for kind in range(TROPHY_KINDS)])
    return {
        "phase": phase,
        "ask": phase if DEAL < game.phase < OVER else None,
        "round": min(game.round + 1, ROUNDS),
        "belt": VARIANTS[game.belt],
        "dealer": game.dealer if game.dealer >= 0 and FIRST < game.phase < OVER else None,
        "trophy": TROPHIES[game.trophy] if game.trophy >= 0 else None,
        "trophies_left": left if game.belt != WHITE else None,
        "tatamis_left": game.pile,
        "dojos": [_dojo(game, owner) for owner in range(game.players)],
        "tie": _tie(game) if game.phase == OVER else None,
    }


def _tie(game):
    """What broke a tie for first place: challenges won, or nothing, and it is shared; None if there was none."""
    scores = game.scores()
    if len(game.winners()) > 1:
        return "shared"
    return "challenges" if scores.count(max(scores)) > 1 else None


def own(game: Dojo, seat: cython.int) -> Json:
    return {
        "held": [_held(game, seat, owner) for owner in range(game.players)],
        "looking": _looked_at(game, seat),
        "challenge": _challenge(game, seat),
    }


def _held(game, seat, owner):
    """The card before a player that is not placed yet."""
    if game.held[owner] < 0:
        return None
    return CARDS[game.held[owner]] if game.knows_card_of(seat, owner) else FACE_DOWN


def _looked_at(game, seat):
    """The card that the dealer has drawn and not given yet."""
    if game.looking < 0:
        return None
    return CARDS[game.looking] if seat == game.dealer else FACE_DOWN


def _challenge(game, seat):
    if game.attacker < 0 or game.phase == OVER:
        return None
    thrown, own_throw = [], None
    if game.bouts < 3:
        for side in range(2):
            thrower = game.dealer if side else game.attacker
            hand = game.throws[2 * game.bouts + side]
            if hand >= 0:
                thrown.append(thrower)
                if thrower == seat:
                    own_throw = HANDS[hand]
    return {
        "attacker": game.attacker,
        "dealer": game.dealer,
        "cards": [CARDS[game.duel[0]], CARDS[game.duel[1]]],
        "bonus": [game.bonus[0], game.bonus[1]],
        "throws": [[HANDS[game.throws[2 * bout]], HANDS[game.throws[2 * bout + 1]]] for bout in range(game.bouts)],
        "thrown": thrown,
        "own_throw": own_throw,
        "winner": game.winner if game.winner >= 0 else None,
        "swapped": bool(game.swapped),
    }


def _dojo(game, owner):
    """Cached: a dojo changes by one card a round, and is asked for many times."""
    first, line = owner * ROUNDS, owner * LINES
    end = first + game.placed[owner]
    cells, kinds = packed(game.cells[first:end]), packed(game.kinds[first:end])
    signs = packed(game.line_trophies[line : line + LINES])
    key = (cells, kinds, signs, game.won[owner], game.belt == WHITE)
    dojo = _DOJOS.get(key)
    if dojo is None:
        if len(_DOJOS) >= _MOST_DOJOS:
            _DOJOS.clear()
        dojo = _DOJOS[key] = {
            "cards": [_CARD_AT[game.cells[i]][game.kinds[i]] for i in range(first, end)],
            "trophies": [_TROPHY_AT[line][sign - 1] for line, sign in enumerate(signs) if sign],
            "won": game.won[owner],
            "count": _count(game, owner, signs),
        }
    return dojo


# ---- the count of a dojo ---------------------------------------------------------------------


def _count(game, owner, signs):
    """What a dojo counts now, arranged as well as its trophies allow: line by line."""
    counted = game.counted(owner)
    across, down = _lines(game, owner, signs, counted[1:])
    as_placed = _as_placed(game, owner)
    rearranged = as_placed != counted[1:]
    if rearranged:
        # Cards that change rows earn there, not in the column of their broom; with an assistant it is the reverse.
        rows, columns = _lines(game, owner, signs, as_placed)
        for line, before in zip(across + down, rows + columns, strict=True):
            line["by_moving"] = line["points"] - before["points"]
    trophies = WHITE_TROPHY * game.won[owner] if game.belt == WHITE else 0
    for i, line in enumerate(game.lines(owner)):
        # All that the dojo owes to the trophy: a broom or an assistant earns it on the lines that cross its own.
        found = (across + down)[i]
        found["gain"] = counted[0] - game.without_trophy(owner, line) if signs[line] else 0
    return {
        "points": trophies + sum([line["points"] for line in across + down]),
        "rows": across,
        "columns": down,
        "trophies": trophies,
        "rearranged": rearranged,
    }


def _lines(game, owner, signs, grid):
    """The rows and the columns that have a card, as they count with the cards in this grid."""
    lines = game.lines_with_cards(owner)
    rows = [row for row in range(ROW_LINES) if lines >> row & 1]
    columns = [column for column in range(WIDTH) if lines >> ROW_LINES + column & 1]
    across = [_row(row - 2, grid[4 * i : 4 * i + len(columns)], _SIGNS[signs[row]]) for i, row in enumerate(rows)]
    down = [_column(column - 3, grid[i::4], _SIGNS[signs[ROW_LINES + column]]) for i, column in enumerate(columns)]
    return across, down


def _as_placed(game, owner):
    """The grid of a dojo with every card where it was placed."""
    grid = [EMPTY] * 12
    if game.placed[owner]:
        lines = game.lines_with_cards(owner)
        top, side = lowest(lines & 31), lowest(lines >> ROW_LINES)
        for i in range(owner * ROUNDS, owner * ROUNDS + game.placed[owner]):
            place = 4 * (game.cells[i] // WIDTH - top) + game.cells[i] % WIDTH - side
            grid[place] = game.kinds[i] // 5 | (game.kinds[i] % 5 + 1) << 3
    return grid


def _row(at, codes, trophy):
    """A row's cards, the disciple that each counts as, and their points."""
    there = [code & 7 for code in codes]
    numbers = [there.count(disciple) for disciple in range(RACCOON)]
    most = numbers.index(max(numbers)) if any(numbers) else RACCOON  # among themselves, raccoons are alike
    counted_as = [most if disciple == RACCOON else disciple for disciple in there]
    if trophy == "raccoon":
        others = [i for i, disciple in enumerate(counted_as) if disciple not in (most, EMPTY)]
        if others:
            counted_as[others[0]] = most
    scoring = range(RACCOON + 1) if trophy == "incense" else [most]
    return {
        "row": at,
        "trophy": trophy,
        "cards": [_CARD_OF[code] for code in codes],
        "as": [_DISCIPLE_OF[disciple] for disciple in counted_as],
        "points": sum([DISCIPLE_POINTS[counted_as.count(disciple)] for disciple in scoring]),
        "by_moving": 0,
    }


def _column(at, codes, trophy):
    """A column's points and the belt that earns them."""
    belts = [code >> 3 for code in codes if code >> 3]
    enough = 2 if trophy == "multicolour-belt" else 3
    earning = [belt for belt in belts if belts.count(belt) >= enough]
    belt = earning[0] if earning else 0
    return {
        "column": at,
        "trophy": trophy,
        "belt": BELTS[belt - 1] if belt else None,
        "points": belt * 2 if trophy == "kimono" else belt,
        "by_moving": 0,
    }


# ---- events ----------------------------------------------------------------------------------


def event(before: Dojo, seat: cython.int, move: cython.int, after: Dojo, observer: cython.int) -> Json:
    if seat == CHANCE:
        return _chance_event(before, move, observer)
    seen = {"round": before.round + 1, "type": WORDS[move], "seat": seat}
    if before.phase == PLACE:
        _add_place(seen, before, seat, move, after)
    elif before.phase == GIVE:
        _add_give(seen, before, seat, move, observer)
    elif before.phase == CHALLENGE:
        _add_challenge(seen, before, move, after)
    elif before.phase == THROW:
        _add_throw(seen, before, seat, move, after, observer)
    elif before.phase == SWAP:
        _add_swap(seen, before, seat, after)
    else:
        _add_trophy(seen, before, seat, move, after)
    return seen


def open_event(before: Dojo, seat: cython.int, move: cython.int) -> bool:
    """All but cards that are looked at, dealt or given, and the first of two throws."""
    if seat == CHANCE:
        return before.phase <= TURN
    return before.phase != GIVE and before.phase != THROW


def _chance_event(before, outcome, observer):
    seen = {"round": before.round + 1, "type": PHASES[before.phase]}
    if before.phase == FIRST:
        seen["first_seat"] = outcome
    elif before.phase == TURN:
        seen["trophy"] = TROPHIES[outcome]
    else:
        giver = lowest(before.without_card) if before.phase == DEAL else before.dealer
        seen["to" if before.phase == DEAL else "dealer"] = giver
        if observer == giver:
            seen["card"] = CARDS[outcome]
    return seen


def _add_give(seen, before, seat, move, observer):
    seen["to"] = move
    if observer in (seat, move):
        seen["card"] = CARDS[before.looking]


def _add_challenge(seen, before, move, after):
    seen["dealer"] = before.dealer
    if move == DO_PASS:
        seen["challenge_over"] = after.phase == PLACE
        return
    seen["card"], seen["dealer_card"] = CARDS[after.duel[0]], CARDS[after.duel[1]]
    seen["decided_by"] = "throws" if after.winner < 0 else "tie" if after.duel[0] % 5 == after.duel[1] % 5 else "belt"
    _add_result(seen, after)


def _add_throw(seen, before, seat, move, after, observer):
    bout = before.bouts
    seen["bout"] = bout + 1
    if after.bouts > bout or observer == seat:
        seen["hand"] = HANDS[move - THROW_AS]
    if after.bouts > bout:
        attacks = seat == before.attacker
        seen["other_seat"] = before.dealer if attacks else before.attacker
        seen["other_hand"] = HANDS[after.throws[2 * bout + attacks]]
        seen["bonus"] = [after.bonus[0], after.bonus[1]]
        _add_result(seen, after)


def _add_result(seen, after):
    """Who won the challenge, once that is decided."""
    if after.winner >= 0:
        seen["winner"] = after.winner
        seen["loser"] = after.dealer if after.winner == after.attacker else after.attacker
        if after.belt != WHITE:
            seen["trophy"] = TROPHIES[after.trophy]


def _add_swap(seen, before, seat, after):
    loser = before.dealer if seat == before.attacker else before.attacker
    seen["loser"] = loser
    seen["card"], seen["loser_card"] = CARDS[after.held[seat]], CARDS[after.held[loser]]


def _add_place(seen, before, seat, move, after):
    seen.update(_CARD_AT[move - PLACE_AT][before.held[seat]])
    seen["points"] = after.score(seat)
    ended = after.round > before.round
    if ended and before.winner >= 0 and before.belt != WHITE:
        seen["winner"], seen["boxed"] = before.winner, TROPHIES[before.trophy]
    seen["round_over"] = ended


def _add_trophy(seen, before, seat, move, after):
    seen["trophy"] = TROPHIES[before.trophy]
    seen["line"], seen["at"] = notation.LINES[move - TROPHY_AT]
    seen["points"], seen["round_over"] = after.score(seat), True
