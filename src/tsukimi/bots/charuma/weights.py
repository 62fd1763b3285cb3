"""Parameters fitted to games of Charuma, by number of players; see docs/bots/charuma.md."""

from __future__ import annotations

# What a card of each value (A, 2 .. 10) adds to a hand, and what a pair adds to its two cards, in points of a round.
SINGLE = {
    2: (-0.46, 0.0, 0.0, 0.0, 0.0, -0.26, -0.17, 0.04, 0.41, 0.45),
    3: (-0.14, -0.14, -0.14, 0.0, 0.0, -0.16, -0.10, 0.03, 0.41, 0.24),
    4: (0.06, -0.18, -0.23, -0.19, -0.17, -0.11, -0.11, 0.07, 0.56, 0.29),
    5: (0.29, -0.19, -0.22, -0.19, -0.21, -0.15, -0.13, 0.04, 0.54, 0.23),
}
PAIR = {
    2: (1.15, 0.0, 0.0, 0.0, 0.0, 0.60, 0.69, 0.65, 0.49, 0.54),
    3: (0.99, 0.47, 0.52, 0.0, 0.0, 0.72, 0.83, 0.95, 0.85, 0.98),
    4: (0.65, 0.33, 0.46, 0.43, 0.55, 0.57, 0.78, 0.79, 0.50, 0.74),
    5: (0.29, 0.21, 0.35, 0.37, 0.45, 0.53, 0.64, 0.70, 0.42, 0.67),
}

# The value of a card that is kept: its chance of winning a later trick.
STRENGTH = (0.5, -0.5, -0.4, -0.3, -0.2, -0.1, 0.1, 0.3, 0.6, 1.0)

# From a lead in points to a share of the win: a round brings the leader `PACE` points closer to the goal; with r rounds
# to go the temperature is SWING[0] * sqrt(r + SWING[1]); TOKEN is the value of the first lead.
PACE = {2: 12.2, 3: 7.9, 4: 8.2, 5: 7.0}
SWING = {2: (8.8, 0.33), 3: (5.1, 0.61), 4: (4.1, 0.80), 5: (3.8, 0.91)}
TOKEN = {2: 2.1, 3: 0.36, 4: 0.16, 5: 0.19}
