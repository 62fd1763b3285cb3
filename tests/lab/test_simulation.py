"""`tsukimi simulate`: the same games for a seed, whoever plays them and however often they were interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise

import pytest

import tsukimi
from cli.typist import run
from envs.conftest import need
from tsukimi.core.errors import BadOptions
from tsukimi.lab import simulation as lab
from tsukimi.lab.simulation import Simulation, simulate
from tsukimi.lab.summary import never, summary
from tsukimi.lab.tally import Tally

DOJO = Simulation("dojo", 3, 24, "s", bots=("greedy", "random"))


def figures(simulation, **how):
    return json.dumps(summary(simulation, simulate(simulation, **how).tally))


@pytest.mark.compiled
def test_the_number_of_processes_changes_nothing():
    assert figures(DOJO) == figures(DOJO, processes=2)


@pytest.mark.compiled
def test_a_killed_simulation_goes_on_and_ends_as_if_it_had_not_been_killed(tmp_path, monkeypatch):
    out, journal = tmp_path / "games.jsonl", tmp_path / "games.jsonl.part"
    words = ["simulate", "dojo", "--games", "150", "--rows", "decision", "--seed", "k", "--processes", "1"]
    words += ["--out", str(out)]
    command = [sys.executable, "-m", "tsukimi.cli", *words]
    process = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": ":".join(sys.path)}, stdout=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while time.monotonic() < until and not (journal.exists() and journal.read_bytes().count(b"\n") > 2):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not out.exists()
    kept = journal.read_bytes().count(b"\n") - 1
    assert 2 <= kept < 15
    with journal.open("ab") as file:
        file.write(b'{"chunk":7,"tal')  # what a kill in the middle of a line leaves

    played = []
    play_chunk = lab.play_chunk
    monkeypatch.setattr(lab, "play_chunk", lambda *chunk: played.append(chunk) or play_chunk(*chunk))
    assert run(monkeypatch, *words).code == 0
    assert len(played) == 15 - kept
    assert not journal.exists()
    resumed = out.read_bytes()
    out.unlink()
    assert run(monkeypatch, *words).code == 0
    assert out.read_bytes() == resumed


def test_a_journal_of_other_settings_is_refused(tmp_path):
    journal = tmp_path / "x.part"
    small = Simulation("leduc", 2, 3, "s")
    simulate(small, journal=journal)
    with pytest.raises(BadOptions, match=r"x\.part"):
        simulate(Simulation("leduc", 2, 3, "other"), journal=journal)


def test_rows_of_games_and_of_decisions_are_those_of_the_figures(monkeypatch, tmp_path):
    words = ["simulate", "leduc", "--games", "30", "--seed", "1", "--processes", "1"]
    for suffix in ("jsonl", "parquet"):
        if suffix == "parquet":
            need("pyarrow")
        games, decisions = tmp_path / f"games.{suffix}", tmp_path / f"decisions.{suffix}"
        data = json.loads(run(monkeypatch, *words, "--out", str(games), "--json").out)
        run(monkeypatch, *words, "--out", str(decisions), "--rows", "decision")
        rows, steps = read(games), read(decisions)
        assert [row["game"] for row in rows] == list(range(30))
        for seat in data["seats"]:
            number = seat["seat"]
            assert sum(row[f"win_{number}"] for row in rows) / 30 == pytest.approx(seat["win_share"])
            assert sum(row[f"score_{number}"] for row in rows) / 30 == pytest.approx(seat["mean_score"])
        for row in rows:
            own = [step for step in steps if step["game"] == row["game"]]
            assert [step["decision"] for step in own] == list(range(row["decisions"]))
            assert own[-1]["score"] == row[f"score_{own[-1]['seat']}"]


def read(file):
    if file.suffix == ".parquet":
        from pyarrow import parquet

        return parquet.read_table(file).to_pylist()
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_the_reported_lead_is_what_happened():
    tally, changes, settled = Tally(), 0, []
    for seed in range(3):
        state = tsukimi.new("china-moon", 3, seed=seed)
        leads = []
        while not state.over:
            legal = state.legal()
            state.play(legal[seed % len(legal)])
            best = max(state.scores())
            leads.append({seat for seat, score in enumerate(state.scores()) if score == best})
        assert len(list(tally.watch(state))) == len(leads)
        alone = [lead for lead in leads if len(lead) == 1]
        changes += sum(a != b for a, b in pairwise(alone))
        last = max((i + 1 for i, lead in enumerate(leads) if not lead <= set(state.winners())), default=0)
        settled.append(str(10 * last // len(leads)))
    assert sum(int(number) * times for number, times in tally.lead_changes.items()) == changes
    assert sorted(settled) == sorted(key for key, times in tally.settled.items() for _ in range(times))


def test_what_goes_with_winning_is_found_and_chance_is_not_taken_for_it():
    found = summary(Simulation("leduc", 2, 600, "1"), simulate(Simulation("leduc", 2, 600, "1")).tally)
    values = {row["name"]: row for row in found["values"]}
    assert values["fold"]["gain"] == pytest.approx(-1, abs=0.5)
    assert values["fold"]["clear"]
    assert not values["bet"]["clear"] or values["bet"]["gain"] > 0
    assert never(found) == []


def test_the_better_bot_shows_as_skill():
    found = summary(DOJO, simulate(DOJO).tally)
    assert found["by_bot"][0]["bot"] == "greedy"
    assert found["skill"] > 0.3
    alone = Simulation("leduc", 2, 10, "1")
    assert summary(alone, simulate(alone).tally)["skill"] is None


def test_with_a_time_budget_the_command_says_that_playouts_would_be_reproducible(monkeypatch):
    words = ["simulate", "leduc", "--games", "1", "--bots", "novice", "--ms", "1", "--processes", "1"]
    assert "--playouts" in run(monkeypatch, *words).out


def test_bad_settings_are_refused(monkeypatch, tmp_path):
    for words in (["--bots", "random,random,random,random"], ["--bots", "nobody"], ["--out", str(tmp_path / "x.doc")]):
        done = run(monkeypatch, "simulate", "dojo", "--games", "1", "--processes", "1", *words)
        assert done.code == 2
        assert done.err.count("\n") == 1


def test_without_ray_the_ray_engine_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "tsukimi.lab.on_ray", raising=False)
    ended = run(monkeypatch, "simulate", "dojo", "--games", "10", "--engine", "ray")
    assert ended.code == 1
    assert "tsukimi[ray]" in ended.err
