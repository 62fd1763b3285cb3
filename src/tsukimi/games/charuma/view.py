# mypy: ignore-errors
# cython: infer_types=True
"""What each seat may know of a game of Charuma: the view and the events. Their shape: docs/games/charuma.md.

The answers are read only: they share the names of the cards played.
"""

from __future__ import annotations

import cython

from tsukimi.core.spec import CHANCE, Json
from tsukimi.games.charuma.notation import CARDS, GROUPS, PHASES, PLAYED, SUITS

if not cython.compiled:
    from tsukimi.games.charuma.deck import AMOUNTS, CARD, FACE_UP, HIDDEN, NONE, RED, VALUES, lowest, ones
    from tsukimi.games.charuma.position import AUCTION, DEAL, FIRST, OVER, TRICKS
    from tsukimi.games.charuma.rules import Charuma

ACES, LAST_TRICK = 4, 2  # in a deck; points

_COLOURS = ((0,), (10,), (0, 0), (10, 10), (0, 10))  # of the cards in each suit


def public(game: Charuma) -> Json:
    seats, playing = range(game.players), game.phase >= TRICKS
    duty = _duty(game)
    return {
        "phase": PHASES[game.phase],
        "ask": _ask(game, duty),
        "duty": duty,
        "round": game.round,
        "goal": game.deck.goal,
        "last_round": bool(game.last_round),
        "end": _end(game),
        "token": game.token if game.token != NONE else None,
        "points": [game.owned[seat] for seat in seats],
        "groups": [_group(game, group) for group in seats] if FIRST < game.phase < TRICKS else [],
        "trick": _trick(game) if game.led != NONE else None,
        "last_trick": _last_trick(game) if game.winner != NONE else None,
        # Of the running round: before its first trick nobody has won any.
        "tricks": [game.tricks[seat] if playing else 0 for seat in seats],
        "trick_points": [game.trick_points[seat] if playing else 0 for seat in seats],
        "ace_points": [game.aces[seat] if playing else 0 for seat in seats],
    }


def _end(game):
    """Why this round is the last one, or may be: what was reached or shared, or who needs at most half of what a round brings."""
    if game.phase == OVER or game.phase < DEAL:
        return None
    if game.last_round:
        return {"kind": "shared", "seats": [], "points": []}
    cards = game.deck.group_size + 2
    most = left = (cards + ACES + LAST_TRICK) // 2
    points = [game.owned[seat] for seat in range(game.players)]
    if game.phase == TRICKS:
        points = [game.owned[seat] + game.trick_points[seat] + game.aces[seat] for seat in range(game.players)]
        left = max([ones(game.hand[seat]) + ones(game.twins[seat]) for seat in range(game.players)])
        left += ACES + LAST_TRICK - sum([game.aces[seat] for seat in range(game.players)])
    seats = [seat for seat in range(game.players) if points[seat] >= game.deck.goal]
    kind = "reached" if seats else "near"
    if not seats:
        seats = [seat for seat in range(game.players) if points[seat] + min(most, left) >= game.deck.goal]
    return {"kind": kind, "seats": seats, "points": [points[seat] for seat in seats]} if seats else None


def own(game: Charuma, seat: cython.int) -> Json:
    return {"hands": [_hand(game, owner, owner == seat) for owner in range(game.players)]}


def _hand(game, owner, mine):
    """A hand as its owner sees it, or as the others do."""
    cards, twins = game.hand[owner], game.twins[owner]
    hidden = _names(cards >> HIDDEN << HIDDEN, twins)
    hand = {"open": _names(cards & FACE_UP, twins), "hidden_count": len(hidden)}
    if mine:
        hand["hidden"] = hidden
    return hand


def _names(cards, twins):
    found = []
    while cards:
        card = lowest(cards)
        found.append(CARDS[card])
        if twins >> card & 1:
            found.append(CARDS[card])
        cards &= cards - 1
    return found


def _group(game, group):
    return {
        "name": GROUPS[group],
        "cards": _names(game.group[group], game.group_twins[group]),
        "bid": game.bid[group] if game.bid[group] != NONE else None,
        "owner": game.bidder[group] if game.bidder[group] != NONE else None,
    }


def _ask(game, duty):
    if game.phase == AUCTION:
        return "bid"
    if game.phase != TRICKS:
        return None
    if game.led == NONE:
        return "lead"
    if duty:
        return "follow-" + duty["kind"]
    return "play-one" if game.led <= RED else "play-two"


def _duty(game):
    """What the seat to follow must play, and the face-up cards that oblige it (all of it lies open)."""
    obliging = game.obliging(game.turn) if game.led != NONE else 0
    if not obliging:
        return None
    cards = []
    while obliging:
        for colour in _COLOURS[game.led]:
            cards.append(CARDS[lowest(obliging) % VALUES + colour])
        obliging &= obliging - 1
    return {"seat": game.turn, "kind": SUITS[game.led], "cards": cards}


def _plays(game):
    order = [(game.leader + step) % game.players for step in range(game.players)]
    return [{"seat": seat, "cards": PLAYED[game.trick[seat]]} for seat in order if game.trick[seat] != NONE]


def _trick(game):
    return {"leader": game.leader, "led": SUITS[game.led], "plays": _plays(game), "winning": game.best_so_far()}


def _last_trick(game):
    return {
        "leader": game.leader,
        "plays": _plays(game),
        "winner": game.winner,
        "points": len(PLAYED[game.trick[game.leader]]),
        "aces": game.trick_aces,
        "kind": SUITS[game.deck.suit[game.trick[game.leader]]],
        "reason": _reason(game),
    }


def _reason(game):
    """Why the complete trick was taken: alone in the led kind, an ace above a ten, the last of equals, or the highest."""
    suits, ranks = game.deck.suit, game.deck.rank
    kind, rank = suits[game.trick[game.leader]], ranks[game.trick[game.winner]]
    best, equal = -1, False
    for seat in range(game.players):
        if seat != game.winner and suits[game.trick[seat]] == kind:
            rival = ranks[game.trick[seat]]
            best, equal = max(best, rival), equal or rival == rank
    pairs = kind > RED
    if best < 0:
        return "alone"
    if best > rank:
        return "aces-beat-tens" if pairs else "ace-beats-ten"
    if equal:
        return "last-of-equals"
    return "highest-pair" if pairs else "highest-card"


# ---- events --------------------------------------------------------------------------------------


def event(before: Charuma, seat: cython.int, move: cython.int, after: Charuma, observer: cython.int) -> Json:
    if seat != CHANCE:
        return _bid(before, seat, move, after) if move < CARD else _play(before, seat, move, after)
    if before.phase == DEAL:
        return _deal(before, move, observer)
    if before.phase == FIRST:
        return {"type": "first", "token_seat": move}
    return _given(before, move, after)


def open_event(before: Charuma, seat: cython.int, move: cython.int) -> bool:
    """Everything but the hidden cards is dealt and played openly."""
    return seat != CHANCE or before.phase != DEAL or before.dealt >= 2 * before.players


def _deal(before, kind, observer):
    place = before.dealt - 2 * before.players
    if place >= 0:
        group = GROUPS[place // before.deck.group_size]
        return {"type": "deal", "round": before.round, "group": group, "card": CARDS[kind]}
    seen = {"type": "deal", "round": before.round, "to": before.dealt // 2}
    if before.dealt // 2 == observer:
        seen["card"] = CARDS[HIDDEN + kind]
    return seen


def _given(before, group, after):
    seen = {"type": "group", "to": before.standing, "group": GROUPS[group]}
    if after.phase == TRICKS:
        seen["lead_seat"] = after.turn
    return seen


def _bid(before, seat, move, after):
    group = move // AMOUNTS
    seen = {"type": "bid", "seat": seat, "group": GROUPS[group], "amount": move % AMOUNTS}
    if before.bidder[group] != NONE:
        seen["outbid_seat"] = before.bidder[group]
    if after.phase == TRICKS:
        groups = [after.group_of[taker] for taker in range(after.players)]
        seen["groups"] = [GROUPS[taken] for taken in groups]
        seen["spent"] = [after.bid[taken] for taken in groups]
        seen["totals"] = [after.owned[taker] for taker in range(after.players)]
        seen["lead_seat"] = after.turn
    return seen


def _play(before, seat, move, after):
    cards = PLAYED[move]
    seen = {"type": "play", "seat": seat, "cards": cards, "text": " ".join(cards), "lead": before.led == NONE}
    if after.winner != NONE:
        seen["winner"], seen["points"], seen["aces"] = after.winner, len(cards), after.trick_aces
        best = PLAYED[after.trick[after.winner]]
        seen["kind"], seen["reason"] = SUITS[before.led], _reason(after)
        seen["best_cards"], seen["best"] = best, " ".join(best)
        if after.phase != TRICKS:
            seen.update(_round_end(before, after))
    return seen


def _round_end(before, after):
    seats = range(after.players)
    seen = {
        "round": before.round,
        "trick_points": [after.trick_points[seat] for seat in seats],
        "ace_points": [after.aces[seat] for seat in seats],
        "last_trick_points": [2 if seat == after.winner else 0 for seat in seats],
        "gains": [after.owned[seat] - before.owned[seat] for seat in seats],
        "totals": [after.owned[seat] for seat in seats],
        "last_round": bool(after.last_round),
    }
    if after.phase == OVER:
        seen["champion_seat"] = after.winners()[0]
    else:
        seen["token_seat"] = after.token
        if after.token == before.token:
            seen["keeper_seat"] = after.token
    return seen
