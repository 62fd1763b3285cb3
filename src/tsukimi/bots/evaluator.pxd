cimport cython
from libc.math cimport exp
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng

cdef void softmax(float *values, int place, int count, double scale) noexcept nogil

cdef class Evaluator:
    cdef public int horizon
    cdef public double temperature
    cdef readonly bint random_rollouts
    cdef public bint open_game
    cdef void evaluate(self, Game game, float *shares) noexcept nogil
    cdef bint stop_rollout(self, Game game) noexcept nogil
    cdef int list_candidates(self, Game game, int seat, int *moves) noexcept nogil
    cdef void list_priors(self, Game game, int seat, int *moves, int count, float *priors, int place) noexcept nogil
    cdef double prior(self, Game game, int seat, int move) noexcept nogil
    cdef int rollout_move(self, Game game, int seat, Rng rng) noexcept nogil
    cdef void leaf_value(self, Game game, float *shares) noexcept nogil

@cython.final
cdef class ScoreEvaluator(Evaluator):
    cdef public double widest_lead
