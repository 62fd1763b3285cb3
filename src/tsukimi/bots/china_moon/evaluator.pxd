cimport cython
from tsukimi.bots.china_moon.features cimport PHASES, FEATURES, Features
from tsukimi.bots.evaluator cimport softmax
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng
from tsukimi.games.china_moon.rules cimport DROPS, DROPS_AT, FROG, GOAL, START, TRADES, ChinaMoon, lowest

cdef const double WINS
cdef const double TIES

cdef class ChinaMoonEvaluator(Features):
    cdef public int policy_samples
    cdef public double prior_scale
    cdef public double own
    cdef public double hold
    cdef public double deny
    cdef public double spite
    cdef double weight[48]
    cdef bint like_one_before(self, ChinaMoon game, int frog) noexcept nogil
    cdef bint wins_now(self, ChinaMoon game) noexcept nogil
    cdef void linear_values(self, ChinaMoon game, double *features, double *phase, double *values) noexcept nogil
    cdef void estimate(self, ChinaMoon game, float *shares) noexcept nogil
    cdef double share_after(self, ChinaMoon game, int seat, int move) noexcept nogil
    cdef int quick_move(self, ChinaMoon game, int seat, Rng rng) noexcept nogil
    cdef double rate(self, ChinaMoon game, int seat, int move) noexcept nogil
    cdef double rate_end(self, ChinaMoon game, int seat, int owner) noexcept nogil
