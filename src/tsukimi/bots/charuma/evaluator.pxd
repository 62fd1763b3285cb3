cimport cython
from libc.math cimport sqrt
from tsukimi.bots.charuma.plays cimport Cards, beats
from tsukimi.bots.charuma.solver cimport Solver
from tsukimi.bots.evaluator cimport Evaluator, softmax
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng
from tsukimi.games.charuma.deck cimport (
    AMOUNTS, BLUE_PAIR, HIDDEN, NONE, RED, ROW, TEN, TWO, TWO_COLOURED, VALUES, Deck, after, ones,
)
from tsukimi.games.charuma.position cimport AUCTION, OVER, TRICKS
from tsukimi.games.charuma.rules cimport Charuma

cdef const unsigned long long OF_VALUE

cdef Cards reach(Cards hand, Cards twins, int led) noexcept nogil
cdef Cards threats(int best, bint ace) noexcept nogil

@cython.final
cdef class CharumaEvaluator(Evaluator):
    cdef readonly Solver solver
    cdef Deck deck
    cdef int players
    cdef public int round
    cdef public int depth
    cdef public double noise
    cdef public double keep
    cdef public double broken
    cdef public double falls
    cdef public double holds
    cdef public bint open_hands
    cdef public double pace
    cdef public double swing
    cdef public double calm
    cdef public double lead
    cdef double strength[10]
    cdef double single[10]
    cdef double pair[10]

    cdef int cards_left(self, Charuma game) noexcept nogil
    cdef bint at_cutoff(self, Charuma game) noexcept nogil
    cdef void estimate(self, Charuma game, float *shares) noexcept nogil
    cdef void shares_from_totals(self, Charuma game, double *totals, float *shares) noexcept nogil
    cdef int next_holder(self, Charuma game, double *totals) noexcept nogil
    cdef bint decided(self, Charuma game, double *totals, float *shares) noexcept nogil
    cdef double rate(self, Charuma game, int seat, int move, bint open_hands) noexcept nogil
    cdef double rate_bid(self, Charuma game, int seat, int move) noexcept nogil
    cdef double rate_play(self, Charuma game, int seat, int move, bint open_hands) noexcept nogil
    cdef double hold_chance(
        self, Charuma game, int seat, int leader, int suit, int best, bint ace, bint open_hands
    ) noexcept nogil
    cdef double play_cost(self, Cards hand, Cards twins, int move) noexcept nogil
    cdef double hand_value(self, Cards hand, Cards twins, Cards more, Cards more_twins) noexcept nogil
    cdef int quick_move(self, Charuma game, int seat, Rng rng) noexcept nogil
    cdef int quick_bid(self, Charuma game, int seat, Rng rng) noexcept nogil
