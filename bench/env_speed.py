"""Steps per second of environments with random legal actions, including observations, compared in one run.

    python bench/env_speed.py [--seconds 1] [--rounds 3] [--out bench/results/env-speed.md]

Every figure is the median of interleaved rounds. Libraries that are not installed are left out and named: PettingZoo's
classic games (`pip install pettingzoo[classic]`), OpenSpiel (`tsukimi[openspiel]`), Pgx (`pip install pgx`), PufferLib
(`python bench/puffer.py`). If examples/leduc_compiled is installed, compiled Leduc is measured too.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tsukimi
from tsukimi.core.rng import Rng

OURS = (("charuma", 4), ("china-moon", 4), ("daruma", 4), ("dojo", 4))
EXAMPLES = {"leduc": "plain Python", "leduc-compiled": "C"}
BATCH, THREADS = 1024, 2
Work = Callable[[], tuple[int, int]]  # a few steps; how many, and how many games ended


@dataclass(frozen=True)
class Contestant:
    library: str
    game: str
    how: str
    work: Work


def ours() -> Iterator[Contestant]:
    for game, players in OURS:
        name = f"{game}, {players} players"
        for encoding in ("numbers", "onehot"):
            batch = tsukimi.batch(game, players, BATCH, seed=1, threads=THREADS, encoding=encoding)
            how = f"batch of {BATCH}, {THREADS} threads" + (", one-hot" if encoding == "onehot" else "")
            yield Contestant("Tsukimi", name, how, batch_work(batch))
        alone = tsukimi.batch(game, players, BATCH, seed=1)
        yield Contestant("Tsukimi", name, f"batch of {BATCH}, 1 thread", batch_work(alone))
        yield Contestant("Tsukimi", name, "`State` in a Python loop, no observations", state_work(game, players))
    for game, rules in EXAMPLES.items():
        if game in tsukimi.games():
            batch = tsukimi.batch(game, 2, BATCH, seed=1, threads=THREADS)
            how = f"batch of {BATCH}, {THREADS} threads, rules in {rules}"
            yield Contestant("Tsukimi", f"{game}, 2 players", how, batch_work(batch))


def batch_work(batch: Any) -> Work:
    def work() -> tuple[int, int]:
        batch.step(batch.pick())
        return batch.games, int(batch.over.sum())

    return work


def state_work(game: str, players: int) -> Work:
    luck = random.Random(1)

    def work() -> tuple[int, int]:
        state, steps = tsukimi.new(game, players, seed=luck.randrange(2**30)), 0
        while not state.over:
            moves = state.actions()
            state.apply(moves[int(luck.random() * len(moves))])
            steps += 1
        return steps, 1

    return work


def pettingzoo() -> Iterator[Contestant]:
    from tsukimi.envs.pettingzoo import env as our_env

    for game, players in OURS[:1]:
        yield Contestant(
            "Tsukimi", f"{game}, {players} players", "PettingZoo environment, one game", aec(our_env(game, players))
        )
    from pettingzoo.classic import connect_four_v3, leduc_holdem_v4, texas_holdem_v4

    for name, module in (
        ("Leduc", leduc_holdem_v4),
        ("Texas hold'em", texas_holdem_v4),
        ("Connect Four", connect_four_v3),
    ):
        yield Contestant("PettingZoo", f"{name}, 2 players", "one game, one core", aec(module.raw_env()))


def aec(env: Any) -> Work:
    luck, rng = random.Random(1), Rng(1)

    def work() -> tuple[int, int]:
        env.reset(seed=luck.randrange(2**30))
        steps = 0
        for _ in env.agent_iter():
            seen, _, ended, truncated, info = env.last()
            if ended or truncated:
                env.step(None)
                continue
            mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
            legal = np.flatnonzero(mask)
            env.step(int(legal[rng.randrange(len(legal))]))
            steps += 1
        return steps, 1

    return work


def open_spiel() -> Iterator[Contestant]:
    import pyspiel
    from open_spiel.python import rl_agent, rl_environment
    from open_spiel.python.vector_env import SyncVectorEnv

    for name in ("leduc_poker", "hearts", "spades", "backgammon"):
        vector = SyncVectorEnv([rl_environment.Environment(name) for _ in range(32)])
        yield Contestant("OpenSpiel", name, "SyncVectorEnv of 32", vector_work(vector, rl_agent.StepOutput))
    for name in ("hearts", "spades"):
        yield Contestant(
            "OpenSpiel", name, "pyspiel in a Python loop, no observations", pyspiel_work(pyspiel.load_game(name))
        )


def vector_work(vector: Any, output: Any) -> Work:
    luck = random.Random(1)
    steps = [vector.reset()]

    def work() -> tuple[int, int]:
        chosen = [
            output(action=luck.choice(step.observations["legal_actions"][step.current_player()]), probs=[])
            for step in steps[0]
        ]
        steps[0], _, done, _ = vector.step(chosen, reset_if_done=True)
        return len(chosen), sum(map(bool, done))

    return work


def pyspiel_work(game: Any) -> Work:
    luck = random.Random(1)

    def work() -> tuple[int, int]:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(luck.choices(outcomes, chances)[0])
                continue
            moves = state.legal_actions()
            state.apply_action(moves[int(luck.random() * len(moves))])
            steps += 1
        return steps, 1

    return work


def pgx() -> Iterator[Contestant]:
    import jax
    import jax.numpy as jnp
    import pgx as library
    from pgx.experimental import auto_reset

    steps = 64
    for name in ("leduc_holdem", "connect_four", "backgammon"):
        env = library.make(name)
        step, init = jax.vmap(auto_reset(env.step, env.init)), jax.jit(jax.vmap(env.init))

        def one(carry: Any, _: Any, step: Any = step) -> Any:
            state, key, ended, seen = carry
            key, choosing, playing = jax.random.split(key, 3)
            action = jax.random.categorical(choosing, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=1)
            state = step(state, action, jax.random.split(playing, BATCH))
            seen += state.observation.astype(jnp.float32).sum()  # keeps the compiler from eliminating the observations
            return (state, key, ended + state.terminated.sum(), seen), None

        @jax.jit
        def many(state: Any, key: Any, one: Any = one) -> Any:
            return jax.lax.scan(one, (state, key, jnp.int32(0), jnp.float32(0)), None, steps)[0]

        now = [init(jax.random.split(jax.random.PRNGKey(1), BATCH)), jax.random.PRNGKey(2)]
        yield Contestant("Pgx", name, f"batch of {BATCH}, CPU", pgx_work(many, now, steps * BATCH))


def pgx_work(many: Any, now: list[Any], steps: int) -> Work:
    def work() -> tuple[int, int]:
        state, key, ended, _ = many(*now)
        now[:] = state, key
        return steps, int(ended)

    work()  # compiles
    return work


def pufferlib() -> Iterator[Contestant]:
    import puffer

    for name in puffer.built():
        vector = puffer.Vector(name, BATCH)
        yield Contestant("PufferLib", name, f"C, vector of {BATCH}, one core, against its own bot", puffer_work(vector))


def puffer_work(vector: Any) -> Work:
    def work() -> tuple[int, int]:
        vector.step()
        return vector.games, int(vector.terminals.sum())

    return work


@dataclass(frozen=True)
class Rate:
    steps: float
    games: float
    steps_per_cpu: float
    """Steps per second of CPU time over all threads: least distorted by a busy machine."""


def measured(contestants: list[Contestant], seconds: float, rounds: int) -> list[Rate]:
    """The medians over the rounds."""
    found: list[list[Rate]] = [[] for _ in contestants]
    for _ in range(rounds):
        for rates, one in zip(found, contestants, strict=True):
            steps = games = 0
            began, used = time.perf_counter(), time.process_time()
            while time.perf_counter() - began < seconds:
                more, ended = one.work()
                steps, games = steps + more, games + ended
            spent, used = time.perf_counter() - began, time.process_time() - used
            rates.append(Rate(steps / spent, games / spent, steps / used))
    return [Rate(*(statistics.median(values) for values in zip(*map(astuple, rates), strict=True))) for rates in found]


def page(contestants: list[Contestant], rates: list[Rate], missing: list[str], note: str) -> str:
    measured = list(zip(contestants, rates, strict=True))
    slowest, game = min(
        (rate.steps_per_cpu, one.game) for one, rate in measured if one.how == f"batch of {BATCH}, 1 thread"
    )
    lines = [
        "# Speed of the environments",
        "",
        f"`python bench/env_speed.py` on {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}:",
        "random legal actions, observations included unless said otherwise; medians of interleaved rounds in one run.",
        note,
        "",
        f"The last column is how much faster the slowest of our batches ({game}, one thread) is, by processor time. Games",
        "of a few moves cost less a step than long ones: connect_four and leduc_holdem end after some 21 and 4 moves, ours",
        "after 70 to 400, backgammon after some hundreds. Our Leduc is the example of a game from outside, in plain Python",
        "(`examples/leduc`) and compiled (`examples/leduc_compiled`); compare the compiled one with Pgx's, game for game.",
        "PufferLib's environments play one seat against a bot of their own (connect4's searches four moves deep), and are",
        "given random actions as in PufferLib's own measure: many are not legal, count as steps, and change nothing.",
        "",
        "| library | game | how | steps/s | games/s | steps per CPU second | ours |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    for one, rate in sorted(measured, key=lambda item: -item[1].steps_per_cpu):
        ratio = "" if one.library == "Tsukimi" or "loop" in one.how else f"{slowest / rate.steps_per_cpu:.1f} x"
        figures = f"{rate.steps:,.0f} | {rate.games:,.0f} | {rate.steps_per_cpu:,.0f} | {ratio}"
        lines.append(f"| {one.library} | {one.game} | {one.how} | {figures} |")
    return "\n".join([*lines, "", *(f"Not measured: {one}" for one in missing)]).rstrip() + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "env-speed.md")
    parser.add_argument("--note", default="", help="sentences about the machine and what could not be measured")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    contestants, missing = list(ours()), []
    for library in (pettingzoo, open_spiel, pgx, pufferlib):
        try:
            contestants += library()
        except ImportError as problem:
            missing.append(f"{library.__name__} ({problem}).")
    rates = measured(contestants, args.seconds, args.rounds)
    text = page(contestants, rates, missing, args.note)
    args.out.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
