"""Compiles the rules with Cython while the wheel is built; without a C compiler the wheel stays plain Python.

Also a command: `python hatch_build.py OUT [--sanitize] [--only WORD ..]` lays a compiled copy of the
package into OUT, to be put on PYTHONPATH (the source tree itself never holds compiled files).
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parent
SOURCE = ROOT / "src"
SANITIZE = ["-O1", "-fsanitize=undefined", "-fno-sanitize-recover=bounds", "-g1"]


def modules() -> list[Path]:
    """Every module with a `.pxd` beside it is compiled."""
    return sorted(pxd.with_suffix(".py") for pxd in SOURCE.rglob("*.pxd") if pxd.stem != "__init__")


def compile_modules(build: Path, sanitize: bool = False, only: list[str] | None = None) -> list[Path]:
    """Compile into `build`, reusing what is there and current; give the shared libraries."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    flags = SANITIZE if sanitize else ["-O3"]
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
        command = build_ext(Distribution({"name": "tsukimi", "ext_modules": made}))
        command.build_lib, command.build_temp = str(build / "lib"), str(build / "temp")
        command.parallel = os.cpu_count()
        command.ensure_finalized()
        command.run()
        return [Path(file).absolute() for file in command.get_outputs()]
    finally:
        os.chdir(here)


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # the command below needs no hatchling
    BuildHookInterface = object  # type: ignore[assignment,misc]


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict) -> None:  # type: ignore[type-arg]
        if self.target_name != "wheel" or version == "editable" or os.environ.get("TSUKIMI_PLAIN"):
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
