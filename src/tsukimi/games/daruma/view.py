"""What each seat of Daruma may know: all but the others' objectives. Shapes: docs/games/daruma.md."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from tsukimi.core.game import Game
from tsukimi.core.spec import CHANCE, Json
from tsukimi.games.daruma.codes import (
    ACTIONS,
    BAD_LUCK,
    COUNTER_MOVED,
    EMPTY,
    GOOD_FORTUNE,
    MOVE_GIVE,
    MOVE_PAINT,
    MOVE_REROLL,
    MOVE_ROLL,
    MOVE_SAKE,
    MOVE_SHIFT,
    MOVE_STOP,
    MOVE_SWEEP,
    OBJECTIVE,
    OVER,
    PHASES,
    PLACES,
    ROLL,
    START,
    SWEPT,
    TOKENS,
    TRACK,
    TURN_PASSED,
    USE,
)
from tsukimi.games.daruma.decode import faces_in, reroll_of, shift_of, shifted, swap_base, swap_of
from tsukimi.games.daruma.notation import objective_seat, track_of
from tsukimi.games.daruma.position import DarumaTable
from tsukimi.games.daruma.rules import Daruma


def public(game: Game) -> Json:
    daruma = cast(Daruma, game)
    seats = range(daruma.players)
    laid = daruma.stage > TRACK
    return {
        "phase": PHASES[daruma.stage],
        "ask": PHASES[daruma.stage] if START <= daruma.stage < OVER else None,
        "first": daruma.first if daruma.stage > 0 else None,
        "turn": daruma.turn if daruma.stage > 0 else None,
        "dice": faces_in(daruma.dice),
        "rolling": daruma.rolling,
        "ledger": {"fours": daruma.ledger, "fictive": daruma.fictive},
        "sake": faces_in(daruma.sake),
        "gift_used": bool(daruma.gift_used),
        "swept": bool(daruma.swept),
        "places": [_place(daruma, place) for place in range(PLACES)],
        "pile": daruma.pile_size,
        "track": [TOKENS[token] for token in list(daruma.track)[: daruma.tokens]] if laid else [],
        "counter": daruma.place_of_counter() + 1,
        "backwards": daruma.walked >= daruma.tokens - 1,
        "finishing": _home(daruma),
        "collections": [_cards(daruma, daruma.collection(other)) for other in seats],
        "objectives": _goals(daruma.cards),
    }


def own(game: Game, seat: int) -> Json:
    """The objectives, and what they make of the collections: one's own, and at the end everybody's."""
    daruma = cast(Daruma, game)
    seats = range(daruma.players)
    open_seats = seats if daruma.stage == OVER else [seat]
    points = daruma.points()
    return {
        "held": [_held(daruma, other) if other in open_seats else None for other in seats],
        "known_scores": [points[other] if other in open_seats else None for other in seats],
    }


def _place(game: Daruma, place: int) -> Json | None:
    if game.face[place] == EMPTY:
        return None
    eyes = ["none", "none"]
    if game.painted >> place & 1:
        eyes[0] = "pupil" if game.pupils >> place & 1 else "die"
    if game.complete >> place & 1:
        eyes[1] = "die"
    return {**_card(game, game.face[place]), "eyes": eyes}


def _card(game: Daruma, kind: int) -> Json:
    return {
        "card": game.cards.names[kind],
        "colour": game.cards.colours[game.cards.colour[kind]],
        "action": ACTIONS[game.cards.action[kind]],
    }


def _cards(game: Daruma, counts: list[int]) -> list[str]:
    return [game.cards.names[kind] for kind, count in enumerate(counts) for _ in range(count)]


def _goal(game: Daruma, number: int) -> Json:
    good, bad = game.cards.goals[number]
    return {
        "number": number + 1,
        "good": [game.cards.colours[colour] for colour in good],
        "bad": game.cards.colours[bad],
    }


@lru_cache(64)
def _goals(cards: DarumaTable) -> list[Json]:
    """All objectives, with what a daruma of each colour is worth to who holds them."""
    goals = []
    for number, (good, bad) in enumerate(cards.goals):
        points = cards.points[64 * number : 64 * number + cards.kinds]
        worth = {cards.colours[cards.colour[kind]]: points[kind] for kind in range(cards.kinds)}
        named = {"good": [cards.colours[colour] for colour in good], "bad": cards.colours[bad]}
        goals.append({"number": number + 1, **named, "worth": worth})
    return goals


def _held(game: Daruma, seat: int) -> int | None:
    return game.objective[seat] + 1 if game.objective[seat] >= 0 else None


def _home(game: Daruma) -> bool:
    """Whether the counter is back on the first token."""
    return game.walked == 2 * (game.tokens - 1)


# ---- events --------------------------------------------------------------------------------


def event(before: Game, seat: int, move: int, after: Game, observer: int) -> Json:
    old, new = cast(Daruma, before), cast(Daruma, after)
    told = _chance(old, move, new, observer) if seat == CHANCE else {**_move(old, move, new), "seat": seat}
    return {**told, **_consequences(old, new)}


def open_event(before: Game, seat: int, move: int) -> bool:
    """All but the objectives."""
    return seat != CHANCE or cast(Daruma, before).stage != OBJECTIVE


def _chance(old: Daruma, outcome: int, new: Daruma, observer: int) -> Json:
    if old.stage == ROLL:
        faces = faces_in(outcome)
        told = {"type": "roll", "owner": old.turn, "dice": faces}
        if new.news & GOOD_FORTUNE:
            return {**told, "luck": "good-fortune"}
        return {**told, "fours": faces.count(4)}
    if old.stage == OBJECTIVE:
        owner = objective_seat(old)
        told = {"type": "objective", "to": owner}
        return {**told, **_goal(old, outcome)} if owner == observer else told
    if old.stage == TRACK:
        return {"type": "track", "tokens": [TOKENS[token] for token in track_of(old, outcome)]}
    if old.stage < TRACK:
        return {"type": "first", "first_seat": outcome}
    return _draw(old, outcome)


def _draw(old: Daruma, kind: int) -> Json:
    told = {"type": "draw", **_card(old, kind), "why": PHASES[old.stage]}
    empty = [place for place in range(PLACES) if old.face[place] == EMPTY]
    return {**told, "place": empty[0] + 1} if empty else {**told, "to": old.turn}


def _move(old: Daruma, move: int, new: Daruma) -> Json:
    if move == MOVE_SWEEP:
        cards = [old.cards.names[kind] for kind in old.face]
        return {"type": "sweep", "cards": cards, "pupils_off": _places(old.pupils)}
    if move == MOVE_ROLL:
        return {"type": "keep"}
    if move == MOVE_STOP:
        return {"type": "stop", "left": faces_in(old.dice)}
    if move < MOVE_SAKE:
        return _paint(old, move - MOVE_PAINT, new)
    if move < MOVE_REROLL:
        return {"type": "sake", "face": move - MOVE_SAKE + 1}
    if move < MOVE_SHIFT:
        return {"type": "reroll", "dice": reroll_of(move)}
    if move < MOVE_GIVE:
        dice = shift_of(move)
        return {"type": "shift", "dice": [face for face, _ in dice], "become": [shifted(*die) for die in dice]}
    if move < swap_base(old):
        kind, to = divmod(move - MOVE_GIVE, old.players)
        return {"type": "give", "card": old.cards.names[kind], "to": to}
    return _swap(old, move)


def _paint(old: Daruma, place: int, new: Daruma) -> Json:
    """The daruma's action and what came of it: dice that are rolled again, a choice that is asked, a fictive four."""
    eye = 2 if old.painted >> place & 1 else 1
    told = {"type": "paint", "place": place + 1, **_card(old, old.face[place]), "eye": eye}
    action = told["action"]
    if action == "fictive-four":
        return {**told, "effect": "fictive-four"}
    if new.news & TURN_PASSED or new.stage in (USE, OVER) or (new.stage < START and new.stage != ROLL):
        return {**told, "effect": "none"}
    if new.stage == ROLL:
        return {**told, "effect": "roll", "rolled": faces_in(old.dice - 1 - new.dice), "kept": faces_in(new.dice)}
    return {**told, "effect": PHASES[new.stage]}


def _swap(old: Daruma, move: int) -> Json:
    told: Json = {"type": "swap"}
    for which, (seat, kind) in zip(("one", "other"), swap_of(old, move), strict=True):
        told[f"{which}_seat"] = seat
        if kind >= 0:
            told[f"{which}_card"] = old.cards.names[kind]
    return told


def _consequences(old: Daruma, new: Daruma) -> Json:
    """Bad luck, darumas taken, the counter's walk, the next turn, the end: only what did happen is there."""
    told: Json = {}
    if new.news & BAD_LUCK:
        told["luck"] = "bad-luck"
    taken = [place for place in range(PLACES) if old.face[place] != EMPTY and new.face[place] == EMPTY]
    if taken and new.stage != SWEPT:
        told["taken"] = [old.cards.names[old.face[place]] for place in taken]
        told["taken_places"] = [place + 1 for place in taken]
    if new.pupils & ~old.pupils:
        told["pupils_on"] = _places(new.pupils & ~old.pupils)
    if new.news & COUNTER_MOVED:
        told["counter_from"] = old.place_of_counter() + 1
        told["counter"] = new.place_of_counter() + 1
        told["token"] = TOKENS[new.track[new.place_of_counter()]]
        if _home(new):
            told["finishing"] = True
    if new.stage == OVER:
        told["held"] = [_held(new, seat) for seat in range(new.players)]
        told["scores"] = new.points()
        told["winners"] = new.winning()
    elif new.news & TURN_PASSED:
        told["next_seat"] = new.turn
        told["fictive"] = new.fictive
    return told


def _places(mask: int) -> list[int]:
    return [place + 1 for place in range(PLACES) if mask >> place & 1]
