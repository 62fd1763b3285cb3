"""What happened in a finished game, and what it was worth. See docs/review.md."""

from tsukimi.analysis.review import (
    Decision,
    Judged,
    Player,
    Review,
    TurningPoint,
    assemble,
    at,
    data,
    decisions,
    judge,
    review,
    worded,
)

__all__ = [
    "Decision",
    "Judged",
    "Player",
    "Review",
    "TurningPoint",
    "assemble",
    "at",
    "data",
    "decisions",
    "judge",
    "review",
    "worded",
]
