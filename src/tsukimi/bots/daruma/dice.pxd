cdef short FIRST_RANK[11]
cdef short MORE[6435]
cdef short LESS[6435]
cdef short SINGLES_OFF[1287]
cdef short VALUE_OFF[6435]
cdef short PARTS_AT[1288]
cdef short PARTS[18656]
cdef short MULTIPLES_AT[1288]
cdef short MULTIPLES[3402]
cdef short SINGLES_AT[1288]
cdef short SINGLES[1434]
cdef double FOUR_FOURS[9]

cdef int rank_of_dice(unsigned int dice) noexcept nogil
