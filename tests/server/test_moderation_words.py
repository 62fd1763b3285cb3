"""The word filter finds listed words in disguise, and leaves innocent ones alone."""

from __future__ import annotations

import time

import pytest

from tsukimi.server.common.errors import ServerError
from tsukimi.server.moderation.words import WordFilter, clean_word

WORDS = WordFilter(["ass", "scheiße", "tonto", "fuck*", "*hole", "kill yourself", "merde", "дурак"])


@pytest.mark.parametrize(
    "text",
    [
        "ass", "ASS!", "a55", "@ss", "ａｓｓ", "ássss", "a.s.s", "a s s", "a_s_s", "аss",  # the last one: a Cyrillic а
        "SCHEISSE", "Tontó", "t0nt0", "TOOONTO", "fucking", "FUCK", "F U C K", "f*u*c*k", "arsehole", "kill  yourself",
        "Kill-Yourself", "m3rde", "ДУРАК", "дypак", "f\u200buck",
    ],
)  # fmt: skip
def test_a_listed_word_is_found_however_it_is_written(text):
    masked = WORDS.mask(f"well, {text} then")
    assert masked.startswith("well, ")
    assert masked.endswith(" then")
    assert not any(sign.isalnum() for sign in masked[6:-5]), masked
    assert len(masked) == len(f"well, {text} then")
    with pytest.raises(ServerError) as refused:
        WORDS.check_name(f"x {text} x")
    assert refused.value.code == "server-name-filtered"


@pytest.mark.parametrize(
    "text",
    [
        "class", "assassin", "Bassano", "pass", "as soon", "as", "has sold", "455 points", "tontos", "holes", "whole story"[6:],
        "kill", "yourself", "Scunthorpe", "asso", "grass", "4 5 5", "merdeka", "s.o.s.", "¡claro!", "一二三", "",
    ],
)  # fmt: skip
def test_words_that_merely_contain_or_resemble_a_listed_one_pass(text):
    assert WORDS.mask(text) == text
    assert WORDS.check_name(text) == text


def test_without_a_list_everything_passes():
    assert WordFilter().mask("anything at all") == "anything at all"


def test_words_are_listed_in_one_form_and_what_is_no_word_is_refused():
    assert clean_word("  Kill   YOURSELF ") == "kill yourself"
    assert clean_word("ＦＵＣＫ*") == "fuck*"
    for bad in ("", "*", "a", "1234", "x" * 41, "***"):
        with pytest.raises(ServerError):
            clean_word(bad)


def test_a_line_of_chat_is_read_quickly_however_long_the_list_and_hostile_the_line():
    words = WordFilter([f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(600)] + ["*abc*", "a b c d"])
    started = time.thread_time()
    for text in ("a" * 500, "a " * 250, "ab" * 250, "-" * 500, "wordwordword " * 38):
        words.mask(text)
    assert time.thread_time() - started < 1
