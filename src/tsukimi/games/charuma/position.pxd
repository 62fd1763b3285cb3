cimport cython
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng
from tsukimi.games.charuma.deck cimport AMOUNTS, FACE_UP, HIDDEN, KINDS, MOVES, NONE, Deck, after, bit, lowest, nth, ones

# As in position.py, but known to the C compiler.
cdef enum:
    FIRST = 0
    DEAL = 1
    GROUPS = 2
    AUCTION = 3
    TRICKS = 4
    OVER = 5
    ON = 0
    OFF = 1
    FROM_SECOND = 2

cdef int shuffled(short *cards, int place, int size, Rng rng) noexcept nogil

cdef class Position(Game):
    cdef Deck deck
    cdef readonly short auction
    cdef readonly short first
    cdef readonly short phase
    cdef readonly short round
    cdef readonly short last_round
    cdef readonly short token
    cdef readonly short turn
    cdef readonly short dealt
    cdef readonly short standing
    cdef readonly short leader
    cdef readonly short led
    cdef readonly short winner
    cdef readonly short played
    cdef readonly short best
    cdef readonly short best_seat
    cdef readonly short ace_seat
    cdef readonly short trick_aces
    cdef readonly short owned[5]
    cdef readonly short bid[5]
    cdef readonly short bidder[5]
    cdef readonly short group_of[5]
    cdef readonly short tricks[5]
    cdef readonly short trick_points[5]
    cdef readonly short aces[5]
    cdef readonly short trick[5]
    cdef readonly short shown[5]
    cdef readonly unsigned long long hand[5]
    cdef readonly unsigned long long twins[5]
    cdef readonly unsigned long long group[5]
    cdef readonly unsigned long long group_twins[5]
    cdef readonly unsigned long long rest
    cdef readonly unsigned long long rest_twins

    @cython.final
    cdef void start_round(self) noexcept nogil
    @cython.final
    cdef void receive(self, int seat, int card) noexcept nogil
    @cython.final
    cdef int hand_out(self, int seat, short *pool, int size, Rng rng) noexcept nogil
    @cython.final
    cdef void lay_out(self, int group, int kind) noexcept nogil
    @cython.final
    cdef void put_aside(self, int kind) noexcept nogil
    @cython.final
    cdef void place_dealt(self, int kind) noexcept nogil
    @cython.final
    cdef void deal_round(self, Rng rng) noexcept nogil
    @cython.final
    cdef void finish_deal(self) noexcept nogil
    @cython.final
    cdef void place_bid(self, int seat, int group, int amount) noexcept nogil
    @cython.final
    cdef void finish_auction(self) noexcept nogil
    @cython.final
    cdef int list_bids(self, int seat, int *moves) noexcept nogil
    @cython.final
    cdef int random_bid(self, int seat, Rng rng) noexcept nogil
    @cython.final
    cdef void start_tricks(self) noexcept nogil
    @cython.final
    cdef int seen_from(self, int seat, int other) noexcept nogil
    @cython.final
    cdef void count_cards(self, short *numbers, int start, unsigned long long cards, unsigned long long twins) noexcept nogil
