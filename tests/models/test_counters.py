"""counters: found and tried by name, bounded."""

from __future__ import annotations

import json

import numpy as np

from models.counters import NOBODY, Counters

KINDS = ("letter", "word")


def test_a_harvest_is_shrunk_to_what_is_above() -> None:
    counters = Counters(KINDS)
    a, b = counters.enter("letter", "ab")
    counters.count([a], 1.0)
    assert counters.harvest(np.array([a, b]), 0.5, 1.0).tolist() == [0.75, 0.5]
    assert counters.known("letter", ["b", "nobody"]) == [b, NOBODY]


def test_a_name_of_one_kind_is_none_of_another() -> None:
    counters = Counters(KINDS, reserved=10)
    places = [*counters.enter("letter", "ab"), *counters.enter("word", "ab")]
    assert len(set(places)) == 4 and min(places) == 10
    counters.count(places[:1], 1.0)
    assert counters.counts[places, 1].tolist() == [1.0, 0.0, 0.0, 0.0]


def test_nobody_learns_nothing() -> None:
    counters = Counters(KINDS)
    counters.count([NOBODY], 1.0)
    assert counters.harvest(np.array([NOBODY]), 0.5, 3.0).tolist() == [0.5]


def test_the_least_tried_are_forgotten() -> None:
    counters = Counters(KINDS, limit=4)
    letters, words = counters.enter("letter", "abcde"), counters.enter("word", "ab")
    for letter in (letters[4], letters[1], letters[1]):
        counters.count([letter, words[1]], 1.0)
    moved = counters.forget()
    assert moved is not None and moved[letters].tolist() == [0, letters[0], 0, 0, letters[1]]
    assert counters.known("letter", "abe") == [0, *letters[:2]]
    assert counters.counts[letters, 1].tolist() == [2.0, 1.0, 0.0, 0.0, 0.0]
    assert moved[words].tolist() == words and counters.counts[words, 1].tolist() == [0.0, 3.0]
    assert counters.forget() is None


def test_the_best_names_and_what_is_kept() -> None:
    counters, twin = Counters(KINDS), Counters(KINDS)
    places = counters.enter("word", map(str, range(5000)))
    counters.count(places[5:7], 1.0)
    counters.count(places[6:8], 0.0)
    twin.restore(json.loads(json.dumps(counters.saved())))
    assert twin.best("word", 2, 0.1) == counters.best("word", 2, 0.1) == [("5", 1.0, 1.0), ("6", 1.0, 2.0)]
    assert twin.enter("word", ["new"]) == counters.enter("word", ["new"]) != [NOBODY]
    assert twin.best("letter", 2, 0.1) == []


def test_the_best_names_were_tried_and_are_not_below_the_mean() -> None:
    counters = Counters(["word"])
    good, bad, _ = counters.enter("word", ["good", "bad", "untried"])
    counters.count([good], 1.0)
    counters.count([bad], 0.0)
    assert counters.best("word", 10, 0.3) == [("good", 1.0, 1.0)]
