"""Seen against a dict."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.frontier import Seen, seen

KEYS = st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(-3, 40), st.integers(0, 60).map(lambda n: n << 40))
BATCHES = st.lists(st.lists(KEYS, max_size=60, unique=True), max_size=12)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables so small that a few dozen keys split segments, double the directory and grow the arena."""
    for name, value in {"WIDTH": 2, "BUCKETS": 4, "SLOTS": 8, "FIRST": 2, "ARENA": 2, "FINEST": 2, "CHUNK": 7}.items():
        monkeypatch.setattr(seen, name, value)


def random_keys(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(-(2**63), 2**63 - 1, n, dtype=np.int64)


def filled(keys: np.ndarray) -> Seen:
    table = Seen()
    table.add(keys, np.arange(1, len(keys) + 1))
    return table


def batches_of(keys: np.ndarray, size: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for start in range(0, len(keys), size):
        part = keys[start : start + size]
        yield part, np.arange(start + 1, start + 1 + len(part))


@pytest.mark.usefixtures("small")
def test_it_answers_as_a_dict_does() -> None:
    @settings(max_examples=150, deadline=None)
    @given(BATCHES)
    def check(batches: list[list[int]]) -> None:
        table, model = Seen(), dict[int, int]()
        for batch in batches:
            keys = np.array(batch, np.int64)
            assert table.find(keys).tolist() == [model.get(key, -1) for key in batch]
            new = [key for key in batch if key not in model]
            model |= {key: len(model) + 1 + n for n, key in enumerate(new)}
            table.add(np.array(new, np.int64), [model[key] for key in new])
            assert len(table) == len(model)
        assert table.find(np.array([*model], np.int64)).tolist() == [*model.values()]

    check()


@pytest.mark.usefixtures("small")
def test_small_segments_split_many_times_and_lose_nothing() -> None:
    keys = random_keys(5000)
    table = Seen()
    for part, ids in batches_of(keys, 13):
        table.add(part, ids)
    assert table.find(keys).tolist() == list(range(1, 5001))
    assert (table.find(random_keys(5000, seed=1)) == -1).all()


def test_a_bulk_load_is_found_again_and_can_be_added_to() -> None:
    keys = random_keys(300_000)
    table = Seen()
    table.load(keys[:200_000], np.arange(1, 200_001))
    for part, ids in batches_of(keys[200_000:], 1000):
        table.add(part, ids + 200_000)
    assert len(table) == 300_000
    assert (table.find(keys) == np.arange(1, 300_001)).all()
    assert (table.find(random_keys(100_000, seed=1)) == -1).all()


def test_a_second_load_goes_beside_what_is_there() -> None:
    keys = random_keys(120_000)
    table = filled(keys[:1000])
    table.load(keys[1000:], np.arange(1001, 120_001))
    assert (table.find(keys) == np.arange(1, 120_001)).all()


def test_the_key_zero_is_a_key_like_any_other() -> None:
    table = Seen()
    assert table.find(np.array([0, 1])).tolist() == [-1, -1]
    table.add(np.array([0]), [7])
    assert table.find(np.array([0, 1, 0])).tolist() == [7, -1, 7]


def test_the_largest_page_id_comes_back() -> None:
    table = Seen()
    table.add(np.array([-5]), [2**32 - 1])
    assert table.find(np.array([-5])).tolist() == [2**32 - 1]


def test_an_empty_batch_is_no_trouble() -> None:
    table = filled(np.array([], np.int64))
    assert len(table) == 0
    assert table.find(np.array([], np.int64)).tolist() == []


def test_two_keys_may_lead_to_one_page() -> None:
    table = Seen()
    table.add(np.array([1, 2]), [9, 9])
    assert table.find(np.array([1, 2])).tolist() == [9, 9]


def test_it_costs_less_than_21_bytes_a_key_whatever_the_size() -> None:
    keys = random_keys(1_000_000)
    table = Seen()
    for part, ids in batches_of(keys, 20_000):
        table.add(part, ids)
        assert len(table) < 300_000 or table.nbytes / len(table) < 21


def test_one_key_added_for_ever_is_refused_before_it_fills_the_memory() -> None:
    with pytest.raises(ValueError, match="ask find before adding"):
        filled(np.full(1000, 42))
