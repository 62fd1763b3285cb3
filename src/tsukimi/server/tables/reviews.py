"""Reviews of finished games: made in the bots' processes, one game at a time, behind everyone's turns.

A finished review is stored and never made again. While it is being made, its progress is in the store for the
other workers; one without progress for a while belonged to a worker that is gone.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
from dataclasses import dataclass
from typing import Any

import msgspec

from tsukimi.analysis import decisions, worded
from tsukimi.server.common import review_api as api
from tsukimi.server.tables.bot_pool import BotPool
from tsukimi.server.tables.clock import clock
from tsukimi.server.tables.fair_queue import Owner
from tsukimi.server.tables.replay import views_before
from tsukimi.store import Store
from tsukimi.table.errors import TableError
from tsukimi.table.table import Table

DECISION_MS, GAME_MS, LEAST_MS = 200.0, 24_000.0, 20.0  # CPU time of a search; of all in a game; whatever its length
MOST_WAITING, MOST_OF_PERSON = 40, 3
NOTED_EVERY = 1_000  # ms between two progress updates
STALE_AFTER = 30_000  # ms
WEAK = ("inaccuracy", "mistake", "blunder")  # judgements that say another move was better

_log = logging.getLogger("tsukimi.tables")


@dataclass(eq=False)
class Wanted:
    table: Table
    owner: Owner
    total: int
    done: int = 0
    running: bool = False
    noted: int = 0


class Reviews:
    def __init__(self, store: Store, bots: BotPool, worker: str) -> None:
        self._store, self._bots, self._worker = store, bots, worker
        self._wanted: dict[str, Wanted] = {}
        """In the order requested; the first is being made."""
        self._task: asyncio.Task[None] | None = None

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def status(self, table: Table, lang: str) -> api.ReviewStatus:
        """The progress of a table's review, or the review."""
        wanted = self._wanted.get(table.id)
        if wanted is not None and wanted.running:
            return api.ReviewStatus("running", wanted.done, wanted.total)
        found = await self._store.review(table.id)
        if found is not None and found.data is not None:
            names = [seat.name or f"p{number + 1}" for number, seat in enumerate(table.seats)]
            data = worded(msgspec.json.decode(found.data), names, lang)
            await asyncio.to_thread(_show, data, table)
            review = msgspec.convert(data, api.Review)
            return api.ReviewStatus("done", found.done, found.total, review=review)
        if wanted is not None:
            return api.ReviewStatus("waiting", 0, wanted.total, list(self._wanted).index(table.id))
        if found is not None and found.at >= clock() - STALE_AFTER:
            return api.ReviewStatus("running", found.done, found.total)
        return api.ReviewStatus("none")

    async def ask(self, table: Table, owner: Owner, lang: str) -> api.ReviewStatus:
        """Request a review of a table, unless it is already done or queued."""
        known = await self.status(table, lang)
        if known.state != "none":
            return known
        of_person = sum(request.owner.person == owner.person for request in self._wanted.values())
        if len(self._wanted) >= MOST_WAITING or of_person >= MOST_OF_PERSON:
            raise TableError("table-reviews-waiting", status=429)
        self._wanted.setdefault(table.id, Wanted(table, owner, len(decisions(table.playing))))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        return await self.status(table, lang)

    async def _run(self) -> None:
        while self._wanted:
            id, wanted = next(iter(self._wanted.items()))
            try:
                await self._review(wanted)
            except Exception:
                _log.exception("a review failed", extra={"table": id})
            finally:
                del self._wanted[id]

    async def _review(self, wanted: Wanted) -> None:
        table, id = wanted.table, wanted.table.id
        if not await self._store.claim_review(id, self._worker, clock(), wanted.total, clock() - STALE_AFTER):
            return  # another worker has it
        wanted.running = True
        state = table.playing
        frozen, places = pickle.dumps(state), decisions(state)
        ms = max(LEAST_MS, min(DECISION_MS, GAME_MS / max(1, len(places))))
        judged: dict[int, object] = {}
        left = iter(places)

        async def work() -> None:
            for place in left:  # shared by the workers
                judged[place] = await self._bots.judge(id, frozen, place, ms, wanted.owner)
                wanted.done += 1
                await self._note(wanted)

        async with asyncio.TaskGroup() as group:
            for _ in range(self._bots.spare):
                group.create_task(work())
        data = await self._bots.assemble(id, frozen, [judged[place] for place in places], table.winners(), wanted.owner)
        await self._store.save_review(id, self._worker, clock(), wanted.total, data)

    async def _note(self, wanted: Wanted) -> None:
        now = clock()
        if now - wanted.noted >= NOTED_EVERY:
            wanted.noted = now
            await self._store.save_review(wanted.table.id, self._worker, now, wanted.done)


def _show(review: dict[str, Any], table: Table) -> None:
    """Add what the words of better moves and of draws are made from: what the deciding seats saw."""
    made = review["decisions"]
    views = views_before(table, {one["event"] for one in made if one["judgement"] in WEAK})
    for one in made:
        one["view"] = views.get(one["event"])
    for turn in review["turning_points"]:
        after = turn["decision"] + 1
        seen = table.events.seen_by(made[after]["seat"] if after < len(made) else made[-1]["seat"])
        turn["drawn"] = [event for number in turn.get("drawn", ()) for event in seen[number : number + 1]]
