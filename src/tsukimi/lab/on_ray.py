"""The chunks of a simulation on the machines of a Ray cluster.

A chunk is the same wherever it is played, so the result is that of a local run. Ray replays a chunk whose worker or
machine is lost, as often as it takes; chunks in the journal are not requested again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import ray

import tsukimi
from tsukimi.core.errors import BadOptions
from tsukimi.lab import simulation as lab

if TYPE_CHECKING:
    from tsukimi.core.spec import Json
    from tsukimi.lab.simulation import Simulation


def results(simulation: Simulation, left: list[int]) -> Iterator[tuple[int, Json]]:
    """The chunks as they finish. Uses the cluster of RAY_ADDRESS or of this machine, or starts one here."""
    started = not ray.is_initialized()
    if started:
        ray.init(log_to_driver=False, include_dashboard=False)
    try:
        yield from _results(simulation, left)
    finally:
        if started:
            ray.shutdown()


def _results(simulation: Simulation, left: list[int]) -> Iterator[tuple[int, Json]]:
    play = ray.remote(max_retries=-1, num_cpus=1)(_play)
    shared, chunks, queue = ray.put(simulation), simulation.chunks, list(reversed(left))
    waiting: dict[Any, int] = {}
    while queue or waiting:
        while queue and len(waiting) < 2 * max(1, _cores()):  # checked each time: machines come and go
            number = queue.pop()
            waiting[play.remote(tsukimi.__version__, shared, *chunks[number])] = number
        for done in ray.wait(list(waiting))[0]:
            yield waiting.pop(done), ray.get(done)


def _cores() -> int:
    return int(ray.cluster_resources().get("CPU", 1))


def _play(version: str, simulation: Simulation, low: int, high: int) -> Json:
    """On a machine in the cluster: only the same version plays the same games."""
    if version != tsukimi.__version__:
        raise BadOptions("other-version", here=version, there=tsukimi.__version__)
    return lab.play_chunk(simulation, low, high)
