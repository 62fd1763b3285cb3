"""The questions of `tsukimi play` when no game is given: which one, how many players, who sits where."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tsukimi.cli.console import Console
from tsukimi.cli.language import say
from tsukimi.cli.options import usual_players
from tsukimi.core.words import summary, title
from tsukimi.terminal import beside

MOON = """\
      ▄▄██████▄▄
    ▄████████████▄
   ████████████████
   ████████████████
    ▀████████████▀
      ▀▀██████▀▀"""
WAVES = "◠◡" * 36


def banner(lang: str) -> list[RenderableType]:
    """The moon, the name, a line of welcome."""
    words: list[RenderableType] = [
        "",
        Text("T S U K I M I", "moon.bold"),
        "",
        say("menu", "welcome", lang),
        Text(say("menu", "keys", lang), "quiet"),
    ]
    return ["", beside([[Text(MOON, "moon")], words], 6), Text(WAVES, "water"), ""]


def choose_game(console: Console, lang: str) -> str:
    from tsukimi.games import names, spec

    listed = names()
    table = Table.grid(padding=(0, 2, 0, 0))
    for number, name in enumerate(listed, 1):
        seats = spec(name).seats
        table.add_row(
            Text(f" {number}", "quiet"),
            Text(title(name, lang), "moon.bold"),
            Text(f"{seats[0]}–{seats[-1]}" if len(seats) > 1 else str(seats[0]), "quiet"),
            summary(name, lang),
        )
    console.write(table, "")
    return listed[_pick(console, say("menu", "game", lang, default=1), listed, 0, lang)]


def choose_players(console: Console, seats: Sequence[int], lang: str) -> int:
    if len(seats) == 1:
        return seats[0]
    usual = usual_players(tuple(seats))
    texts = [str(count) for count in seats]
    prompt = say("menu", "players", lang, known=", ".join(texts), default=usual)
    return int(texts[_pick(console, prompt, texts, texts.index(str(usual)), lang, numbered=False)])


def choose_hotseat(console: Console, lang: str) -> bool:
    table = Table.grid(padding=(0, 1))
    for number, key in enumerate(("alone", "together"), 1):
        table.add_row(Text(f" {number}", "quiet"), say("menu", key, lang))
    console.write("", table, "")
    return _pick(console, say("menu", "who", lang, default=1), ["alone", "together"], 0, lang) == 1


def choose_names(console: Console, players: int, lang: str) -> str:
    usual = ", ".join(f"p{seat + 1}" for seat in range(players))
    return console.ask(Text(f" {say('menu', 'names', lang, default=usual)} ", "moon"))


def _pick(console: Console, prompt: str, known: Sequence[str], default: int, lang: str, numbered: bool = True) -> int:
    """The index of the answer among the known ones: by number, by prefix, or by Enter."""
    while True:
        answer = console.ask(Text(f" {prompt} ", "moon"))
        if not answer:
            return default
        if numbered and answer.isdecimal() and 1 <= int(answer) <= len(known):
            return int(answer) - 1
        found = [i for i, one in enumerate(known) if one.startswith("-".join(answer.lower().split()))]
        if len(found) == 1:
            return found[0]
        console.write(Text(f" {say('menu', 'again', lang)}", "danger"))
