"""What masters choose first, and how often they win after it: short pages made from games of masters among themselves.

`study` plays the games and counts, `page` writes what was counted as Markdown in a language. Nothing on a page is
typed by hand but the names of situations and choices (`messages/`).
"""

from tsukimi.lab.openings.pages import page
from tsukimi.lab.openings.study import Study, study
from tsukimi.lab.openings.topics import TOPICS

__all__ = ["TOPICS", "Study", "page", "study"]
