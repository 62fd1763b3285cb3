"""The trainer. PyTorch is large: `make test-learn` installs it in an environment of its own and runs this."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
import torch

from tsukimi.bots.net import Network
from tsukimi.lab import arena, ppo

pytestmark = pytest.mark.filterwarnings("default")


def settings(out, *more):
    return ppo.settings_of(["leduc", "--out", str(out), "--reward", "score", "--matches", "0", *more])


def trained(wanted):
    trainer = ppo.Trainer(wanted)
    return trainer, list(trainer.train())


def test_advantages_follow_the_decisions_of_each_seat():
    """Seat 0 decides at steps 0 and 2, seat 1 at 1; the game ends after step 2. A second one does not end."""
    run = ppo.Rollout(
        *[torch.zeros(1)] * 4,
        values=np.array([[0.5, 0.1], [0.2, 0.3], [0.4, 0.2]], np.float32),
        actors=np.array([[0, 0], [1, 1], [0, 0]]),
        over=np.array([[0, 0], [0, 0], [1, 0]]),
        rewards=np.array([[[0, 0], [0, 0]], [[0, 0], [0, 0]], [[1, -1], [0, 0]]], np.float32),
        last_value=np.array([0.0, 0.7], np.float32),
        last_actors=np.array([0, 1]),
    )
    found, usable = ppo.advantages(run, discount=1.0, trace=0.5)
    assert found[:, 0] == pytest.approx([0.4 - 0.5 + 0.5 * 0.6, -1 - 0.2, 1 - 0.4])
    assert usable[:, 0].all()
    assert usable[:, 1].tolist() == [True, True, False], "the last decision of seat 0 has no known successor"
    assert found[1, 1] == pytest.approx(0.7 - 0.3), "seat 1 decides next"
    assert found[0, 1] == pytest.approx(0.2 - 0.1)


def test_leduc_is_learnt_in_some_seconds_and_wins_chips_from_random(tmp_path):
    small = ("--games", "128", "--rollout", "32", "--hidden", "64", "--minibatch", "512")
    _, figures = trained(settings(tmp_path, "--steps", "200_000", *small))
    assert figures[-1]["entropy"] < figures[0]["entropy"]
    net = f"net:{tmp_path / 'policy.npz'}"
    results = arena.run(arena.Match("leduc", [net, "random"], playouts=1), deals=400)
    scores = {row.name: row.score for row in arena.standings(results, rated=False)}
    assert scores[net] > 0.3, "chips a game"


def test_rewards_are_scaled_by_the_first_games_that_end_however_long_they_take(tmp_path):
    """A game of Dojo has some 140 decisions: none ends in the first rollout."""
    words = [
        "--players",
        "3",
        "--steps",
        "4000",
        "--games",
        "16",
        "--rollout",
        "32",
        "--hidden",
        "16",
        "--matches",
        "0",
    ]
    trainer, _ = trained(ppo.settings_of(["dojo", "--out", str(tmp_path), *words]))
    assert trainer.mean == pytest.approx(1 / 3)
    assert 0.3 < trainer.scale < 0.5


def test_training_resumes_from_its_checkpoint(tmp_path):
    small = ("--games", "32", "--rollout", "16", "--hidden", "16")
    first, _ = trained(settings(tmp_path, "--steps", "2_000", *small))
    again = ppo.Trainer(settings(tmp_path, "--steps", "4_000", *small))
    assert (again.done, again.updates) == (first.done, first.updates)
    for one, other in zip(first.model.parameters(), again.model.parameters(), strict=True):
        assert torch.equal(one, other)
    list(again.train())
    assert again.done >= 4_000


def test_numpy_and_onnx_compute_what_torch_computes(tmp_path):
    trainer, _ = trained(settings(tmp_path, "--steps", "500", "--games", "16", "--rollout", "16", "--hidden", "16"))
    seen, legal = trainer._now()
    with torch.no_grad():
        expected = trainer.model(seen, torch.ones_like(legal))[0].numpy()
    network = Network.load(tmp_path / "policy.npz")
    assert network.about["game"] == "leduc"
    assert network.logits(seen.numpy()) == pytest.approx(expected, abs=1e-5)
    session = onnxruntime.InferenceSession(str(tmp_path / "policy.onnx"))
    assert session.run(None, {"observation": seen.numpy()})[0] == pytest.approx(expected, abs=1e-5)


def test_the_command_leaves_the_network_its_settings_and_files_for_tensorboard(tmp_path, capsys):
    words = ["--players", "3", "--option", "belt=white", "--steps", "2000", "--games", "16", "--rollout", "32"]
    ppo.main(["dojo", "--out", str(tmp_path), *words, "--hidden", "16", "--matches", "2"])
    assert {"policy.npz", "policy.onnx", "settings.json", "checkpoint.pt"} <= {path.name for path in tmp_path.iterdir()}
    assert list(tmp_path.glob("events.out.tfevents.*"))
    assert "against greedy:" in capsys.readouterr().out
