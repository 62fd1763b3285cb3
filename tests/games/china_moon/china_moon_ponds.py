"""Small ponds and short ways to a position, for the tests of China Moon."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

import tsukimi
from tsukimi.core.state import State

KINDS = {".": "blank", "L": "lily", "P": "prankster", "S": "spring", "B": "butterfly"}


def pond(pads: Mapping[str, str], start: str = "1") -> dict[str, Any]:
    """A board from `{"1": ". 2", "2": "S a1 b1", ..}`. A line t1, t2, .. of lily pads, which leads to the goal, makes up the
    thirteen; the pads name `t1` where they lead on to it."""
    written = [{"id": name, "kind": KINDS[text[0]], "next": text.split()[1:]} for name, text in pads.items()]
    missing = 13 - sum(pad["kind"] == "lily" for pad in written)
    tail = [{"id": f"t{n}", "kind": "lily", "next": [f"t{n + 1}"]} for n in range(1, missing + 1)]
    tail[-1]["next"] = ["goal"]
    return {"start": start.split(), "pad": written + tail}


def line(kinds: str) -> dict[str, Any]:
    """Pads 1, 2, .. in a line, then the lily pads t1, t2, .. that are missing, then the goal."""
    pads = {str(n): f"{kind} {n + 1 if n < len(kinds) else 't1'}" for n, kind in enumerate(kinds, 1)}
    return pond(pads, start="1" if pads else "t1")


def hub(places: str, pads: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A pond where any frog on the start can land on any of these places, behind the one pad `x`."""
    return pond({"x": f". {places}", **(pads or {})}, start="x")


def ready(
    board: Mapping[str, Any] | None = None,
    players: int = 3,
    lilies: Mapping[str, str] | None = None,
    goal: str = "pink white yellow",
) -> State:
    """A game of which p1 makes the first move, with these lilies (where not said, any) on the pads and in the goal."""
    state = tsukimi.new("china-moon", players=players, chance="manual", first="p1", components=board)
    wanted = {f"goal {n}": colour for n, colour in enumerate(goal.split(), 1)}
    wanted |= {f"lily {pad}": colour for pad, colour in (lilies or {}).items()}
    reserved = list((lilies or {}).values())
    while state.chance:
        texts = state.legal()
        place = texts[0].rsplit(" ", 1)[0]
        if place in wanted:
            colour = wanted.pop(place)
            if place.startswith("lily"):
                reserved.remove(colour)
        else:
            colours = [text.split()[-1] for text in texts]
            colour = next(c for c in colours if place.startswith("goal") or _spare(state, c) > reserved.count(c))
        state.play(f"{place} {colour}")
    assert not [place for place in wanted if place.startswith("lily")], f"no such lily pads: {wanted}"
    return state


def _spare(state: State, colour: str) -> int:
    return 4 - sum(line.startswith("lily") and line.endswith(colour) for line in state.lines())


def play(state: State, *moves: str) -> State:
    """Each move is the move of whoever is asked."""
    for move in moves:
        state.play(move)
    return state


def at(state: State, frog: str) -> str:
    """The pad of a frog."""
    places = {frog["frog"]: frog["pad"] for frogs in state.view(None)["frogs"] for frog in frogs}
    return str(places[frog])


def held(state: State, seat: int) -> dict[str, int]:
    """The lilies of a seat, colours it lacks left out."""
    return {colour: count for colour, count in state.view(None)["held"][seat].items() if count}


def landings(state: State, frog: str) -> set[str]:
    """Where the frog may go now."""
    return {text.split()[2] for text in state.legal() if text.startswith(f"move {frog} ")}


@st.composite
def ponds(draw: st.DrawFn) -> dict[str, Any]:
    """Any pond at all: arms that skip, join and cross, ids out of order, springs in a row."""
    count = draw(st.integers(13, 40))
    luck = random.Random(draw(st.integers(0, 2**32)))
    kinds = ["lily"] * 12 + luck.choices(["blank", "prankster", "spring", "butterfly"], k=count - 13)
    luck.shuffle(kinds)
    last = luck.randrange(max(n for n, kind in enumerate(kinds) if kind == "lily") + 1, count)
    kinds.insert(last, "lily")
    width = luck.choice([1, 2, 5, 60])
    nexts: list[set[int]] = [set() for _ in range(count)]
    for n in range(count):
        # Before the last lily every pad leads on to it at last, so that it comes after all others.
        end = last if n < last else count
        reach = min(n + 1 + width, end + 1)
        nexts[n] = {luck.randrange(n + 1, max(n + 2, reach)) for _ in range(luck.choice([1, 1, 1, 2, 2, 3]))}
    start = {0} | {luck.randrange(0, min(width, last) + 1) for _ in range(luck.choice([0, 0, 1, 2]))}
    reached = set(start)
    for n in range(count):
        if n not in reached:
            nexts[luck.choice([b for b in range(n) if b in reached and (b < last) == (n <= last)] or [n - 1])].add(n)
        reached |= {n, *nexts[n]}
    names = [f"n{n}" for n in range(count)] + ["goal"]
    pads = [
        {"id": names[n], "kind": kinds[n], "next": [names[min(after, count)] for after in sorted(nexts[n])]}
        for n in range(count)
    ]
    if draw(st.booleans()):
        luck.shuffle(pads)
    return {"start": [names[n] for n in sorted(start)], "pad": pads}
