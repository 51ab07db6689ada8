"""focused.evaluate.wording: strangers' text is harmless, numbers are readable."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.evaluate import wording
from focused.evaluate.wording import clean, course, reason_of


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(wording) == (0, 3)


@settings(deadline=None)
@given(st.text(), st.integers(2, 50))
def test_clean_text_has_no_control_characters_and_keeps_its_length(text: str, length: int) -> None:
    shown = clean(text, length)
    assert len(shown) <= length
    assert not any(ord(letter) < 32 or 127 <= ord(letter) < 160 or letter in "\u202e\u2066" for letter in shown)


def test_terminal_commands_in_a_title_are_taken_apart() -> None:
    assert clean("\x1b]0;owned\x07 Bikes \u202eevil\x9b31m\r\n") == "]0;owned Bikes evil31m"


def test_joined_letters_stay_joined() -> None:
    assert clean("می\u200cخواهم") == "می\u200cخواهم"


@pytest.mark.parametrize("reason", ["finished", "max_pages", "stopped", "disk_full"])
def test_own_reasons_are_sentences(reason: str) -> None:
    assert " " in reason_of(reason)


def test_a_day_is_named_once() -> None:
    assert course(1e9, 1e9 + 60, "").count("-") == 2
    assert course(1e9, 1e9 + 1e5, "").count("-") == 4


def test_foreign_reason_is_shown_as_it_is() -> None:
    assert reason_of("closespider_errorcount") == "closespider_errorcount"


def test_course_of_a_crawl_that_has_no_page() -> None:
    assert course(None, None, "") == "no page yet"
    assert "stopped" not in course(1.7e9, 1.7e9, "")
