"""How Dojo is thought about."""

from tsukimi.bots.dojo.mind import DojoMind

MIND = DojoMind
