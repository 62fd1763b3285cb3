cimport cython
from tsukimi.core.game cimport Table

# As in deck.py, but known to the C compiler.
cdef enum:
    VALUES = 10
    KINDS = 20
    HIDDEN = 20
    AMOUNTS = 6
    CARD = 30
    TWO = 70
    MOVES = 890
    BLUE = 0
    RED = 1
    BLUE_PAIR = 2
    RED_PAIR = 3
    TWO_COLOURED = 4
    LOOSE = 5
    TEN = 9
    NONE = -1

cdef extern from * nogil:
    """
    #define CHARUMA_ROW 0x3FFULL
    #define CHARUMA_BLUES 0x3FF003FFULL
    #define CHARUMA_FACE_UP 0xFFFFFULL
    #define CHARUMA_UP_MATCHES 0x3FF0000000000ULL
    #define CHARUMA_MIXED_MATCHES 0xFFFFFFFFFF00000ULL
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int charuma_lowest(unsigned long long mask) {
        unsigned long index; _BitScanForward64(&index, mask); return (int)index;
    }
    #else
    static inline int charuma_lowest(unsigned long long mask) { return __builtin_ctzll(mask); }
    #endif
    static inline int charuma_ones(unsigned long long mask) {
        mask = mask - ((mask >> 1) & 0x5555555555555555ULL);
        mask = (mask & 0x3333333333333333ULL) + ((mask >> 2) & 0x3333333333333333ULL);
        mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int)((mask * 0x0101010101010101ULL) >> 56);
    }
    /* The member of a set with `place` members before it, without a branch: counts of 8, 4, 2, 1 bits tell
       whether it lies further up. */
    static inline int charuma_nth(unsigned long long mask, int place) {
        const unsigned long long each = 0x0101010101010101ULL, top = 0x8080808080808080ULL;
        unsigned long long twos = mask - ((mask >> 1) & 0x5555555555555555ULL);
        unsigned long long fours = (twos & 0x3333333333333333ULL) + ((twos >> 2) & 0x3333333333333333ULL);
        unsigned long long running = ((fours + (fours >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * each;
        unsigned long long passed = (((unsigned long long)place * each | top) - running) & top;
        int at = (int)((passed >> 7) * each >> 56) * 8;
        int count, further;
        place -= (int)(running << 8 >> at) & 0xFF;
        count = (int)(fours >> at) & 0xF; further = place >= count; at += further << 2; place -= count & -further;
        count = (int)(twos >> at) & 0x3; further = place >= count; at += further << 1; place -= count & -further;
        return at + (place >= ((int)(mask >> at) & 1));
    }
    """
    int charuma_nth(unsigned long long mask, int place)
    const unsigned long long ROW "CHARUMA_ROW"
    const unsigned long long BLUES "CHARUMA_BLUES"
    const unsigned long long FACE_UP "CHARUMA_FACE_UP"
    const unsigned long long UP_MATCHES "CHARUMA_UP_MATCHES"
    const unsigned long long MIXED_MATCHES "CHARUMA_MIXED_MATCHES"
    int charuma_lowest(unsigned long long mask)
    int charuma_ones(unsigned long long mask)

cdef inline int after(int seat, int players) noexcept nogil:
    return seat + 1 if seat + 1 < players else 0

cdef inline unsigned long long bit(int place) noexcept nogil:
    return (<unsigned long long>1) << place

cdef inline int ones(unsigned long long mask) noexcept nogil:
    return charuma_ones(mask)

cdef inline int lowest(unsigned long long mask) noexcept nogil:
    return charuma_lowest(mask)

cdef inline int nth(unsigned long long mask, int place) noexcept nogil:
    return charuma_nth(mask, place)

@cython.final
cdef class Deck(Table):
    cdef readonly int size
    cdef readonly int group_size
    cdef readonly int goal
    cdef readonly short kind[40]
    cdef readonly unsigned long long every
    cdef readonly short first_card[890]
    cdef readonly short second_card[890]
    cdef readonly short suit[890]
    cdef readonly short rank[890]
    cdef readonly short aces[890]
    cdef readonly short match_move[60]
    cdef readonly short lower[28]
    cdef readonly short higher[28]
