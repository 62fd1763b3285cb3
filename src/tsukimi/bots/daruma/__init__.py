"""How Daruma is thought about: docs/bots/daruma.md."""

from tsukimi.bots.daruma.mind import DarumaMind

MIND = DarumaMind
