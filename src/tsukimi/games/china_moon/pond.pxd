cimport cython
from tsukimi.core.game cimport Table

@cython.final
cdef class Pond(Table):
    cdef readonly object board
    cdef readonly int pads
    cdef int fork_bits
    cdef int slot_bits
    cdef int necks
    cdef unsigned long long neck[63]
    cdef unsigned long long ahead[65]
    cdef unsigned long long line[65]
    cdef unsigned long long two_on[65]
    cdef unsigned long long near[65]
    cdef unsigned long long behind[4096]
    cdef short kind[64]
    cdef short lily_pad[13]
