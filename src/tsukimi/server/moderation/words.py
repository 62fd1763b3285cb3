"""The word filter: masks in chat, and refuses in names, the words listed by the host.

A listed word is found regardless of case, accents, width and repeated letters, with the usual digits and symbols in
place of letters, with look-alike letters from other alphabets, and spelled out (`w o r d`, `w.o.r.d`). It is
found only as a whole word, so words that merely contain it pass; `word*` also matches words that start with it,
`*word` those that end with it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from tsukimi.server.common.errors import ServerError

MASK = "*"
MAX_WORD = 40
MAX_WORDS = 5000
SIGNS = "@!|$+"  # stand for letters within a word
STAND_INS = str.maketrans("4@83!0$5+79", "aabeiossttg")
ONE = ("i", "l")  # what 1 and | may stand for
# Cyrillic and Greek letters that look like Latin ones.
ALIKE = str.maketrans("авекмнорстухіјѕԁԛԝαβεικνορτυχ", "abekmhopctyxijsdqwabeikvoptux")
TOKEN = re.compile(rf"(?:[^\W_]|[{re.escape(SIGNS)}])+")


class Runs(NamedTuple):
    """A word with repeated letters written once, and how often each is repeated."""

    letters: str
    lengths: tuple[int, ...]

    def within(self, other: Runs, start: int) -> bool:
        """Whether the other word, from its letter `start` on, has the letters of this one, repeated at least as often."""
        return all(here <= there for here, there in zip(self.lengths, other.lengths[start:], strict=False))


class Token(NamedTuple):
    """A word in a text, and its position."""

    text: str
    start: int
    end: int


class WordFilter:
    """The cost of a look-up does not grow with the list: chat lines are checked on the event loop."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._phrases: dict[tuple[str, ...], list[tuple[Runs, ...]]] = {}
        self._longest = 0
        self._spelled: set[str] = set()
        self._parts: dict[tuple[bool, bool], dict[str, list[Runs]]] = {}
        """Those with an asterisk, by where they have none: at the start, at the end."""
        for word in words:
            self._add(_fold(word)[0])
        self._spelled_lengths = sorted({len(word) for word in self._spelled})
        self._lengths = {open: sorted({len(key) for key in found}) for open, found in self._parts.items()}

    def _add(self, folded: str) -> None:
        begins, ends = not folded.startswith("*"), not folded.endswith("*")
        tokens = [_runs(token.translate(STAND_INS)) for token in TOKEN.findall(folded)]
        if not tokens:
            return
        self._spelled.add("".join(TOKEN.findall(folded)))
        if begins and ends:
            self._phrases.setdefault(tuple(token.letters for token in tokens), []).append(tuple(tokens))
            self._longest = max(self._longest, len(tokens))
        elif len(tokens) == 1:
            self._parts.setdefault((begins, ends), {}).setdefault(tokens[0].letters, []).append(tokens[0])

    def mask(self, text: str) -> str:
        """The text with listed words masked, of the same length."""
        signs = list(text)
        for start, end in self._spans(text):
            signs[start:end] = [sign if sign.isspace() else MASK for sign in signs[start:end]]
        return "".join(signs)

    def check_name(self, name: str) -> str:
        """The name itself; `server-name-filtered` if it contains a listed word."""
        if any(True for _ in self._spans(name)):
            raise ServerError("server-name-filtered", 400)
        return name

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        if not self._spelled:
            return
        folded, origins = _fold(text)
        tokens = [Token(match[0], match.start(), match.end()) for match in TOKEN.finditer(folded)]
        for start, end in (*self._solid(tokens), *self._spelled_out(tokens)):
            yield origins[start], origins[end - 1] + 1

    def _solid(self, tokens: list[Token]) -> Iterator[tuple[int, int]]:
        read = [list(_readings(token)) for token in tokens]
        for number, token in enumerate(tokens):
            for start, end, one in read[number]:
                if self._part(one):
                    yield start, end
            for length in range(1, min(self._longest, len(tokens) - number) + 1):
                window = read[number : number + length]
                for choice in range(max(map(len, window)) if all(window) else 0):
                    words = [some[min(choice, len(some) - 1)] for some in window]
                    if self._phrase([runs for _, _, runs in words]):
                        yield token.start if length > 1 else words[0][0], words[-1][1]

    def _phrase(self, words: list[Runs]) -> bool:
        listed = self._phrases.get(tuple(word.letters for word in words), ())
        return any(all(mine.within(one, 0) for mine, one in zip(each, words, strict=True)) for each in listed)

    def _part(self, word: Runs) -> bool:
        for (begins, ends), listed in self._parts.items():
            for length in self._lengths[begins, ends]:
                last = len(word.letters) - length
                starts = range(last + 1) if not begins and not ends else (0,) if begins else (last,)
                for start in starts:
                    if start >= 0 and any(
                        one.within(word, start) for one in listed.get(word.letters[start : start + length], ())
                    ):
                        return True
        return False

    def _spelled_out(self, tokens: list[Token]) -> Iterator[tuple[int, int]]:
        """A run of single letters."""
        for single, group in groupby(tokens, key=lambda token: len(token.text) == 1):
            alone = list(group)
            if not single or not any(token.text.isalpha() for token in alone):
                continue
            for letter in ONE:
                letters = "".join(token.text for token in alone).translate(STAND_INS).translate(_one_as(letter))
                for start in range(len(letters)):
                    for length in self._spelled_lengths:
                        if letters[start : start + length] in self._spelled and start + length <= len(letters):
                            yield alone[start].start, alone[start + length - 1].end


def clean_word(text: str) -> str:
    """A word in the form in which it is listed; `server-word` if it cannot be listed."""
    word = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    letters = [sign for sign in _fold(word)[0] if sign.isalpha()]
    if not (len(letters) >= 2 and len(word) <= MAX_WORD and word.isprintable()):
        raise ServerError("server-word", 400, word=text[:MAX_WORD], most=MAX_WORD)
    return word


def _fold(text: str) -> tuple[str, list[int]]:
    """The text without case, accents, width and invisible characters, and for each character its original position."""
    signs: list[str] = []
    origins: list[int] = []
    for place, sign in enumerate(text):
        plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", sign).casefold())
        for letter in plain.translate(ALIKE):
            if unicodedata.category(letter) not in ("Mn", "Me", "Cf"):
                signs.append(letter)
                origins.append(place)
    return "".join(signs), origins


def _readings(token: Token) -> Iterator[tuple[int, int, Runs]]:
    """The possible readings of a word: with 1 as i or as l, with symbols at its ends as letters or as punctuation."""
    if not any(sign.isalpha() for sign in token.text):  # a score of 455 is not a word
        return
    before = len(token.text) - len(token.text.lstrip(SIGNS))
    bare = token.text.strip(SIGNS)
    for text, start in dict.fromkeys([(bare, token.start + before), (token.text, token.start)]):
        for letter in ONE if "1" in text or "|" in text else ONE[:1]:
            yield start, start + len(text), _runs(text.translate(_one_as(letter)).translate(STAND_INS))


def _one_as(letter: str) -> dict[int, str]:
    return {ord("1"): letter, ord("|"): letter}


def _runs(word: str) -> Runs:
    runs = [(sign, sum(1 for _ in same)) for sign, same in groupby(word)]
    return Runs("".join(sign for sign, _ in runs), tuple(length for _, length in runs))
