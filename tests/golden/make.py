"""Rewrite the recorded games and the counts of this folder: `make golden`. Look at the difference first."""

from __future__ import annotations

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from conformance.variants import OURS, name, played  # noqa: E402
from golden.counts import everything  # noqa: E402


def main() -> None:
    for variant in OURS:
        state = played(variant, 2026)
        state.names = {0: "Ana", 1: "Naoko"}
        (HERE / f"{name(variant)}.txt").write_text(state.record(), "utf-8")
    (HERE / "counts.json").write_text(json.dumps(everything(), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
