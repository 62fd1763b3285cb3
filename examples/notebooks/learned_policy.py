# %% [markdown]
# # A learned policy
#
# `tsukimi.lab.ppo` teaches a network a game by letting it play against itself. Leduc poker takes it about a minute of
# processor time:
#
# ```
# python -m tsukimi.lab.ppo leduc --reward score --steps 1_000_000 --hidden 32 --out runs/leduc
# ```
#
# What it wrote, `policy.npz`, lies beside this notebook as `leduc.npz`. PyTorch is needed to train, not to play: the
# network is three arrays of weights and three of biases.

# %%
from pathlib import Path

import numpy as np

import tsukimi
from tsukimi.bots.net import Network
from tsukimi.core.encoding import Encoding
from tsukimi.lab import arena, plots

network = Network.load(Path("leduc.npz"))
print(network.about)
print(" -> ".join(str(size) for size in [network.layers[0][0].shape[0], *(len(bias) for _, bias in network.layers)]))

# %% [markdown]
# It sees what the deciding seat knows, in one-hot numbers, and gives a number for each move. Those of the legal moves
# become probabilities.

# %%
start = tsukimi.new("leduc", players=2, chance="manual", first="p1")
encoding = Encoding(start.spec, start.core, "onehot")


def chances(state, seat):
    """How likely the network makes each legal move."""
    seen = np.array(state.core.observation(seat), np.int16)
    weights = np.exp(network.logits(encoding.encode(seen))[state.actions(seat)])
    return dict(zip(state.legal(seat), weights / weights.sum(), strict=True))


def dealt(card, *moves):
    """The first player has this card, and these moves were made."""
    state = tsukimi.new("leduc", players=2, chance="manual", first="p1")
    for text in (f"deal p1 {card}", "deal p2 Q", *moves):
        state.play(text)
    return state


for card in "JQK":
    answers = chances(dealt(card, "check", "bet"), 0)
    print(f"{card} after check, bet: " + ", ".join(f"{move} {100 * chance:.0f} %" for move, chance in answers.items()))

# %% [markdown]
# How often it bets at once with each card: a king for its value, a jack as a bluff. At equilibrium many mixtures are
# equally good, so another run may bet otherwise.

# %%
bets = {name: chances(dealt(name[0]), 0)["bet"] for name in ("Jack", "Queen", "King")}
plots.ladder([(name, (chance, chance, chance)) for name, chance in bets.items()], 0.5, "How often it bets first")

# %% [markdown]
# In the arena `net:PATH` is a bot like any other. Every deal is played from both seats with the same cards.

# %%
results = {}
for other in ("random", "greedy", "regular", "master"):
    match = arena.Match("leduc", ["net:leduc.npz", other], playouts=100, seed="notebook")
    row = next(one for one in arena.standings(arena.run(match, deals=300), rated=False) if one.name.startswith("net:"))
    results[other] = row
    print(f"against {other:8} {row.score:+.2f} chips a game, {100 * row.share:.1f} % ± {100 * row.interval:.1f} of the win")

# %%
rows = [(name, (row.share, row.share - row.interval, row.share + row.interval)) for name, row in results.items()]
plots.ladder(rows, 0.5, "Share of the win against each, with its 95 % interval")

# %% [markdown]
# Poker is about chips, not about hands won: whoever folds well wins fewer hands and more chips. How far is it from
# equilibrium? OpenSpiel finds the best response to it.

# %%
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

import tsukimi.envs.openspiel


class Learned(policy.Policy):
    def action_probabilities(self, state, player_id=None):
        ours, seat = state.game_state, state.current_player()
        found = chances(ours, seat)
        return {move: found[ours.text(move, seat)] for move in state.legal_actions()}


leduc = pyspiel.load_game("tsukimi_leduc(reward=score)")
for name, one in (
    ("a random player", policy.UniformRandomPolicy(leduc)),
    ("the network", Learned(leduc, list(range(2)))),
):
    print(f"against {name} a best response wins {exploitability.nash_conv(leduc, one) / 2:.2f} chips a game")
