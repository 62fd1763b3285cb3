cimport cython

cdef const unsigned long long MASK
cdef const unsigned long long STEP
cdef const unsigned long long MIX1
cdef const unsigned long long MIX2
cdef const unsigned long long LOW

@cython.final
cdef class Rng:
    cdef public unsigned long long state
    # Two generators of two threads never share a cache line.
    cdef unsigned long long apart[7]
    cdef unsigned long long bits(self) noexcept nogil
    cdef unsigned int below(self, unsigned int n) noexcept nogil
