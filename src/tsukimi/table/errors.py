"""What a table refuses. The texts stand in the common catalogue, with codes beginning `table-`."""

from __future__ import annotations

from tsukimi.core.errors import TsukimiError


class TableError(TsukimiError):
    """A command that is refused. `status` is the HTTP status that fits."""

    def __init__(self, code: str, status: int = 409, **params: object) -> None:
        super().__init__(code, **params)
        self.status = status


class OldRules(TableError):
    """A game that was begun under another version of the rules: it cannot go on under these."""

    def __init__(self, game: str, begun: int, played: int) -> None:
        super().__init__("table-old-rules", 410, game=game, begun=begun, played=played)
