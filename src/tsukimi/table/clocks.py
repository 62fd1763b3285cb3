"""Time to think, seat by seat, in milliseconds, computed from the log's own times: every worker that reads the log agrees."""

from __future__ import annotations

from collections.abc import Collection

from tsukimi.table.settings import Clock

MOST_LAG = 1000  # ms of network lag compensated per decision


class Clocks:
    """One clock per seat; it runs while the seat has to decide and the table is not paused."""

    def __init__(self, seats: int, clock: Clock) -> None:
        self.clock = clock
        self.reserve = [1000 * clock.reserve] * seats
        self.since: list[int | None] = [None] * seats
        """When the current decision started counting; None: the clock is stopped."""
        self.used = [0] * seats
        """What the open decision used before the last pause."""
        self.gift = [0] * seats
        """Extra time that others gave for the open decision."""

    def copy(self) -> Clocks:
        twin = Clocks.__new__(Clocks)
        twin.clock, twin.reserve, twin.since = self.clock, self.reserve.copy(), self.since.copy()
        twin.used, twin.gift = self.used.copy(), self.gift.copy()
        return twin

    @property
    def limited(self) -> bool:
        return self.clock.kind != "none"

    def run(self, seats: Collection[int], at: int) -> None:
        """From now on exactly these clocks run."""
        for seat in range(len(self.since)):
            if seat in seats and self.since[seat] is None:
                self.since[seat] = at
            elif seat not in seats and self.since[seat] is not None:
                self.used[seat] += at - (self.since[seat] or at)
                self.since[seat] = None

    def decided(self, seat: int, at: int, lag: int = 0) -> None:
        """The seat's decision is over: time beyond its extra time is taken from the reserve."""
        spent = max(0, self.spent(seat, at) - min(lag, MOST_LAG))
        if self.clock.kind == "live":
            self.reserve[seat] = max(0, self.reserve[seat] - max(0, spent - self.extra(seat)))
        self.forget(seat)

    def forget(self, seat: int) -> None:
        """Restart the seat's open decision (it was taken back, or it is a new one)."""
        self.since[seat], self.used[seat], self.gift[seat] = None, 0, 0

    def spent(self, seat: int, now: int) -> int:
        since = self.since[seat]
        return self.used[seat] + (max(0, now - since) if since is not None else 0)

    def extra(self, seat: int) -> int:
        return 1000 * self.clock.extra + self.gift[seat]

    def left(self, seat: int, now: int) -> int | None:
        """Milliseconds until the seat's time is up; None: no limit."""
        if not self.limited:
            return None
        reserve = self.reserve[seat] if self.clock.kind == "live" else 0
        return reserve + self.extra(seat) - self.spent(seat, now)

    def deadline(self, seat: int) -> int | None:
        """When the seat's time is up, if its clock runs."""
        since = self.since[seat]
        if since is None or not self.limited:
            return None
        return since + (self.left(seat, since) or 0) + 1

    def shown(self, now: int) -> tuple[list[int | None], list[int | None]]:
        """For display, by seat: what is left of the reserve, and of this decision's extra time."""
        reserves: list[int | None] = []
        spares: list[int | None] = []
        if not self.limited:
            return [None] * len(self.since), [None] * len(self.since)
        live, extra = self.clock.kind == "live", 1000 * self.clock.extra
        for seat, since in enumerate(self.since):
            spare = (
                extra + self.gift[seat] - self.used[seat] - (now - since if since is not None and now > since else 0)
            )
            left = self.reserve[seat] if live else 0
            if spare < 0:
                left, spare = max(0, left + spare), 0
            reserves.append(left)
            spares.append(spare)
        return reserves, spares
