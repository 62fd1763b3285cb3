cimport cython
from libc.string cimport memset
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng

cdef const int WIN
cdef const int SCORE

@cython.final
cdef class Chunk:
    cdef Game start
    cdef Game worker
    cdef Rng rng
    cdef bint bound
    cdef int low
    cdef int high
    cdef readonly Py_ssize_t used
    cdef object moves_array
    cdef object block_array
    cdef signed char[::1] block_view
    cdef char *block
    cdef int[::1] moves
    cdef unsigned long long[::1] generators
    cdef int[::1] actors
    cdef int[::1] counts
    cdef int[::1] chosen
    cdef unsigned char[::1] over
    cdef float[:, ::1] rewards
    cdef int[:, ::1] scores
    cdef unsigned char[::1] fresh
    cdef short[:, ::1] observations
    cdef short[:, ::1] terminal_observations
    cdef bint terminal
    cdef bint everybody
    cdef int reward_kind

    cdef int room(self, Py_ssize_t size) except -1
    cdef int bind(self, object block, dict arrays) except -1
    cdef int configure(self, int reward, bint everybody) except -1
    cdef int check_bound(self) except -1
    cdef void begin_games(self) noexcept nogil
    cdef void play_chosen(self) noexcept nogil
    cdef void reward(self, int game) noexcept nogil
    cdef float rank(self, int game, int seat, unsigned int winners) noexcept nogil
    cdef void observe_into(self, short[:, ::1] rows, int row, int seat) noexcept nogil
    cdef int refresh_from(self, int game) noexcept nogil
    cdef void pick_random(self) noexcept nogil
    cdef int first_wrong(self) noexcept nogil
