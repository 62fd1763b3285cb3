"""What must not be wrong about a hint: its numbers agree with its advice, and its words with each other."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

import tsukimi
from tsukimi import bots
from tsukimi.core import catalogue
from tsukimi.core.rng import Rng
from tsukimi.core.state import State
from tsukimi.core.words import Words

NAMES = ["Ana", "Bo", "Cy", "Di", "Eve"]

# For every code that compares: the number of the advised move, and that of the other one.
SHARES = ("share", "other_share")
COMPARED = {
    "search": [SHARES],
    "charuma.bid": [SHARES, ("left", "other_left")],
    "charuma.bid-pairs": [SHARES, ("pairs", "other_pairs")],
    "charuma.bid-high": [SHARES, ("high", "other_high")],
    "charuma.bid-cheap": [SHARES, ("other_amount", "amount")],
    "charuma.bid-firm": [SHARES, ("amount", "other_amount")],
    "charuma.bid-share": [SHARES],
    "charuma.bid-low": [SHARES, ("other_amount", "amount")],
    "charuma.bid-raise": [SHARES, ("amount", "other_amount")],
    "charuma.solved": [SHARES, ("points", "other_points")],
    "charuma.solved-share": [SHARES],
    "charuma.let-go": [SHARES],
    "charuma.lead-under": [SHARES],
    "china-moon.instead": [SHARES],
    "daruma.sweep": [("fresh", "row")],
    "daruma.roll": [("row", "fresh")],
    "daruma.stop": [SHARES],
    "daruma.sake": [("share", "stop")],
    "dojo.challenge": [("attack", "still")],
    "dojo.pass": [("still", "attack")],
    "dojo.later": [("expected", "other_expected")],
    "dojo.later-share": [SHARES],
    "dojo.trophy": [("after", "before")],
    "dojo.trophy-share": [SHARES],
    "dojo.row": [("after", "before")],
    "dojo.gain": [("after", "before")],
    "dojo.give": [SHARES],
    "dojo.give-keep-share": [SHARES],
    "dojo.swap": [SHARES],
    "dojo.keep": [SHARES],
    "dojo.swap-spite": [SHARES],
    "dojo.keep-spite": [SHARES],
    "dojo.swap-even": [SHARES],
    "dojo.keep-even": [SHARES],
}
NUMBERS = re.compile(r"(?<![\d.,])1 (points|puntos|darumas)\b")
BARE_CARD = re.compile(r"(?<!\ble )(?<!\bl’)(?<!\bles deux )\b(\d+|As) (bleu|rouge)")


def decisions(game: str, players: int, count: int) -> Iterator[tuple[State, int]]:
    """Decisions met when players who know a little play: every third with a choice."""
    rng, found = Rng(players), 0
    for deal in itertools.count():
        state = tsukimi.new(game, players=players, seed=f"hints {deal}")
        table = [bots.make("greedy", state, seat) for seat in range(players)]
        while not state.over:
            seat = state.actors[0]
            if len(state.actions(seat)) > 1 and rng.randrange(3) == 0:
                yield state, seat
                found += 1
                if found == count:
                    return
            random = rng.randrange(4) == 0
            state.apply(state.core.random_action(seat, rng) if random else table[seat].choose(state, seat), seat)


def contradictions(code: str, fields: Mapping[str, Any], candidates: list[bots.Candidate]) -> list[tuple[str, str]]:
    """What in a reason contradicts its move."""
    found = [(own, other) for own, other in COMPARED.get(code, []) if fields[own] < fields[other]]
    if "share" in fields and fields["share"] != round(100 * candidates[0].share):
        found.append(("share", "candidate"))
    if "other_share" in fields and code not in COMPARED:
        found.append((code, "is not checked"))
    if code in ("charuma.only-threat", "charuma.hidden-threat") and fields["chance"] > 50:
        found.append(("chance", "more often beaten than not"))
    if code == "dojo.give-keep" and fields["percent"] < 50:
        found.append(("percent", "most cards"))
    if code in ("dojo.swap", "dojo.keep") and fields["difference"] <= 0:
        found.append(("difference", "nothing"))
    if code in ("china-moon.denies", "china-moon.prepares", "china-moon.prepares-later") and fields["points"] <= 0:
        found.append(("points", "nothing"))
    return found + [one for more in fields.get("also", ()) for one in contradictions(*more, candidates)]


def problems(state: State, seat: int, seed: int, playouts: int) -> tuple[str, list[str]]:
    """The code of a hint, and what is wrong about it in any language."""
    engine = bots.engine_for(state, seed)
    candidates = engine.analyse(state, seat, bots.Budget(None, playouts))
    code, fields = engine.reason(state, seat, candidates)
    shares = [round(candidate.share, 6) for candidate in candidates]
    found = [] if shares == sorted(shares, reverse=True) else [f"{code}: the moves are out of order"]
    found += [f"{code}: {own} against {other}, {fields}" for own, other in contradictions(code, fields, candidates)]
    for lang in catalogue.LANGUAGES:
        sentence = Words(state.game, lang, NAMES).why(code, fields)
        bare = lang == "fr" and BARE_CARD.search(sentence)
        if bare or NUMBERS.search(sentence) or re.search(r"[{}|]|\bthe the\b|\bel el\b", sentence):
            found.append(f"{lang}: {sentence}")
    return code, found
