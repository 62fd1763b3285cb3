cimport cython
from libc.math cimport exp
from tsukimi.bots.dojo.patterns cimport Patterns
from tsukimi.bots.evaluator cimport Evaluator, softmax
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng
from tsukimi.games.dojo.rules cimport (
    BELTS, BLACK, CHALLENGE, DO_CHALLENGE, DO_KEEP, DO_PASS, DO_SWAP, GIVE, KINDS, PLACE, PLACE_AT, ROUNDS, SWAP, TROPHY,
    TROPHY_AT, WHITE, WHITE_TROPHY, Dojo,
)

cdef const double GUARD
cdef const double SPITE
cdef const double CHALLENGE_TEMPERATURE
cdef const double TIEBREAK
cdef const double MIN_SCALE
cdef const double ROUND_SCALE
cdef const double OWN_SCALE
cdef double WIN_CHANCES[5]

@cython.final
cdef class DojoEvaluator(Evaluator):
    cdef readonly Patterns patterns
    cdef public double guard
    cdef public double spite
    cdef public double challenge_temperature
    cdef public double round_scale
    cdef public double own_scale
    cdef double expected_score(self, Dojo game, int seat) noexcept nogil
    cdef double score_with_card(self, Dojo game, int seat) noexcept nogil
    cdef double trophy_value(self, Dojo game, int seat) noexcept nogil
    cdef void estimate(self, Dojo game, float *shares) noexcept nogil
    cdef double share_with(self, Dojo game, int seat, double points, double *others) noexcept nogil
    cdef int quick_move(self, Dojo game, int seat, Rng rng) noexcept nogil
    cdef int quick_gift(self, Dojo game, int seat, Rng rng) noexcept nogil
    cdef double challenge_gain(self, Dojo game, int seat, Rng rng) noexcept nogil
    cdef double swap_gain(self, Dojo game, int seat) noexcept nogil
    cdef double place_prior(self, Dojo game, int seat, int move) noexcept nogil
