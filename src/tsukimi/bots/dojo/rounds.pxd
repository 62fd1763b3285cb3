cimport cython
from libc.math cimport exp, sqrt
from tsukimi.bots.dojo.evaluator cimport DojoEvaluator
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng
from tsukimi.games.dojo.rules cimport (
    BELTS, GIVE, KINDS, OVER, PLACE, PLACE_AT, ROUNDS, TROPHY, TROPHY_AT, WHITE, WHITE_TROPHY, Dojo,
)

cdef const double DEALER_TEMPERATURE
cdef const double BELT_VALUE
cdef const double TROPHY_RATE
cdef const double PRIOR_SAMPLES
cdef double BEST_OF[5]

@cython.final
cdef class Rounds:
    cdef readonly DojoEvaluator evaluator
    cdef Dojo root
    cdef Dojo sampled
    cdef Dojo trial
    cdef Rng rng
    cdef Rng trial_rng
    cdef readonly int seat
    cdef public int extra_rounds
    cdef public double dealer_temperature
    cdef public double prior_samples
    cdef int count
    cdef int gifts
    cdef bint solo
    cdef bint last
    cdef int moves[64]
    cdef double sums[64]
    cdef double points[64]
    cdef double prior[64]
    cdef double weight
    cdef double slopes
    cdef double dealer_value[30]
    cdef double mean_value
    cdef double deviation
    cdef int order[5]

    cdef void sample(self) noexcept nogil
    cdef void rate_moves(self) noexcept nogil
    cdef double likelihood(self, Dojo sampled) noexcept nogil
    cdef double try_round(self, int move) noexcept nogil
    cdef double try_dojo(self, Dojo trial, int move) noexcept nogil
    cdef void put(self, Dojo trial, int move, double *gain) noexcept nogil
    cdef void fill_dojo(self, Dojo trial) noexcept nogil
