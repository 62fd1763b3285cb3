"""The text of Dojo's moves and chance outcomes, both ways, and why a move may not be made. See docs/games/dojo.md."""

from __future__ import annotations

import re

from tsukimi.core.errors import IllegalMove, MalformedMove
from tsukimi.core.spec import CHANCE
from tsukimi.games.dojo.rules import Dojo

DISCIPLES = ("monkey", "fox", "tigress", "crane", "bear", "raccoon")
BELTS = ("white", "yellow", "green", "blue", "black")
TROPHIES = ("multicolour-belt", "kimono", "broom", "raccoon", "incense", "assistant")
ORANGE = TROPHIES[:3]
HANDS = ("rock", "paper", "scissors")
VARIANTS = ("classic", "white", "black")
PHASES = ("first", "turn", "draw", "deal", "give", "challenge", "throw", "swap", "place", "trophy", "over")

CARDS = tuple(f"{disciple}{belt}" for disciple in DISCIPLES for belt in range(1, 6))
SEATS = ("p1", "p2", "p3", "p4", "p5")
PLACES = tuple((row, column) for row in range(-2, 3) for column in range(-3, 4))
LINES = tuple([("row", row) for row in range(-2, 3)] + [("column", column) for column in range(-3, 4)])

MOVES = (
    *(f"give {seat}" for seat in SEATS),
    "challenge",
    "pass",
    *(f"throw {hand}" for hand in HANDS),
    "swap",
    "keep",
    *(f"place {row} {column}" for row, column in PLACES),
    *(f"trophy {line} {at}" for line, at in LINES),
)
"""The text of every move by its number."""
WORDS = tuple([text.split()[0] for text in MOVES])
"""The first word of every move."""
NUMBERS = {text: number for number, text in enumerate(MOVES)}
ASKED = {
    **dict.fromkeys(("challenge", "pass"), "challenge"),
    **dict.fromkeys(("swap", "keep"), "swap"),
    **{word: word for word in ("give", "throw", "place", "trophy")},
}
"""The phase to which a move belongs, by its first word."""

_WHOLE = r"(0|-?[1-9][0-9]{0,2})"
_FAR = re.compile(rf"place {_WHOLE} {_WHOLE}|trophy (row|column) {_WHOLE}")


def phase(game: Dojo) -> str:
    return PHASES[game.phase]


def receiver(game: Dojo) -> int:
    """The seat that the waiting `deal` is for: the first one without a card."""
    return next(seat for seat in range(game.players) if game.held[seat] < 0)


def text(game: Dojo, seat: int, move: int) -> str:
    if seat != CHANCE:
        return MOVES[move]
    return f"{_prefix(game)} {_names(game)[move]}"


def parse(game: Dojo, seat: int, text: str) -> int:
    if seat == CHANCE:
        return _parse_outcome(game, text)
    if text in NUMBERS:
        return NUMBERS[text]
    if _FAR.fullmatch(text):
        raise IllegalMove("dojo.no-fit", [MOVES[move] for move in game.actions(seat)])
    raise MalformedMove("malformed-move", text=text[:60])


def outcomes(game: Dojo) -> list[tuple[int, float]]:
    now = phase(game)
    if now == "first":
        return [(seat, 1 / game.players) for seat in range(game.players)]
    left = game.trophies_left if now == "turn" else game.left
    total = sum(left)
    return [(kind, number / total) for kind, number in enumerate(left) if number]


def reason(game: Dojo, seat: int, move: int) -> tuple[str, dict[str, object]]:
    """Why this move is not legal."""
    word, *rest = MOVES[move].split()
    now = phase(game)
    if ASKED[word] != now:
        return f"dojo.not-now-{now}", {}
    if word == "give":
        if SEATS.index(rest[0]) >= game.players:
            return "dojo.no-such-player", {"to": rest[0]}
        return "dojo.has-card", {"to": rest[0]}
    if word == "place":
        return _why_not_place(game, seat, (int(rest[0]), int(rest[1]))), {}
    return _why_not_trophy(game, seat, (rest[0], int(rest[1])))


def _why_not_place(game: Dojo, seat: int, place: tuple[int, int]) -> str:
    taken = [(row, column) for row, column, _ in game.dojo(seat)]
    if not taken:
        return "dojo.first-card"
    if place in taken:
        return "dojo.place-taken"
    rows, columns = zip(*taken, place, strict=True)
    if max(rows) - min(rows) > 2 or max(columns) - min(columns) > 3:
        return "dojo.no-fit"
    return "dojo.not-beside"


def _why_not_trophy(game: Dojo, seat: int, line: tuple[str, int]) -> tuple[str, dict[str, object]]:
    trophy = TROPHIES[game.trophy]
    if line[0] != ("column" if trophy in ORANGE else "row"):
        return "dojo.column-trophy" if trophy in ORANGE else "dojo.row-trophy", {"trophy": trophy}
    if LINES.index(line) not in game.lines(seat):
        return "dojo.line-empty", {}
    return "dojo.line-taken", {}


def _prefix(game: Dojo) -> str:
    """The words before what is drawn in the pending chance event."""
    now = phase(game)
    if now == "deal":
        return f"deal {SEATS[receiver(game)]}"
    return "trophy" if now == "turn" else now


def _names(game: Dojo) -> tuple[str, ...]:
    """What can be drawn in the pending chance event, by number."""
    now = phase(game)
    if now == "first":
        return SEATS[: game.players]
    return TROPHIES if now == "turn" else CARDS


OUTCOMES = {
    *(f"first {seat}" for seat in SEATS),
    *(f"trophy {trophy}" for trophy in TROPHIES),
    *(f"draw {card}" for card in CARDS),
    *(f"deal {seat} {card}" for seat in SEATS for card in CARDS),
}


def _parse_outcome(game: Dojo, text: str) -> int:
    if text not in OUTCOMES:
        raise MalformedMove("malformed-move", text=text[:60])
    prefix, _, name = text.rpartition(" ")
    names = _names(game)
    if prefix != _prefix(game) or name not in names:
        possible = [f"{_prefix(game)} {names[outcome]}" for outcome, _ in outcomes(game)]
        raise IllegalMove("impossible-outcome", possible)
    return names.index(name)
