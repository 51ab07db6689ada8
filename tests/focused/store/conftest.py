"""What the tests of the stores share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.focused.store.places import KINDS, Place, Two


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    place = Place(request.param, tmp_path)
    yield place
    place.close()


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    place = Two(tmp_path)
    yield place
    place.close()
