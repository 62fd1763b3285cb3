cimport cython
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng
from tsukimi.games.dojo.dojos cimport LINES, ROW_LINES, WIDTH
from tsukimi.games.dojo.rules cimport BELTS, ROUNDS, Dojo, lowest
from tsukimi.games.dojo.scoring cimport COLUMN_POINTS, ROW_POINTS

cdef const int ROW_SHAPES
cdef const int COLUMN_SHAPES
cdef const int TROPHY_KINDS
cdef const int EMPTY_ROW
cdef const int SIZE
cdef const int STAGES

cdef short ROW_SHAPE[4096]
cdef short COLUMN_SHAPE[512]

@cython.final
cdef class Patterns:
    cdef double values[4264]
    cdef double error[13]
    cdef void read_lines(self, Dojo game, int seat, int *codes, int *inside) noexcept nogil
    cdef int entry(self, int line, int code, int trophy_kind) noexcept nogil
    cdef void entries(self, Dojo game, int seat, int *found) noexcept nogil
    cdef int stage(self, Dojo game, int seat, int more) noexcept nogil
    cdef double value(self, Dojo game, int seat, int more) noexcept nogil
    cdef int best_place(self, Dojo game, int seat, int kind, double *gain) noexcept nogil
    cdef int best_line(self, Dojo game, int seat, int trophy, double *gain) noexcept nogil
    cdef int draw_for(self, Dojo game, int seat, bint deals, Rng rng) noexcept nogil
    cdef void next_round(self, Dojo game, int seat, bint deals, double trophy_rate, Rng rng) noexcept nogil
    cdef void train_once(self, Dojo dojo, double rate, double trophy_rate, Rng rng, double *errors) noexcept nogil
    cdef void random_trophy(self, Dojo game, int seat, Rng rng) noexcept nogil
