"""What masters choose first, and how often they then win: short pages generated from games between masters.

`study` plays the games and counts, `page` writes the counts as Markdown in a language. Only the names of situations
and choices (`messages/`) are written by hand.
"""

from tsukimi.lab.openings.pages import page
from tsukimi.lab.openings.study import Study, study
from tsukimi.lab.openings.topics import TOPICS

__all__ = ["TOPICS", "Study", "page", "study"]
