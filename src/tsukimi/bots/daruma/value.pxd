cimport cython
from libc.math cimport exp, sqrt
from tsukimi.bots.daruma.turn cimport DIGIT, Turn, moved_share
from tsukimi.games.daruma.position cimport *
from tsukimi.games.daruma.rules cimport Daruma

cdef double NODE[5]
cdef double MASS[5]

cdef double effect_of(double before, double after) noexcept nogil
cdef bint has(Daruma game, int seat, int kind) noexcept nogil
cdef int token_at(Daruma game, int walked) noexcept nogil

@cython.final
cdef class WinModel:
    cdef public double pace
    cdef public double spread
    cdef public double stride
    cdef public double half
    cdef public double burden
    cdef public double reading
    cdef public double tie_bonus
    cdef readonly int seat
    cdef Daruma game
    cdef double points[160]
    cdef double weight[160]
    cdef double turns[5]

    cdef void compute_scores(self) noexcept
    cdef void count_turns(self, int walked, bint ended) noexcept
    cdef double share(self, double points, double size, int walked, bint ended, double next_player_boost) noexcept
    cdef double beats_all(self, double mine, double size, double next_player_boost, bint final) noexcept
    cdef double wins(self, double gap, double fewer, double scale, bint final) noexcept
    cdef double value_with(self, double points, double size) noexcept
    cdef double next_player_boost(self, int pupils, int walked) noexcept
    cdef double ending(self, int eyes, int steps) noexcept
    cdef double mean_pile_value(self) noexcept
    cdef double value_after_transfer(self, int one, int a, int other, int b) noexcept
    cdef void transfer(self, int giver, int taker, int kind) noexcept
    cdef double best_exchange(self) noexcept
    cdef double best_gift(self) noexcept
