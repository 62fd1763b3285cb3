"""PPO by self-play on batches of games: an example to read and modify, in PyTorch.

    python -m tsukimi.lab.ppo leduc --reward score --steps 2_000_000 --out runs/leduc
    python -m tsukimi.lab.ppo dojo --players 3 --steps 20_000_000 --out runs/dojo
    tsukimi arena dojo --players 3 --bots net:runs/dojo/policy.npz,greedy,random

One network plays all seats. It sees what the deciding seat knows, one-hot encoded, and never anything hidden. The
folder has the settings, the last checkpoint (the same command resumes from it), TensorBoard's files, and the network as
`policy.npz` (for `net:PATH`) and `policy.onnx`. See docs/learning.md.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter

import tsukimi
from tsukimi.bots.net import Network
from tsukimi.games import spec
from tsukimi.lab import arena


@dataclass
class Settings:
    game: str
    out: Path
    players: int = 0
    options: dict[str, str] = field(default_factory=dict)
    reward: str = "win"
    steps: int = 2_000_000
    """Decisions of all games together."""
    games: int = 512
    rollout: int = 64
    """Steps of every game between two updates."""
    hidden: int = 256
    layers: int = 2
    epochs: int = 3
    minibatch: int = 4096
    rate: float = 7e-4
    discount: float = 1.0
    trace: float = 0.95
    """Lambda of the advantages (GAE)."""
    clip: float = 0.2
    entropy: float = 0.02
    """The weight of the entropy bonus at the start; it falls to a tenth of it."""
    seed: int = 1
    threads: int = 1
    """Of the batch and of PyTorch."""
    device: str = "cuda" if torch.cuda.is_available() else "cpu"
    save_every: int = 20
    """Updates between two checkpoints."""
    matches: int = 40
    """Deals against `random` and `greedy` at the end; 0: none."""
    play: str = "sample"
    """How the exported bot chooses: `sample` by its probabilities, or the `best` move."""


class Model(nn.Module):
    """A trunk with two heads: a number per move, and the expected reward of the deciding seat."""

    def __init__(self, inputs: int, moves: int, hidden: int, layers: int) -> None:
        super().__init__()
        sizes = [inputs, *[hidden] * layers]
        self.trunk = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.policy, self.value = nn.Linear(hidden, moves), nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, seen: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        for layer in self.trunk:
            seen = torch.relu(layer(seen))
        return self.policy(seen).masked_fill(~legal, -1e9), self.value(seen).squeeze(-1)

    def exported(self, about: dict[str, Any]) -> Network:
        """The policy without the value, as plain arrays."""
        layers = [*self.trunk, self.policy]
        arrays = [
            (layer.weight.detach().cpu().numpy().T.copy(), layer.bias.detach().cpu().numpy().copy()) for layer in layers
        ]
        return Network(arrays, about)


@dataclass
class Rollout:
    """What happened in some steps of all games: steps x games, and the seats' rewards behind them."""

    seen: torch.Tensor
    legal: torch.Tensor
    chosen: torch.Tensor
    logs: torch.Tensor
    values: Any
    actors: Any
    over: Any
    rewards: Any
    last_value: Any
    last_actors: Any


def advantages(run: Rollout, discount: float, trace: float) -> tuple[Any, Any]:
    """The advantage of each decision (GAE along the decisions of its own seat), and which of them are known.

    The other seats decide between two decisions of one seat. A seat's last decision in a rollout, if its
    game is still in progress, has no known successor; it is left out.
    """
    steps, games = run.actors.shape
    every = np.arange(games)
    ahead = np.zeros_like(run.rewards[0])  # by game and seat: the value at the seat's next decision
    traced = np.zeros_like(ahead)
    coming = np.zeros_like(ahead)  # the reward until then
    known = np.zeros(ahead.shape, bool)
    ahead[every, run.last_actors], known[every, run.last_actors] = run.last_value, True
    found, usable = np.zeros_like(run.values), np.zeros(run.values.shape, bool)
    for step in range(steps - 1, -1, -1):
        over, seat, value = run.over[step] != 0, run.actors[step], run.values[step]
        ahead[over], traced[over], known[over] = 0, 0, True
        coming[over] = run.rewards[step][over]
        delta = coming[every, seat] + discount * ahead[every, seat] - value
        usable[step] = known[every, seat]
        found[step] = np.where(usable[step], delta + discount * trace * traced[every, seat], 0)
        ahead[every, seat], traced[every, seat], coming[every, seat] = value, found[step], 0
        known[every, seat] = True
    return found, usable


class Trainer:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        if not settings.players:
            settings.players = min(spec(settings.game).seats)
        torch.manual_seed(settings.seed)
        torch.set_num_threads(settings.threads)
        how: dict[str, Any] = {"reward": settings.reward, "masks": True, "encoding": "onehot", **settings.options}
        size, seed, threads = settings.games, settings.seed, settings.threads
        batch = tsukimi.batch(settings.game, settings.players, size, seed=seed, threads=threads, **how)
        self.batch = cast(Any, batch)
        self.model = Model(self.batch.observations.shape[1], self.batch.move_ids, settings.hidden, settings.layers)
        self.model.to(settings.device)
        self.optimiser = torch.optim.Adam(self.model.parameters(), lr=settings.rate, eps=1e-5)
        self.done = self.updates = 0
        self.mean, self.scale = 0.0, 0.0  # of the rewards; unknown until games have ended
        settings.out.mkdir(parents=True, exist_ok=True)
        self.checkpoint = settings.out / "checkpoint.pt"
        if self.checkpoint.exists():
            self.resume()

    # ---- learning ------------------------------------------------------------------------------------

    def train(self) -> Iterator[dict[str, float]]:
        """Update until all steps are done; yields the figures of each update."""
        settings = self.settings
        while self.done < settings.steps:
            left = max(0.0, 1 - self.done / settings.steps)
            for group in self.optimiser.param_groups:
                group["lr"] = settings.rate * max(left, 0.05)
            began = time.perf_counter()
            run = self.collect()
            figures = self.update(run, settings.entropy * max(left, 0.1))
            self.done += run.actors.size
            self.updates += 1
            yield {**figures, "decisions_per_second": run.actors.size / (time.perf_counter() - began)}
            if self.updates % settings.save_every == 0:
                self.save()
        self.save()

    @torch.no_grad()
    def collect(self) -> Rollout:
        settings, batch = self.settings, self.batch
        parts: dict[str, list[Any]] = {f.name: [] for f in fields(Rollout)}
        for _ in range(settings.rollout):
            seen, legal = self._now()
            logits, value = self.model(seen, legal)
            chances = torch.distributions.Categorical(logits=logits)
            chosen = chances.sample()
            parts["seen"].append(seen)
            parts["legal"].append(legal)
            parts["chosen"].append(chosen)
            parts["logs"].append(chances.log_prob(chosen))
            parts["values"].append(value.cpu().numpy())
            parts["actors"].append(batch.actors.copy())
            batch.step(chosen.cpu().numpy().astype(np.int32))
            parts["over"].append(batch.over.copy())
            parts["rewards"].append(batch.rewards.copy())
        last = self.model(*self._now())[1].cpu().numpy()
        over, rewards = np.stack(parts["over"]), np.stack(parts["rewards"])
        if not self.scale and over.any():  # normalises rewards to about 1 around 0, whatever the game counts
            self.mean, self.scale = float(rewards[over != 0].mean()), float(rewards[over != 0].std()) or 1.0
        rewards = np.where(over[..., None] != 0, (rewards - self.mean) / (self.scale or 1), 0).astype(np.float32)
        arrays = {name: np.stack(parts[name]) for name in ("values", "actors")}
        tensors = {name: torch.stack(parts[name]) for name in ("seen", "legal", "chosen", "logs")}
        ends: dict[str, Any] = {"last_value": last, "last_actors": batch.actors.copy()}
        return Rollout(**tensors, **arrays, over=over, rewards=rewards, **ends)

    def _now(self) -> tuple[torch.Tensor, torch.Tensor]:
        """What the deciding seats see, and what they may do. Copies: the next step overwrites the batch's arrays."""
        device = self.settings.device
        seen, legal = torch.from_numpy(self.batch.observations.copy()), torch.from_numpy(self.batch.masks.copy())
        return seen.to(device), legal.to(device).bool()

    def update(self, run: Rollout, entropy_weight: float) -> dict[str, float]:
        settings, device = self.settings, self.settings.device
        found, usable = advantages(run, settings.discount, settings.trace)
        chosen_ones = torch.from_numpy(np.flatnonzero(usable)).to(device)
        seen, legal, chosen, old = (
            one.flatten(0, 1)[chosen_ones] for one in (run.seen, run.legal, run.chosen, run.logs)
        )
        advantage = torch.from_numpy(found[usable]).to(device)
        target = advantage + torch.from_numpy(run.values[usable]).to(device)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        sums = dict.fromkeys(("policy_loss", "value_loss", "entropy", "clipped"), 0.0)
        rounds = 0
        for _ in range(settings.epochs):
            for part in torch.randperm(len(chosen), device=device).split(settings.minibatch):
                logits, value = self.model(seen[part], legal[part])
                chances = torch.distributions.Categorical(logits=logits)
                ratio = (chances.log_prob(chosen[part]) - old[part]).exp()
                bounded = ratio.clamp(1 - settings.clip, 1 + settings.clip)
                policy_loss = -torch.min(ratio * advantage[part], bounded * advantage[part]).mean()
                value_loss = (value - target[part]).square().mean()
                entropy = chances.entropy().mean()
                self.optimiser.zero_grad()
                (policy_loss + 0.5 * value_loss - entropy_weight * entropy).backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
                self.optimiser.step()
                clipped = (ratio != bounded).float().mean()
                for name, one in zip(sums, (policy_loss, value_loss, entropy, clipped), strict=True):
                    sums[name] += float(one.detach())
                rounds += 1
        return {name: total / rounds for name, total in sums.items()}

    # ---- files -----------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write everything needed to resume, completely or not at all; and the network for others."""
        unfinished = self.checkpoint.with_suffix(".new")
        counted = {"done": self.done, "updates": self.updates, "mean": self.mean, "scale": self.scale}
        state = {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict(), **counted}
        torch.save(state, unfinished)
        unfinished.replace(self.checkpoint)
        network = self.model.exported(self.about())
        network.save(self.settings.out / "policy.npz")
        write_onnx(network, self.settings.out / "policy.onnx")

    def resume(self) -> None:
        state = torch.load(self.checkpoint, map_location=self.settings.device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.done, self.updates = state["done"], state["updates"]
        self.mean, self.scale = state["mean"], state["scale"]
        torch.manual_seed(self.settings.seed + self.updates)  # different games from those before

    def about(self) -> dict[str, Any]:
        settings = self.settings
        options = dict(tsukimi.new(settings.game, settings.players, **settings.options).options)
        trained = {"reward": settings.reward, "steps": self.done, "play": settings.play}
        return {"game": settings.game, "players": settings.players, "options": options, "encoding": "onehot"} | trained


def write_onnx(network: Network, path: Path) -> None:
    """The network for other programs: `observation` (batch x size, float32) to `logits` (batch x moves)."""
    from onnx import TensorProto, helper, numpy_helper, save

    nodes, weights, name = [], [], "observation"
    for number, (weight, bias) in enumerate(network.layers):
        last = number == len(network.layers) - 1
        weights += [numpy_helper.from_array(weight, f"weight{number}"), numpy_helper.from_array(bias, f"bias{number}")]
        out = "logits" if last else f"sum{number}"
        nodes.append(helper.make_node("Gemm", [name, f"weight{number}", f"bias{number}"], [out]))
        name = out
        if not last:
            name = f"hidden{number}"
            nodes.append(helper.make_node("Relu", [out], [name]))
    size, moves = network.layers[0][0].shape[0], network.layers[-1][0].shape[1]
    given = helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["batch", size])
    found = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", moves])
    graph = helper.make_graph(nodes, "policy", [given], [found], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    helper.set_model_props(model, {"tsukimi": json.dumps(network.about)})
    save(model, str(path))


# ---- the command -----------------------------------------------------------------------------------


def strength(settings: Settings) -> Iterator[tuple[str, float, float]]:
    """The network's share of the win among bots of one kind, with its 95 % interval."""
    path = f"net:{settings.out / 'policy.npz'}"
    for name in ("random", "greedy"):
        match = arena.Match(settings.game, [path, *[name] * (settings.players - 1)], settings.options, playouts=1)
        row = next(
            standing
            for standing in arena.standings(arena.run(match, settings.matches), rated=False)
            if standing.name == path
        )
        yield name, row.share, row.interval


def settings_of(words: list[str] | None = None) -> Settings:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    for setting in fields(Settings):
        if setting.name not in ("game", "options"):
            kind = {"int": int, "float": float, "Path": Path}.get(str(setting.type), str)
            parser.add_argument(f"--{setting.name}", type=kind, default=None, required=setting.name == "out")
    given = {name: value for name, value in vars(parser.parse_args(words)).items() if value is not None}
    options = dict(pair.split("=", 1) for pair in given.pop("option"))
    return Settings(**given, options=options)


def main(words: list[str] | None = None) -> None:
    settings = settings_of(words)
    trainer = Trainer(settings)
    (settings.out / "settings.json").write_text(json.dumps(asdict(settings), default=str, indent=1), "utf-8")
    with SummaryWriter(str(settings.out)) as board:
        for figures in trainer.train():
            for name, value in figures.items():
                board.add_scalar(name, value, trainer.done)
            if trainer.updates % settings.save_every == 0:
                shown = "  ".join(f"{name} {value:.3g}" for name, value in figures.items())
                print(f"{trainer.done:>12,}  {shown}", flush=True)
        if settings.matches:
            for name, share, interval in strength(settings):
                print(
                    f"against {name}: {100 * share:.1f} % ± {100 * interval:.1f} of the win (even: {100 / settings.players:.1f} %)"
                )
                board.add_scalar(f"against_{name}", share, trainer.done)


if __name__ == "__main__":
    main()
