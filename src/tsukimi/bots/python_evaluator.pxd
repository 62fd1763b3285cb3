from tsukimi.bots.evaluator cimport Evaluator
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng

cdef class PythonEvaluator(Evaluator):
    cdef object failure

    cdef void write_shares(self, Game game, float *shares) noexcept
    cdef void fail(self, object problem) noexcept
