cimport cython
from libc.math cimport exp
from tsukimi.bots.dojo.patterns cimport Patterns
from tsukimi.bots.judge cimport Judge
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng
from tsukimi.games.dojo.rules cimport (
    BELTS, BLACK, CHALLENGE, DO_CHALLENGE, DO_KEEP, DO_PASS, DO_SWAP, GIVE, KINDS, PLACE, PLACE_AT, ROUNDS, SWAP, TROPHY,
    TROPHY_AT, WHITE, WHITE_TROPHY, Dojo,
)

cdef const double GUARD
cdef const double SPITE
cdef const double NERVE
cdef const double TIEBREAK
cdef const double LEAST_DOUBT
cdef const double BLUR
cdef const double OWN_BLUR
cdef double CHANCES[5]

@cython.final
cdef class DojoJudge(Judge):
    cdef readonly Patterns patterns
    cdef public double guard
    cdef public double spite
    cdef public double daring
    cdef public double blur
    cdef public double own_blur
    cdef double outlook(self, Dojo game, int seat) noexcept nogil
    cdef double with_card(self, Dojo game, int seat) noexcept nogil
    cdef double trophy_worth(self, Dojo game, int seat) noexcept nogil
    cdef void weigh_here(self, Dojo game, float *shares) noexcept nogil
    cdef double share_with(self, Dojo game, int seat, double points, double *others) noexcept nogil
    cdef int advise_here(self, Dojo game, int seat, Rng rng) noexcept nogil
    cdef int gift(self, Dojo game, int seat, Rng rng) noexcept nogil
    cdef double nerve(self, Dojo game, int seat, Rng rng) noexcept nogil
    cdef double swap_gain(self, Dojo game, int seat) noexcept nogil
    cdef double prior_here(self, Dojo game, int seat, int move) noexcept nogil
