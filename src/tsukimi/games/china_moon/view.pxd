from tsukimi.games.china_moon.rules cimport (
    BLACK, COLOURS, DROP, DROPS, FROG, GOAL, LEG, NONE, ONE, PINK, START, TRADE, TRADES, ChinaMoon
)
