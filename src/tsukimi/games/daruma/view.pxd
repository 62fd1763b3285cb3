from tsukimi.games.daruma.position cimport *
from tsukimi.games.daruma.rules cimport Daruma

cdef _place(Daruma game, int place)
cdef dict _card(Daruma game, int kind)
cdef list _cards(Daruma game, int seat)
cdef dict _goal(DarumaTable cards, int number)
cdef _held(Daruma game, int seat)
cdef bint _home(Daruma game) noexcept

cdef dict _chance(Daruma old, int outcome, Daruma new, int observer)
cdef dict _draw(Daruma old, int kind)
cdef dict _move(Daruma old, int move, Daruma new)
cdef dict _paint(Daruma old, int place, Daruma new)
cdef dict _swap(Daruma old, int move)
cdef _add_consequences(dict seen, Daruma old, Daruma new)
cdef list _places(int mask)
