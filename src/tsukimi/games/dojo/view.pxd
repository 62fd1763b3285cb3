from tsukimi.games.dojo.dojos cimport LINES, ROUNDS, ROW_LINES, WIDTH, lowest
from tsukimi.games.dojo.rules cimport (
    CHALLENGE, DEAL, DO_PASS, FIRST, GIVE, OVER, PLACE, PLACE_AT, SWAP, THROW, THROW_AS, TROPHY_AT, TROPHY_KINDS, TURN,
    WHITE, WHITE_TROPHY, Dojo,
)
from tsukimi.games.dojo.scoring cimport EMPTY

cdef inline bytes packed(bytes numbers):
    return numbers  # a slice of a C array of characters has become bytes on its way here

cdef str _held(Dojo game, int seat, int owner)
cdef str _looked_at(Dojo game, int seat)
cdef dict _challenge(Dojo game, int seat)
cdef str _tie(Dojo game)
cdef dict _dojo(Dojo game, int owner)
cdef dict _count(Dojo game, int owner, bytes signs)
cdef tuple _lines(Dojo game, int owner, bytes signs, list grid)
cdef list _as_placed(Dojo game, int owner)
cdef dict _row(int at, list codes, str trophy)
cdef dict _column(int at, list codes, str trophy)
cdef dict _chance_event(Dojo before, int outcome, int observer)
cdef object _add_give(dict seen, Dojo before, int seat, int move, int observer)
cdef object _add_challenge(dict seen, Dojo before, int move, Dojo after)
cdef object _add_throw(dict seen, Dojo before, int seat, int move, Dojo after, int observer)
cdef object _add_result(dict seen, Dojo after)
cdef object _add_swap(dict seen, Dojo before, int seat, Dojo after)
cdef object _add_place(dict seen, Dojo before, int seat, int move, Dojo after)
cdef object _add_trophy(dict seen, Dojo before, int seat, int move, Dojo after)
