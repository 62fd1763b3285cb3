cimport cython
from cpython.object cimport PyObject_GenericSetAttr
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng

cdef enum:
    STATUS = 0
    ACTORS = 1
    FIRST_OPTION = 2
    OPTION_CELLS = 3
    RESERVED = 12
    MAX_CELLS = 2048

    CHANCE = -1
    OVER = -2
    FIRST = -3
    SEATS = 0

cdef class PythonGame(Game):
    cdef short cells[2048]

    cdef bint has_typed_table(self) noexcept nogil
    cdef void fail(self, object problem) noexcept
    cdef int write_moves(self, int seat, int *moves) noexcept
    cdef void write_numbers(self, int seat, short *numbers) noexcept

cdef class Cell:
    cdef readonly str name
    cdef readonly int offset
    cdef readonly int length
    cdef readonly int each
    cdef readonly bint per_seat
    cdef readonly bint secret
    cdef readonly int low
    cdef readonly int high
    cdef readonly int start
    cdef readonly tuple names
    cdef readonly str meaning

    cdef int checked(self, object value) except? -32768

cdef class Cells(Cell):
    pass

cdef class PerSeat(Cell):
    pass

cdef class CellArray:
    cdef PythonGame game
    cdef Cell cell
    cdef int offset
    cdef int length

    cdef int _place(self, object index) except -1

cdef PythonGame _position(object game)
cdef CellArray _cells(PythonGame game, Cell cell, int offset, int length)
