"""core <- terminal <- games <- bots <- analysis, lab, envs; games <- check; games, bots <- table <- server; store and bus know no game.

The package itself ("": `tsukimi.new`, `tsukimi.replay`, ..) is core and games together.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "tsukimi"
MAY_IMPORT = {
    "core": set(),
    "games": {"core", "terminal"},
    "terminal": {"core"},
    "check": {"", "core", "games"},
    "bots": {"", "core", "games"},
    "analysis": {"", "core", "games", "bots"},
    "lab": {"", "core", "games", "bots", "ratings"},
    "envs": {"", "core", "games", "bots", "terminal"},
    "table": {"", "core", "games", "bots"},
    "store": set(),
    "bus": set(),
    "server": {"", "core", "games", "bots", "analysis", "lab", "table", "store", "bus", "ratings"},
    "cli": {
        "core",
        "games",
        "bots",
        "analysis",
        "lab",
        "table",
        "store",
        "bus",
        "server",
        "terminal",
        "ratings",
        "",
        "check",
    },
    "ratings": set(),
}
ALLOWED_LATE = {("core/state.py", ""), ("core/game.py", "")}  # unpickling asks for the package's own `new`


def imports(path: Path) -> set[str]:
    """The parts of the package that a module imports ("" for the package itself)."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "tsukimi":
                found.add(parts[1] if len(parts) > 1 and (SOURCE / parts[1]).exists() else _module(parts))
    return found


def _module(parts: list[str]) -> str:
    return parts[1] if len(parts) > 1 and (SOURCE / f"{parts[1]}.py").exists() else ""


@pytest.mark.parametrize("part", sorted(MAY_IMPORT))
def test_imports_go_one_way(part):
    for path in sorted((SOURCE / part).rglob("*.py")):
        where = path.relative_to(SOURCE).as_posix()
        found = {name for name in imports(path) if (where, name) not in ALLOWED_LATE}
        assert found <= MAY_IMPORT[part] | {part}, f"{where} imports {found}"


def test_every_folder_has_its_rule():
    assert {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"} <= set(MAY_IMPORT)


@pytest.mark.parametrize("game", ["charuma", "china_moon", "daruma", "dojo"])
def test_a_game_knows_no_other_game(game):
    for path in (SOURCE / "games" / game).rglob("*.py"):
        text = path.read_text("utf-8")
        for other in {"charuma", "china_moon", "daruma", "dojo"} - {game}:
            assert f"tsukimi.games.{other}" not in text


def test_a_game_is_loaded_without_its_terminal_board_and_its_bots():
    code = (
        "import sys; from tsukimi.games import names, spec; [spec(name) for name in names()];"
        "print({'rich', 'tsukimi.terminal', 'tsukimi.bots'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_importing_tsukimi_is_quick_and_loads_no_numpy():
    code = "import sys, time; t = time.process_time(); import tsukimi; print(time.process_time() - t, 'numpy' in sys.modules)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5)]
    results = [run.stdout.split() for run in runs]
    assert min(float(seconds) for seconds, _ in results) < 0.15
    assert {loaded for _, loaded in results} == {"False"}


def test_every_compiled_module_leaves_its_types_to_its_pxd():
    for path in sorted(SOURCE.rglob("*.pxd")):
        assert path.with_suffix(".py").read_text("utf-8").startswith("# mypy: ignore-errors\n"), path


WITHIN_SERVER = [
    "messages",
    "common",
    "transport",
    "moderation",
    "accounts",
    "http",
    "monitoring",
    "tables",
    "sockets",
    "admin",
]  # each may use the ones before


@pytest.mark.parametrize("part", WITHIN_SERVER)
def test_within_the_server_imports_go_one_way_too(part):
    for path in sorted((SOURCE / "server" / part).rglob("*.py")):
        modules = {name for name in _modules(path) if name.startswith("tsukimi.server.")}
        found = {name.split(".")[2] for name in modules} & set(WITHIN_SERVER)
        allowed = set(WITHIN_SERVER[: WITHIN_SERVER.index(part) + 1])
        assert found <= allowed, f"{path.relative_to(SOURCE)} imports {found}"


def _modules(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_no_module_of_the_server_is_longer_than_350_lines():
    for part in ("server", "table", "store", "bus"):
        for path in sorted((SOURCE / part).rglob("*.py")):
            assert len(path.read_text("utf-8").splitlines()) <= 350, path.relative_to(SOURCE)


LINK = re.compile(r"\[`([\w.]+)`\]\(\.\./([\w/.-]+)\)")


def test_what_the_architecture_page_links_is_there():
    root = SOURCE.parents[1]
    links = LINK.findall((root / "docs" / "architecture.md").read_text("utf-8"))
    assert len(links) >= 12
    for name, path in links:
        text = (root / path).read_text("utf-8")
        for word in name.split("."):
            assert re.search(rf"^\s*(export )?(private |protected )?(async )?(class |def )?{word}\b", text, re.M), (
                f"{path}: {name}"
            )
