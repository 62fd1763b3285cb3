"""`tsukimi simulate --engine ray` on a real Ray of two nodes. Ray is large and slow to start: `make test-ray` runs
this, `make test` does not."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
import ray
from ray.cluster_utils import Cluster
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

import tsukimi
from cli.typist import run
from tsukimi.lab import on_ray
from tsukimi.lab.simulation import Simulation, play_chunk, simulate

WORDS = ["simulate", "dojo", "--games", "120", "--bots", "greedy,random", "--rows", "decision", "--seed", "k"]


@pytest.fixture
def cluster():
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.second = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    cluster.wait_for_nodes()
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def playing(cluster):
    """The processes of the cluster that play a chunk at this moment."""
    raylets = {str(node.all_processes["raylet"][0].process.pid) for node in cluster.list_all_nodes()}
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = (path / "stat").read_text().rpartition(")")[2].split()[1]
            if parent in raylets and b"ray::_play" in (path / "cmdline").read_bytes():
                found.append(int(path.name))
        except OSError:  # it has ended meanwhile
            continue
    return found


def simulated(monkeypatch, out, *more):
    assert run(monkeypatch, *WORDS, "--out", str(out), *more).code == 0
    return out.read_bytes()


@pytest.mark.filterwarnings("default")
def test_two_nodes_give_byte_for_byte_what_one_process_gives(cluster, tmp_path, monkeypatch):
    simulation = Simulation("dojo", 3, 20, "s", bots=("greedy",))
    for node in ray.nodes():
        here = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
        chunk = ray.remote(scheduling_strategy=here)(on_ray._play).remote(tsukimi.__version__, simulation, 10, 20)
        assert ray.get(chunk) == play_chunk(simulation, 10, 20)
    for name in ("figures.json", "rows.jsonl", "rows.parquet"):
        local = simulated(monkeypatch, tmp_path / name, "--processes", "1")
        assert simulated(monkeypatch, tmp_path / f"ray-{name}", "--engine", "ray") == local, name


@pytest.mark.filterwarnings("default")
def test_a_lost_worker_and_a_lost_node_lose_nothing(cluster, tmp_path):
    simulation = Simulation("dojo", 3, 800, "s", bots=("greedy",))
    killed, done = [], []

    def kill():
        """A process that plays, as soon as some chunks are done; then the whole second node."""
        _wait_for(lambda: len(done) > 2)
        _wait_for(lambda: playing(cluster))
        worker = playing(cluster)[0]
        os.kill(worker, signal.SIGKILL)
        killed.append(worker)
        _wait_for(lambda: len(done) > 20)
        killed.append(len(done))
        cluster.remove_node(cluster.second, allow_graceful=False)

    thread = threading.Thread(target=kill)
    thread.start()
    found = simulate(simulation, progress=done.append, engine="ray")
    thread.join()
    assert len(killed) == 2
    assert killed[1] < 80, "the node was lost before the end"
    assert sum(done) == 800, "every game once"
    assert found == simulate(simulation)


@pytest.mark.filterwarnings("default")
def test_another_version_on_a_machine_of_the_cluster_is_refused(cluster, monkeypatch):
    monkeypatch.setattr("tsukimi.__version__", "9.9")
    with pytest.raises(ray.exceptions.RayTaskError, match=r"9\.9"):
        list(on_ray.results(Simulation("dojo", 3, 10, "s"), [0]))


def _wait_for(condition):
    until = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)
