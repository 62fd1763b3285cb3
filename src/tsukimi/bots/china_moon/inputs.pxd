from tsukimi.bots.china_moon.evaluator cimport ChinaMoonEvaluator
from tsukimi.games.china_moon.rules cimport COLOURS, DROPS, DROPS_AT, START, TRADES, ChinaMoon, lowest

cdef const int PADS
cdef const int SPOTS
cdef const int MOST
cdef const int MOST_ACTIVE
cdef const int NO_ROW

cdef class NetworkInputs(ChinaMoonEvaluator):
    cdef readonly int players
    cdef readonly int size
    cdef readonly int rows
    cdef int add_frogs(self, ChinaMoon game, int seat, int *active, int count) noexcept nogil
    cdef int list_inputs(self, ChinaMoon game, int seat, int *active) noexcept nogil
    cdef int first_row(self, ChinaMoon game, int seat, int move) noexcept nogil
    cdef int second_row(self, int seat, int move) noexcept nogil

cdef int spot(int place) noexcept nogil
