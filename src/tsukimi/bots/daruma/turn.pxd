cimport cython
from tsukimi.bots.daruma.dice cimport *
from tsukimi.games.daruma.position cimport *
from tsukimi.games.daruma.rules cimport Daruma

cdef const int LAYERS
cdef const double NEVER
cdef const int ALL_EYES

cdef int OFFSET[40]
cdef int PLACE[6]
cdef signed char DIGIT[1215]

cdef double moved_share(double share, double effect) noexcept nogil
cdef unsigned int dice_after(Daruma game) noexcept nogil
cdef int eyes_of(Daruma game) noexcept nogil

@cython.final
cdef class Turn:
    cdef public double bust
    cdef public double fortune
    cdef public double exchange
    cdef public double gift
    cdef readonly int total
    cdef readonly bint given
    cdef readonly bint may_give
    cdef int capacity
    cdef double[::1] value
    cdef double[::1] drink
    cdef double ends[729]
    cdef int block[486]
    cdef int used[243]
    cdef int fours[243]
    cdef int action[5]
    cdef int low[2]
    cdef double rolls[5148]

    cdef void find_reachable(self, int start, int fictive)
    cdef void allocate(self, int capacity)
    cdef bint reachable(self, int given) noexcept nogil
    cdef int layer(self, int eyes, int given, int total, int ledger) noexcept nogil
    cdef void solve_all(self) noexcept nogil
    cdef void solve_layer(self, int eyes, int given, int total) noexcept nogil
    cdef double decide(self, int eyes, int given, int total, int ledger, int rank) noexcept nogil
    cdef double paint(self, int eyes, int given, int total, int ledger, int rank, int place) noexcept nogil
    cdef void roll(self, int eyes, int given, int total, int ledger) noexcept nogil
    cdef int start_eyes(self) noexcept nogil
