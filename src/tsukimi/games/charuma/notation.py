"""Charuma in words: the text of every move and outcome, both ways, and why a move may not be made.

Cards are `A`, `2` .. `10` with `b` (blue) or `r` (red), and `*` for one of the two hidden cards. Every text stands in
one of two dictionaries, so that only the exact text is understood.
"""

from __future__ import annotations

from tsukimi.core.errors import IllegalMove, MalformedMove
from tsukimi.core.game import Game
from tsukimi.core.spec import CHANCE
from tsukimi.games.charuma.deck import Deck
from tsukimi.games.charuma.rules import Charuma

# The numbering of deck.py, which a compiled module does not show to Python.
HIDDEN = 20
AMOUNTS = 6
FIRST_SINGLE = 30
FIRST_DOUBLE = 70

PHASES = ("first", "deal", "groups", "auction", "tricks", "over")
SUITS = ("blue", "red", "blue-pair", "red-pair", "two-coloured-pair")
GROUPS = "ABCDE"
_VALUES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")

Reason = tuple[str, dict[str, object]]


def position(game: Game) -> Charuma:
    assert isinstance(game, Charuma)
    return game


def deck(game: Game) -> Deck:
    assert isinstance(game.table, Deck)
    return game.table


def phase(game: Charuma) -> str:
    return PHASES[game.phase]


def card_name(card: int) -> str:
    return _VALUES[card % 10] + "br"[card // 10 % 2] + ("*" if card >= HIDDEN else "")


def _all_moves() -> list[str]:
    bids = [f"bid {amount} {group}" for group in GROUPS for amount in range(AMOUNTS)]
    names = [card_name(card) for card in range(2 * HIDDEN)]
    singles = [f"play {name}" for name in names]
    doubles = [f"play {names[low]} {names[high]}" for high in range(2 * HIDDEN) for low in range(high + 1)]
    return bids + singles + doubles


def _all_outcomes() -> dict[str, tuple[str, int, int]]:
    """Of each text: the phase it belongs to, whose group it gives (else 0), and the outcome's number."""
    first = {f"first p{seat + 1}": ("first", 0, seat) for seat in range(5)}
    deal = {f"deal {card_name(kind)}": ("deal", 0, kind) for kind in range(HIDDEN)}
    groups = {f"group p{seat + 1} {GROUPS[group]}": ("groups", seat, group) for seat in range(5) for group in range(5)}
    return first | deal | groups


_TEXTS = _all_moves()
CARDS = tuple([card_name(card) for card in range(2 * HIDDEN)])
PLAYED = tuple([text.split()[1:] for text in _TEXTS])
"""The names of the cards that a move plays, by its number."""
_MOVES = {text: move for move, text in enumerate(_TEXTS)}
_OUTCOMES = _all_outcomes()


def text(game: Game, seat: int, move: int) -> str:
    if seat != CHANCE:
        return _TEXTS[move]
    here = position(game)
    if phase(here) == "first":
        return f"first p{move + 1}"
    if phase(here) == "deal":
        return f"deal {card_name(move)}"
    return f"group p{here.standing + 1} {GROUPS[move]}"


def parse(game: Game, seat: int, text: str) -> int:
    if seat != CHANCE:
        if text not in _MOVES:
            raise MalformedMove("malformed-move", text=text)
        return _MOVES[text]
    if text not in _OUTCOMES:
        raise MalformedMove("malformed-move", text=text)
    here = position(game)
    kind, taker, outcome = _OUTCOMES[text]
    if kind != phase(here) or (kind == "groups" and taker != here.standing):
        raise IllegalMove("impossible-outcome", legal=_waiting(here))
    return outcome


def _waiting(game: Charuma) -> list[str]:
    return [text(game, CHANCE, outcome) for outcome, _ in outcomes(game)]


def outcomes(game: Game) -> list[tuple[int, float]]:
    here = position(game)
    if phase(here) == "first":
        return [(seat, 1 / here.players) for seat in range(here.players)]
    if phase(here) == "deal":
        left = {kind: (here.rest >> kind & 1) + (here.rest_twins >> kind & 1) for kind in range(HIDDEN)}
        total = sum(left.values())
        return [(kind, count / total) for kind, count in left.items() if count]
    if phase(here) == "groups":
        free = [group for group in range(here.players) if here.bidder[group] < 0]
        return [(group, 1 / len(free)) for group in free]
    return []


def cards_of(move: int) -> list[int]:
    """The cards of a play: one or two."""
    if move < FIRST_DOUBLE:
        return [move - FIRST_SINGLE]
    high = 0
    while (high + 1) * (high + 2) // 2 <= move - FIRST_DOUBLE:
        high += 1
    return [move - FIRST_DOUBLE - high * (high + 1) // 2, high]


def reason(game: Game, seat: int, move: int) -> Reason:
    here = position(game)
    if move < FIRST_SINGLE:
        return _why_no_bid(here, seat, move // AMOUNTS, move % AMOUNTS)
    return _why_no_play(here, seat, cards_of(move))


def _why_no_bid(here: Charuma, seat: int, group: int, amount: int) -> Reason:
    if phase(here) != "auction":
        return "charuma.no-auction-now", {}
    if group >= here.players:
        return "charuma.no-such-group", {"group": GROUPS[group]}
    if amount > here.owned[seat]:
        return "charuma.not-enough-points", {"amount": amount, "points": here.owned[seat]}
    return "charuma.bid-too-low", {"group": GROUPS[group], "standing": here.bid[group]}


def _why_no_play(here: Charuma, seat: int, cards: list[int]) -> Reason:
    if phase(here) != "tricks":
        return "charuma.auction-first", {}
    for card in cards:
        if not here.hand[seat] >> card & 1:
            return "charuma.card-not-held", {"card": card_name(card)}
    if len(cards) == 2 and cards[0] == cards[1] and not here.twins[seat] >> cards[0] & 1:
        return "charuma.only-one-held", {"card": card_name(cards[0])}
    if here.led < 0:
        return "charuma.lead-no-pair", {}
    if len(cards) != (1 if here.led <= 1 else 2):
        return ("charuma.play-one" if here.led <= 1 else "charuma.play-two"), {}
    return f"charuma.follow-{SUITS[here.led]}", {}
