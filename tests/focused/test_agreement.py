"""Workers of one crawl in different places go by the same topic and model: the store holds both."""

from __future__ import annotations

import shutil
from pathlib import Path

import psycopg
import pytest
from scrapy.settings import Settings

from focused.agreement import FOLDER
from focused.assemble import Assembly
from focused.crawl import Crawl
from focused.errors import StoreError, TopicError
from focused.examples.simulated import other_web
from focused.webs import open_web
from focused.webs.simulated.web import SimWeb
from tests.rig.postgres import server
from tests.rig.run import Command

WEB = "sim:small,seed=3"
GOOD = "recreation/cycling"
TOPIC = f"""query = "bicycles"
[examples]
relevant = ["relevant"]
other = ["other"]
[model]
kind = "naive_bayes"
[sim]
topic = "{GOOD}"
"""


@pytest.fixture(scope="module")
def web() -> SimWeb:
    web = open_web(WEB)
    assert isinstance(web, SimWeb)
    return web


@pytest.fixture
def store() -> str:
    return server().fresh()


def topic_in(folder: Path, examples: int = 12) -> Path:
    """A topic of one's own, with example pages from another web than the crawl's."""
    other = other_web(WEB)
    assert other is not None
    for name, topic in (("relevant", GOOD), ("other", "home/gardening")):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number, url in enumerate(other.seeds(topic, examples, 1)):
            (folder / name / f"{number}.html").write_bytes(other.fetch(url).body)
    (folder / "topic.toml").write_text(TOPIC)
    return folder / "topic.toml"


def assembly(data: Path, topic: Path | str, store: str) -> Assembly:
    return Assembly(settings_of(data, topic, store), open_web(WEB))


def settings_of(data: Path, topic: Path | str, store: str) -> Settings:
    settings = Settings()
    settings.setmodule("focused.settings", priority="project")
    given = {
        "FOCUSED_TOPIC": str(topic), "FOCUSED_WEB": WEB, "FOCUSED_STORE": store, "FOCUSED_DATA_DIR": str(data),
        "FOCUSED_LEASE": 60,
    }  # fmt: skip
    settings.setdict(given, priority="cmdline")
    return settings


def leave(crawl: Crawl) -> None:
    crawl.close("stopped")
    crawl.abandon()


def begun(data: Path, topic: Path | str, store: str) -> Assembly:
    """A worker that came and went."""
    parts = assembly(data, topic, store)
    leave(parts.crawl())
    return parts


def verdicts(parts: Assembly, web: SimWeb) -> list[float]:
    urls = [url for topic in (GOOD, "home/gardening", "science/computing") for url in web.seeds(topic, 5, 9)]
    return [parts.model.judge(parts.reader.read(url, web.fetch(url).body)).relevance for url in urls]


def ask(store: str, sql: str) -> list[tuple[object, ...]]:
    with psycopg.connect(store, options="-c search_path=birds") as db:
        return db.execute(sql).fetchall()  # type: ignore[call-overload, no-any-return]


def test_a_worker_process_without_topic_or_model_judges_as_the_first_does(
    tmp_path: Path, store: str, web: SimWeb
) -> None:
    topic = topic_in(tmp_path / "first/birds")
    settings = {"FOCUSED_WEB": WEB, "FOCUSED_STORE": store, "FOCUSED_CRAWL": "birds", "FOCUSED_MAX_PAGES": 15}
    first = Command(tmp_path / "here", {"topic": topic}, settings).run()
    assert first.code == 0, str(first)
    topic.rename(tmp_path / "elsewhere.toml")
    second = Command(tmp_path / "there", {"topic": "birds"}, {**settings, "FOCUSED_MAX_PAGES": 40}).run()
    assert second.code == 0, str(second)
    (tmp_path / "elsewhere.toml").rename(topic)
    parts = assembly(tmp_path / "here", topic, store)
    had = ask(store, "SELECT url, relevance, worker_id FROM page WHERE visit IS NOT NULL AND outcome = 'ok'")
    assert {worker for _, _, worker in had} == {1, 2}
    for url, relevance, _ in had:
        page = parts.reader.read(str(url), web.fetch(str(url)).body)
        assert parts.model.judge(page).relevance == pytest.approx(relevance)
    assert not (tmp_path / "there/birds/model").exists(), "nothing was trained there"


def test_examples_travel_so_that_a_worker_that_came_without_can_learn_from_them(
    tmp_path: Path, store: str, web: SimWeb
) -> None:
    """As after `scrapy fleet up`, which brings topic and examples and trains nothing."""
    here = assembly(tmp_path / "here", topic_in(tmp_path / "birds"), store)
    shutil.rmtree(tmp_path / "here/birds/model")
    assert here.agreement is not None
    assert here.agreement.bring()
    shutil.rmtree(tmp_path / "birds")
    there = begun(tmp_path / "there", "birds", store)
    assert verdicts(there, web) == verdicts(here, web)
    assert verdicts(begun(tmp_path / "third", "birds", store), web) == verdicts(here, web)


def test_what_was_changed_here_becomes_the_crawls_once_nobody_goes_by_the_former(
    tmp_path: Path, store: str, web: SimWeb
) -> None:
    topic = topic_in(tmp_path / "birds")
    begun(tmp_path / "here", topic, store)
    other = assembly(tmp_path / "there", topic, store)
    crawl = other.crawl()
    shutil.rmtree(tmp_path / "here/birds/model")
    topic.write_text(TOPIC.replace("bicycles", "bicycles and clubs"))
    changed = assembly(tmp_path / "here", topic, store)
    with pytest.raises(StoreError, match="was changed while workers of crawl 'birds' go by the former"):
        changed.crawl()
    leave(crawl)
    leave(changed.crawl())
    assert ask(store, "SELECT detail FROM event WHERE kind = 'changed'") == [("topic, version 2",)]
    shutil.rmtree(tmp_path / "birds")
    assert begun(tmp_path / "there", "birds", store).topic.query == "bicycles and clubs"


def test_a_folder_that_has_what_was_the_crawls_before_takes_the_new_one(
    tmp_path: Path, store: str, web: SimWeb
) -> None:
    topic = topic_in(tmp_path / "birds")
    old = begun(tmp_path / "here", topic, store)
    begun(tmp_path / "there", topic, store)
    shutil.copytree(tmp_path / "here/birds/model", tmp_path / "there/birds/model")
    (tmp_path / "birds/relevant/0.html").unlink()
    shutil.rmtree(tmp_path / "here/birds/model")
    new = begun(tmp_path / "here", topic, store)
    # The examples changed, the kept model is the crawl's: nothing is learned anew before that is asked for.
    assert verdicts(new, web) == verdicts(old, web)
    trained = assembly(tmp_path / "alone", topic, "")
    shutil.copytree(tmp_path / "alone/birds/model", tmp_path / "here/birds/model")
    leave(assembly(tmp_path / "here", topic, store).crawl())
    assert verdicts(trained, web) != verdicts(old, web)
    assert verdicts(begun(tmp_path / "there", topic, store), web) == verdicts(trained, web)


def test_two_crawls_with_one_name_are_refused_and_nothing_of_the_first_is_changed(tmp_path: Path, store: str) -> None:
    begun(tmp_path / "here", topic_in(tmp_path / "birds"), store)
    before = ask(store, "SELECT part, version, digest FROM bundle ORDER BY 1, 2")
    other = tmp_path / "other/birds/topic.toml"
    other.parent.mkdir(parents=True)
    other.write_text('query = "parrots"\nseeds = ["https://www.example.org/"]\n')
    with pytest.raises(StoreError, match=r"goes by another topic than the one here \(birds/topic\.toml.*FOCUSED_CRAWL"):
        assembly(tmp_path / "there", other, store)
    assert ask(store, "SELECT part, version, digest FROM bundle ORDER BY 1, 2") == before


@pytest.mark.parametrize("name", ["parrots", "nowhere"])
def test_a_topic_of_another_name_is_no_change_of_the_crawls(name: str, tmp_path: Path, store: str) -> None:
    """Also in the folder that the crawl was begun in: what the crawl goes by stays, and its own topic goes on."""
    topic = topic_in(tmp_path / "birds")
    begun(tmp_path / "here", topic, store)
    before = ask(store, "SELECT part, version, digest FROM bundle ORDER BY 1, 2")
    other = tmp_path / "parrots/topic.toml"
    other.parent.mkdir()
    other.write_text('query = "parrots"\nseeds = ["https://www.example.org/"]\n')
    settings = settings_of(tmp_path / "here", other if name == "parrots" else name, store)
    settings.set("FOCUSED_CRAWL", "birds", priority="cmdline")
    with pytest.raises(StoreError, match=rf"Crawl 'birds' in .* is of topic 'birds', not of '{name}': give another"):
        Assembly(settings, open_web(WEB))
    assert ask(store, "SELECT part, version, digest FROM bundle ORDER BY 1, 2") == before
    begun(tmp_path / "here", topic, store)


def test_the_slower_of_two_that_train_at_the_same_time_takes_the_others_model(
    tmp_path: Path, store: str, web: SimWeb
) -> None:
    topic = topic_in(tmp_path / "birds")
    quick, slow = assembly(tmp_path / "quick", topic, store), assembly(tmp_path / "slow", topic, store)
    manifest = tmp_path / "slow/birds/model/manifest.json"
    manifest.write_text(manifest.read_text() + "\n")  # as if its libraries were others
    leave(quick.crawl())
    leave(slow.crawl())
    assert verdicts(slow, web) == verdicts(quick, web)
    assert not manifest.exists()
    assert ask(store, "SELECT count(*) FROM bundle WHERE part = 'model'") == [(1,)]


def test_a_topic_that_is_nowhere_is_one_sentence(tmp_path: Path, store: str) -> None:
    with pytest.raises(TopicError, match="'birds' was not found"):
        assembly(tmp_path, "birds", store)
    assert not (tmp_path / "birds" / FOLDER).exists()
