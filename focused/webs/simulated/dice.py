"""Random numbers as a pure function of (seed, stream, index): splitmix64 (Steele, Lea, Flood 2014).

Nothing is stored and nothing depends on the order of the calls, on the process or on a library's version.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.uint64]
Units = npt.NDArray[np.float64]

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def mix(x: int) -> int:
    """One 64-bit number, scrambled."""
    x = ((x ^ (x >> 30)) * FIRST) & MASK
    x = ((x ^ (x >> 27)) * SECOND) & MASK
    return x ^ (x >> 31)


def mix_all(x: Bits) -> Bits:
    """The same for an array."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(FIRST)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(SECOND)
    return x ^ (x >> np.uint64(31))


def unit(bits: int) -> float:
    """A number in [0, 1)."""
    return (bits >> 11) * 2.0**-53


def units(bits: Bits) -> Units:
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53


class Stream:
    """One independent source of numbers, e.g. "which pages are strays"; indexed by page or site."""

    __slots__ = ("base",)

    def __init__(self, seed: int, name: str) -> None:
        self.base = mix((mix(seed & MASK) + int.from_bytes(name.encode()[:8], "big")) & MASK)

    def at(self, index: int) -> int:
        """The 64 bits of this index."""
        x = (self.base + index * STEP) & MASK  # `mix`, written out: this is called some hundred times a page
        x = ((x ^ (x >> 30)) * FIRST) & MASK
        x = ((x ^ (x >> 27)) * SECOND) & MASK
        return x ^ (x >> 31)

    def unit(self, index: int) -> float:
        return (self.at(index) >> 11) * 2.0**-53

    def bits_of(self, indices: npt.NDArray[np.int64]) -> Bits:
        """`at` for many indices."""
        return mix_all(np.uint64(self.base) + indices.astype(np.uint64) * np.uint64(STEP))

    def bits(self, index: int, n: int) -> Bits:
        """n numbers of 64 bits that belong to this index."""
        return mix_all(np.uint64(self.at(index)) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(STEP))

    def units(self, index: int, n: int) -> list[float]:
        """n numbers in [0, 1) that belong to this index."""
        return list(units(self.bits(index, n)).tolist())
