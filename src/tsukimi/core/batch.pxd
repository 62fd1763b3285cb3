from tsukimi.core.chunk cimport END, STEP, Chunk
from tsukimi.core.game cimport Game
from tsukimi.core.rng cimport Rng
