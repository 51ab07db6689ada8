"""focused.evaluate.fingerprint: code that counts changes it, everything else does not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from focused.evaluate import fingerprint as module
from focused.evaluate.fingerprint import CRAWL, below, fingerprint, is_ours, made

CODE = """'A module.'
from made_up.lower import VALUE


def double() -> int:
    'Twice.'
    return 2 * VALUE
"""


def forget() -> None:
    for remembered in (fingerprint, is_ours, module._source):
        remembered.cache_clear()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """made_up/upper.py imports made_up/lower.py, beside which there is data."""
    folder = tmp_path / "made_up"
    (folder / "data").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "upper.py").write_text(CODE)
    (folder / "lower.py").write_text("VALUE = 1\n")
    (folder / "stranger.py").write_text("VALUE = 3\n")
    (folder / "data/words.txt").write_text("one two")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(module, "PACKAGES", ("made_up",))
    forget()
    yield folder
    for name in [name for name in sys.modules if name.startswith("made_up")]:
        del sys.modules[name]
    forget()


def seen(folder: Path) -> str:
    forget()
    return fingerprint("made_up.upper")


def test_what_a_module_stands_on(package: Path) -> None:
    assert below(["made_up.upper", "numpy"]) == {"made_up.upper", "made_up.lower"}


def test_comments_docstrings_and_strangers_do_not_count(package: Path) -> None:
    before = seen(package)
    (package / "upper.py").write_text(CODE.replace("Twice.", "Two times.") + "\n\n# why\n")
    (package / "stranger.py").write_text("VALUE = 4\n")
    assert seen(package) == before


@pytest.mark.parametrize(
    ("file", "text"),
    [("upper.py", CODE.replace("2 *", "3 *")), ("lower.py", "VALUE = 2\n"), ("data/words.txt", "one two three")],
)
def test_code_and_data_count_at_any_depth(package: Path, file: str, text: str) -> None:
    before = seen(package)
    (package / file).write_text(text)
    assert seen(package) != before


def test_a_crawl_stands_on_what_is_loaded_by_name_too() -> None:
    found = below(CRAWL)
    assert {"focused.crawl", "focused.page", "focused.webs.simulated.web", "middlewares.relevance"} <= found
    assert not any(name.startswith(("focused.evaluate", "focused.commands")) for name in found)
    assert not any(name in found for name in ("focused.store.postgres", "focused.store.team", "focused.shared_crawl"))
    assert "focused.orderings.best_first" not in found  # each ordering counts for its own crawls
    assert fingerprint(*CRAWL) != fingerprint(*CRAWL, "focused.orderings.best_first")


def said_by_a_checkout(folder: Path, monkeypatch: pytest.MonkeyPatch, is_dirty: bool) -> str:
    """What a page would say if the module were in a repository of one file, changed since or not."""
    path = folder / "module.py"
    git = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@t.example"]
    path.write_text("one")
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "--allow-empty", "-m", "one"]):
        subprocess.run([*git, *words], check=True)
    path.write_text("two" if is_dirty else "one")
    monkeypatch.setattr(module, "__file__", str(path))
    return made()


def test_a_page_of_numbers_says_when_and_by_what(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fingerprint(*CRAWL) in made()
    assert " with changes that were not committed, code " in said_by_a_checkout(tmp_path, monkeypatch, is_dirty=True)
    assert " with changes" not in said_by_a_checkout(tmp_path, monkeypatch, is_dirty=False)
    monkeypatch.setenv("PATH", "")  # no git
    assert "commit unknown" in made()
