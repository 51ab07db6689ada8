from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from focused.webs.simulated.dice import MASK, Stream, mix, mix_all, unit, units

numbers = some.integers(0, MASK)


def test_the_generator_is_splitmix64() -> None:
    # First outputs for state 0 in the public reference implementation (Vigna).
    step = 0x9E3779B97F4A7C15
    assert mix(step) == 0xE220A8397B1DCDAF
    assert mix((2 * step) & MASK) == 0x6E789E6AA1B965F4


@given(some.lists(numbers, min_size=1, max_size=20))
def test_arrays_and_single_numbers_agree(values: list[int]) -> None:
    array = np.array(values, dtype=np.uint64)
    assert mix_all(array).tolist() == [mix(value) for value in values]
    assert units(array).tolist() == [unit(value) for value in values]


@given(numbers, some.integers(0, 10**7))
def test_one_index_gives_the_same_numbers_however_it_is_asked(seed: int, index: int) -> None:
    stream = Stream(seed, "test")
    assert stream.bits_of(np.array([index], dtype=np.int64)).tolist() == [stream.at(index)]
    assert stream.bits(index, 9)[:4].tolist() == stream.bits(index, 4).tolist()
    assert all(0.0 <= draw < 1.0 for draw in stream.units(index, 9))


def test_seeds_names_and_indices_give_different_numbers() -> None:
    found = {Stream(seed, name).at(index) for seed in (1, 2) for name in ("a", "b") for index in range(100)}
    assert len(found) == 400


def test_numbers_are_spread_evenly() -> None:
    draws = np.array(Stream(3, "even").units(5, 20_000))
    assert abs(draws.mean() - 0.5) < 0.01
    assert abs(np.corrcoef(draws[:-1], draws[1:])[0, 1]) < 0.03
