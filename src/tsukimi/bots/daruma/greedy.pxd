from tsukimi.core.rng cimport Rng
from tsukimi.games.daruma.position cimport *
from tsukimi.games.daruma.rules cimport Daruma

cdef const double HALF
cdef const double ONE
cdef const double OTHER
cdef const double UNTOUCHED
cdef const double LEADER
cdef double KEEP[4]

cdef double position_value(Daruma game, int seat) noexcept
cdef double row_value(Daruma game, int objective) noexcept
cdef double dice_value(Daruma game) noexcept
cdef double points_of(Daruma game, int seat, int objective) noexcept
cdef double best_other(Daruma game, int seat) noexcept
