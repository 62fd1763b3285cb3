cimport cython
from tsukimi.core.rng cimport Rng
from tsukimi.games.dojo.dojos cimport BELTS, KINDS, PLACES, ROUNDS, Tabletop, Tatamis, lowest, popcount

cdef const int TROPHY_KINDS
cdef const int WHITE_TROPHY

cdef const int CLASSIC
cdef const int WHITE
cdef const int BLACK

cdef const int FIRST
cdef const int TURN
cdef const int DRAW
cdef const int DEAL
cdef const int GIVE
cdef const int CHALLENGE
cdef const int THROW
cdef const int SWAP
cdef const int PLACE
cdef const int TROPHY
cdef const int OVER

cdef const int GIVE_TO
cdef const int DO_CHALLENGE
cdef const int DO_PASS
cdef const int THROW_AS
cdef const int DO_SWAP
cdef const int DO_KEEP
cdef const int PLACE_AT
cdef const int TROPHY_AT
cdef const int MOVE_IDS

cdef int nth_bit(unsigned long long bits, int n) noexcept nogil

@cython.final
cdef class Dojo(Tabletop):
    cdef readonly int belt
    cdef readonly int asked_first
    cdef readonly int first
    cdef readonly int phase
    cdef readonly int round
    cdef readonly int dealer
    cdef readonly int trophy
    cdef readonly int looking
    cdef readonly int attacker
    cdef readonly int winner
    cdef readonly int bouts
    cdef readonly unsigned int acting_seats
    cdef readonly unsigned int without_card
    cdef readonly unsigned int shown
    cdef readonly bint swapped
    cdef readonly short duel[2]
    cdef readonly short throws[6]
    cdef readonly short bonus[2]
    cdef readonly short held[5]
    cdef readonly short won[5]
    cdef readonly short trophies_left[6]

    cdef bint random_round(self) noexcept nogil
    cdef void start_round(self) noexcept nogil
    cdef void end_round(self) noexcept nogil
    cdef void give_card(self, int receiver) noexcept nogil
    cdef void reveal(self, int attacker) noexcept nogil
    cdef void throw_hand(self, int seat, int hand) noexcept nogil
    cdef void decide_challenge(self) noexcept nogil
    cdef void exchange(self) noexcept nogil
    cdef void start_training(self) noexcept nogil
    cdef void place_card(self, int seat, int place) noexcept nogil
    cdef bint knows_card_of(self, int seat, int owner) noexcept nogil
    cdef int first_move(self) noexcept nogil
    cdef unsigned long long choices(self, int seat) noexcept nogil
