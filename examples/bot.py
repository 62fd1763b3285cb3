"""Your own bot at the tables of a Tsukimi server. It plays every game, since the server sends the legal moves.

    python examples/bot.py http://127.0.0.1:8377 --table TABLE --token TOKEN     sit down at a table and play there
    python examples/bot.py http://127.0.0.1:8377 --game daruma --players 3       open a table against the server's bots

Without a token it plays as a new guest. `--way` says how it chooses: the `first` legal move, a `random` one, or `advice`,
the move the server's own bots recommend (if the host of the table allows hints). To choose your own way, write a
function like `first` below: `seat.game.view` is what the seat knows, `seat.events` is what has happened.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import secrets
from collections.abc import Awaitable, Callable

from tsukimi.client import Client, Refused, Seat, new_id
from tsukimi.server import messages as m

Way = Callable[[Seat, m.Question], Awaitable[str]]
NOT_NOW = {"table-is-paused", "table-busy", "table-store-away", "table-too-fast"}


async def first(seat: Seat, question: m.Question) -> str:
    return question.moves[0]


async def at_random(seat: Seat, question: m.Question) -> str:
    return random.choice(question.moves)


async def advice(seat: Seat, question: m.Question) -> str:
    try:
        answer = await seat.ask(m.Hint(new_id()))
    except Refused:  # hints are off, asked too often, or the question has expired
        return await at_random(seat, question)
    return answer.moves[0][0] if isinstance(answer, m.Advice) and answer.moves else question.moves[0]


WAYS: dict[str, Way] = {"first": first, "random": at_random, "advice": advice}


async def play(seat: Seat, way: Way) -> None:
    """Answer every question until the game is over."""
    async for question in seat.questions():
        move = await way(seat, question)
        while seat.game and seat.game.question == question:
            try:
                await seat.play(move, question)
                break
            except Refused as refused:
                if refused.code not in NOT_NOW:  # somebody took a move back, or our time ran out
                    break
                await asyncio.sleep(0.5)


async def run(args: argparse.Namespace) -> list[int]:
    """Play one game; return the winners."""
    async with Client(args.url, args.token, args.name) as client:
        table = args.table
        if table is None:
            bots = [args.level] * (args.players - 1)
            table = await client.create(args.game, args.players, bots=bots)
            print(f"{args.url}/t/{table}")
        async with client.table(table) as seat:
            if args.table is None:  # our share of the dice's randomness, now that the server has committed to its own
                await seat.ask(m.GiveNonce(new_id(), secrets.token_hex(16)))
                await seat.ask(m.Start(new_id()))
            elif seat.you is not None and not seat.you.seats:
                await seat.ask(m.Sit(new_id(), nonce=secrets.token_hex(16)))
            await play(seat, WAYS[args.way])
            result = seat.table.result if seat.table else None
            print(f"scores: {result.scores}, winners: {result.winners}" if result else "ended without a result")
            return result.winners if result else []


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--table", help="the id in the table's link, /t/ID")
    where.add_argument("--game")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--level", default="novice", help="of the server's bots")
    parser.add_argument("--token")
    parser.add_argument("--name")
    parser.add_argument("--way", choices=WAYS, default="first")
    return parser.parse_args(words)


if __name__ == "__main__":
    asyncio.run(run(arguments()))
