"""How Charuma is thought about: see docs/bots/charuma.md."""

from tsukimi.bots.charuma.mind import CharumaMind

MIND = CharumaMind
