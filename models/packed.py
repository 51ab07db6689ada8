"""Arrays as text, for state that is kept as JSON."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


def packed(values: NDArray[Any]) -> str:
    """
    >>> unpacked(packed(np.arange(3.0)), np.float64).tolist()
    [0.0, 1.0, 2.0]
    """
    return b64encode(values.tobytes()).decode()


def unpacked(text: str, dtype: DTypeLike) -> NDArray[Any]:
    """A copy that may be written to."""
    return np.frombuffer(b64decode(text), dtype).copy()
