"""Counterfactual regret minimisation (CFR+) for small two-player games, using only the public API.

It finds a pair of strategies close to an equilibrium and prints the game's value for the first player:

    python examples/cfr.py leduc 1000
"""

from __future__ import annotations

import sys
from collections.abc import Hashable
from dataclasses import dataclass, field

import tsukimi

CHANCE = -1


class Policy:
    """The probabilities of the moves at an information set, with their cumulative regrets and average strategy."""

    def __init__(self, probabilities: list[float]) -> None:
        self.probabilities = probabilities
        self.regrets = [0.0] * len(probabilities)
        self.sums = [0.0] * len(probabilities)

    def match_regrets(self) -> None:
        self.regrets = [max(regret, 0.0) for regret in self.regrets]
        self.probabilities = _normalised(self.regrets)

    def take_average(self) -> None:
        self.probabilities = _normalised(self.sums)


@dataclass
class Node:
    """A node of the game tree; a leaf has the first player's payoff."""

    payoff: float = 0.0
    actor: int = CHANCE
    policy: Policy = field(default_factory=lambda: Policy([]))
    children: list[Node] = field(default_factory=list)


def solve(game: str, iterations: int = 1000, **options: str) -> float:
    """The value of a zero-sum game for the first player."""
    policies: dict[Hashable, Policy] = {}
    root = _tree(tsukimi.new(game, players=2, chance="manual", first="p1", **options), policies)
    for iteration in range(1, iterations + 1):
        for seat in (0, 1):
            _learn(root, seat, iteration, 1.0, 1.0)
            for policy in policies.values():
                policy.match_regrets()
    for policy in policies.values():
        policy.take_average()
    value = _value(root)
    print(f"{game}: {len(policies)} information sets, value {value:+.4f} after {iterations} iterations")
    return value


def _tree(state: tsukimi.State, policies: dict[Hashable, Policy]) -> Node:
    """The whole game tree from here. States in the same information set share one policy."""
    if state.over:
        return Node(payoff=state.scores()[0])
    if state.chance:
        actor, policy = CHANCE, Policy([probability for _, probability in state.outcomes()])
    else:
        actor, count = state.actors[0], len(state.legal())
        policy = policies.setdefault((actor, state.infoset(actor)), Policy([1 / count] * count))
    return Node(0.0, actor, policy, [_tree(state.copy().play(text), policies) for text in state.legal()])


def _learn(node: Node, seat: int, iteration: int, own: float, others: float) -> float:
    """The value of a node to a seat; `own` and `others` are the reach probabilities of the seat and of everyone else."""
    if not node.children:
        return node.payoff if seat == 0 else -node.payoff
    policy = node.policy
    if node.actor != seat:
        return sum(
            probability * _learn(child, seat, iteration, own, others * probability)
            for probability, child in zip(policy.probabilities, node.children, strict=True)
        )
    values = [
        _learn(child, seat, iteration, own * probability, others)
        for probability, child in zip(policy.probabilities, node.children, strict=True)
    ]
    value = sum(p * v for p, v in zip(policy.probabilities, values, strict=True))
    for choice, probability in enumerate(policy.probabilities):
        policy.regrets[choice] += others * (values[choice] - value)
        policy.sums[choice] += iteration * own * probability  # later iterations weigh more
    return value


def _value(node: Node) -> float:
    """The first player's expected payoff."""
    if not node.children:
        return node.payoff
    return sum(p * _value(child) for p, child in zip(node.policy.probabilities, node.children, strict=True))


def _normalised(weights: list[float]) -> list[float]:
    total = sum(weights)
    return [weight / total for weight in weights] if total > 0 else [1 / len(weights)] * len(weights)


if __name__ == "__main__":
    solve(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
