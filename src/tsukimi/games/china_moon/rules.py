# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""The rules of China Moon, as described in docs/games/china-moon.md: frogs that race over a pond and gather lilies.

A set of pads is a bit mask (bit n = the n-th pad of the board's file); the goal is one more bit, never filled.
Frogs are numbered seat by seat: frogs 0, 1, 2 are p1a, p1b, p1c, frog 3 is p2a, and so on.
"""

from __future__ import annotations

import cython

from tsukimi.core.checks import between
from tsukimi.core.errors import BadComponents

if not cython.compiled:
    from tsukimi.core.game import Game
    from tsukimi.games.china_moon.pond import Pond

    def lowest(bits):
        return (bits & -bits).bit_length() - 1


# places: the pads are 0 .. 62
MAX_PADS = 63
GOAL = 63
START = 64
PLACES = 65
ONE = 1
GOAL_BIT = 0x8000000000000000

# what a pad does
BLANK = 0
LILY = 1
PRANKSTER = 2
SPRING = 3
BUTTERFLY = 4

# the colour of a lily
NONE = 0
PINK = 1
WHITE = 2
YELLOW = 3
BLUE = 4
BLACK = 5
COLOURS = 6

LILY_PADS = 13
SETUP = 16  # chance events: the first player, three goal places, twelve lily pads

# what is asked
FROG = 0  # the player whose turn it is: which frog moves, and where to
LEG = 1  # the same player: where a frog on a spring goes on to
TRADE = 2  # the owner of a frog on a prankster
DROP = 3  # the owner of a frog on a butterfly

# moves
MOVES = 0  # + frog * 64 + landing place
TRADES = 960  # + (colour given - 1) * 25 + other seat * 5 + (colour taken - 1)
DROPS = 1085  # + (colour - 1)
DROPS_AT = 1090  # + (colour - 1) * 64 + pad
MOVE_IDS = 1410

if cython.compiled:  # C keeps its constants to itself: these names are for Python's importers
    globals().update(
        MAX_PADS=MAX_PADS, GOAL=GOAL, START=START, PLACES=PLACES, LILY_PADS=LILY_PADS, SETUP=SETUP,
        BLANK=BLANK, LILY=LILY, PRANKSTER=PRANKSTER, SPRING=SPRING, BUTTERFLY=BUTTERFLY,
        NONE=NONE, PINK=PINK, WHITE=WHITE, YELLOW=YELLOW, BLUE=BLUE, BLACK=BLACK, COLOURS=COLOURS,
        FROG=FROG, LEG=LEG, TRADE=TRADE, DROP=DROP,
        MOVES=MOVES, TRADES=TRADES, DROPS=DROPS, DROPS_AT=DROPS_AT, MOVE_IDS=MOVE_IDS,
    )  # fmt: skip


class ChinaMoon(Game):
    """A position: where the frogs and the lilies are, whose turn it is and what is asked of whom."""

    def __init__(self, pond: Pond, players: object, opening: object) -> None:
        Game.__init__(self, pond, players)
        between("first", opening, -1, self.players - 1)
        if type(pond) is not Pond:
            raise BadComponents("wrong-table", game="china-moon", players=self.players)
        self.pond = pond
        self.max_moves = 15 * 64
        self.move_ids = MOVE_IDS
        self.observation_size = 2 * pond.pads + 13 * self.players + 12
        if not cython.compiled:
            self.at, self.lily, self.held = [0] * 15, [0] * 64, [0] * 30
            self.colours, self.stock, self.prize, self.arrival = [0] * 5, [0] * 4, [0] * 5, [0] * 5
        self.occupied = self.lilies = 0
        self.moved = self.home = self.arrived = self.asked = 0
        self.left = 3
        self.frog = -1
        for frog in range(15):
            self.at[frog] = START
        for place in range(5):
            self.prize[place] = NONE
            self.arrival[place] = -1
        self.prize[4] = BLUE
        for colour in range(PINK, BLUE):
            self.stock[colour] = 1
        self.opening = opening
        self.turn = 0 if opening < 0 else opening
        self.dealt = 0 if opening < 0 else 1

    # ---- set-up ----------------------------------------------------------------------------

    def at_chance(self):
        return self.dealt < SETUP

    def draw_outcome(self, rng):
        if self.dealt == 0:
            return rng.below(self.players)
        lot = rng.below(self.stock[PINK] + self.stock[WHITE] + self.stock[YELLOW])
        colour = PINK
        while lot >= self.stock[colour]:
            lot -= self.stock[colour]
            colour += 1
        return colour

    def outcome_possible(self, outcome):
        if self.dealt == 0:
            return 0 <= outcome < self.players
        return PINK <= outcome < BLUE and self.stock[outcome] > 0

    def make_outcome(self, outcome):
        """First the player who begins, then the lilies of goal places 1, 2, 3, then the pads' in the file's order."""
        if self.dealt == 0:
            self.turn = outcome
        else:
            self.stock[outcome] -= 1
            if self.dealt <= 3:
                self.prize[self.dealt] = outcome
            else:
                pad = self.pond.lily_pad[self.dealt - 4]
                self.lily[pad] = outcome
                self.lilies |= ONE << pad
        self.dealt += 1
        if self.dealt == 4:
            for colour in range(PINK, BLUE):
                self.stock[colour] = 4
            last = self.pond.lily_pad[LILY_PADS - 1]
            self.lily[last] = BLACK
            self.lilies |= ONE << last

    # ---- whose decision --------------------------------------------------------------------

    def is_over(self):
        return self.arrived == 4

    def actor_mask(self):
        if self.arrived == 4 or self.dealt < SETUP:
            return 0
        return 1 << self.decider()

    def decider(self):
        """Whose decision it is: the owner's on a prankster or butterfly, else that of the player whose turn it is."""
        return self.frog // 3 if self.asked >= TRADE else self.turn

    # ---- where a frog can go ---------------------------------------------------------------

    def free_ahead(self, place):
        """The next pads without a frog, through every arm; the goal is one whenever it comes before them."""
        ahead = self.pond.ahead[place]
        free = ahead & ~self.occupied
        seen = taken = ahead & self.occupied
        while taken:
            ahead = self.pond.ahead[lowest(taken)]
            taken &= taken - 1
            free |= ahead & ~self.occupied
            ahead &= self.occupied & ~seen
            seen |= ahead
            taken |= ahead
        return free

    def landings(self, place):
        """Where two steps forward can end: the second free pad of every way, or the goal."""
        free = self.pond.line[place] & ~self.occupied
        second = free & (free - 1)
        if second:
            return second & (~second + 1)
        if not self.occupied & self.pond.near[place]:
            return self.pond.two_on[place]
        first = self.free_ahead(place)
        landings = first & GOAL_BIT
        first ^= landings
        while first:
            landings |= self.free_ahead(lowest(first))
            first &= first - 1
        return landings

    def movable(self):
        """The frogs that may move now: three different ones a turn, at least one of them another player's."""
        frogs = (1 << 3 * self.players) - 1 & ~self.home & ~self.moved
        own = 7 << 3 * self.turn
        if self.left == 1 and not self.moved & ~own:
            frogs &= ~own
        return frogs

    def nearest_behind(self, pad):
        """The nearest pads behind with neither frog nor lily, all those at the same number of steps."""
        full = self.occupied | self.lilies
        for steps in range(1, 64):
            behind = self.pond.behind[pad * 64 + steps]
            if behind & ~full or not behind:
                return behind & ~full
        return 0

    def may_move(self, frog: cython.int) -> bool:
        """`movable`, one frog, for Python callers."""
        self.check_seat(frog // 3)
        return bool(self.movable() >> frog & 1)

    def open_behind(self, pad: cython.int) -> list[int]:
        """`nearest_behind`, for Python callers."""
        self.ready()
        between("pad", pad, 0, self.pond.pads - 1)
        pads = self.nearest_behind(pad)
        return [other for other in range(self.pond.pads) if pads >> other & 1]

    # ---- moves -----------------------------------------------------------------------------

    def list_moves(self, seat, moves):
        if not self.actor_mask() >> seat & 1:
            return 0
        if self.asked == FROG:
            return self.list_frogs(moves)
        if self.asked == LEG:
            return self.list_landings(self.frog, self.landings(self.at[self.frog]), moves, 0)
        if self.asked == TRADE:
            return self.list_trades(moves)
        return self.list_drops(moves)

    def list_frogs(self, moves):
        count = 0
        frogs: cython.ulonglong = self.movable()
        while frogs:
            frog = lowest(frogs)
            frogs &= frogs - 1
            count = self.list_landings(frog, self.landings(self.at[frog]), moves, count)
        return count

    def list_landings(self, frog, landings, moves, count):
        while landings:
            moves[count] = MOVES + frog * 64 + lowest(landings)
            landings &= landings - 1
            count += 1
        return count

    def list_trades(self, moves):
        owner = self.frog // 3
        count = 0
        mine: cython.ulonglong = self.colours[owner]
        while mine:
            give = lowest(mine)
            mine &= mine - 1
            for other in range(self.players):
                theirs: cython.ulonglong = self.colours[other] & ~(1 << give) if other != owner else 0
                while theirs:
                    moves[count] = TRADES + (give - 1) * 25 + other * 5 + lowest(theirs) - 1
                    theirs &= theirs - 1
                    count += 1
        return count

    def list_drops(self, moves):
        pads = self.nearest_behind(self.at[self.frog])
        count = 0
        for colour in range(PINK, COLOURS):
            if self.held[self.frog // 3 * COLOURS + colour]:
                if not pads & (pads - 1):
                    moves[count] = DROPS + colour - 1
                    count += 1
                else:
                    choice = pads
                    while choice:
                        moves[count] = DROPS_AT + (colour - 1) * 64 + lowest(choice)
                        choice &= choice - 1
                        count += 1
        return count

    def random_move(self, seat, rng):
        if self.asked == FROG:
            width = self.landing_bits()
            if width <= 3:
                return self.random_frog(width, rng)
        moves: cython.int[960]
        if not cython.compiled:
            moves = [0] * 960
        count = self.list_moves(seat, moves)
        return moves[rng.below(count)]

    def landing_bits(self):
        """How many bits number the landings of any frog in this position: a move passes two forks only where the neck
        between them has at most one pad free."""
        for i in range(self.pond.necks):
            free = self.pond.neck[i] & ~self.occupied
            if not free & (free - 1):
                return self.pond.slot_bits
        return self.pond.fork_bits

    def random_frog(self, width, rng):
        """A frog's move, uniform over `list_frogs` without listing the moves: draw a frog and the
        number of a landing, and draw again if there is none."""
        movable = self.movable()
        spare = 0
        bits: cython.ulonglong = 0
        while True:
            if spare < 4 + width:
                bits = rng.bits()
                spare = 64
            frog: cython.int = bits & 15
            number: cython.int = bits >> 4 & ((1 << width) - 1)
            bits >>= 4 + width
            spare -= 4 + width
            if movable >> frog & 1:
                landings = self.landings(self.at[frog])
                while number:
                    landings &= landings - 1
                    number -= 1
                if landings:
                    return MOVES + frog * 64 + lowest(landings)

    def rollout(self, rng):
        """As in every game, but here one player decides at a time and chance is over after the set-up."""
        self.resolve_chance(rng)
        decisions = 0
        while self.arrived < 4:
            seat = self.decider()
            self.make_move(self.random_move(seat, rng), seat)
            decisions += 1
        return decisions

    # ---- what happens ----------------------------------------------------------------------

    def make_move(self, move, seat):
        if move < TRADES:
            frog = move >> 6
            self.moved |= 1 << frog
            self.move_frog(frog, move & 63)
        elif move < DROPS:
            move -= TRADES
            self.trade(seat, move // 25 + 1, move // 5 % 5, move % 5 + 1)
        elif move < DROPS_AT:
            self.drop(seat, move - DROPS + 1, lowest(self.nearest_behind(self.at[self.frog])))
        else:
            self.drop(seat, (move - DROPS_AT) // 64 + 1, (move - DROPS_AT) % 64)

    def move_frog(self, frog, landing):
        """Move, land, take the lily, then what the pad requires; a spring with a single way on is followed automatically."""
        owner = frog // 3
        self.frog = frog
        while True:
            if self.at[frog] != START:
                self.occupied &= ~(ONE << self.at[frog])
            self.at[frog] = landing
            if landing == GOAL:
                self.arrive(frog)
                break
            self.occupied |= ONE << landing
            if self.lilies >> landing & 1:
                self.lilies &= ~(ONE << landing)
                self.gain(owner, self.lily[landing])
                self.lily[landing] = NONE
            kind = self.pond.kind[landing]
            if kind == SPRING:
                landings = self.landings(landing)
                if landings & (landings - 1):
                    self.asked = LEG
                    return
                landing = lowest(landings)
                continue
            if kind == PRANKSTER and self.can_trade(owner):
                self.asked = TRADE
                return
            if kind == BUTTERFLY and self.colours[owner] and self.nearest_behind(landing):
                self.asked = DROP
                return
            break
        self.frog_done()

    def arrive(self, frog):
        self.home |= 1 << frog
        self.arrived += 1
        self.arrival[self.arrived] = frog
        self.gain(frog // 3, self.prize[self.arrived])

    def can_trade(self, owner):
        """Whether the owner has a lily, and someone else one of a different colour."""
        mine = self.colours[owner]
        others = 0
        for seat in range(self.players):
            if seat != owner:
                others |= self.colours[seat]
        all_colours = mine | others
        return mine and others and all_colours & (all_colours - 1)

    def gain(self, seat, colour):
        self.held[seat * COLOURS + colour] += 1
        self.colours[seat] |= 1 << colour

    def lose(self, seat, colour):
        self.held[seat * COLOURS + colour] -= 1
        if not self.held[seat * COLOURS + colour]:
            self.colours[seat] &= ~(1 << colour)

    def trade(self, owner, give, other, take):
        self.lose(owner, give)
        self.gain(other, give)
        self.lose(other, take)
        self.gain(owner, take)
        self.frog_done()

    def drop(self, owner, colour, pad):
        self.lose(owner, colour)
        self.lily[pad] = colour
        self.lilies |= ONE << pad
        self.frog_done()

    def frog_done(self):
        """One frog of the turn has moved and all it brought about is settled."""
        self.asked = FROG
        self.frog = -1
        if self.arrived == 4:
            return
        self.left -= 1
        if not self.left:
            self.left = 3
            self.moved = 0
            self.turn = (self.turn + 1) % self.players

    # ---- counting --------------------------------------------------------------------------

    def score(self, seat):
        """1, 3, 6, 10, 15 points for 1 .. 5 lilies of a colour; blue counts 4, black -2."""
        first = seat * COLOURS
        points = 4 * self.held[first + BLUE] - 2 * self.held[first + BLACK]
        for colour in range(PINK, BLUE):
            points += self.held[first + colour] * (self.held[first + colour] + 1) // 2
        return points

    def winner_mask(self):
        best = self.score(0)
        seats = 1
        for seat in range(1, self.players):
            points = self.score(seat)
            if points > best:
                best = points
                seats = 0
            if points == best:
                seats |= 1 << seat
        return seats

    def observe(self, seat, numbers):
        """Frogs and lilies pad by pad, then seat by seat from the observer's own, then the turn."""
        me = seat if seat >= 0 else 0
        pads = self.pond.pads
        for pad in range(pads):
            numbers[pads + pad] = self.lily[pad]
        n = 2 * pads
        for i in range(self.players):
            owner = (me + i) % self.players
            for colour in range(PINK, COLOURS):
                numbers[n + colour - 1] = self.held[owner * COLOURS + colour]
            for k in range(3):
                frog = owner * 3 + k
                place = self.at[frog]
                if place < GOAL:
                    numbers[place] = 1 + i * 3 + k
                elif place == GOAL:
                    numbers[n + 5] += 1
                else:
                    numbers[n + 6] += 1
                numbers[n + 7 + k] = self.moved >> frog & 1
                if self.frog == frog:
                    numbers[n + 10 + k] = 1
            n += 13
        numbers[n] = (self.turn - me + self.players) % self.players
        numbers[n + 1] = self.left
        numbers[n + 2] = self.arrived
        for place in range(1, 5):
            if place > self.arrived:
                numbers[n + 2 + place] = self.prize[place]
        numbers[n + 7 + self.asked] = 1
        numbers[n + 11] = self.dealt
