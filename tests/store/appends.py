"""A process that appends until it is killed and says what was acknowledged: `python appends.py URL`."""

from __future__ import annotations

import asyncio
import os
import sys

from tsukimi.store import Row, Summary, connect

TABLES = 8


async def play(store, table: str) -> None:
    if await store.summary(table) is None:
        await store.create(Summary(table, "dojo", 2, "playing", True, 0, 0, None, ["ann", "bob"], b"{}"), [])
    seq = len(await store.read(table))
    while True:
        data = b"%s %d" % (table.encode(), seq)
        await store.append(
            table, [Row(seq, seq, data)], Summary(table, "dojo", 2, "playing", True, 0, seq, 1, [], data)
        )
        os.write(1, data + b"\n")
        seq += 1


async def main(url: str) -> None:
    store = connect(url)
    await store.open()
    await asyncio.gather(*(play(store, f"t{n}") for n in range(TABLES)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
