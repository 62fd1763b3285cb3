cimport cython
from tsukimi.core.game cimport Game, Table
from tsukimi.core.rng cimport Rng

cdef enum:  # as in codes.py
    MAX_KINDS = 64
    PLACES = 5
    EMPTY = -1
    ALL_PLACES = 31

    REROLL_ALL = 0
    REROLL_MULTIPLES = 1
    REROLL_SINGLES = 2
    SHIFT_MULTIPLES = 3
    SHIFT_SINGLES = 4
    SWAP = 5
    FICTIVE_FOUR = 6

    BLANK_TOKEN = 0
    DARUMA_TOKEN = 1
    FOUR_TOKEN = 2

    FIRST = 0
    TRACK = 1
    OBJECTIVE = 2
    SETUP = 3
    SWEPT = 4
    ROLL = 5
    FORTUNE = 6
    REFILL = 7
    REWARD = 8
    START = 9
    USE = 10
    ASK_SAKE = 11
    ASK_REROLL = 12
    ASK_SHIFT = 13
    ASK_SINGLES = 14
    ASK_SWAP = 15
    OVER = 16

    GOOD_FORTUNE = 1
    BAD_LUCK = 2
    COUNTER_MOVED = 4
    TURN_PASSED = 8

    MOVE_SWEEP = 0
    MOVE_ROLL = 1
    MOVE_STOP = 2
    MOVE_PAINT = 3
    MOVE_SAKE = 8
    MOVE_REROLL = 14
    MOVE_SHIFT = 806
    MOVE_SINGLES = 1190
    MOVE_GIVE = 1433

cdef const unsigned int ONES
cdef const unsigned long long SHAPE_TWO
cdef const unsigned long long SHAPE_FOUR

cdef unsigned int FOUR_DICE[1296]
cdef unsigned int SIX_TO[9]
cdef short CHOOSE[60]
cdef unsigned int MULTISET[792]

cdef int number_of(unsigned int dice) noexcept nogil
cdef unsigned int singles_of(unsigned int dice) noexcept nogil
cdef int rank_of(unsigned int dice) noexcept nogil
cdef unsigned int ranked(int rank) noexcept nogil
cdef unsigned int roll_dice(int number, Rng rng) noexcept nogil

@cython.final
cdef class DarumaTable(Table):
    cdef readonly tuple colours
    cdef readonly tuple names
    cdef readonly tuple goals
    cdef readonly int kinds
    cdef readonly int objectives
    cdef readonly short colour[64]
    cdef readonly short action[64]
    cdef readonly short count[64]
    cdef readonly short tokens[3]
    cdef readonly short points[2048]
    cdef unsigned long long shape[64]

cdef class Position(Game):
    cdef readonly DarumaTable cards
    cdef readonly unsigned int dice
    cdef readonly unsigned int sake
    cdef readonly short face[5]
    cdef readonly short objective[5]
    cdef readonly short track[9]
    cdef readonly short size[5]
    cdef readonly short variety[5]
    cdef readonly short pile_size
    cdef readonly signed char stage
    cdef readonly signed char first
    cdef readonly signed char turn
    cdef readonly signed char rolling
    cdef readonly signed char ledger
    cdef readonly signed char fictive
    cdef readonly signed char painted
    cdef readonly signed char complete
    cdef readonly signed char pupils
    cdef readonly signed char walked
    cdef readonly signed char tokens
    cdef readonly signed char gift_used
    cdef readonly signed char swept
    cdef readonly signed char repeat_sweep
    cdef readonly signed char news
    cdef signed char pile[64]
    cdef signed char owned[320]

    cdef int counter(self) noexcept nogil
    cdef bint sweep_possible(self) noexcept nogil
    cdef bint darumas_won(self) noexcept nogil
    cdef void gain(self, int seat, int kind) noexcept nogil
    cdef void lose(self, int seat, int kind) noexcept nogil
    cdef int draw_objective(self, Rng rng) noexcept nogil
