"""A report on a game for its designer: one self-contained HTML file, for phone, desktop and print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape

import tsukimi
from tsukimi.core.setup import choices
from tsukimi.core.spec import Json
from tsukimi.core.words import summary as game_summary
from tsukimi.core.words import title
from tsukimi.games import spec
from tsukimi.lab import plots
from tsukimi.lab.simulation import Simulation, simulate
from tsukimi.lab.summary import interval, never, rare, summary, unequal

MOST_VALUES = 10  # that correlate with winning, and as many with losing
SKILLED = ("greedy", "random")
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Plan:
    """All the simulations of a report, with their names: the sets that are compared, one for skill, the variants."""

    sets: list[tuple[str, Simulation]]
    skill: list[tuple[str, Simulation]]
    variants: list[tuple[str, Simulation]]

    @property
    def games(self) -> int:
        return sum(one.games for _, one in [*self.sets, *self.skill, *self.variants])


def plan(wanted: Simulation, variant_games: int, compared: Sequence[tuple[str, Json]] = ()) -> Plan:
    """What to simulate; `compared` has other components by name."""
    sets = [("the game" if compared else "", wanted)]
    sets += [(name, replace(wanted, components=components)) for name, components in compared]
    bots = SKILLED[: wanted.players]
    skill = [(name, replace(one, bots=bots, watched=0, games=max(20, one.games // 4))) for name, one in sets]
    variants = []
    rules = spec(wanted.game)
    if variant_games:
        small = replace(wanted, games=variant_games)
        for players in rules.seats:
            fits = len(small.bots) <= players and _possible(replace(small, players=players))
            if fits:
                mark = " (this report)" if players == wanted.players else ""
                variants.append((f"{players} players{mark}", replace(small, players=players)))
        for option, values in choices(rules, wanted.players).items():
            for value in values:
                if option != "first" and value != wanted.options.get(option):
                    changed = replace(small, options={**wanted.options, option: value})
                    if _possible(changed):
                        variants.append((f"{option}: {value}", changed))
    return Plan(sets, skill, variants)


def _possible(simulation: Simulation) -> bool:
    try:
        components: Json | None = dict(simulation.components) if simulation.components is not None else None
        tsukimi.new(
            simulation.game, simulation.players, chance="manual", components=components, **dict(simulation.options)
        )
    except tsukimi.TsukimiError:  # components for fewer players, options that exclude each other
        return False
    return True


def report(wanted: Plan, processes: int = 1, progress: Progress = lambda games: None) -> str:
    """Play everything and write the page."""
    found = [
        [(name, summary(one, simulate(one, processes, progress=progress).tally)) for name, one in group]
        for group in (wanted.sets, wanted.skill, wanted.variants)
    ]
    return page(*found)


# ---- the page --------------------------------------------------------------------------------------


def page(sets: list[tuple[str, Json]], skill: list[tuple[str, Json]], variants: list[tuple[str, Json]]) -> str:
    figures = [one for _, one in sets]
    first = figures[0]
    name = title(first["game"], "en")
    sections = [
        section("In short", _short(sets, skill)),
        '<div class="grid">',
        section("Is it balanced?", _balance(figures)),
        section("Scores", _scores(figures)),
        section("How long is it?", _length(figures)),
        section("When is the winner known?", _tension(figures)),
        "</div>",
        section("What is strong, what is weak?", _values(sets)),
        section("What happens, and what never does", _events(sets)),
        section("Player counts and variants", _variants(variants)) if variants else "",
        section("How this was measured", _method(first)),
    ]
    bots = ", ".join(first["bots"])
    lead = f"{first['games']:,} games with {first['players']} players; bots: {escape(bots)}{_options(first)}."
    return PAGE.format(
        title=escape(f"{name}: a report"),
        name=escape(name),
        about=escape(game_summary(first["game"], "en")),
        lead=lead,
        legend=_legend([one for one, _ in sets]),
        body="\n".join(sections),
    )


def section(head: str, body: str) -> str:
    return f"<section><h2>{escape(head)}</h2>{body}</section>"


def _options(figures: Json) -> str:
    chosen = [f"{name} {value}" for name, value in figures["options"].items() if name != "first"]
    return f"; {escape(', '.join(chosen))}" if chosen else ""


def _legend(names: Sequence[str]) -> str:
    if len(names) == 1:
        return ""
    marks = "".join(
        f'<span><i style="background:{plots.COLOURS[i]}"></i>{escape(one)}</span>' for i, one in enumerate(names)
    )
    return f'<p class="legend">{marks}</p>'


def _short(sets: list[tuple[str, Json]], skill: list[tuple[str, Json]]) -> str:
    parts = []
    for (name, figures), (_, skilled) in zip(sets, skill, strict=True):
        lines = [_balance_line(figures), _length_line(figures), _tension_line(figures), _skill_line(skilled)]
        lines += [_strong_line(figures), _dead_line(figures)]
        items = "".join(f"<li>{line}</li>" for line in lines if line)
        parts.append((f"<h3>{escape(name)}</h3>" if name else "") + f"<ul>{items}</ul>")
    return f'<div class="grid">{"".join(f"<div>{one}</div>" for one in parts)}</div>' if len(parts) > 1 else parts[0]


def _balance_line(figures: Json) -> str:
    part = 1 / figures["players"]
    uneven = unequal(figures)
    if not uneven:
        low, high = interval(part, figures["games"])
        return (
            f"<b>No seat is clearly better off.</b> An advantage of about {100 * (high - low) / 2:.0f} percentage points "
            "would have shown."
        )
    seats = [
        f"p{row['seat']} wins {100 * row['win_share']:.1f} %, "
        f"{'more' if row['win_share'] > part else 'less'} than its even share of {100 * part:.1f} %"
        for row in uneven
    ]
    return f"<b>The seats are not equal:</b> {'; '.join(seats)}."


def _length_line(figures: Json) -> str:
    found, options = figures["decisions"], figures["choices"]
    return (
        f"<b>Half of the games take {found['25 %']} to {found['75 %']} decisions,</b> with {options['mean']:.1f} "
        f"legal moves each; {plots.percent(options['forced'])} of the decisions are forced."
    )


def _tension_line(figures: Json) -> str:
    half = figures["leaders"].get("half")
    late = sum(figures["settled"][8:])
    led = f" Whoever leads alone halfway wins {plots.percent(half['wins'])} of the time." if half else ""
    return (
        f"<b>The lead changes {figures['lead_changes']['mean']:.1f} times a game;</b> {plots.percent(late)} of the "
        f"games are open into their last fifth.{led}"
    )


def _skill_line(figures: Json) -> str:
    rows = {row["bot"]: row for row in figures["by_bot"]}
    if len(rows) < 2:
        return ""
    row, part = rows[SKILLED[0]], 1 / figures["players"]
    low, high = row["win_share_95"]
    return (
        f"<b>Luck and skill:</b> one player who looks a move ahead, among players at random, wins "
        f"{plots.percent(row['win_share'])} ({plots.percent(low)} to {plots.percent(high)}); luck alone would give "
        f"{plots.percent(part)}."
    )


def _strong_line(figures: Json) -> str:
    clear = [row for row in figures["values"] if row["clear"]]
    strong = [row for row in clear if row["gain"] > 0][:3]
    weak = [row for row in reversed(clear) if row["gain"] < 0][:3]
    sentences = [
        f"<b>{word}</b> (percentage points): "
        + ", ".join(f"{escape(row['name'])} {_signed(row['gain'])}" for row in rows)
        for word, rows in (("Goes with winning", strong), ("Goes with losing", weak))
        if rows
    ]
    return (
        ". ".join(sentences) + "."
        if sentences
        else "<b>Nothing named in the events correlates clearly with winning or losing.</b>"
    )


def _signed(share: float) -> str:
    return f"{100 * share:+.0f}".replace("-", "−")


def _dead_line(figures: Json) -> str:
    sentences = []
    if kinds := never(figures):
        sentences.append(f"<b>Never happened:</b> {escape(', '.join(kinds))}.")
    if kinds := rare(figures):
        sentences.append(f"<b>In less than one game in a hundred:</b> {escape(', '.join(kinds))}.")
    return " ".join(sentences) or "<b>No rule is dead:</b> everything that can happen did."


def _balance(sets: list[Json]) -> str:
    rows = [
        (f"p{seat + 1}", [_share(figures["seats"][seat]) for figures in sets if seat < figures["players"]])
        for seat in range(sets[0]["players"])
    ]
    about = "Share of the wins of each seat, with 95 % intervals"
    plot = plots.intervals(rows, 1 / sets[0]["players"], about)
    return f"{plot}<p>{about}. A seat is better or worse off if its line does not cross the dashed one.</p>"


def _share(row: Json) -> plots.Interval:
    low, high = row["win_share_95"]
    return row["win_share"], low, high


def _scores(sets: list[Json]) -> str:
    counts = []
    for figures in sets:
        one: dict[int, int] = {}
        for seat in figures["seats"]:
            for score, times in seat["scores"].items():
                one[int(score)] = one.get(int(score), 0) + times
        counts.append(one)
    plot = plots.histogram(counts, "points at the end, all seats", "How often each score is reached")
    margins = " and ".join(f"{figures['margin']['mean']:.1f}" for figures in sets if figures["margin"])
    return f"{plot}<p>The two best are {margins} points apart on average.</p>" if margins else plot


def _length(sets: list[Json]) -> str:
    plot = plots.histogram([figures["lengths"] for figures in sets], "decisions in a game", "How long the games are")
    means = " and ".join(f"{figures['mean_decisions']:.0f}" for figures in sets)
    return f"{plot}<p>{means} decisions on average; the longest game took {sets[0]['most_decisions']}.</p>"


def _tension(sets: list[Json]) -> str:
    plot = plots.settled(
        [figures["settled"] for figures in sets], "The share of games in which only the eventual winners lead"
    )
    rows = []
    for mark, label in (("quarter", "a quarter"), ("half", "half"), ("three_quarters", "three quarters")):
        cells = [figures["leaders"].get(mark) for figures in sets]
        if all(cells):
            rows.append([f"after {label}", *[plots.percent(cell["wins"]) for cell in cells]])
    leads = table(["leads alone ..", *(f"and wins{mark}" for mark in _marks(sets))], rows)
    return (
        f"{plot}<p>The share of games in which, from that moment on, only the eventual winners led. A line that rises "
        f"early means a runaway leader; one that rises at the end, a game that is open to the last move.</p>{leads}"
    )


def _values(sets: list[tuple[str, Json]]) -> str:
    known = [{row["name"]: row for row in figures["values"]} for _, figures in sets]
    clear = [row for row in sets[0][1]["values"] if row["clear"]]
    if len(sets) > 1:  # also what is clear in the other set alone
        mine = {row["name"] for row in clear}
        clear += [row for row in sets[1][1]["values"] if row["clear"] and row["name"] not in mine]
        clear.sort(key=lambda row: -row["gain"])
    if not clear:
        return "<p>Nothing that players did or got by name stands out. More games may show more.</p>"
    chosen = clear if len(clear) <= 2 * MOST_VALUES else [*clear[:MOST_VALUES], *clear[-MOST_VALUES:]]
    rows = [(row["name"], [_gain(one.get(row["name"])) for one in known]) for row in chosen]
    left_out = f" {len(clear) - len(chosen)} in between are left out." if len(clear) > len(chosen) else ""
    return (
        f"{plots.gains(rows, 'What goes with winning and with losing')}<p>How much more often those won who did or got "
        f"this than those who did not, with 95 % intervals; only what is clear although {len(known[0])} names were "
        f"compared.{left_out} It goes with winning; it need not be the cause.</p>"
    )


def _gain(row: Json | None) -> plots.Interval | None:
    return None if row is None else (row["gain"], row["gain"] - row["gain_95"], row["gain"] + row["gain_95"])


def _events(sets: list[tuple[str, Json]]) -> str:
    kinds = sorted({kind for _, one in sets for kind in one["events"]}, key=lambda kind: _per_game(sets[0][1], kind))
    kinds = [*[kind for kind in never(sets[0][1]) if kind not in kinds], *kinds]
    rows = []
    for kind in kinds:
        row = [kind]
        for _, figures in sets:
            found = figures["events"].get(kind)
            row += [f"{found['per_game']:.2f}", plots.percent(found["games"])] if found else ["never", "0 %"]
        rows.append(row)
    return table(
        ["event", *[f"{head}{mark}" for mark in _marks(sets) for head in ("per game", "of games")]], rows, scroll=True
    )


def _per_game(figures: Json, kind: str) -> float:
    return float(figures["events"].get(kind, {"per_game": 0.0})["per_game"])


def _variants(variants: list[tuple[str, Json]]) -> str:
    rows = []
    for name, one in variants:
        shares = [row["win_share"] for row in one["seats"]]
        uneven = unequal(one)
        points = sum(row["mean_score"] for row in one["seats"]) / one["players"]
        half = one["leaders"].get("half")
        rows.append(
            [
                name,
                f"{100 * min(shares):.0f} to {100 * max(shares):.0f} %{' !' if uneven else ''}",
                f"{one['mean_decisions']:.0f}",
                f"{points:.1f}",
                f"{one['lead_changes']['mean']:.1f}",
                plots.percent(half["wins"]) if half else "",
            ]
        )
    head = ["", "seats win", "decisions", "mean score", "lead changes", "leader at half wins"]
    note = f"<p>{variants[0][1]['games']:,} games each. ! marks seats that are clearly unequal.</p>"
    return table(head, rows, scroll=True) + note


def _marks(sets: Sequence[object]) -> list[str]:
    """A dot in its colour for each of the compared sets."""
    if len(sets) == 1:
        return [""]
    return [f' <i style="background:{plots.COLOURS[number]}"></i>' for number in range(len(sets))]


def table(head: Sequence[str], rows: Sequence[Sequence[str]], scroll: bool = False) -> str:
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    table = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll">{table}</div>' if scroll else table


def _method(figures: Json) -> str:
    budget = ""
    if figures["ms"] is not None:
        budget = f", {figures['ms']:g} ms a move (another run gives other games)"
    elif figures["playouts"]:
        budget = f", {figures['playouts']} playouts a move"
    return (
        f"<p>Every game was played by bots ({escape(', '.join(figures['bots']))}{budget}) on the same rules as at the "
        f"table; {figures['watched']:,} games were followed from move to move. Seed: <code>{escape(figures['seed'])}"
        "</code>; the same seed and settings give the same figures. Intervals are 95 % intervals. All figures are those "
        "of these bots: people may find what they do not.</p>"
    )


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light; }}
body {{ margin: 0; background: #f6f2e8; color: #1f2430; font: 16px/1.5 system-ui, "Segoe UI", sans-serif; }}
main {{ max-width: 1080px; margin: 0 auto; padding: 20px 16px 40px; }}
h1 {{ font-size: 30px; line-height: 1.15; margin: 0; }}
h2 {{ font-size: 19px; margin: 0 0 10px; }}
h3 {{ font-size: 16px; margin: 0 0 4px; }}
header p {{ margin: 6px 0 0; color: #55534d; }}
section {{ background: #fffdf7; border: 1px solid #e3dccb; border-radius: 10px; padding: 16px; margin: 16px 0 0; break-inside: avoid; }}
section p {{ margin: 8px 0 0; color: #4a4944; font-size: 14.5px; }}
ul {{ margin: 0; padding-left: 20px; }} li {{ margin: 5px 0; }}
svg {{ display: block; width: 100%; max-width: 440px; height: auto; margin: 0 auto; font-family: inherit; }}
.grid {{ display: grid; gap: 0 16px; }}
@media (min-width: 800px) {{ .grid {{ grid-template-columns: 1fr 1fr; }} }}
table {{ border-collapse: collapse; font-size: 14.5px; margin-top: 8px; }}
th, td {{ text-align: right; padding: 4px 10px 4px 0; border-bottom: 1px solid #ece6d8; }}
th {{ font-weight: 600; color: #55534d; vertical-align: bottom; }}
th:first-child, td:first-child {{ text-align: left; }}
.scroll {{ overflow-x: auto; }} .scroll th, .scroll td {{ white-space: nowrap; }}
.legend span {{ display: inline-block; margin-right: 18px; }}
i {{ display: inline-block; width: 12px; height: 12px; border-radius: 3px; }}
.legend i {{ margin-right: 6px; }}
code {{ font-size: 13px; overflow-wrap: anywhere; }}
@media print {{ body {{ background: none; font-size: 12px; }} section {{ border-color: #bbb; }} main {{ padding: 0; max-width: none; }}
 .grid {{ grid-template-columns: 1fr 1fr; }} }}
</style></head>
<body><main>
<header><h1>{name}</h1><p>{about}</p><p>{lead}</p>{legend}</header>
{body}
</main></body></html>
"""
