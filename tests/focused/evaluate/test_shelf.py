"""focused.evaluate.shelf: what was put there comes back, what is broken does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.errors import StoreError
from focused.evaluate.shelf import Shelf


def test_a_value_comes_back_by_its_key(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "a" / "b")
    shelf.put({"seed": 1, "web": ["sim"]}, {"urls": ["http://a/ä"], "area": 0.1})
    assert Shelf(tmp_path / "a" / "b").get({"web": ["sim"], "seed": 1}) == {"urls": ["http://a/ä"], "area": 0.1}
    assert shelf.get({"web": ["sim"], "seed": 2}) is None


def test_the_last_one_counts_and_nothing_else_lies_around(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    for value in (1, 2):
        shelf.put({"n": 1}, value)
    assert shelf.get({"n": 1}) == 2 and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("content", [b"", b"garbage", b"\x1f\x8b\x08\x00"])
def test_a_broken_file_is_as_good_as_none(tmp_path: Path, content: bytes) -> None:
    shelf = Shelf(tmp_path)
    shelf.put({"n": 1}, "value")
    file = next(tmp_path.iterdir())
    whole = file.read_bytes()
    for broken in (content, whole[: len(whole) // 2]):
        file.write_bytes(broken)
        assert shelf.get({"n": 1}) is None


def test_a_folder_that_cannot_be_made_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be made"):
        Shelf(tmp_path / "file" / "below")
