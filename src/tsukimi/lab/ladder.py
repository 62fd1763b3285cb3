"""A match between bots on one page, in the style of the reports: who won how much, and how certain that is."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tsukimi.core.words import summary as game_summary
from tsukimi.core.words import title
from tsukimi.lab import plots
from tsukimi.lab.arena import Match, Result, Standing, standings
from tsukimi.lab.report import PAGE, section, table


def page(match: Match, results: list[Result]) -> str:
    """The page of a match."""
    rows, name = standings(results), title(match.game, "en")
    deals = len({result.deal for result in results})
    options = [f"{key} {value}" for key, value in match.options.items() if key != "first"]
    lead = f"{deals:,} deals with {match.players} players, each played in every rotation of the seats"
    return PAGE.format(
        title=escape(f"{name}: a match"),
        name=escape(name),
        about=escape(game_summary(match.game, "en")),
        lead=escape("; ".join([lead, *options])) + ".",
        legend="",
        body="\n".join(
            [
                section("In short", f"<p>{escape(_verdict(rows))}</p>"),
                section("Share of the win", _ladder(match, rows)),
                section("Figures", _figures(rows)),
                section("How this was measured", f"<p>{escape(_method(match))}</p>"),
            ]
        ),
    )


def _verdict(rows: Sequence[Standing]) -> str:
    if len(rows) < 2:
        return "One bot played against itself."
    first, second = rows[0], rows[1]
    if first.share - first.interval > second.share + second.interval:
        return f"{first.name} is the strongest: its share of the win is clearly above that of all others."
    return f"{first.name} is ahead of {second.name}, but their intervals overlap: more deals would tell."


def _ladder(match: Match, rows: Sequence[Standing]) -> str:
    bars = [
        (row.name, (row.share, max(0.0, row.share - row.interval), min(1.0, row.share + row.interval))) for row in rows
    ]
    return plots.ladder(bars, 1 / match.players, "Share of the win of each bot, with its 95 % interval")


def _figures(rows: Sequence[Standing]) -> str:
    head = ("bot", "games", "share of the win", "mean score", "time of a move", "rating")
    cells = []
    for row in rows:
        rating = "" if row.rating is None else f"{row.rating[0]:.1f} ± {row.rating[1]:.1f}"
        share = f"{100 * row.share:.1f} % ± {100 * row.interval:.1f}"
        cells.append((row.name, f"{row.games:,}", share, f"{row.score:.1f}", f"{row.ms:.1f} ms", rating))
    return table(head, cells, scroll=True)


def _method(match: Match) -> str:
    clock = "processor time" if match.clock == "cpu" else "time by the clock"
    budget = f"{match.playouts} playouts" if match.playouts is not None else f"{match.ms:g} ms of {clock}"
    return (
        f"A bot without a budget of its own had {budget} for a move. All rotations of a deal have the same chance. Intervals "
        f"are 95 % intervals, with a deal as one observation. Seed: {match.seed}."
    )
