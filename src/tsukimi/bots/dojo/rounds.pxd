cimport cython
from libc.math cimport exp, sqrt
from tsukimi.bots.dojo.judge cimport DojoJudge
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng
from tsukimi.games.dojo.rules cimport BELTS, GIVE, KINDS, OVER, PLACE, ROUNDS, TROPHY, WHITE, WHITE_TROPHY, Dojo

cdef const double SURE
cdef const double LUCK
cdef double BEST_OF[5]

@cython.final
cdef class Rounds:
    cdef readonly DojoJudge judge
    cdef Dojo root
    cdef Dojo world
    cdef Dojo trial
    cdef Rng rng
    cdef Rng luck
    cdef readonly int seat
    cdef public int further
    cdef public double sure
    cdef public double fortune
    cdef int count
    cdef int gifts
    cdef int moves[64]
    cdef double sums[64]
    cdef double points[64]
    cdef double weight
    cdef double wanted[30]
    cdef double usual
    cdef double varied
    cdef int order[5]

    cdef void sample(self) noexcept nogil
    cdef double likelihood(self, Dojo world) noexcept nogil
    cdef double try_round(self, int move) noexcept nogil
    cdef double try_dojo(self, Dojo trial, int move) noexcept nogil
    cdef void fill_dojo(self, Dojo trial) noexcept nogil
