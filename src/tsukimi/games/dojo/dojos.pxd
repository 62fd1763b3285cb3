cimport cython
from tsukimi.core.game cimport Game, Table
from tsukimi.core.rng cimport Rng
from tsukimi.games.dojo.scoring cimport ANSWER, EMPTY, MEMORY, count_dojo

cdef extern from *:
    int popcount "__builtin_popcountll" (unsigned long long bits) noexcept nogil
    int lowest "__builtin_ctzll" (unsigned long long bits) noexcept nogil

cdef const int ROUNDS
cdef const int KINDS
cdef const int DISCIPLES
cdef const int BELTS
cdef const int WIDTH
cdef const int PLACES
cdef const int ORIGIN
cdef const int ROW_LINES
cdef const int LINES
cdef const int ORANGE
cdef const unsigned long long ALL_PLACES
cdef const unsigned long long NOT_FIRST_COLUMN
cdef const unsigned long long NOT_LAST_COLUMN
cdef unsigned long long REACH[35]

@cython.final
cdef class Tatamis(Table):
    cdef readonly short counts[30]

cdef class Tabletop(Game):
    cdef Tatamis box
    cdef readonly int pile
    cdef short pile_of[6]
    cdef readonly short left[30]
    cdef readonly short placed[5]
    cdef unsigned short crowned[5]
    cdef signed char kinds[60]
    cdef signed char cells[60]
    cdef signed char line_trophies[60]
    cdef unsigned long long taken[5]
    cdef unsigned long long room[5]

    cdef int draw_card(self, Rng rng) noexcept nogil
    cdef void take_card(self, int kind) noexcept nogil
    cdef void return_card(self, int kind) noexcept nogil
    cdef void put_card(self, int seat, int kind, int place) noexcept nogil
    cdef void put_trophy(self, int seat, int trophy, int line) noexcept nogil
    cdef unsigned long long free_places(self, int seat) noexcept nogil
    cdef unsigned int lines_with_cards(self, int seat) noexcept nogil
    cdef unsigned int free_lines(self, int seat, int trophy) noexcept nogil
    cdef int best(self, int seat, bint tidy, short *best) noexcept nogil
    cdef void observe_dojo(self, int seat, short *numbers, int at) noexcept nogil
