"""How fast the stores append, and whether many tables slow them down: `python bench/store.py [--tables N] [--seconds S]`.

Prints a Markdown table. SQLite in a temporary folder, PostgreSQL as the tests start it; both flush to this machine's disk,
so compare the columns of one run with each other and not with another machine's.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from services import Postgres
from tsukimi.store import Row, Store, Summary, connect

DATA = b'{"kind":"move","seat":1,"move":"bid 2 A","chance":[3,1,4]}' * 3
STATUSES = ("over", "over", "over", "over", "over", "over", "over", "aborted", "playing", "open")


def summary(n: int, updated: int) -> Summary:
    people = [f"p{n % 5000}", f"p{n * 7 % 5000}", None]
    due = n if n % 10 == 8 else None
    return Summary(f"t{n:06}", "dojo", 3, STATUSES[n % 10], n % 4 > 0, n, updated, due, people, DATA)


async def timed(work: Callable[[], Awaitable[object]], times: int = 1) -> float:
    """The median time in milliseconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        await work()
        taken.append(time.perf_counter() - start)
    return sorted(taken)[times // 2] * 1000


async def fill(store: Store, count: int) -> None:
    async def some(first: int) -> None:
        for n in range(first, count, 256):
            await store.create(summary(n, n), [Row(seq, n, DATA) for seq in range(2)])

    await asyncio.gather(*map(some, range(256)))


async def appends(store: Store, tables: range, seconds: float, with_summary: bool) -> tuple[float, float]:
    """Appends per second, and the 99th percentile in milliseconds; one writer per table, each waiting for its row."""
    taken: list[float] = []
    end = time.perf_counter() + seconds

    async def write(n: int) -> None:
        seq = len(await store.read(f"t{n:06}"))
        while (start := time.perf_counter()) < end:
            known = summary(n, seq) if with_summary else None
            await store.append(f"t{n:06}", [Row(seq, seq, DATA)], known)
            taken.append(time.perf_counter() - start)
            seq += 1

    start = time.perf_counter()
    await asyncio.gather(*map(write, tables))
    return len(taken) / (time.perf_counter() - start), sorted(taken)[len(taken) * 99 // 100] * 1000


async def measure(url: str, many: str, tables: int, seconds: float) -> dict[str, str]:
    found: dict[str, str] = {}
    store = connect(url)
    await store.open()
    await fill(store, 64)
    for name, with_summary in (("rows alone", False), ("with summary", True)):
        rate, late = await appends(store, range(64), seconds, with_summary)
        found[f"64 writers, {name}"] = f"{rate:,.0f}/s, p99 {late:.1f} ms"
    rate, late = await appends(store, range(1), seconds / 2, True)
    found["1 writer, with summary"] = f"{rate:,.0f}/s, p99 {late:.1f} ms"
    await store.close()

    store = connect(many)
    await store.open()
    found[f"creating {tables:,} tables"] = f"{await timed(lambda: fill(store, tables)) / 1000:.1f} s"
    rate, late = await appends(store, range(64), seconds, True)
    found[f"64 writers among {tables:,} tables, with summary"] = f"{rate:,.0f}/s, p99 {late:.1f} ms"
    await store.close()
    store = connect(many)
    found[f"opening with {tables:,} tables"] = f"{await timed(store.open):.1f} ms"
    name = f"t{tables // 2:06}"
    for question, ask in {
        "summary": lambda: store.summary(name),
        "read": lambda: store.read(name),
        "list_tables (100)": lambda: store.list_tables("over"),
        "list_tables by game (100)": lambda: store.list_tables("open", game="dojo"),
        "due_tables (1000)": lambda: store.due_tables(tables),
        "tables_of": lambda: store.tables_of("p77"),
    }.items():
        found[f"`{question}` among {tables:,} tables"] = f"{await timed(ask, 51):.2f} ms"
    await store.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=4.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Postgres() as server:
        sqlite = asyncio.run(
            measure(f"sqlite:///{folder}/few.db", f"sqlite:///{folder}/many.db", options.tables, options.seconds)
        )
        postgres = asyncio.run(measure(server.database(), server.database(), options.tables, options.seconds))
    print("| | SQLite | PostgreSQL |\n|---|---|---|")
    for line, figure in sqlite.items():
        print(f"| {line} | {figure} | {postgres[line]} |")


if __name__ == "__main__":
    main()
