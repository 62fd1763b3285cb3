from tsukimi.core.python_game cimport ACTORS, CHANCE, FIRST, OVER, SEATS, STATUS, PythonGame

cdef enum:
    NONE = -1
    CHECK = 0
    BET = 1
    FOLD = 2
    CALL = 3
    RAISE = 4

cdef int CARD, PUBLIC_CARD, CHIPS, RAISES, FIRST_SEAT

cdef class Rules(PythonGame):
    cdef void turn_to(self, int seat) noexcept nogil
    cdef void no_turn(self, int status) noexcept nogil
    cdef int left(self, int rank) noexcept nogil
    cdef int hand_strength(self, int seat) noexcept nogil
