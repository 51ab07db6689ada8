"""A topic and what it names beside it, as files that travel together."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.bundle import Bundle, of_model, of_ordering, of_topic
from focused.errors import StoreError

TOPIC = """query = "birds"
[examples]
relevant = ["good/*.html", "https://www.example.org/page"]
labels = "labels.csv"
[taxonomy]
tree = "tree.toml"
good = ["Animals/Birds"]
[sessions]
file = "sessions.jsonl"
"""


def topic_in(folder: Path) -> str:
    files = {
        "topic.toml": TOPIC, "good/one.html": "<p>one", "labels.csv": "url,label\nmarked/two.html,relevant\n",
        "marked/two.html": "<p>two", "tree.toml": '["Animals/Birds"]\nexamples = ["leaf.html"]\n',
        "leaf.html": "<p>leaf", "sessions.jsonl": "{}\n", "notes.txt": "not the topic's",
    }  # fmt: skip
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return str(folder / "topic.toml")


def test_a_topic_takes_along_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    found = of_topic(topic_in(tmp_path / "birds"))
    assert found is not None
    goes_by, learned = found
    assert {*goes_by.files} == {"birds/topic.toml", "birds/tree.toml", "birds/sessions.jsonl"}
    assert {*learned.files} == {
        "birds/good/one.html", "birds/labels.csv", "birds/marked/two.html", "birds/leaf.html",
    }  # fmt: skip


def test_files_outside_of_its_folder_and_folders_without_a_topic_or_model_give_nothing(tmp_path: Path) -> None:
    path = tmp_path / "birds/topic.toml"
    path.parent.mkdir()
    (tmp_path / "secret.html").touch()
    path.write_text('query = "birds"\n[examples]\nrelevant = ["../secret.html"]\n')
    found = of_topic(str(path))
    assert found is not None
    assert found[1].files == {}
    assert of_topic(str(tmp_path / "none/topic.toml")) is None
    assert of_model(tmp_path) is None


def test_what_an_ordering_reads_is_known_by_its_argument_and_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "terms.csv").write_text("concept,parents,words\n")
    (tmp_path / "wordnet/deeper").mkdir(parents=True)
    (tmp_path / "wordnet/data.noun").write_text("nouns")
    named = {"ontology": str(tmp_path / "terms.csv"), "words": str(tmp_path / "wordnet"), "none": "nowhere.toml"}
    found = of_ordering(named)
    assert found is not None
    assert {*found.files} == {"ontology/terms.csv", "words/wordnet/data.noun"}
    assert of_ordering({"ontology": "nowhere.toml"}) is None


@settings(deadline=None, max_examples=30)
@given(
    st.dictionaries(st.text("abc/", min_size=1, max_size=8).filter(lambda name: name.strip("/") == name), st.binary())
)
def test_what_was_packed_comes_back_and_is_known_by_its_content(files: dict[str, bytes]) -> None:
    bundle = Bundle(files)
    assert Bundle.unpacked(bundle.packed(), bundle.digest) == bundle
    assert bundle.digest == Bundle(dict(reversed(files.items()))).digest
    assert bundle.digest != Bundle({**files, "more": b""}).digest


def test_it_is_written_once_and_is_whole(tmp_path: Path) -> None:
    bundle = Bundle({"birds/topic.toml": b"one", "birds/good/a.html": b"two"})
    place = bundle.written(tmp_path / "brought")
    assert (place / "birds/good/a.html").read_bytes() == b"two"
    assert bundle.written(tmp_path / "brought") == place
    assert [path.name for path in (tmp_path / "brought").iterdir()] == [place.name]


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be written"):
        Bundle({"a": b""}).written(tmp_path / "file")


@pytest.mark.parametrize("name", ["../topic.toml", "/etc/topic.toml", "birds/../../x"])
def test_a_place_outside_of_its_folder_is_refused(name: str) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr(name, b"")
    with pytest.raises(StoreError, match="damaged"):
        Bundle.unpacked(buffer.getvalue(), Bundle({name: b""}).digest)
