cimport cython
from libc.math cimport exp
from tsukimi.bots.charuma.judge cimport CharumaJudge
from tsukimi.core.game cimport Game
from tsukimi.games.charuma.deck cimport FACE_UP, HIDDEN, NONE, TWO, bit
from tsukimi.games.charuma.position cimport AUCTION, TRICKS
from tsukimi.games.charuma.rules cimport Charuma

@cython.final
cdef class Deals:
    cdef CharumaJudge judge
    cdef Charuma past
    cdef public double trust
    cdef public double bid_trust
    cdef public double doubt

    cdef void unplay(self, int seat, int move) noexcept
    cdef void unbid(self) noexcept
    cdef double chosen(self, int seat, int move) noexcept nogil
