"""Records: a game as plain text, one event per line, written and read. See docs/record.md."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tsukimi.core.errors import BadRecord, TsukimiError

if TYPE_CHECKING:
    from tsukimi.core.state import State

FORMAT = "tsukimi 1"
LONGEST = 16 * 2**20
RULE = "---"
UNFINISHED = "unfinished"  # in place of the scores, if a table ended the game early


def write(state: State) -> str:
    head = [FORMAT, f"game {state.game}", f"players {state.players}"]
    head += [f"option {name} {value}" for name, value in state.options.items()]
    if state.components is not None:
        head.append("components " + json.dumps(state.components, ensure_ascii=False, separators=(",", ":")))
    head += [f"seat {seat + 1} {' '.join(name.split())}" for seat, name in sorted(state.names.items())]
    foot: list[str] = []
    if state.over:
        foot = [RULE, "scores " + " ".join(map(str, state.scores())), *state.proof]
    elif state.proof:
        foot = [RULE, UNFINISHED, *state.proof]
    return "\n".join([*head, RULE, *state.lines(), *foot]) + "\n"


Maker = Callable[[str, int, Mapping[str, str], Any], "State"]


def read(text: str, make: Maker) -> State:
    """The game in a record, with chance waiting for its next line; `BadRecord` says which line is wrong."""
    if type(text) is not str:
        raise BadRecord("record-not-text")
    if len(text) > LONGEST:
        raise BadRecord("record-too-long", most=LONGEST)
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not lines or lines[0][1] != FORMAT:
        raise BadRecord("record-format", line=1, expected=FORMAT)
    rules = [i for i, (_, line) in enumerate(lines) if line == RULE]
    if not 1 <= len(rules) <= 2:
        raise BadRecord("record-parts", line=lines[-1][0])
    foot = lines[rules[1] + 1 :] if len(rules) == 2 else []
    state = _head(lines[1 : rules[0]], make)
    _body(state, lines[rules[0] + 1 : rules[1] if foot or len(rules) == 2 else None])
    _check_scores(state, foot, ended=len(rules) == 2, line=lines[-1][0])
    return state


def _head(lines: list[tuple[int, str]], make: Maker) -> State:
    game, players, components = "", 0, None
    options: dict[str, str] = {}
    names: dict[int, tuple[int, str]] = {}
    seen: set[str] = set()
    for number, line in lines:
        word, _, rest = line.partition(" ")
        key = " ".join(line.split(" ", 2)[:2]) if word in ("option", "seat") else word
        if key in seen:
            raise BadRecord("record-twice", line=number, what=key[:60])
        seen.add(key)
        if word == "game":
            game = rest
        elif word == "players" and rest.isascii() and rest.isdigit() and len(rest) < 4:
            players = int(rest)
        elif word == "option" and len(rest.split(" ")) == 2:
            name, value = rest.split(" ")
            options[name] = value
        elif word == "components":
            components = _json(number, rest)
        elif word == "seat" and rest[:1].isdigit() and rest[1:2] == " " and rest[2:].strip():
            names[int(rest[0]) - 1] = (number, rest[2:])
        else:
            raise BadRecord("record-head", line=number, text=line[:60])
    try:
        state = make(game, players, options, components)
    except TsukimiError as problem:
        raise BadRecord("record-line", line=lines[-1][0] if lines else 1, problem=problem) from problem
    for seat, (number, name) in names.items():
        if not 0 <= seat < players:
            raise BadRecord("record-head", line=number, text=name[:60])
        state.names[seat] = name
    return state


def _json(number: int, text: str) -> Any:
    try:
        data = json.loads(text, parse_constant=_no_number)
        json.dumps(data, ensure_ascii=False).encode()  # a lone surrogate could not be written back
        return data
    except (ValueError, RecursionError) as problem:
        raise BadRecord("record-components", line=number) from problem


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def _body(state: State, lines: list[tuple[int, str]]) -> None:
    for number, line in lines:
        try:
            play_event(state, line)
        except TsukimiError as problem:
            raise BadRecord("record-line", line=number, problem=problem) from problem


def play_event(state: State, line: str) -> None:
    """Play one line of a record."""
    word, _, rest = line.partition(" ")
    if word == "undo" and rest.isascii() and rest.isdigit() and len(rest) < 6:
        state.undo(int(rest))
    elif len(word) == 2 and word[0] == "p" and word[1] in "12345" and not state.chance:
        state.play(rest, int(word[1]) - 1)
    elif state.chance:
        state.play(line)
    else:
        raise BadRecord("record-event", text=line[:60])


def _check_scores(state: State, lines: list[tuple[int, str]], ended: bool, line: int) -> None:
    if not ended:
        return
    first = lines[0][1] if lines else ""
    if not state.over and first != UNFINISHED:
        raise BadRecord("record-unfinished", line=line)
    expected = "scores " + " ".join(map(str, state.scores())) if state.over else UNFINISHED
    if first != expected:
        raise BadRecord("record-scores", line=lines[0][0] if lines else line, expected=expected)
    for number, text in lines[1:]:
        if not text.startswith("verify "):
            raise BadRecord("record-head", line=number, text=text[:60])
        state.proof.append(text)
