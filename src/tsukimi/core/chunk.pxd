cimport cython
from libc.string cimport memset
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng

cdef extern from *:
    """
    #include <sched.h>
    #include <time.h>
    static inline int tsukimi_load(int *flag) { return __atomic_load_n(flag, __ATOMIC_SEQ_CST); }
    static inline int tsukimi_exchange(int *flag, int value) { return __atomic_exchange_n(flag, value, __ATOMIC_SEQ_CST); }
    static inline long long tsukimi_now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec * 1000000000LL + t.tv_nsec;
    }
    static inline void tsukimi_rest(void) { sched_yield(); }
    """
    int load "tsukimi_load"(int *flag) noexcept nogil
    int exchange "tsukimi_exchange"(int *flag, int value) noexcept nogil
    long long now "tsukimi_now"() noexcept nogil
    void rest "tsukimi_rest"() noexcept nogil

cdef enum:
    WIN = 0
    SCORE = 1
    STEP = 1
    END = 2

cdef const long long PATIENCE
cdef const int RESTARTS

@cython.final
cdef class Chunk:
    cdef Game start
    cdef Game worker
    cdef Rng rng
    cdef bint bound
    cdef bint busy
    cdef int given
    cdef int done
    cdef int asleep
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
    cdef int[::1] seats
    cdef unsigned char[:, ::1] masks
    cdef int[::1] columns
    cdef int[::1] lows
    cdef float[::1] spans
    cdef float[:, ::1] encoded
    cdef float[:, ::1] terminal_encoded
    cdef bint terminal
    cdef bint masked
    cdef bint onehot
    cdef bint everybody
    cdef bint random_seats
    cdef int reward_kind

    cdef int room(self, Py_ssize_t size) except -1
    cdef int bind(self, object block, dict arrays) except -1
    cdef int configure(self, int reward, bint everybody, bint random_seats) except -1
    cdef int check_bound(self) except -1
    cdef int order(self, int what) except -1
    cdef int finish(self) except -1
    cdef int serve(self) except -1
    cdef int next_order(self) noexcept nogil
    cdef void step_games(self) noexcept nogil
    cdef void refresh_games(self) noexcept nogil
    cdef void begin_games(self) noexcept nogil
    cdef void restart(self, int game) noexcept nogil
    cdef void play_others(self, int game) noexcept nogil
    cdef int decider(self, int game) noexcept nogil
    cdef void play_chosen(self) noexcept nogil
    cdef void reward(self, int game) noexcept nogil
    cdef float rank(self, int game, int seat, unsigned int winners) noexcept nogil
    cdef void observe_into(self, short[:, ::1] rows, int row, int seat) noexcept nogil
    cdef void encode_into(self, float[:, ::1] encoded, short[:, ::1] rows, int row) noexcept nogil
    cdef void see(self, int row, int seat) noexcept nogil
    cdef void clear_masks(self) noexcept nogil
    cdef int refresh_from(self, int game) noexcept nogil
    cdef void pick_random(self) noexcept nogil
    cdef int first_wrong(self) noexcept nogil
