# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Information-set Monte Carlo tree search, the same for all games.

Every simulation samples a determinization: a position consistent with what the searching seat knows. It descends
the tree by PUCT, drawing chance outcomes on the way, adds one node, runs a rollout by the evaluator's policy, and
backs up to every decision the share of the win of the player who made it (max^n). A node is an information set of the
player to move (a hash of the observation and the legal moves), so determinizations that look the same to that player
share a node, and so do transpositions. Nodes are reused from move to move within a game; at the root, earlier results
count for little.
"""

from __future__ import annotations

from mmap import mmap

import cython

if not cython.compiled:
    from math import sqrt

    from tsukimi.bots.evaluator import Evaluator, softmax
    from tsukimi.core.game import Game
    from tsukimi.core.rng import MASK, Rng

MAX_DEPTH = 400
FACTOR = 0x9E3779B97F4A7C15
MAX_MOVES = 8192
MIN_SLOTS = 4096
KEPT_VISITS = 500  # of the root, from earlier searches
# One search may grow the tree to this many nodes and edges; from move to move at most the smaller numbers are kept.
# Memory is allocated as the tree grows, some 80 to 200 bytes per node. Plain Python, which is slow, allocates it at once.
MAX_NODES, MAX_EDGES = (1 << 20, 1 << 23) if cython.compiled else (1 << 17, 1 << 21)
KEPT_NODES, KEPT_EDGES = 1 << 16, 1 << 20


def zeros(kind: str, size: int) -> memoryview:
    """An array of zeros that takes no memory until it is written to."""
    return memoryview(mmap(-1, size * (8 if kind in "Qd" else 4))).cast(kind)


class Search:
    """The tree of one seat in one game."""

    def __init__(
        self, root: Game, evaluator: Evaluator, seed: int = 0, nodes: int = MAX_NODES, edges: int = MAX_EDGES
    ) -> None:
        self.root = root.copy()
        self.sampled = root.copy()
        self.evaluator = evaluator
        self.rng = Rng(seed)
        self.exploration = 1.0
        self.sharpness = 1.0
        self.seat = 0
        self.worlds = 0  # how many positions `set_worlds` was given; 0: every simulation samples its own
        self.tried = -1  # a move of the root that every simulation makes; -1: the search selects
        self.root_node = 0
        self.moves_made = self.simulations = 0
        self.max_nodes = nodes
        self.max_edges = max(edges, 2 * MAX_MOVES)
        self.allocate()
        self.slots = MIN_SLOTS  # a power of two: a slot is some bits of a key
        self.node_count = 1  # node 0 means "none"
        self.edge_count = 0

    def allocate(self) -> None:
        max_slots = MIN_SLOTS
        while max_slots < 2 * self.max_nodes:
            max_slots *= 2
        if cython.compiled:
            self.buffers = [
                zeros("i", max_slots),
                zeros("Q", self.max_nodes),
                zeros("i", self.max_nodes),
                zeros("i", self.max_nodes),
                zeros("i", self.max_nodes),
                zeros("d", self.max_nodes),
                zeros("i", self.max_edges),
                zeros("i", self.max_edges),
                zeros("i", self.max_edges),
                zeros("d", self.max_edges),
                zeros("f", self.max_edges),
            ]
            self.slot_node, self.keys, self.first, self.count, self.node_visits = self.buffers[:5]
            self.node_value_sum = self.buffers[5]
            self.move, self.child, self.visits, self.value_sum, self.prior = self.buffers[6:]
        else:
            self.slot_node, self.keys = [0] * max_slots, [0] * self.max_nodes
            self.first, self.count, self.node_visits = ([0] * self.max_nodes for _ in range(3))
            self.node_value_sum = [0.0] * self.max_nodes
            self.move, self.child, self.visits = ([0] * self.max_edges for _ in range(3))
            self.value_sum, self.prior = [0.0] * self.max_edges, [0.0] * self.max_edges
            self.path, self.path_seat, self.path_node = ([0] * MAX_DEPTH for _ in range(3))
            self.shares, self.share_sums = [0.0] * 5, [0.0] * 5
            self.buffer = [0] * MAX_MOVES
            self.numbers = [0] * 4096

    def clear(self) -> None:
        """Drop all nodes, and release the memory of a large tree."""
        if self.node_count > 2 * KEPT_NODES or self.edge_count > 2 * KEPT_EDGES:
            self.allocate()
            self.slots = MIN_SLOTS
        for slot in range(self.slots):
            self.slot_node[slot] = 0
        self.node_count = 1
        self.edge_count = 0
        self.root_node = 0

    def keep_from(self, root: cython.int) -> None:
        """Drop all nodes except this one and those reachable from it, nearest first, up to the limit."""
        keys, first, count = self.keys, self.first, self.count
        node_visits, node_value_sum = self.node_visits, self.node_value_sum
        move, child, visits, value_sum, prior = self.move, self.child, self.visits, self.value_sum, self.prior
        limit = min(KEPT_NODES, self.max_nodes // 2)
        most_edges = min(KEPT_EDGES, self.max_edges // 2)
        number: cython.int[::1] = zeros("i", self.node_count)  # of old nodes in the new tree
        order: cython.int[::1] = zeros("i", limit)
        self.allocate()
        self.slots = MIN_SLOTS
        self.node_count = 1
        self.edge_count = 0
        order[0] = root
        number[root] = found = 1
        done = 0
        while done < found:
            old = order[done]
            done += 1
            node = self.add(keys[old])
            if self.edge_count + count[old] > most_edges:
                continue
            self.node_visits[node], self.node_value_sum[node] = node_visits[old], node_value_sum[old]
            self.first[node], self.count[node] = self.edge_count, count[old]
            for before in range(first[old], first[old] + count[old]):
                edge = self.edge_count
                self.edge_count += 1
                self.move[edge], self.prior[edge] = move[before], prior[before]
                self.visits[edge], self.value_sum[edge] = visits[before], value_sum[before]
                after = child[before]
                if after and not number[after] and found < limit:
                    order[found] = after
                    found += 1
                    number[after] = found
                self.child[edge] = number[after] if after else 0

    def set_root(self, root: Game, seat: cython.int) -> None:
        """Search from this position for this seat from now on. The nodes found so far stay, unless there are too many: then
        those that follow from this position stay in open games, and none in others. But what earlier searches found about the
        root's own moves counts as at most a few hundred visits, so that this search decides."""
        self.root.assign(root)
        self.seat = seat
        self.worlds = self.simulations = 0
        for other in range(5):
            self.share_sums[other] = 0.0
        self.root_node = 0
        if self.node_count > min(KEPT_NODES, self.max_nodes // 2) or self.edge_count > min(
            KEPT_EDGES, self.max_edges // 2
        ):
            node = self.find_root()
            if node and self.evaluator.open_game:
                self.keep_from(node)
            else:
                self.clear()
        self.discount(self.find_root())

    def set_worlds(self, positions: list[Game]) -> None:
        """Start every simulation of this root from one of these positions, uniformly at random."""
        self.worlds = len(positions)
        if cython.compiled:
            self.world_data = bytearray(max(1, self.worlds * self.root.block_size()))
            self.world_block = self.world_data
            for place, position in enumerate(positions):
                self.sampled.assign(position)
                self.sampled.store(cython.address(self.world_block[0]), place)
        else:
            self.world_block = positions

    def discount(self, node: cython.int) -> None:
        """Scale the statistics of a node down to `KEPT_VISITS` visits; the means stay."""
        if self.node_visits[node] <= KEPT_VISITS:
            return
        part: cython.double = 1.0 * KEPT_VISITS / self.node_visits[node]  # as C divides, two integers would give 0
        self.node_visits[node] = 0
        self.node_value_sum[node] = 0.0
        for edge in range(self.first[node], self.first[node] + self.count[node]):
            visits = self.visits[edge]
            if visits:
                mean: cython.double = self.value_sum[edge] / visits
                self.visits[edge] = cython.cast(cython.int, part * visits)
                self.value_sum[edge] = mean * self.visits[edge]
                self.node_visits[node] += self.visits[edge]
                self.node_value_sum[node] += self.value_sum[edge]

    def run(self, simulations: cython.int) -> None:
        """Run simulations without the GIL."""
        with cython.nogil:
            for _ in range(simulations):
                self.simulate()
        self.sampled.raise_failure()
        self.evaluator.raise_failure()

    def result(self) -> list[tuple[int, int, float]]:
        """The moves at the root: (move, visits, mean share of the win)."""
        node = self.find_root()
        if node == 0:
            return []
        found = []
        for edge in range(self.first[node], self.first[node] + self.count[node]):
            mean = self.value_sum[edge] / self.visits[edge] if self.visits[edge] else 0.0
            found.append((self.move[edge], self.visits[edge], mean))
        return found

    def mean_shares(self, game: Game, rollouts: cython.int) -> list[float]:
        """Each seat's mean share of the win over that many rollouts from this position, with all hidden information revealed."""
        totals = [0.0] * game.players
        for _ in range(rollouts):
            with cython.nogil:
                self.sampled.copy_from(game)
                self.rollout()
                self.evaluator.leaf_value(self.sampled, self.shares)
            for seat in range(game.players):
                totals[seat] += self.shares[seat]
        self.sampled.raise_failure()
        self.evaluator.raise_failure()
        return [total / rollouts for total in totals]

    def root_shares(self) -> list[float]:
        """Each seat's mean share of the win over the simulations since `set_root`."""
        return [self.share_sums[seat] / self.simulations for seat in range(self.root.players)]

    def size(self) -> int:
        """How many nodes the tree has."""
        return self.node_count - 1

    # ---- without the GIL ---------------------------------------------------------

    def find_root(self):
        return self.find(self.key(self.root, self.seat))

    def simulate(self):
        self.sample()
        depth = edge = 0
        mover = self.seat
        while not self.sampled.is_over() and depth < MAX_DEPTH:
            if self.sampled.at_chance():
                self.sampled.resolve_chance(self.rng)
                continue
            node = self.child[edge] if depth else self.root_node
            if depth:
                mover = self.sampled.first_actor()
            if node == 0:
                key = self.key(self.sampled, mover)
                node = self.find(key)
                new: cython.bint = node == 0
                if new:
                    node = self.add(key)
                if depth == 0:
                    self.root_node = node  # the same in all determinizations: the searching seat cannot tell them apart
                else:
                    if self.evaluator.open_game:
                        self.child[edge] = node
                    if new:
                        break
            elif self.count[node] == 0:
                self.list_moves(self.sampled, mover)
            if self.count[node] == 0 and not self.expand(node, mover):
                break
            edge = self.select(node) if depth or self.tried < 0 else self.edge_of(node, self.tried)
            self.path[depth] = edge
            self.path_seat[depth] = mover
            self.path_node[depth] = node
            depth += 1
            self.sampled.make_move(self.move[edge], mover)
            self.moves_made += 1
        self.rollout()
        self.evaluator.leaf_value(self.sampled, self.shares)
        self.simulations += 1
        for seat in range(self.sampled.players):
            self.share_sums[seat] += self.shares[seat]
        for step in range(depth):
            share = self.shares[self.path_seat[step]]
            edge = self.path[step]
            node = self.path_node[step]
            self.visits[edge] += 1
            self.value_sum[edge] += share
            self.node_visits[node] += 1
            self.node_value_sum[node] += share

    def sample(self):
        """A determinization."""
        if self.worlds == 0:
            self.sampled.copy_from(self.root)
            self.sampled.resample_hidden(self.seat, self.rng)
        elif cython.compiled:
            self.sampled.load(cython.address(self.world_block[0]), self.rng.below(self.worlds))
        else:
            self.sampled.load(self.world_block, self.rng.below(self.worlds))

    def rollout(self):
        """Play on from the new node by the rollout policy, as far as the evaluator's horizon."""
        if self.evaluator.random_rollouts:
            self.moves_made += self.sampled.rollout(self.rng)
            return
        for _ in range(self.evaluator.horizon):
            if self.evaluator.stop_rollout(self.sampled):
                return
            while self.sampled.at_chance():
                self.sampled.resolve_chance(self.rng)
            if self.sampled.is_over():
                return
            seat = self.sampled.first_actor()
            self.sampled.make_move(self.evaluator.rollout_move(self.sampled, seat, self.rng), seat)
            self.moves_made += 1
        while self.sampled.at_chance():
            self.sampled.resolve_chance(self.rng)

    def select(self, node):
        """PUCT: the mean value, and an exploration bonus by prior and visits. Unvisited moves start at the node's mean."""
        first = self.first[node]
        total = self.node_visits[node]
        bonus = self.exploration * sqrt(total + 1.0)
        first_play = self.node_value_sum[node] / total if total else 0.5
        best = first
        best_value: cython.double = -1.0
        for edge in range(first, first + self.count[node]):
            visits = self.visits[edge]
            value = self.value_sum[edge] / visits if visits else first_play
            value += bonus * self.prior[edge] / (1 + visits)
            if value > best_value:
                best_value = value
                best = edge
        return best

    def edge_of(self, node, move):
        """The edge of a move that is legal at this node."""
        edge = self.first[node]
        while self.move[edge] != move:
            edge += 1
        return edge

    def key(self, game, mover):
        """A hash of the information set of the player to move: its observation and its legal moves."""
        self.list_moves(game, mover)
        if cython.compiled:
            numbers = cython.address(self.numbers[0])
        else:
            numbers = self.numbers
        parts = (game.observation_size + 7) // 8
        for i in range(8 * parts):
            numbers[i] = 0
        game.observe(mover, numbers)
        value: cython.ulonglong = FACTOR ^ (mover + 1)
        other: cython.ulonglong = FACTOR
        for i in range(parts):  # two independent chains, which the processor runs in parallel
            value = mix(value, pack_four(numbers, 8 * i))
            other = mix(other, pack_four(numbers, 8 * i + 4))
        for i in range(self.move_count):
            value = mix(value, self.buffer[i])
        value = mix(value, other)
        return value if value else 1

    def list_moves(self, game, mover):
        if cython.compiled:
            buffer = cython.address(self.buffer[0])
        else:
            buffer = self.buffer
        self.move_count = self.evaluator.list_candidates(game, mover, buffer)

    def find(self, key):
        """The node of a key; 0 if there is none."""
        slot = key & (self.slots - 1)
        while self.slot_node[slot]:
            if self.keys[self.slot_node[slot]] == key:
                return self.slot_node[slot]
            slot = (slot + 1) & (self.slots - 1)
        return 0

    def index_node(self, node):
        """Add a node to the hash table. The table grows with the tree, so that a small one stays in the cache."""
        if 2 * node > self.slots:
            self.slots *= 2
            for slot in range(self.slots):
                self.slot_node[slot] = 0
            for earlier in range(1, node):
                self.index_node(earlier)
        slot = self.keys[node] & (self.slots - 1)
        while self.slot_node[slot]:
            slot = (slot + 1) & (self.slots - 1)
        self.slot_node[slot] = node

    def add(self, key):
        """A node for the position that `key` has just hashed; 0 if there is no room left."""
        if self.node_count >= self.max_nodes:
            return 0
        node = self.node_count
        self.node_count += 1
        self.keys[node] = key
        self.count[node] = self.node_visits[node] = 0
        self.node_value_sum[node] = 0.0
        self.index_node(node)
        return node

    def expand(self, node, mover):
        """List a node's moves on its second visit (most nodes have only one). False if there is no room left.

        They are listed in random order: of equal ones the first is visited first, and most often in the end.
        """
        if node == 0 or self.edge_count + self.move_count > self.max_edges:
            return False
        for i in range(self.move_count - 1, 0, -1):
            place = self.rng.below(i + 1)
            move = self.buffer[i]
            self.buffer[i] = self.buffer[place]
            self.buffer[place] = move
        self.first[node] = self.edge_count
        self.count[node] = self.move_count
        for i in range(self.move_count):
            edge = self.edge_count + i
            self.move[edge] = self.buffer[i]
            self.child[edge] = 0
            self.visits[edge] = 0
            self.value_sum[edge] = 0.0
            self.prior[edge] = 1.0 / self.move_count
        if not self.evaluator.random_rollouts:
            self.set_priors(mover)
        self.edge_count += self.move_count
        return True

    def set_priors(self, mover):
        """The softmax of the evaluator's priors over the moves of the new node."""
        if cython.compiled:
            buffer = cython.address(self.buffer[0])
            priors = cython.address(self.prior[0])
        else:
            buffer = self.buffer
            priors = self.prior
        self.evaluator.list_priors(self.sampled, mover, buffer, self.move_count, priors, self.edge_count)
        softmax(priors, self.edge_count, self.move_count, self.sharpness)


def pack_four(numbers, place):
    """Four 16-bit numbers as one of 64 bits."""
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
