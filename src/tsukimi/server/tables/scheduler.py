"""What a table does automatically: its bots move, its clocks run out, bots take over for people who are gone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from tsukimi.core.errors import TsukimiError
from tsukimi.core.state import State
from tsukimi.server.tables.clock import clock
from tsukimi.server.tables.committed import Decide
from tsukimi.server.tables.fair_queue import Owner
from tsukimi.server.tables.presence import Presence
from tsukimi.store import Unavailable
from tsukimi.table import commands, matching, timed
from tsukimi.table import events as e
from tsukimi.table.table import TIMEOUTS_UNTIL_AWAY, Table

STAND_IN = "regular"  # who plays for someone who is gone or late
AWAY_AFTER = 45_000
HOST_GONE_AFTER = 60_000
MATCH_GONE_AFTER = 8_000  # people looking for opponents must be connected
THINKING_SHOWN_AFTER = 0.4
RETRY_AFTER = 1.0
EXPECTED_FOR = 15_000  # someone who left this recently, or has not come back since the table was loaded, may be waiting

_log = logging.getLogger("tsukimi.scheduler")


class Chooser(Protocol):
    async def choose(self, table: str, state: State, seat: int, level: str, owners: Sequence[Owner]) -> str:
        """A bot's move, charged to one of these owners, at a time that reveals nothing about its cards."""


class Scheduler:
    """`active` on one worker only: the one that holds the table's lease. `submit` executes a command.
    `thinking` has the seats whose bots have been thinking for a while; `show_thinking` is called when one is added."""

    def __init__(
        self,
        table: Callable[[], Table],
        presence: Presence,
        bots: Chooser,
        submit: Callable[[Decide], Awaitable[None]],
        thinking: set[int],
        show_thinking: Callable[[], None],
        clock: Callable[[], int] = clock,
    ) -> None:
        self.active = False
        self._table, self._presence, self._bots = table, presence, bots
        self._submit, self._thinking, self._show = submit, thinking, show_thinking
        self._clock = clock
        self._choosing: dict[int, asyncio.Task[None]] = {}
        self._running: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0

    def close(self) -> list[asyncio.Task[None]]:
        """Start nothing new, and cancel what was started; these tasks are about to end."""
        self.active = False
        self._cancel_timer()
        tasks = [*self._choosing.values(), *([] if self._running is None else [self._running])]
        for task in tasks:
            task.cancel()
        return tasks

    def wake(self) -> None:
        """Do what is due, or set a timer for it. Called whenever the table or presence has changed."""
        if not self.active or self._running is not None:
            return
        now = self._clock()
        due = self.due(now)
        if due is None:
            return
        if due <= now:
            self._running = asyncio.create_task(self._run())
        elif self._timer is None or due < self._timer_at:  # a timer that fires too early only checks again
            self._cancel_timer()
            self._timer = asyncio.get_running_loop().call_later((due - now) / 1000 + 0.002, self._on_timer)
            self._timer_at = due

    def idle(self, until: int) -> bool:
        """Whether nothing is in progress or due before that time."""
        if self._choosing or self._running is not None:
            return False
        due = self.due(self._clock())
        return due is None or due > until

    def due(self, now: int) -> int | None:
        """When something has to be done here automatically."""
        table = self._table()
        if table.ended:
            return None
        times = self._absences_due(table) if self._presence.anybody_absent else []
        for until in (table.intermission_until(), table.paused_until()):
            times += [] if until is None else [until]
        if table.status == "open" and table.opened.match:
            times += self._match_due(table, now)
        if table.status == "playing":
            bots = table.bots_asked
            for seat in table.asked:
                if seat not in self._choosing:
                    deadline = now if seat in bots else table.clocks.deadline(seat)
                    times += [] if deadline is None else [deadline]
        return min(times, default=None)

    def _on_timer(self) -> None:
        self._timer = None
        self.wake()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _run(self) -> None:
        """One round of everything due."""
        try:
            now, table = self._clock(), self._table()
            if table.status == "playing":
                for seat in table.bots_asked:
                    self._choose(seat, table.seats[seat].level or STAND_IN, "bot")
                if not table.counts:
                    for seat in table.timed_out(now):
                        self._choose(seat, STAND_IN, "clock")
            for command in (timed.lose_on_time, timed.end_intermission, timed.end_pause, self._check_match):
                if command(table, now):
                    await self._submit(lambda table, command=command: command(table, now))  # type: ignore[misc]
            await self._take_over(now)
        except Unavailable:  # reported where it happened
            await asyncio.sleep(RETRY_AFTER)
        except Exception:
            _log.exception("the scheduler of a table failed", extra={"table": self._table().id})
            await asyncio.sleep(RETRY_AFTER)
        finally:
            self._running = None
            self.wake()

    # ---- absences -------------------------------------------------------------------------------

    def _absences_due(self, table: Table) -> list[int]:
        times = [since + AWAY_AFTER for _, since in self._replaceable(table)]
        since = self._presence.absent_since(table.host)
        if since is not None and commands.replace_host(table, list(self._presence.people())):
            times.append(since + HOST_GONE_AFTER)
        return times

    def _replaceable(self, table: Table) -> list[tuple[int, int]]:
        """The seats that a bot may take over, with the time since when their person is absent: if bots are wanted,
        and someone is there to play with."""
        if not table.running or table.counts or not table.settings.takeover or table.settings.clock.kind == "days":
            return []
        present = self._presence.people()
        if not any(person in present for person in table.people()):
            return []
        seats = [(seat, one.person) for seat, one in enumerate(table.seats) if one.here and not one.by_bot]
        found = [(seat, self._presence.absent_since(person)) for seat, person in seats]
        return [(seat, since) for seat, since in found if since is not None]

    async def _take_over(self, now: int) -> None:
        for seat, since in self._replaceable(self._table()):
            if now - since >= AWAY_AFTER:
                await self._submit(lambda table, seat=seat: commands.away(table, seat))  # type: ignore[misc]
        since_host = self._presence.absent_since(self._table().host)
        if since_host is not None and now - since_host >= HOST_GONE_AFTER:
            present = list(self._presence.people())
            await self._submit(lambda table: commands.replace_host(table, present))

    # ---- quick matches --------------------------------------------------------------------------

    def _match_due(self, table: Table, now: int) -> list[int]:
        absences = [self._presence.absent_since(person) for person in table.people()]
        times = [since + MATCH_GONE_AFTER for since in absences if since is not None]
        if table.ready_by is not None:
            times.append(table.ready_by)
        return [now] if self._check_match(table, now) else times

    def _check_match(self, table: Table, now: int) -> list[e.Event]:
        absences = {person: self._presence.absent_since(person) for person in table.people()}
        gone = [person for person, since in absences.items() if since is not None and now - since >= MATCH_GONE_AFTER]
        return matching.check(table, self._presence.people(), gone, now)

    # ---- bots -----------------------------------------------------------------------------------

    def _choose(self, seat: int, level: str, maker: e.Maker) -> None:
        if seat not in self._choosing:
            self._choosing[seat] = asyncio.create_task(self._play(seat, level, maker))

    async def _play(self, seat: int, level: str, maker: e.Maker) -> None:
        """A bot decides for a seat; its move is dropped if the question is no longer open."""
        table = self._table()
        decision = table.decisions[seat]
        show = asyncio.get_running_loop().call_later(THINKING_SHOWN_AFTER, self._show_thinking, seat)
        shown = moved = False

        def decide(table: Table) -> list[e.Event]:
            nonlocal moved
            if seat not in table.asked or table.decisions[seat] != decision or table.status != "playing":
                return []
            if maker == "bot" and not table.seats[seat].by_bot:
                return []
            events, moved = commands.bot_move(table, seat, move, maker), True
            late = table.seats[seat].timeouts + 1 >= TIMEOUTS_UNTIL_AWAY
            return [*events, e.Away(seat=seat)] if maker == "clock" and late else events

        try:
            prepared = table.prepared(seat)
            if prepared is not None:
                move = table.playing.text(prepared, seat)
            else:
                move = await self._bots.choose(table.id, table.playing, seat, level, self._owners(table))
            shown = seat in self._thinking
            self._thinking.discard(seat)
            await self._submit(decide)
        except TsukimiError:
            _log.warning("a bot's move was refused", extra={"table": table.id}, exc_info=True)
        except Unavailable:  # reported where it happened
            await asyncio.sleep(RETRY_AFTER)
        except Exception:
            _log.exception("a bot failed", extra={"table": table.id})
            await asyncio.sleep(RETRY_AFTER)
        finally:
            show.cancel()
            self._choosing.pop(seat, None)
            self._thinking.discard(seat)
            if shown and not moved:
                self._show()
            self.wake()

    def _owners(self, table: Table) -> list[Owner]:
        """Who is charged for these bots: everyone who plays here and is present; if nobody is, the host."""
        players = {seat.person for seat in table.seats if seat.here and not seat.by_bot}
        waiting = [person for person in players if self._is_expected(person)]
        if not waiting:
            return [Owner(table.host, attended=False)]
        return [Owner(person, self._presence.address_of(person)) for person in waiting]

    def _is_expected(self, person: str) -> bool:
        since = self._presence.absent_since(person)
        return since is None or self._clock() - since < EXPECTED_FOR

    def _show_thinking(self, seat: int) -> None:
        self._thinking.add(seat)
        self._show()
