"""`tsukimi simulate GAME`: many games between bots, and what a designer wants to know about them."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say
from tsukimi.cli.options import (
    add_help,
    chosen_options,
    game_arguments,
    game_name,
    seed_of,
    subparser,
    usual_players,
    whole_number,
)

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from tsukimi.lab.simulation import Simulation

LONGEST_BAR = 24
MOST_VALUES = 8  # of what correlates with winning, and with losing


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "simulate")
    parser.add_argument("game", metavar="GAME")
    game_arguments(parser)
    simulation_arguments(parser, games=1000)
    parser.add_argument("--out", metavar="FILE")
    parser.add_argument("--rows", choices=("game", "decision"), default="game")
    parser.add_argument("--engine", choices=("local", "ray"), default="local")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def simulation_arguments(parser: Any, games: int, bots: str = "random") -> None:
    """--games, --bots and so on."""
    parser.add_argument("--games", type=whole_number(1), default=games, metavar="N")
    parser.add_argument("--bots", default=bots, metavar="A,B,..")
    parser.add_argument("--ms", type=float, metavar="MS")
    parser.add_argument("--playouts", type=whole_number(1), default=200, metavar="N")
    parser.add_argument("--watched", type=whole_number(0), metavar="N")
    parser.add_argument("--processes", type=whole_number(1), default=os.cpu_count() or 1, metavar="P")


def run(args: Namespace) -> int:
    import time

    from tsukimi.cli.progress import progress
    from tsukimi.lab import files
    from tsukimi.lab.simulation import simulate
    from tsukimi.lab.summary import summary

    out = Path(args.out) if args.out else None
    simulation = chosen_simulation(args, rows=args.rows if out and files.holds_rows(out) else "")
    journal = out.with_name(out.name + ".part") if out else None
    began = time.perf_counter()
    with progress(args.games) as update:
        found = simulate(simulation, args.processes, journal, lambda games: update(advance=games), args.engine)
    seconds = time.perf_counter() - began
    figures = summary(simulation, found.tally)
    if out and journal:
        files.write(out, figures, found.rows)
        journal.unlink()
    if args.json:
        print(json.dumps({**figures, "seconds": seconds, "games_per_second": args.games / seconds}, indent=2))
    else:
        _show(figures, seconds, current())
    return 0


def chosen_simulation(args: Namespace, **more: Any) -> Simulation:
    """The requested simulation, checked; without a seed, one is drawn."""
    from secrets import token_hex

    import tsukimi
    from tsukimi.games import spec
    from tsukimi.lab.simulation import Simulation

    game = game_name(args.game)
    players = usual_players(spec(game).seats) if args.players is None else args.players
    start = tsukimi.new(game, players, chance="manual", components=args.components, **chosen_options(args))
    seed = seed_of(args)
    settings = {
        "bots": tuple(args.bots.split(",")),
        "ms": args.ms,
        "playouts": args.playouts,
        "options": start.options,
        "components": start.components,
        "watched": args.watched,
        **more,
    }
    root = token_hex(8) if seed is None else f"{type(seed).__name__}:{seed}"
    return Simulation(game, players, args.games, root, **settings)


# ---- shown in the terminal ---------------------------------------------------------------------


def _show(figures: dict[str, Any], seconds: float, lang: str) -> None:
    from rich.text import Text

    from tsukimi.cli.console import Console
    from tsukimi.core.words import title

    name, games = title(figures["game"], lang), f"{figures['games']:,}"
    shown: list[Any] = [
        Text(say("simulate", "title", lang, games=games, game=name, players=figures["players"]), "moon.bold"),
        Text(", ".join(figures["bots"]) + _budget(figures, lang), "quiet"),
        "",
        _seats(figures, lang),
    ]
    if len(figures["by_bot"]) > 1:
        shown += ["", _bots(figures, lang)]
    shown += ["", *_sentences(figures, seconds, lang)]
    if any(row["clear"] for row in figures.get("values", ())):
        shown += ["", Text(say("simulate", "values", lang), "moon.bold"), _values(figures, lang)]
    Console().write(*shown)


def _budget(figures: dict[str, Any], lang: str) -> str:
    if figures["ms"] is not None:
        return " · " + say("simulate", "timed", lang, ms=f"{figures['ms']:g}")
    playouts = figures["playouts"]
    return "" if playouts is None else " · " + say("arena", "playouts", lang, playouts=playouts)


def _seats(figures: dict[str, Any], lang: str) -> Any:
    from rich.text import Text

    from tsukimi.cli.result import bar

    table = _table(("seat", "wins", "interval", "score"), lang)
    table.add_column("", no_wrap=True)
    for seat, row in enumerate(figures["seats"]):
        low, high = row["win_share_95"]
        table.add_row(
            Text(f"p{row['seat']}", f"p{seat % 5 + 1}.bold"),
            Text(f"{100 * row['win_share']:.1f} %", "text.bold"),
            f"{100 * low:.1f} .. {100 * high:.1f} %",
            f"{row['mean_score']:.2f} ± {row['score_deviation']:.2f}",
            bar(row["win_share"], LONGEST_BAR, seat),
        )
    return table


def _bots(figures: dict[str, Any], lang: str) -> Any:
    from rich.text import Text

    table = _table(("bot", "wins", "interval", "points"), lang)
    for row in figures["by_bot"]:
        low, high = row["win_share_95"]
        share = Text(f"{100 * row['win_share']:.1f} %", "text.bold")
        table.add_row(row["bot"], share, f"{100 * low:.1f} .. {100 * high:.1f} %", f"{row['mean_score']:.2f}")
    return table


def _sentences(figures: dict[str, Any], seconds: float, lang: str) -> list[str]:
    speed = f"{figures['games'] / max(seconds, 1e-9):,.0f}"
    mean, most = f"{figures['mean_decisions']:.1f}", figures["most_decisions"]
    lines = [say("simulate", "pace", lang, mean=mean, most=most, speed=speed)]
    if figures["skill"] is not None:
        lines.append(say("simulate", "skill", lang, percent=f"{100 * figures['skill']:.0f}"))
    if not figures["watched"]:
        return lines
    choices, half = figures["choices"], figures["leaders"].get("half")
    forced = f"{100 * choices['forced']:.0f}"
    lines.append(say("simulate", "choices", lang, mean=f"{choices['mean']:.1f}", most=choices["most"], forced=forced))
    changes = f"{figures['lead_changes']['mean']:.1f}"
    if half:
        wins = f"{100 * half['wins']:.0f}"
        lines.append(say("simulate", "lead", lang, changes=changes, wins=wins))
    from tsukimi.lab.summary import never, rare

    for code, kinds in (("never", never(figures)), ("rare", rare(figures))):
        if kinds:
            lines.append(say("simulate", code, lang, kinds=", ".join(kinds)))
    return lines


def _values(figures: dict[str, Any], lang: str) -> Any:
    values = [row for row in figures["values"] if row["clear"]]
    chosen = values if len(values) <= 2 * MOST_VALUES else [*values[:MOST_VALUES], *values[-MOST_VALUES:]]
    table = _table(("what", "players", "gain", "points"), lang)
    for row in chosen:
        gain = f"{100 * row['gain']:+.1f} ± {100 * row['gain_95']:.1f}"
        points = f"{row['points']:+.2f} ± {row['points_95']:.2f}"
        table.add_row(row["name"], f"{100 * row['players']:.0f} %", gain, points)
    return table


def _table(heads: tuple[str, ...], lang: str) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for number, head in enumerate(heads):
        table.add_column(say("simulate", head, lang), justify="right" if number else "left", no_wrap=True)
    return table
