"""What a client needs to know about the installed games: the list, their messages and their rules.

All of it is the same for everyone, so each response is built once per language.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tsukimi.core import catalogue
from tsukimi.core.lesson import lesson as prepared
from tsukimi.core.setup import choices
from tsukimi.games import names, spec
from tsukimi.server.common.api import GameInfo, Guide, Lesson, LessonStep
from tsukimi.server.common.networks import NO_NETWORKS, Networks
from tsukimi.server.http.static import File, json_file

_ANCHOR = re.compile(r"<!--\s*anchor:\s*([\w-]+)\s*-->")
_PICTURES = re.compile(r"<!--\s*pictures:\s*([\w -]+?)\s*-->")
_TERMINAL = re.compile(r"<!-- terminal -->.*?<!-- /terminal -->", re.DOTALL)
_LINK = re.compile(r"https?://|/(?!/)|#")


@cache
def games(lang: str, networks: Networks = NO_NETWORKS) -> bytes:
    """The list of games; the first call loads them all."""
    return msgspec.json.encode([_info(name, lang, networks) for name in names()])


def _info(name: str, lang: str, networks: Networks) -> GameInfo:
    found = spec(name)
    catalog = catalogue.messages(name, lang)
    texts = catalog.get("game", {})
    return GameInfo(
        name=name,
        seats=list(found.seats),
        options={option: list(values) for option, values in choices(found, max(found.seats)).items()},
        option_names={**catalogue.messages("", lang).get("option", {}), **catalog.get("option", {})},
        beginner=dict(found.beginner),
        title=texts.get("title", name),
        summary=texts.get("summary", ""),
        duration=texts.get("duration", ""),
        board=found.web_board,
        has_components=found.has_components,
        has_lesson=found.has_lesson,
        has_rounds=found.has_rounds,
        has_chance=found.chance,
        networks=networks.of(name),
    )


@cache
def messages(name: str, lang: str) -> File:
    """The game's message catalogue: questions, log sentences, words, forms, errors, and all texts of its board."""
    spec(name)
    return json_file(msgspec.json.encode(catalogue.messages(name, lang)))


@cache
def guide(name: str, lang: str) -> Guide:
    """The rules as HTML, the short version, and what masters choose first: in this language, else in English; empty
    if the game has none."""
    folder = spec(name).folder / "guide"
    return Guide(_html(folder, lang), _html(folder / "brief", lang), _html(folder / "openings", lang))


@cache
def lesson(name: str) -> Lesson | None:
    """A game's guided first game, if it has one."""
    found = prepared(spec(name))
    if found is None:
        return None
    steps = [
        LessonStep(step.at, step.say, list(step.show), step.move, step.otherwise, dict(step.replies))
        for step in found.steps
    ]
    return Lesson(found.players, steps)


def _html(folder: Path, lang: str) -> str:
    path = next((path for path in (folder / f"{lang}.md", folder / "en.md") if path.exists()), None)
    return html(path.read_text("utf-8")) if path is not None else ""


def html(markdown: str) -> str:
    """A guide as HTML; raw HTML in it is shown as text.

    A comment `<!-- anchor: NAME -->` under a heading or before a paragraph gives it the id `rule-NAME`, and
    `<!-- pictures: KEY KEY -->` is where the client draws these components. Anything between `<!-- terminal -->` and
    `<!-- /terminal -->` is about typing, and shown only in the terminal.
    """
    markdown = _TERMINAL.sub("", markdown)
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    reader.validateLink = lambda url: _LINK.match(url) is not None  # type: ignore[method-assign]
    tokens = _transformed(reader.parse(markdown))
    return str(reader.renderer.render(tokens, reader.options, {}))


def _transformed(tokens: list[Token]) -> list[Token]:
    """The tokens with anchors as ids, raw HTML as text, and tables in boxes that scroll."""
    out: list[Token] = []
    anchor: str | None = None
    for token in tokens:
        if token.type == "html_block":
            if found := _ANCHOR.search(token.content):
                heading = out[-3] if len(out) >= 3 and out[-1].type == "heading_close" else None
                if heading is None:
                    anchor = found[1]
                else:
                    heading.attrSet("id", f"rule-{found[1]}")
                token.content = _ANCHOR.sub("", token.content)
            if found := _PICTURES.search(token.content):
                attributes = {"class": "pictures", "data-pictures": found[1]}
                out += [
                    Token("figure_open", "figure", 1, attrs=attributes, block=True),
                    Token("figure_close", "figure", -1, block=True),
                ]
                token.content = _PICTURES.sub("", token.content)
            if token.content.strip():
                out += [Token("paragraph_open", "p", 1), _text(token.content), Token("paragraph_close", "p", -1)]
            continue
        if anchor is not None and token.nesting == 1:
            token.attrSet("id", f"rule-{anchor}")
            anchor = None
        if token.type == "table_open":  # a scrolling region must be reachable by keyboard
            box = Token("box_open", "div", 1, attrs={"class": "scroll", "tabindex": "0", "role": "group"}, block=True)
            out.append(box)
        elif token.type == "th_open":
            token.attrSet("scope", "col")
        for child in token.children or []:
            if child.type == "html_inline":
                child.type = "text"
        out.append(token)
        if token.type == "table_close":
            out.append(Token("box_close", "div", -1, block=True))
    return out


def _text(content: str) -> Token:
    return Token("inline", "", 0, content=content, children=[Token("text", "", 0, content=content.strip())])
