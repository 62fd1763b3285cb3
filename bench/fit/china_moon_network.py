"""Trains China Moon's networks: `python bench/fit/china_moon_network.py GAMES.. --out networks.npz [--seconds 60] [--start FILE]`.

GAMES are folders filled by `china_moon_games.py`. Needs PyTorch (`pip install torch`), and is fast on a GPU. A twentieth of the games is
held out: on them the log-loss of the shares of the win is compared with those of the linear evaluator and the search, and the cross-entropy
of the moves with that of the ratings; the best network is kept. With `--start` it also trains from earlier networks and keeps whichever is
better, the continued one or the one from scratch.
"""

from __future__ import annotations

import argparse
import copy
import math
import time
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import tsukimi
from tsukimi.bots.china_moon import networks
from tsukimi.bots.china_moon.inputs import NetworkInputs
from tsukimi.bots.china_moon.networks import FEATURES, FIRST, SECOND
from tsukimi.bots.china_moon.weights import WEIGHTS

SPOTS, PADS, MOST = 48, 46, 6
HELD_OUT = 20  # one in this many games
FROM_SEARCH = 0.5  # the part of the target that is the search's shares; the rest is the result
BATCH, RATE, DECAY = 4096, 2e-3, 0.02
LOOK = 250  # steps between two evaluations on the held-out games
POLICY = 0.5  # the weight of the moves' loss

Array = Any


class Net(nn.Module):
    def __init__(self, players: int, inputs: int, rows: int) -> None:
        super().__init__()
        self.sparse = nn.Embedding(inputs + 1, FIRST, padding_idx=inputs)
        self.dense = nn.Linear(players * FEATURES + 2, FIRST)
        self.second = nn.Linear(FIRST, SECOND)
        self.value = nn.Linear(SECOND, players)
        self.policy = nn.Embedding(rows + 1, SECOND + 1, padding_idx=rows)
        self.rating = nn.Linear(SECOND, 1)
        self.linear_scale = nn.Parameter(torch.tensor(0.8))
        nn.init.normal_(self.sparse.weight, std=0.05)
        nn.init.normal_(self.policy.weight, std=0.02)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)
        nn.init.zeros_(self.rating.weight)
        nn.init.ones_(self.rating.bias)
        with torch.no_grad():
            self.sparse.weight[inputs] = 0
            self.policy.weight[rows] = 0

    def forward(self, batch: dict[str, Any]) -> tuple[Any, Any]:
        """The logits of the seats and of the moves."""
        first = torch.relu(self.sparse(batch["inputs"]).sum(1) + self.dense(batch["features"]))
        second = torch.relu(self.second(first))
        value = self.linear_scale * batch["linear"] + self.value(second)
        rows = self.policy(batch["rows"]).sum(2)
        moves = (rows[..., :SECOND] * second[:, None, :]).sum(-1) + rows[..., SECOND]
        moves = moves + self.rating(second) * batch["ratings"]
        return value, moves.masked_fill(batch["none"], -1e9)


class Data:
    """The positions with one number of players, on the device."""

    def __init__(self, folders: list[Path], players: int, device: str) -> None:
        start = tsukimi.new("china-moon", players=players, chance="manual").core
        self.pond = start.table
        self.inputs = NetworkInputs(start.table, players)
        self.players = players
        parts = [np.load(path) for folder in folders for path in sorted(folder.glob(f"{players}-*.npz"))]
        found = {name: np.concatenate([part[name] for part in parts]) for name in parts[0].files}
        features = found["features"].astype(np.float32)
        self.scale = features.std(0) + 1e-3
        held = torch.from_numpy(found["game"] % HELD_OUT == 0)
        inputs = torch.from_numpy(found["inputs"].astype(np.int32))
        rows = torch.from_numpy(found["rows"].astype(np.int32))
        self.all: dict[str, Any] = {
            "inputs": torch.where(inputs < 0, self.inputs.size, inputs),
            "rows": torch.where(rows < 0, self.inputs.rows, rows),
            "none": rows[:, :, 0] < 0,
            "features": torch.from_numpy(features / self.scale),
            "linear": torch.from_numpy(linear_values(features, players)),
        }
        for name in ("ratings", "visits", "won", "search"):
            self.all[name] = torch.from_numpy(found[name].astype(np.float32))
        self.all = {name: table.to(device) for name, table in self.all.items()}
        self.train, self.held = (torch.nonzero(part).ravel().to(device) for part in (~held, held))
        self.swaps = [(a.to(device), b.to(device)) for a, b in swaps(self.inputs)]
        print(f"{players} players: {len(held)} positions, {len(self.held)} held out", flush=True)

    def batch(self, places: Any, swap: int = 0) -> dict[str, Any]:
        """Some positions, with the three scoring colours permuted."""
        batch = {name: table[places] for name, table in self.all.items()}
        inputs, rows = self.swaps[swap]
        batch["inputs"], batch["rows"] = inputs[batch["inputs"].long()], rows[batch["rows"].long()]
        return batch


def linear_values(features: Array, players: int) -> Array:
    weights = np.array(WEIGHTS, np.float32).reshape(FEATURES, 3)
    phase = features[:, -2:]
    by_position = weights[:, 0] + phase[:, :1] * weights[:, 1] + phase[:, 1:] * weights[:, 2]
    seats = features[:, : players * FEATURES].reshape(-1, players, FEATURES)
    return np.einsum("npf,nf->np", seats, by_position)


def swaps(inputs: NetworkInputs) -> list[tuple[Any, Any]]:
    """For each permutation of the three colours, where every input and every row of the policy goes."""
    players, tables = inputs.players, []
    for order in permutations(range(3)):
        to = [*order, 3, 4]
        moved, rows = np.arange(inputs.size + 1), np.arange(inputs.rows + 1)
        lilies = 3 * players * SPOTS
        held = lilies + 5 * PADS
        prizes = held + players * 5 * MOST
        base = 2 * players * SPOTS
        for colour in range(5):
            for pad in range(PADS):
                moved[lilies + pad * 5 + colour] = lilies + pad * 5 + to[colour]
            for seat in range(players):
                for count in range(MOST):
                    moved[held + (seat * 5 + colour) * MOST + count] = held + (seat * 5 + to[colour]) * MOST + count
            if colour < 3:
                for place in range(3):
                    moved[prizes + place * 3 + colour] = prizes + place * 3 + to[colour]
            for other in range(5):
                for take in range(5):
                    rows[base + colour * 25 + other * 5 + take] = base + to[colour] * 25 + other * 5 + to[take]
            rows[base + 125 + colour] = base + 125 + to[colour]
        tables.append((torch.from_numpy(moved), torch.from_numpy(rows)))
    return tables


def cross_entropy(logits: Any, target: Any) -> Any:
    return -(target * functional.log_softmax(logits, 1)).sum(1).mean()


def train(data: Data, seconds: float, device: str, start: dict[str, Any] | None = None) -> tuple[float, Net]:
    """The best network on the held-out games, and its loss there."""
    torch.manual_seed(data.players)
    net = Net(data.players, data.inputs.size, data.inputs.rows)
    if start:
        net.load_state_dict({**net.state_dict(), **tensors(start, net, data)})
    net, rate = net.to(device), RATE / 2 if start else RATE
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=DECAY)
    started, step, best, kept = time.monotonic(), 0, held_out_loss(net, data), copy.deepcopy(net)
    print(f"  start: {summary(net, data)}", flush=True)
    while (part := (time.monotonic() - started) / seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 100) * 0.5 * (1 + math.cos(math.pi * part))
        places = data.train[torch.randint(len(data.train), (BATCH,), device=device)]
        batch = data.batch(places, step % 6)
        value, moves = net(batch)
        target = (1 - FROM_SEARCH) * batch["won"] + FROM_SEARCH * batch["search"]
        loss = cross_entropy(value, target) + POLICY * cross_entropy(moves, batch["visits"])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        step += 1
        if step % LOOK == 0 and (found := held_out_loss(net, data)) < best:
            best, kept = found, copy.deepcopy(net)
    print(f"{data.players} players, {step} steps: {summary(kept, data)}", flush=True)
    return best, kept


def tensors(start: dict[str, Any], net: Net, data: Data) -> dict[str, Any]:
    """The parameters of an earlier network; the inverse of `arrays`."""
    shapes = networks.shapes(data.players, data.inputs.size, data.inputs.rows)
    table = {name: torch.from_numpy(start[name].reshape(shape).copy()) for name, shape in shapes.items()}
    policy = torch.cat([table["policy"], table["policy_bias"][:, None]], 1)
    return {
        "sparse.weight": torch.cat([table["sparse"], torch.zeros(1, FIRST)]),
        "dense.weight": table["dense"].T * torch.from_numpy(data.scale),
        "dense.bias": table["first_bias"],
        "second.weight": table["second"].T,
        "second.bias": table["second_bias"],
        "value.weight": table["value"][:, :SECOND],
        "value.bias": table["value"][:, SECOND],
        "policy.weight": torch.cat([policy, torch.zeros(1, SECOND + 1)]),
        "rating.weight": table["rating"][None],
        "rating.bias": table["scales"][:1],
        "linear_scale": table["scales"][1],
    }


def held_out(net: Net, data: Data) -> tuple[dict[str, Any], Any, Any]:
    """Positions of held-out games, with the network's logits for seats and moves."""
    batch = data.batch(data.held[:40000])
    with torch.no_grad():
        return batch, *net(batch)


def held_out_loss(net: Net, data: Data) -> float:
    batch, value, moves = held_out(net, data)
    return float(cross_entropy(value, batch["won"]) + POLICY * cross_entropy(moves, batch["visits"]))


def summary(net: Net, data: Data) -> str:
    """The losses on the held-out games, as text."""
    batch, value, moves = held_out(net, data)
    ratings = batch["ratings"].masked_fill(batch["none"], -1e9)
    search = torch.log(batch["search"].clamp(min=0.002))
    entropy = -(batch["visits"] * torch.log(batch["visits"].clamp(min=1e-6))).sum(1).mean()
    losses = {
        "network": cross_entropy(value, batch["won"]),
        "linear": cross_entropy(batch["linear"], batch["won"]),
        "linear x 0.7": cross_entropy(0.7 * batch["linear"], batch["won"]),
        "search": cross_entropy(search, batch["won"]),
        "to search": cross_entropy(value, batch["search"]),
        "linear to search": cross_entropy(batch["linear"], batch["search"]),
        "moves": cross_entropy(moves, batch["visits"]),
        "moves by rating": cross_entropy(ratings, batch["visits"]),
        "moves at best": entropy,
    }
    return ", ".join(f"{name} {loss.item():.4f}" for name, loss in losses.items())


def arrays(net: Net, data: Data) -> dict[str, Any]:
    """The network as `networks.shapes` has it, for features that are not scaled."""
    weights = {name: table.detach().cpu().numpy() for name, table in net.state_dict().items()}
    found = {
        "sparse": weights["sparse.weight"][:-1],
        "dense": (weights["dense.weight"] / data.scale).T,
        "first_bias": weights["dense.bias"],
        "second": weights["second.weight"].T,
        "second_bias": weights["second.bias"],
        "value": np.concatenate([weights["value.weight"], weights["value.bias"][:, None]], 1),
        "policy": weights["policy.weight"][:-1, :SECOND],
        "policy_bias": weights["policy.weight"][:-1, SECOND],
        "rating": weights["rating.weight"][0],
        "scales": np.array([weights["rating.bias"][0], weights["linear_scale"]]),
    }
    wanted = networks.shapes(data.players, data.inputs.size, data.inputs.rows)
    assert {name: table.shape for name, table in found.items()} == wanted
    return {**found, "pond": networks.fingerprint(data.pond)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=60.0, help="of training for three players; others have half")
    parser.add_argument("--start", type=Path, help="networks to go on from")
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    trained, earlier = {}, networks.load(args.start) if args.start else {}
    for players in (3, 4, 5):
        data = Data(args.games, players, device)
        seconds = args.seconds / (1 if players == 3 else 2)
        found = [train(data, seconds, device)]
        if players in earlier:
            found.append(train(data, seconds, device, earlier[players]))
        trained[players] = arrays(min(found, key=lambda one: one[0])[1], data)
        networks.save(args.out, trained)


if __name__ == "__main__":
    main()
