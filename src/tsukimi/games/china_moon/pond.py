# mypy: ignore-errors
# cython: infer_types=True
"""A board as the tables that the rules of China Moon look things up in, all of them sets of places as bit masks."""

from __future__ import annotations

from typing import Any

import cython

if not cython.compiled:
    from tsukimi.core.game import Table


class Pond(Table):
    """A checked board as tables; `board` is the same board for people (`components.Board`)."""

    def __init__(self, board: Any) -> None:
        self.make_once()
        self.board = board
        self.pads = len(board.ids)
        self.fork_bits, self.slot_bits = board.fork_bits, board.slot_bits
        self.necks = len(board.necks)
        if not cython.compiled:
            self.ahead, self.line, self.two_on, self.near = ([0] * 65 for _ in range(4))
            self.behind, self.neck = [0] * (64 * 64), [0] * 63
            self.kind, self.lily_pad = [0] * 64, [0] * 13
        for i in range(65):
            self.ahead[i], self.line[i] = board.ahead[i], board.line[i]
            self.two_on[i], self.near[i] = board.two_on[i], board.near[i]
        for i in range(64 * 64):
            self.behind[i] = board.behind[i]
        for i in range(self.necks):
            self.neck[i] = board.necks[i]
        for i in range(self.pads):
            self.kind[i] = board.kinds[i]
        for i in range(13):
            self.lily_pad[i] = board.lily_pads[i]
