"""What a table refuses. The texts stand in the common catalogue, with codes beginning `table-`."""

from __future__ import annotations

from tsukimi.core.errors import TsukimiError


class TableError(TsukimiError):
    """A command that is refused. `status` is the HTTP status that fits."""

    def __init__(self, code: str, status: int = 409, **params: object) -> None:
        super().__init__(code, **params)
        self.status = status
