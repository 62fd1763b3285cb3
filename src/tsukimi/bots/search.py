# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""One search for all games: a tree over what players know, grown in worlds drawn by `resample`.

Every simulation draws a world that agrees with what the searching seat knows (hidden cards, and chance as it
comes), walks down the tree, adds one node, plays on quickly as the game's judge advises, and tells every decision
on the way what share of the win its own player got (max^n). A node stands for what the player to move knows there
(a hash of the seat's observation and its legal moves), so different worlds that look the same to that player share
one node, and equal positions reached by different ways do too. The nodes outlive a move: the next search of the
same game begins with them.
"""

from __future__ import annotations

from mmap import mmap

import cython

if not cython.compiled:
    from math import exp, sqrt

    from tsukimi.bots.judge import Judge
    from tsukimi.core.game import Game
    from tsukimi.core.rng import MASK, Rng

DEEPEST = 400
FACTOR = 0x9E3779B97F4A7C15
MOST_EDGES = 8192
FEWEST_SLOTS = 4096


def room(kind: str, size: int) -> memoryview:
    """So many zeros, which take no memory before they are written to."""
    return memoryview(mmap(-1, size * (8 if kind in "Qd" else 4))).cast(kind)


class Search:
    """The tree of one seat in one game."""

    def __init__(self, root: Game, judge: Judge, seed: int = 0, nodes: int = 1 << 17, edges: int = 1 << 21) -> None:
        self.root = root.copy()
        self.world = root.copy()
        self.judge = judge
        self.rng = Rng(seed)
        self.curiosity = 1.0
        self.sharpness = 1.0
        self.seat = 0
        self.top = 0
        self.moves_made = 0
        self.most_nodes = nodes
        self.most_edges = max(edges, 2 * MOST_EDGES)
        self.make_room()
        self.slots = FEWEST_SLOTS  # a power of two: a slot is some bits of a key
        self.used_nodes = 1  # node 0 means "none"
        self.used_edges = 0

    def make_room(self) -> None:
        most_slots = FEWEST_SLOTS
        while most_slots < 2 * self.most_nodes:
            most_slots *= 2
        if cython.compiled:
            self.keep = [
                room("i", most_slots),
                room("Q", self.most_nodes),
                room("i", self.most_nodes),
                room("i", self.most_nodes),
                room("i", self.most_nodes),
                room("d", self.most_nodes),
                room("i", self.most_edges),
                room("i", self.most_edges),
                room("d", self.most_edges),
                room("f", self.most_edges),
            ]
            self.index, self.keys, self.first, self.count, self.visits = self.keep[:5]
            self.worth = self.keep[5]
            self.move, self.tries, self.gain, self.prior = self.keep[6:]
        else:
            self.index, self.keys = [0] * most_slots, [0] * self.most_nodes
            self.first, self.count, self.visits = ([0] * self.most_nodes for _ in range(3))
            self.worth = [0.0] * self.most_nodes
            self.move, self.tries = [0] * self.most_edges, [0] * self.most_edges
            self.gain, self.prior = [0.0] * self.most_edges, [0.0] * self.most_edges
            self.path, self.path_seat, self.path_node = ([0] * DEEPEST for _ in range(3))
            self.shares = [0.0] * 5
            self.buffer = [0] * MOST_EDGES
            self.numbers = [0] * 4096

    def clear(self) -> None:
        """Forget everything."""
        for slot in range(self.slots):
            self.index[slot] = 0
        self.used_nodes = 1
        self.used_edges = 0
        self.top = 0

    def look_at(self, root: Game, seat: cython.int) -> None:
        """Search from this position for this seat from now on. What is still true in the tree stays."""
        self.root.assign(root)
        self.seat = seat
        self.top = 0
        if self.used_nodes > self.most_nodes // 2 or self.used_edges > self.most_edges // 2:
            self.clear()

    def run(self, simulations: cython.int) -> None:
        """So many simulations, without the interpreter lock."""
        with cython.nogil:
            for _ in range(simulations):
                self.simulate()
        self.world.raise_failure()

    def result(self) -> list[tuple[int, int, float]]:
        """The root's moves: (move, times tried, mean share of the win)."""
        node = self.root_node()
        if node == 0:
            return []
        found = []
        for edge in range(self.first[node], self.first[node] + self.count[node]):
            mean = self.gain[edge] / self.tries[edge] if self.tries[edge] else 0.0
            found.append((self.move[edge], self.tries[edge], mean))
        return found

    def size(self) -> int:
        """How many nodes the tree has."""
        return self.used_nodes - 1

    # ---- without the interpreter lock ---------------------------------------------------------

    def root_node(self):
        return self.find(self.key(self.root, self.seat))

    def simulate(self):
        self.world.copy_from(self.root)
        self.world.resample_hidden(self.seat, self.rng)
        depth = 0
        mover = self.seat
        while not self.world.is_over() and depth < DEEPEST:
            if self.world.at_chance():
                self.world.resolve_chance(self.rng)
                continue
            node = 0 if depth else self.top
            if node == 0:
                if depth:
                    mover = self.world.first_actor()
                key = self.key(self.world, mover)
                node = self.find(key)
                if node == 0:
                    node = self.add(key)
                    if depth:
                        break
                if self.count[node] == 0 and not self.expand(node, mover):
                    break
                if depth == 0:
                    self.top = node  # every world looks the same to the seat that searches
            edge = self.select(node)
            self.path[depth] = edge
            self.path_seat[depth] = mover
            self.path_node[depth] = node
            depth += 1
            self.world.make_move(self.move[edge], mover)
            self.moves_made += 1
        self.play_on()
        self.judge.settle(self.world, self.shares)
        for step in range(depth):
            share = self.shares[self.path_seat[step]]
            edge = self.path[step]
            node = self.path_node[step]
            self.tries[edge] += 1
            self.gain[edge] += share
            self.visits[node] += 1
            self.worth[node] += share

    def play_on(self):
        """From the new node on: the judge's quick moves, as far as its horizon."""
        if self.judge.blind:
            self.moves_made += self.world.rollout(self.rng)
            return
        for _ in range(self.judge.horizon):
            if self.judge.done(self.world):
                return
            while self.world.at_chance():
                self.world.resolve_chance(self.rng)
            if self.world.is_over():
                return
            seat = self.world.first_actor()
            self.world.make_move(self.judge.advise(self.world, seat, self.rng), seat)
            self.moves_made += 1
        while self.world.at_chance():
            self.world.resolve_chance(self.rng)

    def select(self, node):
        """The move that promises most: its mean so far, and curiosity where it looks good and was seldom tried."""
        first = self.first[node]
        total = self.visits[node]
        pull = self.curiosity * sqrt(total + 1.0)
        unknown = self.worth[node] / total if total else 0.5
        best = first
        best_value: cython.double = -1.0
        for edge in range(first, first + self.count[node]):
            tries = self.tries[edge]
            value = self.gain[edge] / tries if tries else unknown
            value += pull * self.prior[edge] / (1 + tries)
            if value > best_value:
                best_value = value
                best = edge
        return best

    def key(self, game, mover):
        """A number for what the player to move knows, and may do, there."""
        if cython.compiled:
            buffer = cython.address(self.buffer[0])
            numbers = cython.address(self.numbers[0])
        else:
            buffer = self.buffer
            numbers = self.numbers
        self.listed = game.list_moves(mover, buffer)
        parts = (game.observation_size + 7) // 8
        for i in range(8 * parts):
            numbers[i] = 0
        game.observe(mover, numbers)
        value: cython.ulonglong = FACTOR ^ (mover + 1)
        other: cython.ulonglong = FACTOR
        for i in range(parts):  # two at a time: neither waits for the other
            value = mix(value, four(numbers, 8 * i))
            other = mix(other, four(numbers, 8 * i + 4))
        for i in range(self.listed):
            value = mix(value, buffer[i])
        value = mix(value, other)
        return value if value else 1

    def find(self, key):
        """The node of a key; 0 if there is none."""
        slot = key & (self.slots - 1)
        while self.index[slot]:
            if self.keys[self.index[slot]] == key:
                return self.index[slot]
            slot = (slot + 1) & (self.slots - 1)
        return 0

    def enter(self, node):
        """Let `find` know a node. The index grows with the tree: a small one stays where it is quick to reach."""
        if 2 * node > self.slots:
            self.slots *= 2
            for slot in range(self.slots):
                self.index[slot] = 0
            for earlier in range(1, node):
                self.enter(earlier)
        slot = self.keys[node] & (self.slots - 1)
        while self.index[slot]:
            slot = (slot + 1) & (self.slots - 1)
        self.index[slot] = node

    def add(self, key):
        """A node for the position just looked at by `key`; 0 when there is no room left."""
        if self.used_nodes >= self.most_nodes:
            return 0
        node = self.used_nodes
        self.used_nodes += 1
        self.keys[node] = key
        self.count[node] = self.visits[node] = 0
        self.worth[node] = 0.0
        self.enter(node)
        return node

    def expand(self, node, mover):
        """The moves of a node, when it is come to again: most nodes never are. False when there is no room left."""
        if node == 0 or self.used_edges + self.listed > self.most_edges:
            return False
        self.first[node] = self.used_edges
        self.count[node] = self.listed
        for i in range(self.listed):
            edge = self.used_edges + i
            self.move[edge] = self.buffer[i]
            self.tries[edge] = 0
            self.gain[edge] = 0.0
            self.prior[edge] = 1.0 / self.listed
        if not self.judge.blind:
            self.weigh_moves(mover)
        self.used_edges += self.listed
        return True

    def weigh_moves(self, mover):
        """The new moves' part in the player's first sight of them, in sum 1."""
        best: cython.double = -1e30
        for edge in range(self.used_edges, self.used_edges + self.listed):
            self.prior[edge] = self.judge.prior(self.world, mover, self.move[edge])
            if self.prior[edge] > best:
                best = self.prior[edge]
        total: cython.double = 0.0
        for edge in range(self.used_edges, self.used_edges + self.listed):
            self.prior[edge] = exp((self.prior[edge] - best) * self.sharpness)
            total += self.prior[edge]
        for edge in range(self.used_edges, self.used_edges + self.listed):
            self.prior[edge] /= total


def four(numbers, place):
    """Four numbers as one."""
    first: cython.ulonglong = numbers[place] & 65535
    second: cython.ulonglong = numbers[place + 1] & 65535
    third: cython.ulonglong = numbers[place + 2] & 65535
    fourth: cython.ulonglong = numbers[place + 3] & 65535
    return first | second << 16 | third << 32 | fourth << 48


def mix(value, number):
    """Fold one more number into a hash."""
    if cython.compiled:
        value = (value ^ number) * FACTOR
    else:
        value = ((value ^ number) * FACTOR) & MASK
    return value ^ (value >> 29)
