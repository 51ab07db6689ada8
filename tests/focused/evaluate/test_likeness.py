"""focused.evaluate.likeness: the evaluator of Batsakis 2007, §4.2."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

from focused.evaluate import likeness
from models.text import Vocabulary, counted, text_ids

LINUX, KERNEL, SHELL, NEWS = range(4)


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(likeness) == (0, 2)


def test_the_worked_pages() -> None:
    """B-27."""
    pages = np.zeros((5, 4))
    pages[0, [LINUX, KERNEL]] = 1
    pages[1, LINUX] = 1
    pages[2, NEWS] = 1
    pages[3, [LINUX, KERNEL, NEWS]] = 1, 0.5, 0.5
    examples = np.zeros((2, 4))
    examples[0, [LINUX, KERNEL]] = examples[1, [LINUX, SHELL]] = 1
    expected = [1.0, 0.707107, 0.0, 0.866025, 0.0]
    assert likeness.best_similarity(pages, examples).tolist() == pytest.approx(expected, abs=1e-6)


def test_no_examples_no_likeness() -> None:
    assert likeness.best_similarity(np.ones((2, 3)), np.zeros((0, 3))).tolist() == [0.0, 0.0]


def test_pages_are_compared_by_their_words() -> None:
    vocabulary = Vocabulary()
    texts = {
        "http://a/": "bicycle clubs",
        "http://b/": "a bicycle club",
        "http://c/": "stocks and bonds",
        "http://d/": "",
    }
    terms = {url: counted(text_ids(vocabulary, [text])) for url, text in texts.items()}
    like = likeness.likeness(terms, ["http://a/"], vocabulary)
    assert like == pytest.approx({"http://a/": 1.0, "http://b/": 1.0, "http://c/": 0.0, "http://d/": 0.0})
    assert set(likeness.likeness(terms, [], vocabulary).values()) == {0.0}


def test_at_most_fifty_examples_the_same_ones_always() -> None:
    vocabulary = Vocabulary()
    terms = {f"http://a/{n}": counted(text_ids(vocabulary, [f"word{n} and"])) for n in range(60)}
    urls = list(terms)
    first = likeness.likeness(terms, urls, vocabulary)
    assert sum(value > 0.99 for value in first.values()) == 50
    assert likeness.likeness(terms, urls[::-1], vocabulary) == first
