# %% [markdown]
# # A learned policy
#
# `tsukimi.lab.ppo` trains a network by self-play. Leduc poker takes a few minutes on a CPU:
#
# ```
# python -m tsukimi.lab.ppo leduc --reward score --steps 1_000_000 --hidden 32 --entropy 0.2 --out runs/leduc
# ```
#
# Its output, `policy.npz`, is next to this notebook as `leduc.npz`. PyTorch is needed to train, not to play: the
# network is three arrays of weights and three of biases.

# %%
from collections import Counter
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
# Its input is what the seat to move knows, one-hot encoded; its output is a logit for each move. A softmax over the legal
# moves gives their probabilities.

# %%
start = tsukimi.new("leduc", players=2, chance="manual", first="p1")
encoding = Encoding(start.spec, start.core, "onehot")


def probabilities(state, seat):
    """The network's probability for each legal move."""
    seen = np.array(state.core.observation(seat), np.int16)
    weights = np.exp(network.logits(encoding.encode(seen))[state.actions(seat)])
    return dict(zip(state.legal(seat), weights / weights.sum(), strict=True))


def dealt(card, *moves):
    """A game in which the first player has this card and these moves were made."""
    state = tsukimi.new("leduc", players=2, chance="manual", first="p1")
    for text in (f"deal p1 {card}", "deal p2 Q", *moves):
        state.play(text)
    return state


for card in "JQK":
    answers = probabilities(dealt(card, "check", "bet"), 0)
    print(f"{card} after check, bet: " + ", ".join(f"{move} {100 * share:.0f} %" for move, share in answers.items()))

# %% [markdown]
# How often it opens with a bet: with a king for value, with a jack as a bluff. At equilibrium many mixtures are
# equally good, so another run may bet differently.

# %%
bets = {name: probabilities(dealt(name[0]), 0)["bet"] for name in ("Jack", "Queen", "King")}
plots.ladder([(name, (share, share, share)) for name, share in bets.items()], 0.5, "How often it opens with a bet")

# %% [markdown]
# In the arena `net:PATH` is a bot like any other. Every deal is played from both seats with the same cards, which
# reduces the effect of luck; what remains is in the interval.

# %%
chips = {}
for other in ("random", "greedy", "master"):
    match = arena.Match("leduc", ["net:leduc.npz", other], playouts=30, seed="notebook")
    games = arena.run(match, deals=120)
    chips[other] = [game.scores[game.seats.index("net:leduc.npz")] for game in games]
    deals = np.reshape(chips[other], (-1, 2)).mean(axis=1)
    interval = 1.96 * deals.std() / np.sqrt(len(deals))
    print(f"against {other:6} {deals.mean():+.2f} ± {interval:.2f} chips per game")

# %% [markdown]
# Chips won in a game: against `random` as columns, against `master` as a line. Our bots look for the move that wins
# the hand most often and largely ignore the size of the pot, which is why they do not do better at poker.

# %%
plots.histogram([Counter(chips["random"]), Counter(chips["master"])], "chips", "Chips won in a game")

# %% [markdown]
# How far is it from an equilibrium? OpenSpiel computes the best response to it. A best response wins 2.37 chips per game
# against a uniformly random player, and 0 against an equilibrium. Self-play with PPO alone does not converge to an
# equilibrium: for that, see [CFR on Leduc](cfr_leduc.py).

# %%
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

import tsukimi.envs.openspiel


class Learned(policy.Policy):
    def action_probabilities(self, state, player_id=None):
        ours, seat = state.game_state, state.current_player()
        found = probabilities(ours, seat)
        return {move: found[ours.text(move, seat)] for move in state.legal_actions()}


leduc = pyspiel.load_game("tsukimi_leduc(reward=score)")
won = exploitability.nash_conv(leduc, Learned(leduc, [0, 1])) / 2
print(f"a best response to the network wins {won:.2f} chips per game")
