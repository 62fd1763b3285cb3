cimport cython
from tsukimi.core.rng cimport Rng
from tsukimi.games.charuma.deck cimport (
    AMOUNTS, BLUE_PAIR, BLUES, CARD, FACE_UP, HIDDEN, MIXED_MATCHES, NONE, RED, RED_PAIR, ROW, TEN, TWO,
    TWO_COLOURED, UP_MATCHES, VALUES, Deck, after, bit, lowest, nth, ones,
)
from tsukimi.games.charuma.position cimport AUCTION, OVER, Position

cdef unsigned long long matches(unsigned long long hand) noexcept nogil

@cython.final
cdef class Charuma(Position):
    cdef unsigned long long obliging(self, int seat) noexcept nogil
    cdef unsigned long long single_cards(self, int seat) noexcept nogil
    cdef unsigned long long twin_pairs(self, int seat) noexcept nogil
    cdef unsigned long long match_pairs(self, int seat) noexcept nogil
    cdef bint any_two(self, int seat) noexcept nogil
    cdef int pair_move(self, unsigned long long twins, unsigned long long matched, int place) noexcept nogil
    cdef int random_two(self, int seat, Rng rng) noexcept nogil
    cdef void discard(self, int seat, int card) noexcept nogil
    cdef void play_cards(self, int seat, int move) noexcept nogil
    cdef int best_so_far(self) noexcept nogil
    cdef void finish_trick(self) noexcept nogil
    cdef void finish_round(self) noexcept nogil
    cdef int next_holder(self) noexcept nogil
