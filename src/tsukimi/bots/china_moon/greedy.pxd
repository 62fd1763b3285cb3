cimport cython
from tsukimi.bots.evaluator cimport Evaluator, softmax
from tsukimi.core.game cimport Game
from tsukimi.games.china_moon.rules cimport BLACK, BLUE, COLOURS, GOAL, START, ChinaMoon, lowest

cdef const double SCALE
cdef const double NEXT
cdef const double STEP

@cython.final
cdef class Beginner(Evaluator):
    cdef short to_goal[65]
    cdef void estimate(self, ChinaMoon game, float *shares) noexcept nogil
    cdef double seat_value(self, ChinaMoon game, int seat) noexcept nogil
    cdef int best_gain(self, ChinaMoon game, int frog) noexcept nogil
