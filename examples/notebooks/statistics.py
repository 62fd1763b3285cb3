# %% [markdown]
# # Statistics of ten thousand games
#
# What `tsukimi simulate` does, from Python: play many games and answer a designer's questions. This notebook needs
# `pip install "tsukimi[lab]"`.

# %%
from tsukimi.lab import plots
from tsukimi.lab.simulation import Simulation, simulate
from tsukimi.lab.summary import summary

# %% [markdown]
# Ten thousand random games of Dojo take about a second. The same seed gives the same games, whatever the number of
# processes.

# %%
at_random = Simulation("dojo", players=3, games=10_000, seed="notebook", watched=300)
figures = summary(at_random, simulate(at_random).tally)
for seat, row in enumerate(figures["seats"], 1):
    low, high = row["win_share_95"]
    print(
        f"seat {seat}: {100 * row['win_share']:.1f} % of the wins ({100 * low:.1f} to {100 * high:.1f}), {row['mean_score']:.1f} points"
    )

# %% [markdown]
# Nobody plays at random, though. `greedy` looks one move ahead; 150 games of it already look quite different.

# %%
greedy = Simulation("dojo", players=3, games=150, seed="notebook", bots=("greedy",))
better = summary(greedy, simulate(greedy).tally)
print(f"mean score at random {figures['seats'][0]['mean_score']:.1f}, of greedy {better['seats'][0]['mean_score']:.1f}")

# %%
scores = [{int(score): n for score, n in one["seats"][0]["scores"].items()} for one in (figures, better)]
plots.histogram(scores, "points", "Scores of the first seat: at random (filled) and greedy (line)")

# %% [markdown]
# Is any seat better off? The intervals say how much of a difference is chance: with this few games they are wide.

# %%
rows = [(f"p{n}", [(row["win_share"], *row["win_share_95"])]) for n, row in enumerate(better["seats"], 1)]
plots.intervals(rows, 1 / 3, "Share of the wins by seat, with its 95 % interval")

# %% [markdown]
# What correlates with winning: the share of the win of players who had it, compared with those who did not. Correlation is
# not causation (whoever is ahead has more of everything), but it shows where to look.

# %%
clear = [row for row in better["values"] if row["clear"]]
for row in (clear or better["values"])[:5]:
    print(f"{row['name']:32} {100 * row['gain']:+5.1f} ± {100 * row['gain_95']:.1f} points of the win")

# %% [markdown]
# Rows for pandas, Polars or DuckDB: `Simulation(.., rows="game")` fills `Outcome.rows`, and on the command line
# `tsukimi simulate dojo --games 10_000 --out games.parquet` writes them.
