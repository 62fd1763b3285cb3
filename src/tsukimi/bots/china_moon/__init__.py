"""How China Moon is thought about."""

from tsukimi.bots.china_moon.mind import ChinaMoonMind

MIND = ChinaMoonMind
