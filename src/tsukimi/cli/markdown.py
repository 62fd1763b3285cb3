"""Our rules texts on a terminal: headings, paragraphs, lists, tables, bold, code; and their anchored sections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tsukimi.cli.style import Style, pad, width, wrap

_ANCHOR = re.compile(r"<!--\s*anchor:\s*([\w-]+)\s*-->")
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_ITEM = re.compile(r"^(\s*)([-*]|\d+\.)\s+(.*)$")
_INLINE = re.compile(r"\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\([^)]*\)|\*([^*\s][^*]*)\*")


def anchors(text: str) -> list[str]:
    """The names of the sections, in order."""
    return _ANCHOR.findall(text)


def section(text: str, anchor: str) -> str | None:
    """The part of a text under the heading with that anchor, down to the next heading of its level or above."""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        found = _ANCHOR.search(line)
        if found and found.group(1) == anchor:
            begin = next((j for j in range(i, -1, -1) if lines[j].startswith("#")), i)
            level = _level(lines[begin])
            end = next((j for j in range(i + 1, len(lines)) if 0 < _level(lines[j]) <= level), len(lines))
            return "\n".join(lines[begin:end])
    return None


def render(text: str, style: Style, columns: int) -> list[str]:
    """The text as lines for a terminal of that many columns."""
    lines: list[str] = []
    for block in _blocks(_COMMENT.sub("", text)):
        shown = _block(block, style, columns)
        lines += ([""] if lines and shown else []) + shown
    return lines


def _level(line: str) -> int:
    return len(line) - len(line.lstrip("#")) if re.match(r"#+ ", line) else 0


def _blocks(text: str) -> Iterator[list[str]]:
    """Lines that belong together: a heading, a paragraph, a list, a table."""
    block: list[str] = []
    for line in text.splitlines():
        alone = _level(line) > 0
        if (not line.strip() or alone) and block:
            yield block
            block = []
        if alone:
            yield [line]
        elif line.strip():
            block.append(line)
    if block:
        yield block


def _block(block: Sequence[str], style: Style, columns: int) -> list[str]:
    if _level(block[0]):
        return _heading(block[0], style, columns)
    if block[0].lstrip().startswith("|"):
        return _table(block, style, columns)
    if _ITEM.match(block[0]):
        return _items(block, style, columns)
    if block[0].startswith(">"):
        inner = " ".join(line.lstrip("> ") for line in block)
        return wrap(_inline(inner, style), columns, style("│ ", "edge"), style("│ ", "edge"))
    lead = next((i for i, line in enumerate(block) if _ITEM.match(line)), None)
    if lead is not None:
        return _block(block[:lead], style, columns) + _items(block[lead:], style, columns)
    return wrap(_inline(" ".join(block), style), columns)


def _heading(line: str, style: Style, columns: int) -> list[str]:
    level, title = _level(line), line.lstrip("# ").strip()
    if level == 1:
        return [style(title, "moon", bold=True), style("━" * min(columns, width(title)), "moon")]
    return [style(("▸ " if level == 2 else "  ") + title, "moon" if level == 2 else "text", bold=True)]


def _items(block: Sequence[str], style: Style, columns: int) -> list[str]:
    items: list[tuple[int, str, str]] = []
    for line in block:
        match = _ITEM.match(line)
        if match:
            items.append((len(match.group(1)), match.group(2), match.group(3)))
        else:
            depth, mark, said = items[-1]
            items[-1] = depth, mark, f"{said} {line.strip()}"
    lines = []
    for depth, mark, said in items:
        sign = style("•" if mark in "-*" else mark, "moon")
        lines += wrap(_inline(said, style), columns, " " * (1 + depth) + sign + " ")
    return lines


def _inline(text: str, style: Style) -> str:
    def shown(match: re.Match[str]) -> str:
        bold, code, link, slanted = match.groups()
        if bold:
            return _each_word(bold, style, "", True)
        if code:
            return _each_word(code, style, "good", False) if style.depth else f"`{code}`"
        return _each_word(slanted, style, "", True) if slanted else str(link)

    return _INLINE.sub(shown, text)


def _each_word(text: str, style: Style, ink: str, bold: bool) -> str:
    """Painted word by word, so that a line break does not carry the colour along."""
    return " ".join(style(word, ink, bold=bold) for word in text.split(" "))


# ---- tables ------------------------------------------------------------------------------------


def _table(block: Sequence[str], style: Style, columns: int) -> list[str]:
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block]
    rows = [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    count = max(map(len, rows))
    cells = [[_inline(cell, style) for cell in row] + [""] * (count - len(row)) for row in rows]
    sizes = _sizes(cells, columns - 3 * (count - 1) - 1)
    bar = style(" │ ", "edge")
    lines = []
    for number, row in enumerate(cells):
        head = [style(cell, "moon", bold=True) for cell in row] if number == 0 else row
        parts = [wrap(cell, size) for cell, size in zip(head, sizes, strict=True)]
        for i in range(max(map(len, parts))):
            texts = [part[i] if i < len(part) else "" for part in parts]
            lines.append(" " + bar.join(pad(text, size) for text, size in zip(texts, sizes, strict=True)).rstrip())
        if number == 0:
            lines.append(" " + style("─┼─".join("─" * size for size in sizes), "edge"))
    return lines


def _sizes(cells: list[list[str]], room: int) -> list[int]:
    """Widths of the columns: what they need, the widest giving way until they fit."""
    sizes = [max(width(row[i]) for row in cells) for i in range(len(cells[0]))]
    least = [max((width(word) for row in cells for word in row[i].split()), default=1) for i in range(len(sizes))]
    while sum(sizes) > room:
        widest = max(range(len(sizes)), key=lambda i: sizes[i] - least[i])
        if sizes[widest] <= least[widest]:
            break
        sizes[widest] -= 1
    return sizes
