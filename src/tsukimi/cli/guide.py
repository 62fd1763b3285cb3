"""A game's rules text: found in the player's language, split into sections, shown on a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from tsukimi.core.errors import BadOptions
from tsukimi.core.spec import Spec

if TYPE_CHECKING:
    from rich.console import RenderableType

_ANCHOR = re.compile(r"<!--\s*anchor:\s*([\w-]+)\s*-->")
_TERMINAL = re.compile(r"<!-- /?terminal -->\n?")
_HEADING = re.compile(r"(#+) ")
WIDE = 96  # columns: longer lines are tiring to read


def text(spec: Spec, lang: str) -> str:
    """The rules in a language, else in English."""
    for found in (spec.folder / "guide" / f"{language}.md" for language in (lang, "en")):
        if found.exists():
            return _TERMINAL.sub("", found.read_text("utf-8"))
    raise BadOptions("cli.no-rules", game=spec.name)


def anchors(text: str) -> list[str]:
    """The names of the sections, in order."""
    return _ANCHOR.findall(text)


def section(text: str, wanted: Iterable[str]) -> str | None:
    """The first section whose anchor is one of these: from its heading to the next one of the same or a higher level."""
    lines = text.splitlines()
    places = {match[1]: i for i, line in enumerate(lines) if (match := _ANCHOR.search(line))}
    for anchor in wanted:
        if anchor in places:
            return "\n".join(_from(lines, places[anchor]))
    return None


def rendered(text: str, colour: bool) -> RenderableType:
    """The text for a terminal; without colours, code keeps its marks."""
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.constrain import Constrain
    from rich.markdown import Heading, Markdown, MarkdownElement, TableElement
    from rich.table import Table
    from rich.text import Text

    class PlainHeading(Heading):
        """A heading that can be told from text even without colours."""

        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            yield Text.assemble("▸ " if self.tag == "h2" else "", self.text, style=self.style_name)
            if self.tag == "h1":
                yield Text("━" * self.text.cell_len, self.style_name)

    class PlainTable(TableElement):
        """A table without empty lines above and below."""

        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            for part in super().__rich_console__(console, options):
                if isinstance(part, Table):
                    part.show_edge = False
                yield part

    class Guide(Markdown):
        elements: ClassVar[dict[str, type[MarkdownElement]]] = {
            **Markdown.elements,
            "heading_open": PlainHeading,
            "table_open": PlainTable,
        }

    return Constrain(Guide(_ANCHOR.sub("", text if colour else text.replace("`", "\\`"))), WIDE)


def _from(lines: Sequence[str], place: int) -> Sequence[str]:
    begin = next((i for i in range(place, -1, -1) if _level(lines[i])), place)
    level = _level(lines[begin])
    end = next((i for i in range(place + 1, len(lines)) if 0 < _level(lines[i]) <= level), len(lines))
    return lines[begin:end]


def _level(line: str) -> int:
    return len(match[1]) if (match := _HEADING.match(line)) else 0
