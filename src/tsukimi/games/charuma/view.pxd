from tsukimi.games.charuma.deck cimport AMOUNTS, CARD, FACE_UP, HIDDEN, NONE, RED, VALUES, lowest, ones
from tsukimi.games.charuma.position cimport AUCTION, DEAL, FIRST, OVER, TRICKS
from tsukimi.games.charuma.rules cimport Charuma

cdef dict _hand(Charuma game, int owner, bint mine)
cdef dict _end(Charuma game)
cdef list _names(unsigned long long cards, unsigned long long twins)
cdef dict _group(Charuma game, int group)
cdef dict _duty(Charuma game)
cdef str _ask(Charuma game, dict duty)
cdef list _plays(Charuma game)
cdef dict _trick(Charuma game)
cdef dict _last_trick(Charuma game)
cdef str _reason(Charuma game)
cdef dict _deal(Charuma before, int kind, int observer)
cdef dict _given(Charuma before, int group, Charuma after)
cdef dict _bid(Charuma before, int seat, int move, Charuma after)
cdef dict _play(Charuma before, int seat, int move, Charuma after)
cdef dict _round_end(Charuma before, Charuma after)
