cimport cython
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng

@cython.final
cdef class Flat:
    cdef Game root
    cdef Game sampled
    cdef Game trial
    cdef Rng rng
    cdef int seat
    cdef int count
    cdef int samples
    cdef int moves[8192]
    cdef double value_sum[8192]

    cdef void try_all(self) noexcept nogil
    cdef double win_share(self) noexcept nogil
