cimport cython
from tsukimi.games.charuma.deck cimport (
    BLUE_PAIR, BLUES, CARD, FACE_UP, MIXED_MATCHES, RED, ROW, TEN, TWO, TWO_COLOURED, UP_MATCHES, VALUES, Deck, bit,
    lowest,
)
from tsukimi.games.charuma.rules cimport matches

ctypedef unsigned long long Cards

cdef inline Cards without(Cards hand, Cards twins, int card) noexcept nogil:
    return hand & (~bit(card) | twins)

cdef bint beats(int rank, int best, bint ace) noexcept nogil

cdef class Plays:
    cdef Deck deck
    @cython.final
    cdef int leads(self, Cards hand, Cards twins, int *moves) noexcept nogil
    @cython.final
    cdef int follows(self, int led, Cards hand, Cards twins, int *moves) noexcept nogil
    @cython.final
    cdef int any_two(self, Cards hand, Cards twins, int *moves) noexcept nogil
    @cython.final
    cdef int pairs(self, Cards twins, Cards matched, int *moves) noexcept nogil
    @cython.final
    cdef void sort_leads(self, int *moves, int count) noexcept nogil
    @cython.final
    cdef void sort_answers(self, int lead, int *moves, int count) noexcept nogil
