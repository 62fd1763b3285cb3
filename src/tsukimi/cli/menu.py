"""The questions of `tsukimi play` without a game: which one, how many players, who sits where."""

from __future__ import annotations

from collections.abc import Sequence

from tsukimi.cli.console import Console
from tsukimi.cli.language import say
from tsukimi.cli.options import usual_players
from tsukimi.cli.style import Style, beside, pad

MOON = (
    "      ▄▄██████▄▄      ",
    "    ▄████████████▄    ",
    "   ████████████████   ",
    "   ████████████████   ",
    "    ▀████████████▀    ",
    "      ▀▀██████▀▀      ",
)
WAVES = "◠◡" * 36


def banner(style: Style, lang: str) -> list[str]:
    """The moon, the name, a line of welcome."""
    moon = [style(line, "moon") for line in MOON]
    words = [
        "",
        style("T S U K I M I", "moon", bold=True),
        "",
        say("menu", "welcome", lang),
        style(say("menu", "keys", lang), "quiet"),
    ]
    return ["", *beside([moon, words], "   "), style(WAVES, "water"), ""]


def choose_game(console: Console, lang: str) -> str:
    from tsukimi.games import names, spec

    lines = []
    for number, name in enumerate(names(), 1):
        seats = spec(name).seats
        title = console.style(pad(say("game", name, lang), 12), "moon", bold=True)
        count = console.style(f"{seats[0]}–{seats[-1]}", "quiet")
        lines.append(f" {console.style(str(number), 'quiet')} {title} {count}  {say('about', name, lang)}")
    console.write([*lines, ""])
    answer = _pick(console, say("menu", "game", lang, default=1), names(), 0, lang)
    return names()[answer]


def choose_players(console: Console, seats: Sequence[int], lang: str) -> int:
    usual = usual_players(tuple(seats))
    texts = [str(count) for count in seats]
    prompt = say("menu", "players", lang, known=", ".join(texts), default=usual)
    return int(texts[_pick(console, prompt, texts, texts.index(str(usual)), lang, numbered=False)])


def choose_hotseat(console: Console, lang: str) -> bool:
    console.write(
        [
            "",
            *(
                f" {console.style(str(i), 'quiet')} {say('menu', key, lang)}"
                for i, key in ((1, "alone"), (2, "together"))
            ),
            "",
        ]
    )
    return _pick(console, say("menu", "who", lang, default=1), ["alone", "together"], 0, lang) == 1


def choose_names(console: Console, players: int, lang: str) -> str:
    usual = ", ".join(f"p{seat + 1}" for seat in range(players))
    return console.ask(console.style(f" {say('menu', 'names', lang, default=usual)} ", "moon"))


def _pick(console: Console, prompt: str, known: Sequence[str], default: int, lang: str, numbered: bool = True) -> int:
    """The place of the answer among the known ones: by number, by its beginning, or by Enter."""
    while True:
        answer = console.ask(console.style(f" {prompt} ", "moon"))
        if not answer:
            return default
        if numbered and answer.isdecimal() and 1 <= int(answer) <= len(known):
            return int(answer) - 1
        found = [i for i, one in enumerate(known) if one.startswith("-".join(answer.lower().split()))]
        if len(found) == 1:
            return found[0]
        console.write(console.style(f" {say('menu', 'again', lang)}", "danger"))
