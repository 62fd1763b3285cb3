cimport cython
from tsukimi.core.rng cimport Rng
from tsukimi.games.daruma.moves cimport Moves
from tsukimi.games.daruma.position cimport *

cdef const unsigned int FOURS
cdef const unsigned int TWO_OR_MORE

@cython.final
cdef class Daruma(Moves):
    cdef void start_turn(self) noexcept nogil
    cdef void throw(self, int number) noexcept nogil
    cdef void sweep(self) noexcept nogil
    cdef void paint(self, int place) noexcept nogil
    cdef void shift(self, int face, int up, int down) noexcept nogil
    cdef void shift_singles(self, int digits) noexcept nogil
    cdef void give(self, int kind, int to) noexcept nogil
    cdef void swap(self, int move) noexcept nogil
    cdef void go_on(self) noexcept nogil
    cdef void end_turn(self) noexcept nogil
    cdef void refill(self) noexcept nogil
    cdef void move_counter(self) noexcept nogil
    cdef void pass_turn(self) noexcept nogil

    cdef void rolled(self, unsigned int dice) noexcept nogil
    cdef void lay(self, int kind) noexcept nogil
    cdef int empty_place(self) noexcept nogil
    cdef int draw_kind(self, Rng rng) noexcept nogil
    cdef int draw_track(self, Rng rng) noexcept nogil
    cdef bint track_possible(self, int line) noexcept nogil
