"""What each seat of Dojo may know: views, events and the count of a dojo. Shapes are in docs/games/dojo.md."""

from __future__ import annotations

from functools import lru_cache

from tsukimi.core.spec import CHANCE, Json
from tsukimi.games.dojo import notation
from tsukimi.games.dojo.notation import CARDS, DISCIPLES, HANDS, LINES, MOVES, PLACES, TROPHIES, VARIANTS
from tsukimi.games.dojo.rules import Dojo

FACE_DOWN = "?"
DISCIPLE_POINTS = (0, 1, 3, 6, 10)
WHITE_TROPHY_POINTS = 3
_CHANCE_PHASES = ("first", "turn", "draw", "deal")


# ---- views -----------------------------------------------------------------------------------


def public(game: Dojo) -> Json:
    phase = notation.phase(game)
    return {
        "phase": phase,
        "ask": None if phase in _CHANCE_PHASES or phase == "over" else phase,
        "round": min(game.round + 1, 12),
        "belt": VARIANTS[game.belt],
        "dealer": None if phase in ("first", "over") else _seat(game.dealer),
        "trophy": _trophy(game.trophy),
        "trophies_left": sum(game.trophies_left) if _trophies_have_kinds(game) else None,
        "tatamis_left": game.pile,
        "dojos": [_dojo(game, owner) for owner in range(game.players)],
    }


def own(game: Dojo, seat: int) -> Json:
    return {
        "held": [_held(game, seat, owner) for owner in range(game.players)],
        "looking": _looked_at(game, seat),
        "challenge": _challenge(game, seat),
    }


def _held(game: Dojo, seat: int, owner: int) -> str | None:
    """The card before a player that is not placed yet."""
    if game.held[owner] < 0:
        return None
    return CARDS[game.held[owner]] if game.knows(seat, owner) else FACE_DOWN


def _looked_at(game: Dojo, seat: int) -> str | None:
    """The card that the dealer has drawn and not given yet."""
    if game.looking < 0:
        return None
    return CARDS[game.looking] if seat == game.dealer else FACE_DOWN


def _challenge(game: Dojo, seat: int) -> Json | None:
    if game.attacker < 0 or notation.phase(game) == "over":
        return None
    sides = (game.attacker, game.dealer)
    throws = list(game.throws)
    bouts = [(throws[2 * bout], throws[2 * bout + 1]) for bout in range(3)]
    now = bouts[game.bouts] if game.bouts < 3 else (-1, -1)
    return {
        "attacker": game.attacker,
        "dealer": game.dealer,
        "cards": [CARDS[kind] for kind in game.duel],
        "bonus": list(game.bonus),
        "throws": [[HANDS[hand] for hand in bout] for bout in bouts[: game.bouts]],
        "thrown": [side for side, hand in zip(sides, now, strict=True) if hand >= 0],
        "own_throw": next(
            (HANDS[hand] for side, hand in zip(sides, now, strict=True) if side == seat and hand >= 0), None
        ),
        "winner": _seat(game.winner),
        "swapped": bool(game.swapped),
    }


def _dojo(game: Dojo, owner: int) -> Json:
    return {
        "cards": [{"row": row, "column": column, "card": CARDS[kind]} for row, column, kind in game.dojo(owner)],
        "trophies": [
            {"line": LINES[line][0], "at": LINES[line][1], "trophy": TROPHIES[trophy]}
            for line, trophy in game.trophies(owner)
        ],
        "won": game.won[owner],
        "count": count(game, owner),
    }


def _seat(seat: int) -> int | None:
    return seat if seat >= 0 else None


def _trophy(trophy: int) -> str | None:
    return TROPHIES[trophy] if trophy >= 0 else None


def _trophies_have_kinds(game: Dojo) -> bool:
    return VARIANTS[game.belt] != "white"


# ---- the count of a dojo ---------------------------------------------------------------------


def count(game: Dojo, owner: int) -> Json:
    """What a dojo counts as it lies, arranged as well as its trophies allow: line by line."""
    _, *grid = game.counted(owner)
    trophies = 0 if _trophies_have_kinds(game) else WHITE_TROPHY_POINTS * game.won[owner]
    return _count(tuple(grid), tuple(game.dojo(owner)), tuple(game.trophies(owner)), trophies)


@lru_cache(2048)
def _count(
    grid: tuple[int, ...], cards: tuple[tuple[int, int, int], ...], signs: tuple[tuple[int, int], ...], trophies: int
) -> Json:
    """A dojo changes by a card in a round: most are counted many times."""
    top = min((row for row, _, _ in cards), default=0)
    side = min((column for _, column, _ in cards), default=0)
    height = max((row for row, _, _ in cards), default=-1) - top + 1
    width = max((column for _, column, _ in cards), default=-1) - side + 1
    named = {LINES[line]: TROPHIES[trophy] for line, trophy in signs}
    rows = [_row(top + i, list(grid[4 * i : 4 * i + width]), named.get(("row", top + i))) for i in range(height)]
    columns = [_column(side + i, list(grid[i::4]), named.get(("column", side + i))) for i in range(width)]
    return {
        "points": trophies + sum(line["points"] for line in rows + columns),
        "rows": rows,
        "columns": columns,
        "trophies": trophies,
        "rearranged": any(grid[4 * (row - top) + column - side] != _code(kind) for row, column, kind in cards),
    }


def _code(kind: int) -> int:
    """A card as `scoring` writes it."""
    return kind // 5 | (kind % 5 + 1) << 3


def _row(at: int, codes: list[int], trophy: str | None) -> Json:
    """A row's cards, the disciple that each counts as, and their points."""
    there = [DISCIPLES[code & 7] for code in codes if code >> 3]
    counted_as = [DISCIPLES[code & 7] if code >> 3 else None for code in codes]
    plain = [disciple for disciple in there if disciple != "raccoon"]
    most = max(DISCIPLES, key=plain.count)
    if trophy == "raccoon":
        changed = next((i for i, disciple in enumerate(counted_as) if disciple not in (None, most, "raccoon")), None)
        if changed is not None:
            counted_as[changed] = "raccoon"
    counted_as = [most if disciple == "raccoon" else disciple for disciple in counted_as]
    numbers = [counted_as.count(disciple) for disciple in DISCIPLES]
    scoring = numbers if trophy == "incense" else [max(numbers)]
    return {
        "row": at,
        "trophy": trophy,
        "cards": [f"{DISCIPLES[code & 7]}{code >> 3}" if code >> 3 else None for code in codes],
        "as": counted_as,
        "points": sum(DISCIPLE_POINTS[number] for number in scoring),
    }


def _column(at: int, codes: list[int], trophy: str | None) -> Json:
    """A column's points and the belt that earns them."""
    belts = [code >> 3 for code in codes if code >> 3]
    enough = 2 if trophy == "multicolour-belt" else 3
    belt = next((belt for belt in belts if belts.count(belt) >= enough), 0)
    return {
        "column": at,
        "trophy": trophy,
        "belt": notation.BELTS[belt - 1] if belt else None,
        "points": belt * 2 if trophy == "kimono" else belt,
    }


# ---- events ----------------------------------------------------------------------------------


def event(before: Dojo, seat: int, move: int, after: Dojo, observer: int) -> Json:
    told: Json = {"round": before.round + 1}
    if seat == CHANCE:
        told |= _chance_event(before, move, observer)
    else:
        word = MOVES[move].split()[0]
        told |= {"type": word, "seat": seat} | _TELLERS[word](before, seat, move, after, observer)
    return told


def open_event(before: Dojo, seat: int, move: int) -> bool:
    """All but cards that are looked at, dealt or given, and the first of two throws."""
    if seat == CHANCE:
        return notation.phase(before) in ("first", "turn")
    return MOVES[move].split()[0] not in ("give", "throw")


def _chance_event(before: Dojo, outcome: int, observer: int) -> Json:
    phase = notation.phase(before)
    if phase == "first":
        return {"type": "first", "first_seat": outcome}
    if phase == "turn":
        return {"type": "turn", "trophy": TROPHIES[outcome]}
    who = notation.receiver(before) if phase == "deal" else before.dealer
    told: Json = {"type": phase, "to" if phase == "deal" else "dealer": who}
    if observer == who:
        told["card"] = CARDS[outcome]
    return told


def _give(before: Dojo, seat: int, move: int, after: Dojo, observer: int) -> Json:
    told: Json = {"to": move}
    if observer in (seat, move):
        told["card"] = CARDS[before.looking]
    return told


def _do_challenge(before: Dojo, seat: int, move: int, after: Dojo, observer: int) -> Json:
    told: Json = {"dealer": before.dealer, "card": CARDS[after.duel[0]], "dealer_card": CARDS[after.duel[1]]}
    return told | _result(after)


def _pass(before: Dojo, seat: int, move: int, after: Dojo, observer: int) -> Json:
    return {"dealer": before.dealer, "challenge_over": notation.phase(after) == "place"}


def _throw(before: Dojo, seat: int, move: int, after: Dojo, observer: int) -> Json:
    hand = MOVES[move].split()[1]
    bout = before.bouts
    if after.bouts == bout:
        return {"bout": bout + 1} | ({"hand": hand} if observer == seat else {})
    other = before.dealer if seat == before.attacker else before.attacker
    other_hand = after.throws[2 * bout + (1 if other == before.dealer else 0)]
    told: Json = {"bout": bout + 1, "hand": hand, "other_seat": other, "other_hand": HANDS[other_hand]}
    told["bonus"] = list(after.bonus)
    return told | _result(after)


def _result(after: Dojo) -> Json:
    """Who won the challenge, once that is decided."""
    if after.winner < 0:
        return {}
    loser = after.dealer if after.winner == after.attacker else after.attacker
    told: Json = {"winner": after.winner, "loser": loser}
    if _trophies_have_kinds(after):
        told["trophy"] = TROPHIES[after.trophy]
    return told


def _swap(before: Dojo, seat: int, move: int, after: Dojo, observer: int) -> Json:
    loser = before.dealer if seat == before.attacker else before.attacker
    return {"loser": loser, "card": CARDS[after.held[seat]], "loser_card": CARDS[after.held[loser]]}


def _place(before: Dojo, seat: int, move: int, after: Dojo, observer: int) -> Json:
    row, column = PLACES[move - notation.NUMBERS["place -2 -3"]]
    told: Json = {"row": row, "column": column, "card": CARDS[before.held[seat]], "points": after.points()[seat]}
    ended = after.round > before.round
    if ended and before.winner >= 0 and _trophies_have_kinds(before):
        told |= {"winner": before.winner, "boxed": TROPHIES[before.trophy]}
    return told | {"round_over": ended}


def _do_trophy(before: Dojo, seat: int, move: int, after: Dojo, observer: int) -> Json:
    _, line, at = MOVES[move].split()
    told: Json = {"trophy": TROPHIES[before.trophy], "line": line, "at": int(at)}
    return told | {"points": after.points()[seat], "round_over": True}


_TELLERS = {
    "give": _give,
    "challenge": _do_challenge,
    "pass": _pass,
    "throw": _throw,
    "swap": _swap,
    "keep": _swap,
    "place": _place,
    "trophy": _do_trophy,
}
