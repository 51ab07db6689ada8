"""counters: found and tried by name, bounded."""

from __future__ import annotations

import json

import numpy as np

from models.counters import Counters


def test_a_harvest_is_shrunk_to_what_is_above() -> None:
    counters = Counters()
    slots = counters.enter(["a", "b"])
    counters.count(slots[:1], 1.0)
    assert counters.harvest(slots, 0.5, 1.0).tolist() == [0.75, 0.5]
    assert counters.known(["b", "nobody"]).tolist() == [2, 0]


def test_nobody_learns_nothing() -> None:
    counters = Counters()
    counters.count(np.array([0]), 1.0)
    assert counters.harvest(np.array([0]), 0.5, 3.0).tolist() == [0.5]


def test_the_least_tried_are_forgotten() -> None:
    counters = Counters(limit=4)
    slots = counters.enter("abcde")
    for at in (4, 1, 1):
        counters.count(slots[at : at + 1], 1.0)
    moved = counters.forget()
    assert moved is not None and moved[slots].tolist() == [0, 1, 0, 0, 2]
    assert counters.known("abe").tolist() == [0, 1, 2] and counters.tried[1] == 2
    assert counters.forget() is None


def test_the_best_names_and_what_is_kept() -> None:
    counters, twin = Counters(), Counters()
    slots = counters.enter(str(number) for number in range(2000))
    counters.count(slots[5:7], 1.0)
    counters.count(slots[6:8], 0.0)
    twin.restore(json.loads(json.dumps(counters.saved())))
    assert twin.best(2, 0.1) == counters.best(2, 0.1) == [("5", 1.0, 1.0), ("6", 1.0, 2.0)]
    assert twin.enter(["new"]).tolist() == [2001]
