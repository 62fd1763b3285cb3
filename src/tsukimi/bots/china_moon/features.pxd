from tsukimi.bots.evaluator cimport Evaluator
from tsukimi.core.game cimport Game
from tsukimi.games.china_moon.rules cimport (
    BLACK, BLUE, BUTTERFLY, COLOURS, GOAL, PRANKSTER, SPRING, START, TRADE, ChinaMoon, lowest,
)

cdef const int FEATURES
cdef const int PHASES
cdef const int FAR
cdef const int POINTS
cdef const int GRAB
cdef const int SECOND
cdef const int SOON
cdef const int NEAR
cdef const int LATER
cdef const int LEADER
cdef const int FOLLOWERS
cdef const int PRIZES
cdef const int TEMPO
cdef const int HARM
cdef const int PENDING
cdef const int FINISH
cdef const int BEST
cdef const int SWAP
cdef const int RICH

cdef class Features(Evaluator):
    cdef short steps[4160]
    cdef double reach[256]
    cdef void compute_features(self, ChinaMoon game, double *features, double *phase) noexcept nogil
    cdef void seat_features(self, ChinaMoon game, int seat, double *features) noexcept nogil
    cdef void lily_features(self, ChinaMoon game, double *features) noexcept nogil
    cdef void race_features(self, ChinaMoon game, double *features, double *phase) noexcept nogil
    cdef void pending_features(self, ChinaMoon game, double *features) noexcept nogil
    cdef double landing_gain(self, ChinaMoon game, int seat, int place, double swap, bint further) noexcept nogil
    cdef int lily_value(self, ChinaMoon game, int seat, int colour) noexcept nogil
    cdef double least_loss(self, ChinaMoon game, int seat) noexcept nogil
    cdef double best_trade(self, ChinaMoon game, int seat) noexcept nogil
    cdef int kept_value(self, ChinaMoon game, int seat, int colour) noexcept nogil
