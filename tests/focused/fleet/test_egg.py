"""The project as nodes get it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from focused.errors import FleetError
from focused.fleet.egg import Source, source

ROOT = Path(__file__).parents[3]


def test_it_is_made_of_the_four_packages_with_all_their_files() -> None:
    packages = ("focused", "middlewares", "models", "spiders")
    paths = [path for name in packages for path in (ROOT / name).rglob("*") if path.is_file()]
    wanted = {str(path.relative_to(ROOT)) for path in paths if path.parent.name != "__pycache__"}
    assert set(source(ROOT, "cycling").files) == {*wanted, "setup.py"}


def test_it_is_known_by_its_content(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(name)
    one = Source({"a.py": tmp_path / "a.py", "b.py": tmp_path / "b.py"})
    before = one.digest
    assert Source({"b.py": tmp_path / "b.py", "a.py": tmp_path / "a.py"}).digest == before
    assert Source({"a.py": tmp_path / "b.py", "b.py": tmp_path / "a.py"}).digest != before
    (tmp_path / "a.py").write_text("changed")
    assert one.digest != before
    assert re.fullmatch(r"\d{10}-[0-9a-f]{16}", one.version), "Scrapyd keeps only such signs in the name of a file"


def test_a_topic_of_ones_own_travels_along(tmp_path: Path) -> None:
    path = tmp_path / "lists" / "boats.toml"
    path.parent.mkdir()
    path.write_text('query = "boats"\nseeds = ["https://example.org/"]\n')
    mine = source(ROOT, str(path))
    assert mine.files["focused/topics/boats/topic.toml"] == path
    assert mine.digest != source(ROOT, "cycling").digest == source(ROOT, "horses").digest


def test_outside_of_the_project_there_is_nothing_to_pack(tmp_path: Path) -> None:
    with pytest.raises(FleetError, match=r"has no setup\.py: run this in the folder of the project"):
        source(tmp_path, "cycling")


def test_a_setup_that_fails_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text("raise SystemExit('no wheels today')")
    with pytest.raises(FleetError, match=r"The egg cannot be built \(no wheels today\): see setup\.py\."):
        Source({"setup.py": tmp_path / "setup.py"}).packed()
