"""The results of a simulation for a designer, as figures with confidence intervals."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from statistics import NormalDist
from typing import Any

from tsukimi.core import catalogue
from tsukimi.core.spec import Json
from tsukimi.lab.simulation import Simulation
from tsukimi.lab.tally import TENTHS, Tally

Z = 1.96  # standard deviations of a 95 % interval
FEW = 30  # players: with fewer on a side, a difference means nothing
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
RARE = 0.01
QUICK = {"random", "greedy"}  # bots that need no budget


def summary(simulation: Simulation, tally: Tally) -> Json:
    """The figures, as JSON-compatible data; the same for the same simulation and seed."""
    lengths = _numbers(tally.lengths)
    bots = [_bot(name, row) for name, row in sorted(tally.bots.items())]
    found: Json = {
        "game": simulation.game,
        "players": simulation.players,
        "options": dict(simulation.options),
        "own_components": simulation.components is not None,
        "bots": list(simulation.lineup),
        "ms": simulation.ms,
        "playouts": simulation.playouts if simulation.ms is None and not set(simulation.bots) <= QUICK else None,
        "seed": simulation.seed,
        "games": tally.games,
        "seats": [_seat(tally, seat) for seat in range(simulation.players)],
        "mean_decisions": mean(lengths),
        "most_decisions": max(lengths),
        "decisions": quantiles(lengths),
        "lengths": lengths,
        "margin": distribution(_numbers(tally.margins)) if tally.margins else None,
        "by_bot": sorted(bots, key=lambda row: -row["win_share"]),
        "skill": _skill(bots, simulation.players),
        "watched": tally.watched,
    }
    return {**found, **_watched(tally)} if tally.watched else found


def _watched(tally: Tally) -> Json:
    choices, settled = _numbers(tally.choices), _numbers(tally.settled)
    known = sorted(tally.events)
    return {
        "choices": {
            **distribution(choices),
            "most": max(choices),
            "forced": choices.get(1, 0) / tally.decisions,
        },
        "lead_changes": distribution(_numbers(tally.lead_changes)),
        "settled": [settled.get(tenth, 0) / tally.watched for tenth in range(TENTHS + 1)],
        "leaders": {
            mark: {"games": int(games), "wins": wins / games, "wins_95": list(interval(wins / games, games))}
            for mark, (games, wins) in tally.leaders.items()
        },
        "events": {
            kind: {"per_game": tally.events[kind][0] / tally.watched, "games": tally.events[kind][1] / tally.watched}
            for kind in known
        },
        "values": _values(tally),
    }


def never(found: Json) -> list[str]:
    """The event types that the game has texts for but that did not happen in any game."""
    return [kind for kind in catalogue.messages(found["game"], "en").get("log", {}) if kind not in found["events"]]


def rare(found: Json) -> list[str]:
    """Those that happened in less than one game in a hundred."""
    return [kind for kind, row in found["events"].items() if row["games"] < RARE]


def _seat(tally: Tally, seat: int) -> Json:
    scores, share = _numbers(tally.scores[seat]), tally.wins[seat] / tally.games
    return {
        "seat": seat + 1,
        "win_share": share,
        "win_share_95": list(interval(share, tally.games)),
        "mean_score": mean(scores),
        "score_deviation": deviation(scores),
        "scores": dict(sorted(scores.items())),
    }


def _bot(name: str, row: list[float]) -> Json:
    games, wins, points = row
    share = wins / games
    return {
        "bot": name,
        "games": int(games),
        "win_share": share,
        "win_share_95": list(interval(share, games)),
        "mean_score": points / games,
    }


def _skill(bots: list[Json], players: int) -> float | None:
    """If different bots play: how much the best wins beyond its even share, 0 if only luck decides between these
    bots, 1 if it always wins."""
    if len(bots) < 2 or players < 2:
        return None
    best = max(bots, key=lambda row: row["win_share"])
    seats = best["games"] / sum(row["games"] for row in bots) * players
    part = 1 / players
    most = 1 / max(1.0, seats)  # several of them cannot all win
    return float((best["win_share"] - part) / (most - part)) if most > part else None


def _values(tally: Tally) -> list[Json]:
    """For everything that players did or got: how much more those who did won and scored than those who did not.

    This is correlation, not causation.
    """
    n, wins, points, squares = tally.everybody
    rows: list[Json] = []
    for name, (with_n, with_wins, with_points, with_squares) in sorted(tally.names.items()):
        others = n - with_n
        if with_n < FEW or others < FEW:
            continue
        share, other = with_wins / with_n, (wins - with_wins) / others
        score, other_score = with_points / with_n, (points - with_points) / others
        spread = _variance(with_n, with_points, with_squares) / with_n
        spread += _variance(others, points - with_points, squares - with_squares) / others
        rows.append(
            {
                "name": name,
                "players": with_n / n,
                "win_share": share,
                "gain": share - other,
                "gain_95": Z * sqrt(share * (1 - share) / with_n + other * (1 - other) / others),
                "points": score - other_score,
                "points_95": Z * sqrt(spread),
            }
        )
    # Among 200 names, ten would stand out by chance alone, so a clear one has to pass a threshold corrected for 200.
    far = _corrected(len(rows)) / Z
    for row in rows:
        row["clear"] = abs(row["gain"]) > far * row["gain_95"]
    return sorted(rows, key=lambda row: -row["gain"])


def _variance(n: float, total: float, squares: float) -> float:
    return max(0.0, squares / n - (total / n) ** 2)


def unequal(figures: Json) -> list[Json]:
    """The seats that clearly win more or less than their even share, corrected for the number of seats."""
    players, games = figures["players"], figures["games"]
    found = []
    for row in figures["seats"]:
        low, high = interval(row["win_share"], games, _corrected(players))
        if not low <= 1 / players <= high:
            found.append(row)
    return found


def _corrected(comparisons: int) -> float:
    """Standard deviations that one of that many figures exceeds by chance in 5 % of cases."""
    return NormalDist().inv_cdf(1 - 0.025 / max(1, comparisons))


def interval(share: float, games: float, z: float = Z) -> tuple[float, float]:
    """Wilson's 95 % interval of a share (a shared win counts as a fraction, which makes it slightly too wide)."""
    spread = z * z / games
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(0.0, middle - half), min(1.0, middle + half)


# ---- counts of numbers -----------------------------------------------------------------------------


def _numbers(counts: Mapping[str, int]) -> dict[int, int]:
    return {int(number): times for number, times in sorted(counts.items(), key=lambda item: int(item[0]))}


def mean(counts: Mapping[int, int]) -> float:
    return sum(number * times for number, times in counts.items()) / sum(counts.values())


def deviation(counts: Mapping[int, int]) -> float:
    middle = mean(counts)
    return sqrt(sum(times * (number - middle) ** 2 for number, times in counts.items()) / sum(counts.values()))


def quantiles(counts: Mapping[int, int]) -> dict[str, int]:
    """The numbers below which a tenth, a quarter, half .. of all values lie."""
    total, found, passed = sum(counts.values()), dict[str, int](), 0
    for number, times in sorted(counts.items()):
        passed += times
        for part in QUANTILES:
            if passed >= part * total:
                found.setdefault(f"{round(100 * part)} %", number)
    return found


def distribution(counts: Mapping[int, int]) -> dict[str, Any]:
    return {"mean": mean(counts), "quantiles": quantiles(counts)}
