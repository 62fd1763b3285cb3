cimport cython
from tsukimi.bots.china_moon.features cimport FEATURES
from tsukimi.bots.china_moon.inputs cimport NO_ROW, NetworkInputs
from tsukimi.bots.evaluator cimport softmax
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng
from tsukimi.games.china_moon.rules cimport ChinaMoon

cdef const int FIRST
cdef const int SECOND

cdef float *address_of(float[::1] array) except NULL
cdef void add_rows(float *sums, float *table, int *rows, int count) noexcept nogil
cdef void add_products(float *sums, float *table, float *factors, int count, int width) noexcept nogil
cdef void rectify(float *sums, int width) noexcept nogil
cdef float dot(float *left, float *right, int place) noexcept nogil

@cython.final
cdef class NetworkEvaluator(NetworkInputs):
    cdef object arrays
    cdef float *sparse
    cdef float *dense
    cdef float *first_bias
    cdef float *second
    cdef float *second_bias
    cdef float *value
    cdef float *policy
    cdef float *policy_bias
    cdef float *rating_weight
    cdef float rating_scale
    cdef float linear_scale
    cdef void hidden(self, ChinaMoon game, int seat, float *found, double *linear) noexcept nogil
    cdef double move_logit(self, ChinaMoon game, int seat, int move, float *found, float rating_factor) noexcept nogil
