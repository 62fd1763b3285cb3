cimport cython
from libc.math cimport exp, sqrt
from tsukimi.bots.judge cimport Judge
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng

cdef const int DEEPEST
cdef const int MOST_EDGES
cdef const int FEWEST_SLOTS
cdef const unsigned long long FACTOR

cdef unsigned long long four(short *numbers, int place) noexcept nogil
cdef unsigned long long mix(unsigned long long value, unsigned long long number) noexcept nogil

@cython.final
cdef class Search:
    cdef Game root
    cdef Game world
    cdef Judge judge
    cdef Rng rng
    cdef public double curiosity
    cdef public double sharpness
    cdef readonly int seat
    cdef int top
    cdef public long long moves_made
    cdef int slots
    cdef int most_nodes
    cdef int most_edges
    cdef int used_nodes
    cdef int used_edges
    cdef int listed
    cdef object keep
    cdef int[::1] index
    cdef unsigned long long[::1] keys
    cdef int[::1] first
    cdef int[::1] count
    cdef int[::1] visits
    cdef double[::1] worth
    cdef int[::1] move
    cdef int[::1] tries
    cdef double[::1] gain
    cdef float[::1] prior
    cdef int path[400]
    cdef int path_seat[400]
    cdef int path_node[400]
    cdef float shares[5]
    cdef int buffer[8192]
    cdef short numbers[4096]

    cdef int root_node(self) noexcept nogil
    cdef void simulate(self) noexcept nogil
    cdef void play_on(self) noexcept nogil
    cdef int select(self, int node) noexcept nogil
    cdef unsigned long long key(self, Game game, int mover) noexcept nogil
    cdef int find(self, unsigned long long key) noexcept nogil
    cdef void enter(self, int node) noexcept nogil
    cdef int add(self, unsigned long long key) noexcept nogil
    cdef bint expand(self, int node, int mover) noexcept nogil
    cdef void weigh_moves(self, int mover) noexcept nogil
