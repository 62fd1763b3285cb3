cimport cython
from libc.math cimport sqrt
from tsukimi.bots.evaluator cimport Evaluator, softmax
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng

cdef const int MAX_DEPTH
cdef const int MAX_MOVES
cdef const int MIN_SLOTS
cdef const int KEPT_VISITS
cdef const int KEPT_NODES
cdef const int KEPT_EDGES
cdef const unsigned long long FACTOR

cdef unsigned long long pack_four(short *numbers, int place) noexcept nogil
cdef unsigned long long mix(unsigned long long value, unsigned long long number) noexcept nogil

@cython.final
cdef class Search:
    cdef Game root
    cdef Game sampled
    cdef Evaluator evaluator
    cdef Rng rng
    cdef public double exploration
    cdef public double sharpness
    cdef readonly int seat
    cdef int worlds
    cdef object world_data
    cdef char[::1] world_block
    cdef public int tried
    cdef int root_node
    cdef public long long moves_made
    cdef int slots
    cdef int max_nodes
    cdef int max_edges
    cdef int node_count
    cdef int edge_count
    cdef int move_count
    cdef object buffers
    cdef int[::1] slot_node
    cdef unsigned long long[::1] keys
    cdef int[::1] first
    cdef int[::1] count
    cdef int[::1] node_visits
    cdef double[::1] node_value_sum
    cdef int[::1] move
    cdef int[::1] child
    cdef int[::1] visits
    cdef double[::1] value_sum
    cdef float[::1] prior
    cdef int path[400]
    cdef int path_seat[400]
    cdef int path_node[400]
    cdef float shares[5]
    cdef double share_sums[5]
    cdef int simulations
    cdef int buffer[8192]
    cdef short numbers[4096]

    cdef int find_root(self) noexcept nogil
    cdef void simulate(self) noexcept nogil
    cdef void sample(self) noexcept nogil
    cdef void rollout(self) noexcept nogil
    cdef int select(self, int node) noexcept nogil
    cdef int edge_of(self, int node, int move) noexcept nogil
    cdef unsigned long long key(self, Game game, int mover) noexcept nogil
    cdef void list_moves(self, Game game, int mover) noexcept nogil
    cdef int find(self, unsigned long long key) noexcept nogil
    cdef void index_node(self, int node) noexcept nogil
    cdef int add(self, unsigned long long key) noexcept nogil
    cdef bint expand(self, int node, int mover) noexcept nogil
    cdef void set_priors(self, int mover) noexcept nogil
