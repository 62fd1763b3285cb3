"""`tsukimi serve` with a store that fails now and then (FAULT_RATE of all calls), reporting its number of tasks.

It keeps writing lines of JSON to FAULT_STATS. Tables are unloaded early, so that unloading is exercised often.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from starlette.applications import Starlette

from faults import Faults, injected
from tsukimi import cli
from tsukimi.server import app, listen
from tsukimi.server.tables import registry

EVERY_S = 0.5


def main() -> int:
    faults, stats = Faults(), Path(os.environ["FAULT_STATS"])

    async def report(application: Starlette) -> None:
        while True:
            loaded = len(application.state.tables.registry.loaded())
            found = {"tasks": len(asyncio.all_tasks()), "loaded": loaded, "faults": faults.fired}
            stats.write_text(json.dumps(found))
            await asyncio.sleep(EVERY_S)

    @asynccontextmanager
    async def lifespan(application: Starlette) -> AsyncIterator[None]:
        async with app.lifespan(application):
            faults.by_chance(float(os.environ.get("FAULT_RATE", "0")))
            reporting = asyncio.create_task(report(application))
            yield
            reporting.cancel()
            faults.by_chance(0.0)

    registry.UNLOAD_AFTER = 2.0
    listen.lifespan = lifespan  # type: ignore[assignment]
    with injected(faults):
        return int(cli.main(["serve"]) or 0)


if __name__ == "__main__":
    sys.exit(main())
