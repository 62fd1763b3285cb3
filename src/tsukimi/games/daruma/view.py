# mypy: ignore-errors
# cython: infer_types=True
"""What each seat of Daruma may know: all but the others' objectives. Shapes: docs/games/daruma.md."""

from __future__ import annotations

from functools import lru_cache

import cython

from tsukimi.core.spec import CHANCE, Json
from tsukimi.games.daruma.codes import ACTIONS, PHASES, TOKENS
from tsukimi.games.daruma.decode import faces_in, reroll_of, shift_of, shifted, swap_of
from tsukimi.games.daruma.notation import objective_seat, track_of

if not cython.compiled:
    from tsukimi.games.daruma.codes import (
        BAD_LUCK,
        COUNTER_MOVED,
        EMPTY,
        FICTIVE_FOUR,
        FIRST,
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
        PLACES,
        ROLL,
        START,
        SWEPT,
        TRACK,
        TURN_PASSED,
        USE,
    )
    from tsukimi.games.daruma.position import DarumaTable
    from tsukimi.games.daruma.rules import Daruma


def public(game: Daruma) -> Json:
    stage = game.stage
    phase = PHASES[stage]
    return {
        "phase": phase,
        "ask": phase if START <= stage < OVER else None,
        "first": game.first if stage > FIRST else None,
        "turn": game.turn if stage > FIRST else None,
        "dice": faces_in(game.dice),
        "rolling": game.rolling,
        "ledger": {"fours": game.ledger, "fictive": game.fictive},
        "sake": faces_in(game.sake),
        "gift_used": game.gift_used != 0,
        "swept": game.swept != 0,
        "places": [_place(game, place) for place in range(PLACES)],
        "pile": game.pile_size,
        "track": [TOKENS[game.track[place]] for place in range(game.tokens)] if stage > TRACK else [],
        "counter": game.counter() + 1,
        "backwards": game.walked >= game.tokens - 1,
        "steps_left": _steps_left(game),
        "may_end": _may_end(game),
        "finishing": _home(game),
        "turns_left": _turns_left(game),
        "collections": [_cards(game, seat) for seat in range(game.players)],
        "objectives": _goals(game.cards),
    }


def own(game: Daruma, seat: cython.int) -> Json:
    """The objectives, and what they make of the collections: one's own, and at the end everyone's."""
    held = [None] * game.players
    scores = [None] * game.players
    for other in range(game.players):
        if other == seat or game.stage == OVER:
            held[other] = _held(game, other)
            scores[other] = game.score(other)
    return {"held": held, "known_scores": scores}


def _place(game, place):
    if game.face[place] == EMPTY:
        return None
    first = second = "none"
    if game.painted >> place & 1:
        first = "pupil" if game.pupils >> place & 1 else "die"
    if game.complete >> place & 1:
        second = "die"
    return {**_card(game, game.face[place]), "eyes": [first, second]}


def _card(game, kind):
    return {
        "card": game.cards.names[kind],
        "colour": game.cards.colours[game.cards.colour[kind]],
        "action": ACTIONS[game.cards.action[kind]],
    }


def _cards(game, seat):
    """A seat's darumas, by name."""
    names = game.cards.names
    return [names[kind] for kind in range(game.cards.kinds) for _ in range(game.owned[seat * 64 + kind])]


def _goal(cards, number):
    good, bad = cards.goals[number]
    return {"number": number + 1, "good": [cards.colours[colour] for colour in good], "bad": cards.colours[bad]}


@lru_cache(64)
def _goals(cards: DarumaTable) -> list[Json]:
    """All objectives, with what a daruma of each colour is worth to their holder."""
    goals = []
    for number in range(cards.objectives):
        worth = {cards.colours[cards.colour[kind]]: cards.points[64 * number + kind] for kind in range(cards.kinds)}
        goals.append({**_goal(cards, number), "worth": worth})
    return goals


def _held(game, seat):
    return game.objective[seat] + 1 if game.objective[seat] >= 0 else None


def _steps_left(game):
    """The steps the counter still has to go, to the last token and back to the first."""
    return 2 * (game.tokens - 1) - game.walked


def _home(game):
    """Whether the counter is back on the first token."""
    return _steps_left(game) == 0


def _may_end(game):
    """Whether this can be everybody's last turn: each turn of this round moves the counter by two at most."""
    if not FIRST < game.stage < OVER:
        return False
    return _steps_left(game) <= 2 * _turns_in_round(game)


def _turns_in_round(game):
    """The turns until it is the first player's again, this one among them."""
    return (game.first - game.turn - 1) % game.players + 1


def _turns_left(game):
    """Once the counter is home: how many turns are still to be finished, this one among them."""
    if not _home(game) or game.stage == OVER:
        return None
    return _turns_in_round(game)


# ---- events --------------------------------------------------------------------------------


def event(before: Daruma, seat: cython.int, move: cython.int, after: Daruma, observer: cython.int) -> Json:
    if seat == CHANCE:
        seen = _chance(before, move, after, observer)
    else:
        seen = _move(before, move, after)
        seen["seat"] = seat
    _add_consequences(seen, before, after)
    return seen


def open_event(before: Daruma, seat: cython.int, move: cython.int) -> bool:
    """All but the objectives."""
    return seat != CHANCE or before.stage != OBJECTIVE


def _chance(old, outcome, new, observer):
    if old.stage == ROLL:
        faces = faces_in(outcome)
        seen = {"type": "roll", "owner": old.turn, "dice": faces}
        if old.rolling == 8 and old.fictive:
            seen["phantom"] = "fictive-four"  # the turn begins with it
        if new.news & GOOD_FORTUNE:
            return {**seen, "luck": "good-fortune"}
        return {**seen, "fours": faces.count(4)}
    if old.stage == OBJECTIVE:
        owner = objective_seat(old)
        seen = {"type": "objective", "to": owner}
        return {**seen, **_goal(old.cards, outcome)} if owner == observer else seen
    if old.stage == TRACK:
        return {"type": "track", "tokens": [TOKENS[token] for token in track_of(old, outcome)]}
    if old.stage < TRACK:
        return {"type": "first", "first_seat": outcome}
    return _draw(old, outcome)


def _draw(old, kind):
    seen = {"type": "draw", **_card(old, kind), "why": PHASES[old.stage]}
    empty = old.empty_place()
    return {**seen, "to": old.turn} if empty == EMPTY else {**seen, "place": empty + 1}


def _move(old, move, new):
    if move == MOVE_SWEEP:
        cards = [old.cards.names[old.face[place]] for place in range(PLACES)]
        return {"type": "sweep", "cards": cards, "pupils_off": _places(old.pupils)}
    if move == MOVE_ROLL:
        return {"type": "keep"}
    if move == MOVE_STOP:
        left = faces_in(old.dice)
        gift = old.ledger > 0 and not old.gift_used and old.variety[old.turn] > 0
        return {"type": "stop", "left": left, **({"why": "last-die"} if len(left) == 1 and not gift else {})}
    if move < MOVE_SAKE:
        return _paint(old, move - MOVE_PAINT, new)
    if move < MOVE_REROLL:
        return {"type": "sake", "face": move - MOVE_SAKE + 1}
    if move < MOVE_SHIFT:
        return {"type": "reroll", "dice": reroll_of(move)}
    if move < MOVE_GIVE:
        dice = shift_of(move)
        return {"type": "shift", "dice": [face for face, _ in dice], "become": [shifted(*die) for die in dice]}
    if move < old.swap_base():
        kind, to = divmod(move - MOVE_GIVE, old.players)
        return {"type": "give", "card": old.cards.names[kind], "to": to}
    return _swap(old, move)


def _paint(old, place, new):
    """The daruma's action and what came of it: dice that are rolled again, a choice that is asked, a fictive four."""
    kind = old.face[place]
    seen = {"type": "paint", "place": place + 1, **_card(old, kind), "eye": 2 if old.painted >> place & 1 else 1}
    if old.cards.action[kind] == FICTIVE_FOUR:
        return {**seen, "effect": "fictive-four", "phantom": "fictive-four"}
    if new.news & TURN_PASSED or new.stage in (USE, OVER) or (new.stage < START and new.stage != ROLL):
        return {**seen, "effect": "none"}
    if new.stage == ROLL:
        return {**seen, "effect": "roll", "rolled": faces_in(old.dice - 1 - new.dice), "kept": faces_in(new.dice)}
    return {**seen, "effect": PHASES[new.stage]}


def _swap(old, move):
    seen = {"type": "swap"}
    for which, (seat, kind) in zip(("one", "other"), swap_of(old, move), strict=True):
        seen[f"{which}_seat"] = seat
        if kind >= 0:
            seen[f"{which}_card"] = old.cards.names[kind]
    return seen


def _add_consequences(seen, old, new):
    """Bad luck, darumas taken, the counter's walk, the next turn, the end: only what happened is included."""
    if new.news & BAD_LUCK:
        seen["luck"] = "bad-luck"
        bare = (old.painted & ~old.pupils) | old.complete
        if seen["type"] == "paint":
            bare |= 1 << (seen["place"] - 1)
        if bare:
            seen["unpainted"] = [old.cards.names[old.face[place - 1]] for place in _places(bare)]
    taken = [place for place in range(PLACES) if old.face[place] != EMPTY and new.face[place] == EMPTY]
    if taken and new.stage != SWEPT:
        seen["taken"] = [old.cards.names[old.face[place]] for place in taken]
        seen["taken_places"] = [place + 1 for place in taken]
    if new.pupils & ~old.pupils:
        seen["pupils_on"] = _places(new.pupils & ~old.pupils)
    if new.news & COUNTER_MOVED:
        seen["counter_from"] = old.counter() + 1
        seen["counter"] = new.counter() + 1
        seen["token"] = TOKENS[new.track[new.counter()]]
        if _home(new):
            seen["finishing"] = True
            if new.stage != OVER:
                seen["turns_left"] = _turns_left(new) - (0 if new.news & TURN_PASSED else 1)
    if new.stage == OVER:
        seen["held"] = [_held(new, seat) for seat in range(new.players)]
        seen["scores"] = new.scores()
        seen["winners"] = new.winners()
    elif new.news & TURN_PASSED:
        seen["next_seat"] = new.turn
        seen["fictive"] = new.fictive


def _places(mask):
    return [place + 1 for place in range(PLACES) if mask >> place & 1]
