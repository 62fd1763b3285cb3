cimport cython
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng
from tsukimi.games.china_moon.pond cimport Pond

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static int tsukimi_lowest(unsigned long long bits) { unsigned long i; _BitScanForward64(&i, bits); return (int) i; }
    #else
    #define tsukimi_lowest(bits) __builtin_ctzll(bits)
    #endif
    """
    int lowest "tsukimi_lowest"(unsigned long long bits) noexcept nogil

cdef const int MAX_PADS
cdef const int GOAL
cdef const int START
cdef const int PLACES
cdef const unsigned long long ONE
cdef const unsigned long long GOAL_BIT
cdef const int BLANK
cdef const int LILY
cdef const int PRANKSTER
cdef const int SPRING
cdef const int BUTTERFLY
cdef const int NONE
cdef const int PINK
cdef const int WHITE
cdef const int YELLOW
cdef const int BLUE
cdef const int BLACK
cdef const int COLOURS
cdef const int LILY_PADS
cdef const int SETUP
cdef const int FROG
cdef const int LEG
cdef const int TRADE
cdef const int DROP
cdef const int MOVES
cdef const int TRADES
cdef const int DROPS
cdef const int DROPS_AT
cdef const int MOVE_IDS

@cython.final
cdef class ChinaMoon(Game):
    cdef readonly Pond pond
    cdef readonly unsigned long long occupied
    cdef readonly unsigned long long lilies
    cdef readonly int moved
    cdef readonly int home
    cdef readonly short at[15]
    cdef readonly short lily[64]
    cdef readonly short held[30]
    cdef readonly short colours[5]
    cdef readonly short stock[4]
    cdef readonly short prize[5]
    cdef readonly short arrival[5]
    cdef readonly short arrived
    cdef readonly short opening
    cdef readonly short dealt
    cdef readonly short turn
    cdef readonly short left
    cdef readonly short asked
    cdef readonly short frog

    cdef int decider(self) noexcept nogil
    cdef unsigned long long free_ahead(self, int place) noexcept nogil
    cdef unsigned long long landings(self, int place) noexcept nogil
    cdef int movable(self) noexcept nogil
    cdef unsigned long long nearest_behind(self, int pad) noexcept nogil
    cdef bint can_trade(self, int owner) noexcept nogil
    cdef void gain(self, int seat, int colour) noexcept nogil
    cdef void lose(self, int seat, int colour) noexcept nogil
    cdef void move_frog(self, int frog, int landing) noexcept nogil
    cdef void arrive(self, int frog) noexcept nogil
    cdef void trade(self, int owner, int give, int other, int take) noexcept nogil
    cdef void drop(self, int owner, int colour, int pad) noexcept nogil
    cdef void frog_done(self) noexcept nogil
    cdef int list_landings(self, int frog, unsigned long long landings, int *moves, int count) noexcept nogil
    cdef int list_frogs(self, int *moves) noexcept nogil
    cdef int list_trades(self, int *moves) noexcept nogil
    cdef int list_drops(self, int *moves) noexcept nogil
    cdef int landing_bits(self) noexcept nogil
    cdef int random_frog(self, int width, Rng rng) noexcept nogil
