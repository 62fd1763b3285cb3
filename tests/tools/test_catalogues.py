"""The texts for players, in every catalogue of the project: what a native reader would stumble over is an error."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(
    {file.parent for file in ROOT.glob("src/tsukimi/**/messages/fr.toml")}
    | {file.parent for file in ROOT.glob("examples/*/*/messages/fr.toml")}
    | {ROOT / "client" / "messages", ROOT / "client" / "messages" / "admin"}
)
FOR_PLAYERS = [folder for folder in FOLDERS if "games" in folder.parts or "client" in folder.parts]
CLIENT = [folder for folder in FOLDERS if "client" in folder.parts]
PAGES = sorted(file for file in (ROOT / "client" / "src").rglob("*.*") if file.suffix in (".ts", ".svelte"))
ADMIN = [file for file in PAGES if "admin" in str(file.relative_to(ROOT)).lower()]
BOARDS = {
    folder: ROOT / "src/tsukimi/games" / folder.name.replace("-", "_") / "messages"
    for folder in sorted((ROOT / "client" / "src" / "boards").iterdir())
    if folder.name != "generic"
} | {ROOT / "client" / "src" / "boards" / "generic": ROOT / "src/tsukimi/core/messages"}
# Of a game: what players read. (Errors in files of components name their keys; `form` and `word` turn notation into words.)
SECTIONS = [
    "game",
    "option",
    "ask",
    "offer",
    "log",
    "story",
    "wait",
    "you",
    "meanwhile",
    "since",
    "why",
    "stake",
    "sheet",
]
SECTIONS += ["component", "explain", "web", "theme", "lesson"]
FIELD = re.compile(r"\{[^}]*\}|&\w+;|X-\w+:")  # and what is no punctuation: entities, a header
# A narrow no-break space before ; ! ?, a whole one before a colon and within guillemets.
FRENCH_SPACING = re.compile(r"[^\u202f][;!?](?:\s|$)|[^\u00a0]:(?:\s|$)|[^\u00a0]»|«[^\u00a0]")
CODE = re.compile(r"`[^`]*`|<!--.*?-->")
PLURAL_FORM = re.compile(r"\.(?:one|many|other)$")
# One term for one thing: the term, and what was or could be said instead.
GLOSSARY = {
    "en": {"phantom 4": "fictive(?!-four)", "chance to win": "of all cases", "hint": "advice"},
    "fr": {
        "raton laveur": "raton-laveur",
        "4 fantôme": "fictif",
        "intermédiaire": "habitué",
        "cote": "classement",
        "chat": "discussion",
        "livre de comptes": "registre",
        "pioche": "la pile",
        "annuler (un coup)": "défaire",
    },
    "es": {
        "resorte": "muelle",
        "pista": "track|consejo",
        "chat": "charla",
        "registro": "diario",
        "puntuación": "clasificación",
        "puntuable": "clasificad[ao]",
        "4 fantasma": "ficticio",
        "intermedio": "habitual",
        "tijeras": r"tijera\b",
        "regalo": "generosidad",
    },
}

# The same for the things of one game; components are data, their keys are not what players read.
OF_A_GAME = {
    "daruma": {
        "en": {"stone": r"\btokens?\b", "rabbit": r"\b(?:the|round) counter\b"},
        "fr": {"pierre": "jetons?", "lapin": "compteur"},
        "es": {"piedra": "fichas?", "conejo": "contador"},
    },
    "dojo": {
        "en": {"card": r"(?<!\[)tatamis?\b", "disciple": "animals?"},
        "fr": {"carte": r"(?<!\[)tatamis?\b", "disciple": "anima(?:l|ux)"},
        "es": {"carta": r"(?<!\[)tatamis?\b", "discípulo": "animal"},
    },
}


def load(folder: Path, lang: str) -> dict[str, Any]:
    file = folder / f"{lang}.toml"
    if file.exists():
        return tomllib.loads(file.read_text("utf-8"))
    found: dict[str, Any] = json.loads((folder / f"{lang}.json").read_text("utf-8"))
    return found


def texts(part: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text with its key."""
    if isinstance(part, str):
        yield key, part
    elif isinstance(part, list):
        for one in part:
            yield from texts(one, key)
    elif isinstance(part, dict):
        for name, one in part.items():
            yield from texts(one, f"{key}.{name}")


def fields(folder: Path, lang: str) -> dict[str, set[str]]:
    """The fields of each text, whatever their form."""
    found: dict[str, set[str]] = {}
    for key, text in texts(load(folder, lang)):
        key = PLURAL_FORM.sub("", key)
        found[key] = found.get(key, set()) | set(re.findall(r"\{(\w+)", text))
    return found


def used(sources: Iterable[Path], keys: set[str]) -> set[str]:
    """Those keys that stand in the sources, whole or put together (`level.${level}`)."""
    code = "\n".join(file.read_text("utf-8") for file in sources)
    literal = set(re.findall(r"""['"]([\w.=-]+)['"]""", code))
    templates = [re.split(r"\$\{[^}]*\}", one) for one in re.findall(r"`([^`\s]*\$\{[^`]*?\}[^`\s]*)`", code)]
    composed = [
        re.compile(".+".join(map(re.escape, parts))) for parts in templates if any(part.strip(".") for part in parts)
    ]
    return {key for key in keys if key in literal or any(one.fullmatch(key) for one in composed)}


def sources_in(folder: Path) -> list[Path]:
    return [file for file in PAGES if file.is_relative_to(folder)]


def named(folder: Path) -> str:
    return str(folder.relative_to(ROOT))


def check(folder: Path, lang: str, wrong: re.Pattern[str], without_fields: bool = False) -> None:
    found = [
        f"{key}: {text!r}"
        for key, text in texts(load(folder, lang))
        if " " in text and wrong.search(FIELD.sub("x", text) if without_fields else text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_french_has_no_break_spaces_before_double_punctuation(folder: Path) -> None:
    check(folder, "fr", FRENCH_SPACING, True)


@pytest.mark.parametrize("page", sorted(ROOT.glob("src/tsukimi/games/*/guide/**/fr.md")), ids=named)
def test_french_rules_have_the_same_spaces_and_apostrophes(page: Path) -> None:
    wrong = re.compile(rf"{FRENCH_SPACING.pattern}|\w'[\w*]")
    lines = [CODE.sub("x", line) for line in page.read_text("utf-8").splitlines()]
    assert not [line for line in lines if wrong.search(line)]


@pytest.mark.parametrize("game", [folder for folder in FOR_PLAYERS if "games" in folder.parts], ids=named)
def test_english_has_curly_apostrophes(game: Path) -> None:
    pages = [game.parent / "guide" / "en.md", game.parent / "guide" / "brief" / "en.md"]
    lines = [CODE.sub("x", line) for page in pages if page.exists() for line in page.read_text("utf-8").splitlines()]
    straight = re.compile(r"[\w}:]'[a-z]")
    assert not [one for one in lines + [text for _, text in texts(load(game, "en"))] if straight.search(one)]


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_french_has_one_kind_of_apostrophe(folder: Path) -> None:
    check(folder, "fr", re.compile(r"\w'[\w{]"))


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_french_and_spanish_speak_to_a_friend(folder: Path) -> None:
    """`tu` and `tú`: one reader is never `vous` or `usted`. (Several people at one device are: `Passez-vous`.)"""
    formal = r"\b(?:votre|vos|(?<!-)vous|(?!(?:ass|ch)ez\b)\w{2,}ez(?!-vous))\b"
    check(folder, "fr", re.compile(formal, re.IGNORECASE))
    check(folder, "es", re.compile(r"\busted(?:es)?\b", re.IGNORECASE))


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_every_text_is_there_in_three_languages_with_the_same_fields(folder: Path) -> None:
    english = fields(folder, "en")
    for lang in ("fr", "es"):
        assert fields(folder, lang) == english


@pytest.mark.parametrize("folder", CLIENT, ids=named)
def test_every_text_of_the_client_is_used(folder: Path) -> None:
    sources = ADMIN if folder.name == "admin" else PAGES
    keys = {*load(folder, "en")}
    assert not keys - used(sources, keys)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_every_text_of_a_board_is_used(board: Path) -> None:
    texts = load(BOARDS[board], "en")["web"].keys()
    assert not texts - used(sources_in(board), {*texts})


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_spanish_questions_and_exclamations_are_opened(folder: Path) -> None:
    found = [
        f"{key}: {text!r}"
        for key, text in texts(load(folder, "es"))
        if len(text) > 1 and " " in text and not text.startswith("? ")
        for close, opening in (("?", "¿"), ("!", "¡"))
        if (bare := FIELD.sub("x", text)).count(close) != bare.count(opening)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lang", ["en", "fr", "es"])
@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_one_term_is_used_for_one_thing(folder: Path, lang: str) -> None:
    instead = re.compile(rf"\b(?:{'|'.join(GLOSSARY[lang].values())})", re.IGNORECASE)
    assert not [f"{key}: {text!r}" for key, text in texts(load(folder, lang)) if instead.search(text)]


@pytest.mark.parametrize("lang", ["en", "fr", "es"])
@pytest.mark.parametrize("game", OF_A_GAME)
def test_messages_and_rules_of_a_game_name_its_things_alike(game: str, lang: str) -> None:
    instead = re.compile("|".join(OF_A_GAME[game][lang].values()), re.IGNORECASE)
    folder = ROOT / "src/tsukimi/games" / game
    pages = [folder / "guide" / f"{lang}.md", folder / "guide" / "brief" / f"{lang}.md"]
    lines = [re.sub(r"`[^`]*`|<!--.*?-->", "", line) for page in pages for line in page.read_text("utf-8").splitlines()]
    found = [text for _, text in texts(load(folder / "messages", lang)) if instead.search(FIELD.sub("x", text))]
    assert not found + [line for line in lines if instead.search(line)]


@pytest.mark.parametrize("lang", ["en", "fr", "es"])
@pytest.mark.parametrize("folder", FOR_PLAYERS, ids=named)
def test_texts_for_players_have_no_notation_and_no_identifiers(folder: Path, lang: str) -> None:
    found = load(folder, lang)
    shown = {name: part for name, part in found.items() if name in SECTIONS} if "game" in found else found
    notation = re.compile(r"\bp[1-5][abc]?\b|\w_\w|`|\b[a-z]+\.[a-z]+-[a-z]+|\b(?:true|false|null)\b")
    assert not [f"{key}: {text!r}" for key, text in texts(shown) if notation.search(FIELD.sub("x", text))]


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_english_percentages_are_closed_up(folder: Path) -> None:
    check(folder, "en", re.compile(r"\d\s%|\} %"))


@pytest.mark.parametrize("lang", ["fr", "es"])
@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_french_and_spanish_percentages_stay_with_their_number(folder: Path, lang: str) -> None:
    check(folder, lang, re.compile(r"(?:\d|\})[^\u00a0]?%(?!\})"))


@pytest.mark.parametrize("lang", ["en", "fr", "es"])
@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_a_number_is_never_followed_by_a_fixed_plural(folder: Path, lang: str) -> None:
    """`{points} points` reads "1 points"; `{points:point|points}` does not. (`count` chooses among the forms of a text.)"""
    plurals = {"en": "points|cards|dice|darumas", "fr": "points|coups|cartes|dés|darumas"}
    plurals |= {"es": "puntos|jugadas|cartas|dados|darumas"}
    check(folder, lang, re.compile(rf"\{{(?!count|range|most|least|total|mean)\w+\}} (?:{plurals[lang]})\b"))


@pytest.mark.parametrize("lang", ["en", "fr", "es"])
@pytest.mark.parametrize("folder", FOR_PLAYERS, ids=named)
def test_each_of_several_templates_can_be_chosen(folder: Path, lang: str) -> None:
    """The first whose fields are all known is taken: one that follows must know less than those before it."""
    found = []
    for section, part in load(folder, lang).items():
        for key, choices in part.items() if isinstance(part, dict) else ():
            if isinstance(choices, list):
                known = [set(re.findall(r"\{(\w+)", choice)) for choice in choices]
                hidden = [later for at, later in enumerate(known) if any(one <= later for one in known[:at])]
                found += [f"{section}.{key}: {choices[known.index(one)]!r}" for one in hidden]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lang", ["en", "fr", "es"])
@pytest.mark.parametrize("folder", FOR_PLAYERS, ids=named)
def test_negative_numbers_have_a_true_minus(folder: Path, lang: str) -> None:
    found = {name: part for name, part in load(folder, lang).items() if name != "error"}
    assert not [f"{key}: {text!r}" for key, text in texts(found) if re.search(r"(?:^|[\s(:])-\d", text)]
