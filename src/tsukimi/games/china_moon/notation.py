"""The text of every move and outcome of China Moon, both ways; the probabilities of its chance; why a move may not be made."""

from __future__ import annotations

import re
from functools import lru_cache

from tsukimi.core.errors import IllegalMove, MalformedMove
from tsukimi.core.spec import CHANCE
from tsukimi.games.china_moon.components import KINDS, Board
from tsukimi.games.china_moon.rules import (
    BLUE,
    DROP,
    DROPS,
    DROPS_AT,
    FROG,
    GOAL,
    LEG,
    PINK,
    TRADE,
    TRADES,
    ChinaMoon,
)

COLOUR_NAMES = ("", "pink", "white", "yellow", "blue", "black")
FROG_NAMES = tuple([f"p{player}{letter}" for player in range(1, 6) for letter in "abc"])
_COLOUR = "(pink|white|yellow|blue|black)"
_PAD = "([a-z0-9_.-]{1,24})"
_MOVE = re.compile(f"move p([1-5])([abc]) {_PAD}")
_LANDING = re.compile(f"move {_PAD}")
_TRADE = re.compile(f"trade {_COLOUR} p([1-5]) {_COLOUR}")
_DROP = re.compile(f"drop {_COLOUR}(?: {_PAD})?")
_FIRST = re.compile("first p([1-5])")
_GOAL = re.compile("goal ([1-3]) (pink|white|yellow)")
_LILY = re.compile(f"lily {_PAD} (pink|white|yellow)")
_LONGEST = 60
_ASKED_FIRST = {FROG: "asked-move", LEG: "asked-spring", TRADE: "asked-trade", DROP: "asked-drop"}


def board_of(game: ChinaMoon) -> Board:
    board: Board = game.pond.board
    return board


def frog_name(frog: int) -> str:
    return FROG_NAMES[frog]


# ---- to text ------------------------------------------------------------------------------


def text(game: ChinaMoon, seat: int, move: int) -> str:
    return _outcome_text(game, move) if seat == CHANCE else texts(game.pond.board)[move]


@lru_cache(64)
def texts(board: Board) -> dict[int, str]:
    """The text of every move on this board."""
    places = board.numbers.items()
    texts = dict[int, str]()
    for frog, name in enumerate(FROG_NAMES):
        texts |= {frog * 64 + number: f"move {name} {place}" for place, number in places}
    for move in range(TRADES, DROPS):
        give, other, take = trade_of(move)
        texts[move] = f"trade {COLOUR_NAMES[give]} p{other + 1} {COLOUR_NAMES[take]}"
    for colour, name in enumerate(COLOUR_NAMES[1:]):
        texts[DROPS + colour] = f"drop {name}"
        texts |= {DROPS_AT + colour * 64 + number: f"drop {name} {pad}" for pad, number in places if number != GOAL}
    return texts


def trade_of(move: int) -> tuple[int, int, int]:
    """Of a trade: the colour given, the other seat, the colour taken."""
    move -= TRADES
    return move // 25 + 1, move // 5 % 5, move % 5 + 1


def drop_of(move: int) -> tuple[int, int | None]:
    """Of a drop: the colour, and the pad where there was a choice of pads."""
    if move < DROPS_AT:
        return move - DROPS + 1, None
    return (move - DROPS_AT) // 64 + 1, (move - DROPS_AT) % 64


def dropped_on(game: ChinaMoon, move: int) -> str:
    """The pad that a drop's lily falls on."""
    pad = drop_of(move)[1]
    if pad is None:
        (pad,) = game.open_behind(game.at[game.frog])
    return board_of(game).name(pad)


def _outcome_text(game: ChinaMoon, outcome: int) -> str:
    if game.dealt == 0:
        return f"first p{outcome + 1}"
    return f"{_waiting(game)} {COLOUR_NAMES[outcome]}"


def _waiting(game: ChinaMoon) -> str:
    """The place that gets the next lily of the set-up."""
    if game.dealt <= 3:
        return f"goal {game.dealt}"
    board = board_of(game)
    return f"lily {board.name(board.lily_pads[game.dealt - 4])}"


# ---- from text ----------------------------------------------------------------------------


def parse(game: ChinaMoon, seat: int, text: str) -> int:
    if len(text) <= _LONGEST:
        if seat == CHANCE:
            return _parse_outcome(game, text)
        if found := _MOVE.fullmatch(text):
            place = _place(game, found[3], goal=True)
            return (_seat(game, found[1]) * 3 + "abc".index(found[2])) * 64 + place
        if (found := _LANDING.fullmatch(text)) and (target := board_of(game).place(found[1])) is not None:
            raise _no_frog(game, seat, target)
        if found := _TRADE.fullmatch(text):
            give, take = COLOUR_NAMES.index(found[1]), COLOUR_NAMES.index(found[3])
            return TRADES + (give - 1) * 25 + _seat(game, found[2]) * 5 + take - 1
        if found := _DROP.fullmatch(text):
            colour = COLOUR_NAMES.index(found[1])
            if found[2] is None:
                return DROPS + colour - 1
            return DROPS_AT + (colour - 1) * 64 + _place(game, found[2], goal=False)
    raise _malformed(text)


def _parse_outcome(game: ChinaMoon, text: str) -> int:
    if found := _FIRST.fullmatch(text):
        if game.dealt == 0:
            return _seat(game, found[1])
    elif found := _GOAL.fullmatch(text) or _LILY.fullmatch(text):
        if game.dealt and text == f"{_waiting(game)} {found[2]}":
            return COLOUR_NAMES.index(found[2])
    else:
        raise _malformed(text)
    raise IllegalMove("impossible-outcome")


def _malformed(text: str) -> MalformedMove:
    return MalformedMove("malformed-move", text=text if len(text) <= _LONGEST else text[:_LONGEST] + "..")


def _no_frog(game: ChinaMoon, seat: int, place: int) -> IllegalMove:
    """A place without a frog is not a move: the answer is whether a frog can land there at all."""
    if game.asked not in (FROG, LEG):
        first, params = _asked_first(game)
        return IllegalMove(f"china-moon.{first}", (), **params)
    some = any(move < TRADES and move % 64 == place for move in game.actions(seat))
    code = "which-frog" if some else "no-frog-lands"
    return IllegalMove(f"china-moon.{code}", kind=_kind(game, place))


def _kind(game: ChinaMoon, place: int) -> str:
    return "goal" if place == GOAL else KINDS[board_of(game).kinds[place]]


def _seat(game: ChinaMoon, number: str) -> int:
    if int(number) > game.players:
        raise IllegalMove("china-moon.no-such-player", player=f"p{number}", players=game.players)
    return int(number) - 1


def _place(game: ChinaMoon, name: str, goal: bool) -> int:
    place = board_of(game).place(name)
    if place is None or (place == GOAL and not goal):
        raise IllegalMove("china-moon.no-such-pad", pad=name)
    return place


# ---- chance -------------------------------------------------------------------------------


def outcomes(game: ChinaMoon) -> list[tuple[int, float]]:
    if game.dealt == 0:
        return [(seat, 1 / game.players) for seat in range(game.players)]
    stock = game.stock
    left = sum(stock[PINK:BLUE])
    return [(colour, stock[colour] / left) for colour in range(PINK, BLUE) if stock[colour]]


# ---- why not ------------------------------------------------------------------------------


def reason(game: ChinaMoon, seat: int, move: int) -> tuple[str, dict[str, object]]:
    """Why the seat, which may act, may not make this move."""
    kind = FROG if move < TRADES else TRADE if move < DROPS else DROP
    asked = FROG if game.asked == LEG and kind == FROG else game.asked
    if kind != asked:
        code, params = _asked_first(game)
    elif kind == FROG:
        code, params = _no_move(game, seat, move // 64, move % 64)
    elif kind == TRADE:
        code, params = _no_trade(game, seat, *trade_of(move))
    else:
        code, params = _no_drop(game, seat, *drop_of(move))
    return f"china-moon.{code}", params


def _asked_first(game: ChinaMoon) -> tuple[str, dict[str, object]]:
    return _ASKED_FIRST[game.asked], {} if game.asked == FROG else {"frog": frog_name(game.frog)}


def _no_move(game: ChinaMoon, seat: int, frog: int, place: int) -> tuple[str, dict[str, object]]:
    name = frog_name(frog)
    if frog >= 3 * game.players:
        return "no-such-player", {"player": name[:2], "players": game.players}
    if place != GOAL and place >= len(board_of(game).ids):
        return "no-such-pad", {"pad": str(place)}
    if game.asked == LEG and frog != game.frog:
        return "asked-spring", {"frog": frog_name(game.frog)}
    if game.at[frog] == GOAL:
        return "frog-home", {"frog": name}
    if game.asked == FROG and game.moved >> frog & 1:
        return "frog-moved", {"frog": name}
    if game.asked == FROG and not game.may_move(frog):
        return "another-players-frog", {}
    params: dict[str, object] = {"frog": name, "kind": _kind(game, place)}
    return ("no-landing-own", params) if frog // 3 == seat else ("no-landing", {**params, "player": name[:2]})


def _no_trade(game: ChinaMoon, seat: int, give: int, other: int, take: int) -> tuple[str, dict[str, object]]:
    if other >= game.players:
        return "no-such-player", {"player": f"p{other + 1}", "players": game.players}
    if other == seat:
        return "trade-yourself", {}
    if give == take:
        return "trade-same-colour", {}
    if not game.held[seat * 6 + give]:
        return "no-such-lily", {"colour": COLOUR_NAMES[give]}
    return "trade-not-theirs", {"player": f"p{other + 1}", "colour": COLOUR_NAMES[take]}


def _no_drop(game: ChinaMoon, seat: int, colour: int, pad: int | None) -> tuple[str, dict[str, object]]:
    if pad is not None and pad >= len(board_of(game).ids):
        return "no-such-pad", {"pad": str(pad)}
    if not game.held[seat * 6 + colour]:
        return "no-such-lily", {"colour": COLOUR_NAMES[colour]}
    nearest = game.open_behind(game.at[game.frog])
    if len(nearest) == 1:
        return "drop-one-pad", {"pad": board_of(game).name(nearest[0])}
    return "drop-which-pad", {"pads": ", ".join(board_of(game).name(near) for near in nearest)}
