cimport cython
from libc.math cimport exp
from tsukimi.bots.charuma.evaluator cimport CharumaEvaluator
from tsukimi.core.game cimport Game
from tsukimi.games.charuma.deck cimport FACE_UP, HIDDEN, NONE, TWO, bit
from tsukimi.games.charuma.position cimport AUCTION, TRICKS
from tsukimi.games.charuma.rules cimport Charuma

@cython.final
cdef class Deals:
    cdef CharumaEvaluator evaluator
    cdef Charuma replay
    cdef public double sharpness
    cdef public double bid_sharpness
    cdef public double random_part

    cdef void undo_play(self, int seat, int move) noexcept
    cdef void undo_auction(self) noexcept
    cdef double choice_probability(self, int seat, int move) noexcept nogil
