"""Ratings of players from the results of games, by openskill (Plackett-Luce), for arena and server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class Ratings:
    """Everyone's rating; new players start at the model's default."""

    def __init__(self, known: Mapping[str, tuple[float, float]] | None = None) -> None:
        from openskill.models import PlackettLuce

        self._model = PlackettLuce()
        self._found: dict[str, Any] = {
            name: self._model.rating(mu=mu, sigma=sigma, name=name) for name, (mu, sigma) in (known or {}).items()
        }

    def record(self, names: Sequence[str], places: Sequence[float]) -> None:
        """One game: who sat where, and each seat's rank (lower is better, ties are shared)."""
        teams = [[self._of(name)] for name in names]
        for name, [rating] in zip(names, self._model.rate(teams, ranks=list(places)), strict=True):
            self._found[name] = rating

    def table(self) -> Mapping[str, tuple[float, float]]:
        """Each name's mean and uncertainty, strongest first."""
        rows = {name: (float(r.mu), float(r.sigma)) for name, r in self._found.items()}
        return dict(sorted(rows.items(), key=lambda row: -row[1][0]))

    def _of(self, name: str) -> Any:
        return self._found.setdefault(name, self._model.rating(name=name))
