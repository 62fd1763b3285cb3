"""Leduc poker, compiled: the game of `tsukimi_leduc`, with the methods that batches and bots call most in C (`rules`)."""

from tsukimi_leduc import SPEC as PLAIN
from tsukimi_leduc import Leduc, stakes

from tsukimi.plugin import make_spec
from tsukimi_leduc_compiled.rules import Rules


class CompiledLeduc(Rules, Leduc):
    """The compiled rules; whatever they lack is inherited from the Python ones."""


SPEC = make_spec(CompiledLeduc, "leduc-compiled", seats=(2,), folder=PLAIN.folder, length=5, stakes=stakes)
