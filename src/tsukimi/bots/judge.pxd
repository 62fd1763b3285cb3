from libc.math cimport exp
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng

cdef const int SEATS

cdef class Judge:
    cdef public int horizon
    cdef public double spread
    cdef readonly bint blind
    cdef void weigh(self, Game game, float *shares) noexcept nogil
    cdef bint done(self, Game game) noexcept nogil
    cdef double prior(self, Game game, int seat, int move) noexcept nogil
    cdef int advise(self, Game game, int seat, Rng rng) noexcept nogil
    cdef void settle(self, Game game, float *shares) noexcept nogil
