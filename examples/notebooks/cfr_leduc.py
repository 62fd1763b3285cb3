# %% [markdown]
# # CFR on Leduc poker
#
# Leduc poker has six cards, two rounds of betting and a known value: at equilibrium the first player loses 0.0856
# chips per game. It is an example of a third-party game (`pip install ./examples/leduc`).

# %%
import sys

sys.path.append("..")
import cfr  # examples/cfr.py: CFR+ in a hundred lines over the public API

import tsukimi

# %% [markdown]
# All it needs is `legal`, `play`, `outcomes` with their probabilities, and `infoset`: the key of everything a seat
# has seen. States with the same key are the same decision for that seat.

# %%
state = tsukimi.new("leduc", players=2, chance="manual", first="p1")
while state.chance:
    print(state.outcomes())
    state.play(state.outcomes()[0][0])
print(state.legal(), state.infoset(0).hex()[:16])

# %% [markdown]
# With more iterations the value approaches the known one.

# %%
values = {iterations: cfr.solve("leduc", iterations) for iterations in (10, 30, 100)}
print({iterations: round(value + 0.0856, 3) for iterations, value in values.items()}, "away from it")

# %% [markdown]
# OpenSpiel's algorithms run on the same game, registered as `tsukimi_leduc`. They are slower on games written in Python,
# such as this one, but there are many of them, and they can measure how exploitable a policy is.

# %%
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr as open_spiel_cfr
from open_spiel.python.algorithms import exploitability

import tsukimi.envs.openspiel

leduc = pyspiel.load_game("tsukimi_leduc(reward=score)")
solver = open_spiel_cfr.CFRPlusSolver(leduc)
for _ in range(4):
    solver.evaluate_and_update_policy()
for name, found in (("uniform", policy.UniformRandomPolicy(leduc)), ("four iterations", solver.average_policy())):
    print(f"{name}: a best response wins {exploitability.nash_conv(leduc, found) / 2:.2f} chips per game")
