"""Leduc poker, compiled: the game of `tsukimi_leduc`, of which `rules` does in C what batches and bots do most."""

from tsukimi_leduc import SPEC as PLAIN
from tsukimi_leduc import Leduc, stakes

from tsukimi.plugin import make_spec
from tsukimi_leduc_compiled.rules import Rules


class CompiledLeduc(Rules, Leduc):
    """Rules in C where there are some, else those in Python."""


SPEC = make_spec(CompiledLeduc, "leduc-compiled", seats=(2,), folder=PLAIN.folder, length=5, stakes=stakes)
