"""Builds the documentation site: collects the pages from across the repository and runs MkDocs in strict mode.

    python tools/docs.py                 build it into build/site, with reports of 400 games
    python tools/docs.py --games 20      the same with smaller reports: what `make test` does

The Markdown in the repository is readable as it is; here its links are rewritten for the site, and anything they link to
outside the documentation (a source file, an example) becomes a page. Players' pages are built once in each language.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import shutil
import sys
from pathlib import Path

import notebooks

from tsukimi.games import spec

ROOT = Path(__file__).parent.parent
PAGES, SITE = ROOT / "build" / "site-pages", ROOT / "build" / "site"
MANY = 100  # with at least this many games a report includes the variants and uses two cores
LANGUAGES = {"en": "Play", "fr": "Jouer", "es": "Jugar"}
RULES = {"en": "Rules", "fr": "Règles", "es": "Reglas"}
IN_FULL = {"en": "The rules in full", "fr": "Les règles complètes", "es": "Las reglas completas"}
GUIDES = "src/tsukimi/games/{module}/guide/{lang}.md"
OURS = sorted(path.stem for path in (ROOT / "docs" / "games").glob("*.md"))

# The pages of the API reference: title, and the objects whose docstrings and types are shown.
REFERENCE = {
    "state": ("Games and states", ["tsukimi.new", "tsukimi.replay", "tsukimi.batch", "tsukimi.core.state.State", "tsukimi.core.errors"]),
    "batch": ("Batches", ["tsukimi.core.batch.Batch"]),
    "envs": ("Environments", ["tsukimi.envs.pettingzoo", "tsukimi.envs.gymnasium", "tsukimi.envs.openspiel", "tsukimi.envs.encoding", "tsukimi.core.encoding"]),
    "bots": ("Bots and matches", ["tsukimi.bots", "tsukimi.bots.budget.Budget", "tsukimi.bots.engine.Engine", "tsukimi.lab.arena"]),
    "lab": ("Simulation", ["tsukimi.lab.simulation", "tsukimi.lab.summary", "tsukimi.lab.plots"]),
    "analysis": ("Review", ["tsukimi.analysis.review"]),
    "spec": ("A game of your own", ["tsukimi.core.spec.Spec", "tsukimi.core.spec.Field", "tsukimi.core.python_spec", "tsukimi.core.zones"]),
    "client": ("Client of a server", ["tsukimi.client"]),
}  # fmt: skip

LINK = re.compile(r"(\]\(|src=\")([^)\s\"#]+)(#[^)\s\"]*)?(?=[)\"])")
FENCE = re.compile(r"^\s*(```|~~~)")
LIST = re.compile(r"\s*([-*]|\d+\.) ")
TERMINAL = re.compile(r"<!-- terminal -->.*?<!-- /terminal -->\n?", re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
LANGUAGE = {".py": "python", ".ts": "typescript", ".js": "javascript", ".toml": "toml", ".json": "json", ".yml": "yaml", ".yaml": "yaml"}  # fmt: skip


class Site:
    """The pages of one language, and where each file of the repository is on the site."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.folder = PAGES / lang
        self.places: dict[str, str] = {}
        """Path in the repository -> path on the site."""
        self.texts: dict[str, str] = {}
        self._sources: list[str] = []

    def add(self, path: str, place: str, text: str | None = None) -> None:
        self.places[path] = place
        if place.endswith(".md"):
            self.texts[path] = (ROOT / path).read_text("utf-8") if text is None else text
        else:
            self.copy(path, place)

    def copy(self, path: str, place: str) -> None:
        self.write(place, (ROOT / path).read_bytes())

    def write(self, place: str, content: bytes | str) -> None:
        out = self.folder / place
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(content.encode() if isinstance(content, str) else content)

    def finish(self) -> None:
        """Write all pages with rewritten links, and a page for each repository file they link to."""
        for path, text in self.texts.items():
            self.write(self.places[path], self.rewritten(path, text))
        for path in self._sources:
            self.write(self.places[path], _source_page(ROOT / path))

    def rewritten(self, path: str, text: str) -> str:
        """The text with links for the site, and with the blank lines that Python-Markdown needs before lists and tables
        (GitHub does not)."""
        lines: list[str] = []
        fenced = False
        for line in text.splitlines():
            if FENCE.match(line):
                fenced = not fenced
            elif not fenced:
                line = LINK.sub(lambda link: link[1] + self.target(path, link[2]) + (link[3] or ""), line)
                before = lines[-1] if lines else ""
                if LIST.match(line) and before.strip() and not LIST.match(before) and not before.startswith("  "):
                    lines.append("")
                if line.startswith("|") and before.strip() and not before.startswith("|"):
                    lines.append("")
            lines.append(line)
        return "\n".join(lines) + "\n"

    def target(self, path: str, link: str) -> str:
        """A link in a file of the repository, rewritten for the site."""
        if ":" in link or link.startswith("/"):
            return link
        wanted = os.path.normpath(os.path.join(os.path.dirname(path), link))
        if wanted not in self.places:
            if not (ROOT / wanted).exists() or self.lang != "en":
                return link  # a page that exists only on the site; MkDocs fails if there is none
            self.places[wanted] = f"source/{wanted.replace('/', '-')}.md"
            self._sources.append(wanted)
        return os.path.relpath(self.places[wanted], os.path.dirname(self.places[path]) or ".")


def _source_page(path: Path) -> str:
    """A page that shows a file, or lists the files of a folder."""
    name = path.relative_to(ROOT)
    if path.is_dir():
        found = sorted(file.relative_to(path) for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".so")  # fmt: skip
        text, language = "\n".join(map(str, found)), "text"
    else:
        text, language = path.read_text("utf-8"), LANGUAGE.get(path.suffix, "text")
    return f"---\nsearch:\n  exclude: true\n---\n# {name}\n\n````{language}\n{text}\n````\n"


def english(report_games: int) -> None:
    site = Site("en")
    for file in sorted((ROOT / "docs").rglob("*")):
        path = str(file.relative_to(ROOT))
        if file.is_file() and not path.startswith("docs/site/") and not re.search(r"\.(fr|es)\.md$", path):
            site.add(path, path.removeprefix("docs/"))
    for name in OURS:
        path = GUIDES.format(module=name.replace("-", "_"), lang="en")
        site.add(path, f"rules/{name}.md", rules(name, "en"))
    for file in sorted((ROOT / "bench" / "results").glob("*.md")):
        site.add(f"bench/results/{file.name}", f"measured/{file.name}")
    for name in ("CHANGELOG", "CONTRIBUTING", "CREDITS"):
        site.add(f"{name}.md", f"project/{name.lower()}.md")
    for lang in ("fr", "es"):
        site.places[f"docs/start/players.{lang}.md"] = f"{lang}/index.html"
    for page, (title, objects) in REFERENCE.items():
        site.write(f"reference/{page}.md", "\n\n".join([f"# {title}", *(f"::: {name}" for name in objects)]) + "\n")
    for file in sorted((ROOT / "examples" / "notebooks").glob("*.py")):
        cells = notebooks.run(file)
        site.write(f"notebooks/{file.stem}.ipynb", notebooks.ipynb(cells))
        path = f"examples/notebooks/{file.name}"
        site.add(path, f"notebooks/{file.stem}.md", notebooks.page(cells, f"{file.stem}.ipynb"))
    for name in OURS:
        site.write(f"reports/{name}.html", report(name, report_games))
    _look(site)
    for lang in ("fr", "es"):  # built into the same folder afterwards
        site.write(f"{lang}/index.html", "")
    site.finish()


def players(lang: str) -> None:
    """The players' pages in another language, as a small separate site."""
    site = Site(lang)
    site.add(f"docs/start/players.{lang}.md", "index.md")
    site.add("docs/pictures/daruma.webp", "pictures/daruma.webp")
    nav = [f"  - {LANGUAGES[lang]}: index.md", f"  - {RULES[lang]}:"]
    for name in OURS:
        site.add(GUIDES.format(module=name.replace("-", "_"), lang=lang), f"rules/{name}.md", rules(name, lang))
        nav.append(f"      - {name.replace('-', ' ').title()}: rules/{name}.md")
    _look(site)
    site.finish()
    alternate = [
        f"    - {{name: {name}, link: {'./' if lang == one else f'../{one}'.rstrip('.') + '/'}index.html, lang: {one}}}"
        for one, name in (("en", "English"), ("fr", "Français"), ("es", "Español"))
    ]
    settings = f"""INHERIT: {ROOT}/docs/site/mkdocs.yml
docs_dir: {site.folder}
site_dir: {SITE}/{lang}
theme: {{language: {lang}}}
plugins: {{search: {{lang: {lang}}}}}
not_in_nav: ""
extra:
  alternate:
{chr(10).join(alternate).replace("../en/", "../")}
nav:
{chr(10).join(nav)}
"""
    (PAGES / f"{lang}.yml").write_text(settings, "utf-8")


def _look(site: Site) -> None:
    for name in ("style.css", "moon.svg"):
        site.copy(f"docs/site/{name}", name)


def rules(game: str, lang: str) -> str:
    """The short rules followed by the full ones, without the parts that only apply to the terminal."""
    folder = ROOT / "src" / "tsukimi" / "games" / game.replace("-", "_") / "guide"
    brief, whole = (
        COMMENT.sub("", TERMINAL.sub("", path.read_text("utf-8")))
        for path in (folder / "brief" / f"{lang}.md", folder / f"{lang}.md")
    )
    title, _, rest = whole.partition("\n")
    return f"{title}\n\n{brief.replace('# ', '## ', 1)}\n## {IN_FULL[lang]}\n{rest}"


def report(game: str, report_games: int) -> str:
    from tsukimi.lab import report as lab
    from tsukimi.lab.simulation import Simulation

    players = sorted(spec(game).seats)[len(spec(game).seats) // 2]
    wanted = Simulation(game, players, report_games, "docs", bots=("greedy",))
    return lab.report(
        lab.plan(wanted, report_games // 4 if report_games >= MANY else 0), 2 if report_games >= MANY else 1
    )


def main() -> None:
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="games per report")
    args = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    for folder in (PAGES, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    english(args.games)
    for lang in ("fr", "es"):
        players(lang)
    for file in (ROOT / "docs" / "site" / "mkdocs.yml", PAGES / "fr.yml", PAGES / "es.yml"):
        build(load_config(str(file), strict=True))
    print(f"{SITE}/index.html")


if __name__ == "__main__":
    sys.exit(main())
