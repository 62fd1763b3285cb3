cimport cython
from tsukimi.bots.charuma.plays cimport Cards, Plays, beats, without
from tsukimi.games.charuma.deck cimport NONE, RED, TEN, TWO, bit, ones
from tsukimi.games.charuma.position cimport TRICKS
from tsukimi.games.charuma.rules cimport Charuma

cdef const unsigned long long ACES
cdef const unsigned long long FACTOR
cdef const int BIAS
cdef const int UNBOUNDED
cdef const int TOTALS
cdef const unsigned long long LAST_ROUND
cdef const double EQUAL

cdef Cards mix(Cards value, Cards number) noexcept nogil

@cython.final
cdef class Solver(Plays):
    cdef int players
    cdef Cards slots
    cdef object buffers
    cdef Cards[::1] checks
    cdef Cards[::1] entries
    cdef readonly long long nodes
    cdef int goal
    cdef public bint plays_to_win
    cdef float odds[4096]

    cdef Cards probe(self, Cards key) noexcept nogil
    cdef void store(self, Cards key, Cards value) noexcept nogil
    cdef int alpha_beta(self, Cards hand, Cards twins, Cards other, Cards other_twins, int alpha, int beta) noexcept nogil
    cdef int answer(
        self, Cards hand, Cards twins, int lead, Cards other, Cards other_twins, int alpha, int beta
    ) noexcept nogil
    cdef int trick(
        self, Cards hand, Cards twins, int lead, Cards other, Cards other_twins, int reply, int alpha, int beta
    ) noexcept nogil
    cdef int mtdf(self, Cards hand, Cards twins, Cards other, Cards other_twins, int guess) noexcept nogil
    cdef Cards max_n(self, Cards *cards, int turn, Cards totals) noexcept nogil
    cdef Cards decide(
        self, Cards *cards, int turn, int leader, int led, int best, int best_seat, int ace_seat, int aces, Cards totals
    ) noexcept nogil
    cdef int points_left(self, Charuma game) noexcept nogil
    cdef bint preferred(self, Cards value, Cards found, int turn, Cards hand) noexcept nogil
    cdef double share_of(self, Cards totals, int seat) noexcept nogil
    cdef Cards end_trick(self, Cards *cards, int suit, int winner, int aces, Cards totals) noexcept nogil
    cdef Cards points_to_come(self, Charuma game) noexcept nogil
    cdef int difference(self, Charuma game) noexcept nogil
