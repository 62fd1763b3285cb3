"""What each seat may know of a game of Charuma: the view and the events. Their shape: docs/games/charuma.md."""

from __future__ import annotations

from functools import lru_cache

from tsukimi.core.game import Game
from tsukimi.core.spec import CHANCE, Json
from tsukimi.games.charuma.notation import (
    AMOUNTS,
    FIRST_SINGLE,
    GROUPS,
    HIDDEN,
    SUITS,
    card_name,
    cards_of,
    deck,
    phase,
    position,
)
from tsukimi.games.charuma.rules import Charuma

_COLOURS = {"blue": (0,), "red": (10,), "blue-pair": (0, 0), "red-pair": (10, 10), "two-coloured-pair": (0, 10)}


def public(game: Game) -> Json:
    here = position(game)
    return {
        "phase": phase(here),
        "ask": _ask(here),
        "duty": _duty(here),
        "round": here.round,
        "goal": deck(here).goal,
        "last_round": bool(here.last_round),
        "token": _seat(here.token),
        "points": here.owned[: here.players],
        "groups": [_group(here, group) for group in range(here.players)] if _groups_lie_out(here) else [],
        "trick": _trick(here) if here.led >= 0 else None,
        "last_trick": _last_trick(here) if here.winner >= 0 else None,
        "tricks": _tally(here, here.tricks),
        "trick_points": _tally(here, here.trick_points),
    }


def own(game: Game, seat: int) -> Json:
    here = position(game)
    hands = [_hand(here.hand[owner], here.twins[owner]) for owner in range(here.players)]
    return {"hands": [hand if owner == seat else shown for owner, (shown, hand) in enumerate(hands)]}


def _seat(seat: int) -> int | None:
    return seat if seat >= 0 else None


def _groups_lie_out(here: Charuma) -> bool:
    return phase(here) in ("deal", "groups", "auction")


def _names(cards: int, twins: int) -> list[str]:
    return [card_name(card) for card in range(2 * HIDDEN) for _ in range((cards >> card & 1) + (twins >> card & 1))]


@lru_cache(4096)
def _hand(held: int, twins: int) -> tuple[Json, Json]:
    """A hand as others see it, and as its owner does. It changes by a card or two: most are asked for many times."""
    cards = _names(held, twins)
    hidden = [card for card in cards if card.endswith("*")]
    shown: Json = {"open": [card for card in cards if not card.endswith("*")], "hidden_count": len(hidden)}
    return shown, {**shown, "hidden": hidden}


def _group(here: Charuma, group: int) -> Json:
    return {
        "name": GROUPS[group],
        "cards": _names(here.group[group], here.group_twins[group]),
        "bid": here.bid[group] if here.bid[group] >= 0 else None,
        "owner": _seat(here.bidder[group]),
    }


def _ask(here: Charuma) -> str | None:
    if phase(here) == "auction":
        return "bid"
    if phase(here) != "tricks":
        return None
    if here.led < 0:
        return "lead"
    if here.duty():
        return f"follow-{SUITS[here.led]}"
    return "play-one" if here.led <= 1 else "play-two"


def _duty(here: Charuma) -> Json | None:
    """What the seat to follow must play, and the face-up cards that oblige it (all of it lies open)."""
    obliging = here.duty()
    if not obliging:
        return None
    suit = SUITS[here.led]
    values = [place % 10 for place in range(64) if obliging >> place & 1]
    cards = [card_name(value + colour) for value in values for colour in _COLOURS[suit]]
    return {"seat": here.turn, "kind": suit, "cards": cards}


def _plays(here: Charuma) -> list[Json]:
    order = [(here.leader + step) % here.players for step in range(here.players)]
    return [{"seat": seat, "cards": _played(here.trick[seat])} for seat in order if here.trick[seat] >= 0]


def _played(move: int) -> list[str]:
    return [card_name(card) for card in cards_of(move)]


def _trick(here: Charuma) -> Json:
    return {"leader": here.leader, "led": SUITS[here.led], "plays": _plays(here), "winning": here.ahead()}


def _last_trick(here: Charuma) -> Json:
    plays = _plays(here)
    return {
        "leader": here.leader,
        "plays": plays,
        "winner": here.winner,
        "points": len(plays[0]["cards"]),
        "aces": here.trick_aces,
    }


def _tally(here: Charuma, counts: list[int]) -> list[int]:
    """Of the running round; before its first trick nobody has won any."""
    return counts[: here.players] if phase(here) in ("tricks", "over") else [0] * here.players


# ---- events --------------------------------------------------------------------------------------


def event(before: Game, seat: int, move: int, after: Game, observer: int) -> Json:
    here, then = position(before), position(after)
    if seat == CHANCE:
        return {"first": _first, "deal": _deal, "groups": _given}[phase(here)](here, move, then, observer)
    if move < FIRST_SINGLE:
        return _bid(here, seat, move, then)
    return _play(here, seat, move, then)


def open_event(before: Game, seat: int, move: int) -> bool:
    """All but the hidden cards is dealt and played before everybody's eyes."""
    here = position(before)
    return seat != CHANCE or phase(here) != "deal" or here.dealt >= 2 * here.players


def _first(here: Charuma, outcome: int, then: Charuma, observer: int) -> Json:
    return {"type": "first", "token_seat": outcome}


def _deal(here: Charuma, kind: int, then: Charuma, observer: int) -> Json:
    place = here.dealt - 2 * here.players
    told: Json = {"type": "deal", "round": here.round}
    if place >= 0:
        return told | {"group": GROUPS[place // deck(here).group_size], "card": card_name(kind)}
    told["to"] = here.dealt // 2
    if told["to"] == observer:
        told["card"] = card_name(HIDDEN + kind)
    return told


def _given(here: Charuma, group: int, then: Charuma, observer: int) -> Json:
    told: Json = {"type": "group", "to": here.standing, "group": GROUPS[group]}
    if phase(then) == "tricks":
        told["lead_seat"] = then.turn
    return told


def _bid(here: Charuma, seat: int, move: int, then: Charuma) -> Json:
    group = move // AMOUNTS
    told: Json = {"type": "bid", "seat": seat, "group": GROUPS[group], "amount": move % AMOUNTS}
    if here.bidder[group] >= 0:
        told["outbid_seat"] = here.bidder[group]
    if phase(then) == "tricks":
        told["groups"] = [GROUPS[group] for group in then.group_of[: then.players]]
        told["spent"] = [then.bid[group] for group in then.group_of[: then.players]]
        told["totals"] = then.owned[: then.players]
        told["lead_seat"] = then.turn
    return told


def _play(here: Charuma, seat: int, move: int, then: Charuma) -> Json:
    cards = _played(move)
    told: Json = {"type": "play", "seat": seat, "cards": cards, "text": " ".join(cards), "lead": here.led < 0}
    if then.winner >= 0:
        told |= {"winner": then.winner, "points": len(cards), "aces": then.trick_aces}
        if phase(then) != "tricks":
            told |= _round_end(here, then)
    return told


def _round_end(here: Charuma, then: Charuma) -> Json:
    seats = range(then.players)
    told: Json = {
        "round": here.round,
        "trick_points": then.trick_points[: then.players],
        "ace_points": then.aces[: then.players],
        "last_trick_points": [2 if seat == then.winner else 0 for seat in seats],
        "gains": [then.owned[seat] - here.owned[seat] for seat in seats],
        "totals": then.owned[: then.players],
        "last_round": bool(then.last_round),
    }
    if phase(then) == "over":
        return told | {"champion_seat": then.winning()[0]}
    return told | {"token_seat": then.token}
