cimport cython
from tsukimi.core.game cimport Game
from tsukimi.games.china_moon.rules cimport COLOURS, GOAL, TRADES, ChinaMoon

cdef const int SEATS
cdef const int SLOTS
cdef const int SOLVED
cdef const int WIDTH
cdef const unsigned long long FACTOR

cdef unsigned long long mix(unsigned long long value, unsigned long long number) noexcept nogil

@cython.final
cdef class Solver:
    cdef readonly long long nodes
    cdef long long limit
    cdef object buffers
    cdef unsigned long long[::1] keys
    cdef int[::1] depths
    cdef float[::1] values

    cdef bint solve(self, ChinaMoon game, int depth, float *shares) noexcept nogil
    cdef bint try_moves(self, ChinaMoon game, int depth, float *shares) noexcept nogil
    cdef unsigned long long key(self, ChinaMoon game) noexcept nogil
    cdef int ordered_moves(self, ChinaMoon game, int seat, int *moves) noexcept nogil
    cdef void final_shares(self, ChinaMoon game, float *shares) noexcept nogil
