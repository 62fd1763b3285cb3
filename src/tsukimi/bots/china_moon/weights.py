"""The weights of the evaluator's features, three per feature (`features.py`)."""

WEIGHTS = (
    0.4119, 0.0123, -0.1779,  # points
    -0.0555, 0.2135, -0.3883,  # grab
    0.1210, 0.0382, -0.1732,  # second
    0.3049, -0.1938, 0.1305,  # soon
    0.0227, 0.1645, -0.2033,  # near
    0.1061, -0.0123, 0.1688,  # later
    0.2905, 0.2150, -0.5687,  # leader
    0.2518, 0.2609, 1.1878,  # followers
    0.0922, 0.1166, -0.2525,  # prizes
    0.4813, -0.1334, -0.0968,  # tempo
    0.0082, -0.0177, -0.0526,  # harm
    0.2746, -0.4159, 0.6861,  # pending
    0.1622, 0.1270, -4.5932,  # finish
    0.0158, -0.0499, -0.0083,  # best
    0.0682, 0.1587, -0.3037,  # swap
    -0.0531, -0.1326, 0.1533,  # rich
)  # fmt: skip

NOVICE_SEES = (0, 2, 3, 6, 7, 12)  # points, second, soon, leader, followers, finish
NOVICE_WEIGHTS = tuple(weight if i // 3 in NOVICE_SEES else 0.0 for i, weight in enumerate(WEIGHTS))
