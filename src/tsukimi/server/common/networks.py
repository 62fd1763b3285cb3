"""The neural networks offered as opponents (the setting `networks`): a name for each file.

Clients, tables and logs know only the names, `net:NAME`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tsukimi.bots import NAMES
from tsukimi.core.errors import BadOptions
from tsukimi.server.common.api import NetworkInfo
from tsukimi.table.errors import TableError

PREFIX = "net:"


class Networks:
    """Read and checked immediately: `BadOptions` names the first file that cannot play."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        self._paths = dict(paths)
        self._by_game: dict[str, list[NetworkInfo]] = {}
        for name, path in self._paths.items():
            from tsukimi.bots.net import trained_for  # NumPy is loaded only when needed

            about = trained_for(path)
            info = NetworkInfo(name, about["players"], about["options"])
            self._by_game.setdefault(about["game"], []).append(info)

    def of(self, game: str) -> list[NetworkInfo]:
        return self._by_game.get(game, [])

    def plays(
        self, level: str, game: str, players: int, options: Mapping[str, str], components: Mapping[str, Any] | None
    ) -> bool:
        """Whether there is such a bot for such a game."""
        return level in NAMES or any(
            level == PREFIX + network.name
            and network.players == players
            and network.options.items() <= options.items()
            and components is None
            for network in self.of(game)
        )

    def require(
        self, level: str, game: str, players: int, options: Mapping[str, str], components: Mapping[str, Any] | None
    ) -> None:
        if not self.plays(level, game, players, options, components):
            raise TableError("table-network", name=level.removeprefix(PREFIX))

    def bot(self, level: str) -> str:
        """The name that `bots.make` uses for the bot of a level. A table may be older than the settings."""
        if not level.startswith(PREFIX):
            return level
        path = self._paths.get(level.removeprefix(PREFIX))
        if path is None:
            raise BadOptions("bad-network", path=level, problem="not among the server's `networks`")
        return PREFIX + path


NO_NETWORKS = Networks({})
