from tsukimi.bots.judge cimport Judge
from tsukimi.core.game cimport Game
from tsukimi.games.china_moon.rules cimport (
    BLACK, BLUE, BUTTERFLY, COLOURS, GOAL, PRANKSTER, SPRING, START, TRADE, ChinaMoon, lowest,
)

cdef const int SIGNS
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

cdef class Signs(Judge):
    cdef short steps[4160]
    cdef double reach[256]
    cdef void read_signs(self, ChinaMoon game, double *signs, double *phase) noexcept nogil
    cdef void read_seat(self, ChinaMoon game, int seat, double *signs) noexcept nogil
    cdef void read_lilies(self, ChinaMoon game, double *signs) noexcept nogil
    cdef void read_race(self, ChinaMoon game, double *signs, double *phase) noexcept nogil
    cdef void read_asked(self, ChinaMoon game, double *signs) noexcept nogil
    cdef double landing_gain(self, ChinaMoon game, int seat, int place, double swap, bint further) noexcept nogil
    cdef int worth(self, ChinaMoon game, int seat, int colour) noexcept nogil
    cdef double least_loss(self, ChinaMoon game, int seat) noexcept nogil
    cdef double best_trade(self, ChinaMoon game, int seat) noexcept nogil
    cdef int kept(self, ChinaMoon game, int seat, int colour) noexcept nogil
