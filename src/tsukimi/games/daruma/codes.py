"""Daruma's numbers: actions, tokens, stages and moves. `position.pxd` repeats them for the compiled modules."""

from __future__ import annotations

MAX_KINDS = 64
MAX_CARDS = 120
MAX_COLOURS = 12
MAX_OBJECTIVES = 32
MAX_TOKENS = 100
PLACES = 5
EMPTY = -1
ALL_PLACES = 31

REROLL_ALL, REROLL_MULTIPLES, REROLL_SINGLES, SHIFT_MULTIPLES, SHIFT_SINGLES, SWAP, FICTIVE_FOUR = range(7)
ACTIONS = (
    "reroll-all",
    "reroll-multiples",
    "reroll-singles",
    "shift-multiples",
    "shift-singles",
    "swap",
    "fictive-four",
)

BLANK_TOKEN, DARUMA_TOKEN, FOUR_TOKEN = range(3)
TOKENS = ("blank", "daruma", "four")

# Stages: up to REWARD chance is asked, from START to ASK_SWAP the player whose turn it is.
FIRST, TRACK, OBJECTIVE, SETUP, SWEPT, ROLL, FORTUNE, REFILL, REWARD = range(9)
START, USE, ASK_SAKE, ASK_REROLL, ASK_SHIFT, ASK_SINGLES, ASK_SWAP, OVER = range(9, 17)
PHASES = (
    *("first", "track", "objective", "setup", "swept", "roll", "fortune", "refill", "reward"),
    *("start", "use", "sake", "reroll-multiples", "shift-multiples", "shift-singles", "swap", "over"),
)

# What the last move or outcome brought about, for events.
GOOD_FORTUNE, BAD_LUCK, COUNTER_MOVED, TURN_PASSED = 1, 2, 4, 8

MOVE_SWEEP, MOVE_ROLL, MOVE_STOP = range(3)
MOVE_PAINT = 3  # + place, 0..4
MOVE_SAKE = 8  # + face - 1
MOVE_REROLL = 14  # + rank of the chosen dice among the 792 choices of up to seven dice without a four
MOVE_SHIFT = 806  # + 64 x (face - 1) + 8 x how many go up + how many go down
MOVE_SINGLES = 1190  # + for each of the faces 1, 2, 3, 5, 6 a base-3 digit: 0 no such die, 1 up, 2 down
MOVE_GIVE = 1433  # + players x kind + receiver
# The exchanges come after the gifts: (pair of seats x (kinds + 1) + a) x (kinds + 1) + b, where a and b are
# 1 + the kind that the lower and the higher seat hand over, 0 for a seat that has none.
