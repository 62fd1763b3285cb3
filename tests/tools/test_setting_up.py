"""What `make` does before anything runs: steps that say what they do, requirements, the wheel's metadata."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=ROOT)


def test_a_step_is_one_line_with_the_time_that_it_took():
    done = run("tools/step.py", "Counting (a moment)", sys.executable, "-c", "print('WARNING: noise')")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"Counting \(a moment\) \.\. \d+ s\n", done.stdout)


def test_a_step_shows_what_could_not_be_done():
    done = run("tools/step.py", "Counting", sys.executable, "-c", "print('noise\\ntsukimi: not compiled')")
    assert (done.returncode, done.stderr) == (0, "tsukimi: not compiled\n")


def test_a_step_that_fails_shows_the_output_of_its_command():
    done = run("tools/step.py", "Counting", sys.executable, "-c", "print('why'); raise SystemExit(3)")
    assert (done.returncode, done.stdout, done.stderr) == (3, "Counting .. failed\n", "why\n")


def test_an_extra_has_the_requirements_of_those_that_it_includes():
    served = run("tools/extra.py", "serve").stdout.splitlines()
    assert {line.split(">")[0] for line in served} >= {"rich", "starlette"}
    assert not [line for line in served if line.startswith("tsukimi")]


def test_all_games_in_the_tree_are_registered():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    folders = [path.parent.name for path in (ROOT / "src" / "tsukimi" / "games").glob("*/__init__.py")]
    games = {name.replace("_", "-"): f"tsukimi.games.{name}:SPEC" for name in folders}
    assert project["entry-points"]["tsukimi.games"] == games


@pytest.mark.parametrize(("libraries", "required"), [([], ["cython"]), (["tsukimi/core/game.so"], [])])
def test_only_a_wheel_without_compiled_modules_requires_cython(monkeypatch, libraries, required):
    monkeypatch.syspath_prepend(str(ROOT))
    import hatch_build

    built = [hatch_build.FOR_WHEEL / "lib" / library for library in libraries]
    monkeypatch.setattr(hatch_build, "compiled_for_wheel", lambda: built)
    monkeypatch.setattr(hatch_build, "client_for_wheel", lambda: None)
    hook = hatch_build.CustomBuildHook(str(ROOT), {}, None, None, "", "wheel")
    data = {"force_include": {}, "dependencies": []}
    hook.initialize("standard", data)
    assert [line.split(">")[0] for line in data["dependencies"]] == required
    assert list(data["force_include"].values()) == libraries
