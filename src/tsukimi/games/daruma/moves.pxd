from tsukimi.core.rng cimport Rng
from tsukimi.games.daruma.position cimport *

cdef short BITS[64]
cdef short NTH_BIT[512]
cdef unsigned int SHARE[9]

cdef int faces_of(unsigned int dice) noexcept nogil

cdef class Moves(Position):
    cdef bint stop_possible(self) noexcept nogil
    cdef bint gift_possible(self) noexcept nogil
    cdef int list_dice(self, int *moves) noexcept nogil
    cdef int list_use(self, int *moves) noexcept nogil
    cdef int list_sake(self, int *moves) noexcept nogil
    cdef int list_reroll(self, int *moves) noexcept nogil
    cdef int list_shift(self, int *moves) noexcept nogil
    cdef int list_singles(self, int *moves) noexcept nogil
    cdef int list_swap(self, int *moves) noexcept nogil
    cdef int random_use(self, Rng rng) noexcept nogil
    cdef int random_sake(self, Rng rng) noexcept nogil
    cdef int random_swap(self, Rng rng) noexcept nogil
    cdef int swaps(self, int one, int other) noexcept nogil
    cdef bint hands_over(self, int seat, int code) noexcept nogil
    cdef int swap_base(self) noexcept nogil
    cdef int nth_kind(self, int seat, int n) noexcept nogil
