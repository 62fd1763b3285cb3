from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.string cimport memcpy
from tsukimi.core.rng cimport Rng

cdef const int MAX_PLAYERS
cdef const int MAX_MOVES

cdef class Table:
    cdef public object data
    cdef public object origin
    cdef bint made

cdef class Game:
    cdef readonly Table table
    cdef object failure
    cdef bint failed
    cdef size_t offset
    cdef size_t size
    # Two positions of two threads never share a cache line.
    cdef unsigned long long apart[8]
    # Everything from here on, subclasses included, is copied as one block of memory.
    cdef readonly int players
    cdef readonly int max_moves
    cdef readonly int move_ids
    cdef readonly int observation_size

    cdef bint is_over(self) noexcept nogil
    cdef bint at_chance(self) noexcept nogil
    cdef unsigned int actor_mask(self) noexcept nogil
    cdef int list_moves(self, int seat, int *moves) noexcept nogil
    cdef int random_move(self, int seat, Rng rng) noexcept nogil
    cdef void make_move(self, int move, int seat) noexcept nogil
    cdef int draw_outcome(self, Rng rng) noexcept nogil
    cdef bint outcome_possible(self, int outcome) noexcept nogil
    cdef void make_outcome(self, int outcome) noexcept nogil
    cdef void resolve_chance(self, Rng rng) noexcept nogil
    cdef int score(self, int seat) noexcept nogil
    cdef unsigned int winner_mask(self) noexcept nogil
    cdef void resample_hidden(self, int seat, Rng rng) noexcept nogil
    cdef void observe(self, int seat, short *numbers) noexcept nogil

    cdef void copy_from(self, Game other) noexcept nogil
    cdef int first_actor(self) noexcept nogil
    cdef void load(self, char *block, size_t slot) noexcept nogil
    cdef void store(self, char *block, size_t slot) noexcept nogil
    cdef int rollout(self, Rng rng) noexcept nogil

    cdef bint has_typed_table(self) noexcept nogil
    cdef size_t typed_table_offset(self) noexcept nogil
    cdef int restore(self, bytes data) except -1
    cdef int ready(self, object rng=*) except -1
    cdef int same_kind(self, Game other) except -1
    cdef int check_seat(self, int seat) except -1
    cdef int mover(self, object seat) except -1
    cdef bint move_legal(self, int move, int seat) noexcept nogil
