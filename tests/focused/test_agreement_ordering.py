"""What an ordering is told to read reaches workers that do not have it: through the store, like topic and model."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from focused.agreement import FOLDER
from focused.assemble import Assembly
from focused.errors import SettingError, StoreError
from focused.orderings.semantic import Semantic
from focused.webs import open_web
from tests.focused.test_agreement import WEB, ask, leave, settings_of
from tests.rig.postgres import server
from tests.rig.run import Command

TOPIC = 'query = "bicycle"\n[sim]\ntopic = "recreation/cycling"\n'
TERMS = "concept,parents,words\nvehicle,,vehicle\nbicycle,vehicle,bicycle;cycle\n"


@pytest.fixture
def store() -> str:
    return server().fresh()


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """The folder of somebody who has the topic and its terms."""
    folder = tmp_path / "birds"
    folder.mkdir()
    (folder / "topic.toml").write_text(TOPIC)
    (folder / "terms.csv").write_text(TERMS)
    return folder


def assembly(data: Path, topic: Path | str, store: str, terms: Path | str) -> Assembly:
    settings = settings_of(data, topic, store)
    settings.set("FOCUSED_ORDERING", "semantic", priority="cmdline")
    settings.set("FOCUSED_ORDERING_ARGS", f"measure=ehrig,ontology={terms}", priority="cmdline")
    return Assembly(settings, open_web(WEB))


def ontology_of(parts: Assembly) -> Path:
    assert isinstance(parts.ordering, Semantic)
    return Path(parts.ordering.ontology)


def test_a_worker_without_the_ontology_reads_the_crawls(tmp_path: Path, here: Path, store: str) -> None:
    first = assembly(tmp_path / "here", here / "topic.toml", store, here / "terms.csv")
    leave(first.crawl())
    assert ontology_of(first) == here / "terms.csv", "as given, where it is there"
    (here / "terms.csv").rename(tmp_path / "elsewhere.csv")
    second = assembly(tmp_path / "there", "birds", store, here / "terms.csv")
    assert ontology_of(second).is_relative_to(tmp_path / "there/birds" / FOLDER)
    assert ontology_of(second).read_text() == TERMS
    leave(second.crawl())


def test_a_worker_process_scores_by_it(tmp_path: Path, here: Path, store: str) -> None:
    """With the terms alone the anchors of the second worker have the scores that the first gives them."""
    settings = {"FOCUSED_WEB": WEB, "FOCUSED_STORE": store, "FOCUSED_CRAWL": "birds", "FOCUSED_MAX_PAGES": 10}
    args = {"ordering": "semantic", "ordering_args": f"measure=ehrig,ontology={here / 'terms.csv'}"}
    first = Command(tmp_path / "here", {"topic": here / "topic.toml", **args}, settings).run()
    assert first.code == 0, str(first)
    for file in here.iterdir():
        file.rename(tmp_path / file.name)
    second = Command(tmp_path / "there", {"topic": "birds", **args}, {**settings, "FOCUSED_MAX_PAGES": 25}).run()
    assert second.code == 0, str(second)
    scored = """SELECT link.anchor, link.score, page.worker_id FROM link JOIN page ON page.id = link.source_id
        WHERE lower(anchor) ~ 'bicycle|cycle|vehicle' AND link.score > 0"""
    by_anchor: dict[object, set[object]] = {}
    for anchor, score, _ in ask(store, scored):
        by_anchor.setdefault(anchor, set()).add(score)
    assert {worker for _, _, worker in ask(store, scored)} == {1, 2}
    assert all(len(scores) == 1 for scores in by_anchor.values()), "one anchor, one score, whoever gave it"


def test_a_changed_one_becomes_the_crawls_once_nobody_goes_by_the_former(
    tmp_path: Path, here: Path, store: str
) -> None:
    given = store, here / "terms.csv"
    leave(assembly(tmp_path / "here", here / "topic.toml", *given).crawl())
    other = assembly(tmp_path / "there", here / "topic.toml", *given).crawl()
    (here / "terms.csv").write_text(TERMS + "tandem,bicycle,tandem\n")
    changed = assembly(tmp_path / "here", here / "topic.toml", *given)
    with pytest.raises(StoreError, match=r"terms\.csv was changed while workers of crawl 'birds' go by the former"):
        changed.crawl()
    leave(other)
    leave(changed.crawl())
    assert ask(store, "SELECT detail FROM event WHERE kind = 'changed'") == [("ordering, version 2",)]
    (here / "terms.csv").unlink()
    taken = assembly(tmp_path / "there", here / "topic.toml", *given)
    assert "tandem" in ontology_of(taken).read_text()


def test_another_of_that_name_is_refused(tmp_path: Path, here: Path, store: str) -> None:
    leave(assembly(tmp_path / "here", here / "topic.toml", store, here / "terms.csv").crawl())
    other = tmp_path / "terms.csv"
    other.write_text(TERMS.replace("cycle", "bike"))
    sentence = re.escape("goes by another ordering than the one here (ontology/terms.csv)") + f".*take away {other}"
    with pytest.raises(StoreError, match=sentence):
        assembly(tmp_path / "there", here / "topic.toml", store, other)


def test_one_that_is_nowhere_is_told_by_the_ordering(tmp_path: Path, here: Path, store: str) -> None:
    leave(assembly(tmp_path / "here", here / "topic.toml", store, here / "terms.csv").crawl())
    with pytest.raises(SettingError, match=r"Ontology words\.csv cannot be read"):
        assembly(tmp_path / "there", here / "topic.toml", store, "words.csv")
