cdef const int EMPTY
cdef const int PLAIN_LINE
cdef const int RACCOON_ROW
cdef const int INCENSE_ROW
cdef const int MULTICOLOUR_COLUMN
cdef const int KIMONO_COLUMN
cdef const int MOVED
cdef const int ANSWER
cdef const int MEMORY
cdef const int UNTIDY

# ROW_POINTS: effect << 12 | four disciples of three bits; COLUMN_POINTS: effect << 9 | three belts of three bits
cdef signed char ROW_POINTS[12288]
cdef signed char COLUMN_POINTS[1536]

cdef int row_points(signed char *grid, signed char *effects, int row) noexcept nogil
cdef int column_points(signed char *grid, signed char *effects, int column) noexcept nogil
cdef int grid_points(signed char *grid, signed char *effects) noexcept nogil
cdef int count_dojo(signed char *grid, signed char *trophies, bint tidy, short *best) noexcept nogil
cdef void explore(signed char *grid, signed char *effects, int pending, int last, short *best) noexcept nogil
cdef int ceiling(signed char *grid, signed char *effects, int pending) noexcept nogil
cdef int lowest_line(int lines) noexcept nogil
cdef int most_with(
    signed char *grid, signed char *effects, int line, int place, signed char *pool, int count
) noexcept nogil
cdef void rearrange(
    signed char *grid, signed char *effects, int line, int rest, short *best
) noexcept nogil
cdef int moved(signed char *trial, short *best) noexcept nogil
cdef bint next_order(signed char *cards, int count) noexcept nogil
