# %% [markdown]
# # Your own bot in the arena
#
# Anything with `choose(state, seat)` can play. A bot must use only what its seat may know: `state.view(seat)`,
# `state.legal(seat)`, `state.stakes(seat)`, or positions drawn by `state.resample(seat, seed)`.

# %%
from tsukimi import bots
from tsukimi.lab import arena, plots


# %% [markdown]
# This one tries each move in a few positions that its seat cannot tell from the real one, and plays the move with the best
# average score right after it. It does not look at what the others do next.


# %%
class Sampler:
    """The move with the best score right after it, averaged over positions consistent with what the seat knows."""

    def __init__(self, state, seed, budget):
        self.seed = seed

    def choose(self, state, seat):
        guesses = [state.resample(seat, f"{self.seed} {number}") for number in range(3)]
        return max(state.actions(seat), key=lambda move: sum(self.after(guess, move, seat) for guess in guesses))

    def after(self, guess, move, seat):
        return guess.copy().apply(move, seat).scores()[seat]


# %% [markdown]
# Every deal is played once for each rotation of the seats, with the same chance, so nobody profits from a good seat.

# %%
match = arena.Match("dojo", [Sampler, "greedy", "random"], playouts=50, seed="notebook")
standings = arena.standings(arena.run(match, deals=20))
for row in standings:
    print(f"{row.name:8} {100 * row.share:5.1f} % ± {100 * row.interval:.1f} of the win, {row.score:.1f} points")

# %%
rows = [
    (row.name[:3], [(row.share, max(0.0, row.share - row.interval), row.share + row.interval)]) for row in standings
]
plots.intervals(rows, 1 / 3, "Share of the win, with its 95 % interval")

# %% [markdown]
# Once registered under a name, it can be used like any built-in level in this process. A package registers it as an entry
# point instead; a bot in any other language can play through `cmd:PROGRAM`.

# %%
bots.register("sampler", Sampler)
arena.Match("dojo", ["sampler", "master", "greedy"]).names
