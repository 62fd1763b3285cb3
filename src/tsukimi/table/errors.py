"""What a table refuses. The texts are in the common catalogue, with codes starting with `table-`."""

from __future__ import annotations

from tsukimi.core.errors import TsukimiError


class TableError(TsukimiError):
    """A refused command. `status` is the matching HTTP status."""

    def __init__(self, code: str, status: int = 409, **params: object) -> None:
        super().__init__(code, **params)
        self.status = status


class OldRules(TableError):
    """A game started under another version of the rules: it cannot continue under these."""

    def __init__(self, game: str, begun: int, played: int) -> None:
        super().__init__("table-old-rules", 410, game=game, begun=begun, played=played)
