cimport cython
from tsukimi.core.game cimport Game
from tsukimi.games.dojo.dojos cimport WIDTH
from tsukimi.games.dojo.rules cimport BELTS, PLACE_AT, PLACES, ROUNDS, Dojo

cdef const int JOKER
cdef const double HOPE
cdef const double ONE_BELT

@cython.final
cdef class Beginner:
    cdef Dojo scratch
    cdef double dojo_value(self, Dojo game, int seat) noexcept nogil
    cdef double promise(self, Dojo game, int seat) noexcept nogil
    cdef double best_gain(self, Dojo game, int seat, int kind) noexcept nogil
