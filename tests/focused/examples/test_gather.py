"""All examples of a topic together."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.utils.project import get_project_settings

from focused.errors import TopicError
from focused.examples import Examples, gather
from focused.page import PageReader
from focused.topic import Topic
from models.text import Vocabulary
from tests.rig.handmade import HandmadeWeb, Reply
from tests.rig.run import QUICK


def gathered(folder: Path, text: str, web: str = "") -> Examples:
    (folder / "topic.toml").write_text('query = "bicycles"\n' + text)
    topic = Topic.load(str(folder / "topic.toml"))
    settings = get_project_settings()
    settings.update({**QUICK, "FOCUSED_WEB": web}, priority="cmdline")
    return gather(settings, topic, PageReader(Vocabulary()), folder / "crawl", lambda *_: None)


def test_good_files_are_taken_and_bad_ones_counted(tmp_path: Path) -> None:
    (tmp_path / "good").mkdir()
    for name, body in {"a": b"<p>wheels", "b": b"", "c": b"\0\1\2" * 99, "d": "<p>Züge".encode("latin-1")}.items():
        (tmp_path / "good" / f"{name}.html").write_bytes(body)
    with (tmp_path / "good/e.html").open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    found = gathered(tmp_path, '[examples]\nrelevant = ["good"]\n')
    assert [page.url for page in found.pages] == ["good/a.html", "good/d.html"]
    assert found.skipped == [
        ("good/b.html", "empty"),
        ("good/c.html", "binary"),
        ("good/e.html", "larger than 8 MiB"),
    ]


def test_only_bad_files_are_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("")
    with pytest.raises(TopicError, match=r"has no example that can be used \(a.html: empty\): see docs/training.md"):
        gathered(tmp_path, '[examples]\nrelevant = ["a.html"]\n')


def test_topic_of_a_simulated_web_gets_pages_of_another_one(tmp_path: Path) -> None:
    found = gathered(tmp_path, '[sim]\ntopic = "home/cooking"\n', "sim:small,seed=1,pages=500")
    assert found.is_good("home/cooking")
    assert not found.is_good("home/gardening")
    assert len(found.counts()) > 10


def test_sites_of_a_directory_on_the_web_are_read_from_their_homepages(tmp_path: Path) -> None:
    """W-05: the directory page itself is no example, and neither are its own further pages."""
    horses = '<a href="D/about">about</a> <a href="A/deep">a</a> <a href="B/">b</a> <a href="A/">again</a>'
    pages = {"A/": Reply(body='stable <a href="A/1">1</a>'), "A/1": Reply(body="pony"), "B/": Reply(body="saddle")}
    pages |= {"C/": Reply(body="soup"), "D/horses": Reply(302, location="D/new"), "D/new": Reply(body=horses)}
    pages |= {"D/soups": Reply(body='<a href="C/">c</a>'), "D/empty": Reply(body="nothing")}
    with HandmadeWeb(pages) as web:
        relevant, other = (
            [web.url(name) for name in names] for names in (["D/horses", "D/gone"], ["D/soups", "D/empty"])
        )
        found = gathered(tmp_path, f"[examples]\nrelevant_directories = {relevant}\nother_directories = {other}\n")
        labels = {page.url: page.label for page in found.pages}
        assert labels == {web.url(name): "relevant" for name in ("A/", "A/1", "B/")} | {web.url("C/"): "other"}
        skipped = [(web.url("D/gone"), "not fetched (http_404)"), (web.url("D/empty"), "lists no site")]
        assert sorted(found.skipped) == sorted(skipped)


@pytest.mark.parametrize("web", ["", "warc:nowhere.warc.gz"])
@pytest.mark.parametrize(
    ("file", "way_out"), [('[sim]\ntopic = "home/cooking"\n', "--web sim:small"), ("", "train with --bootstrap")]
)
def test_no_examples_are_a_mistake_with_a_way_out(tmp_path: Path, web: str, file: str, way_out: str) -> None:
    with pytest.raises(TopicError, match=rf"has no examples: below \[examples\] in its file write .*{way_out}\.$"):
        gathered(tmp_path, file, web)


def test_taxonomy_without_a_good_class_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "tree.toml").write_text("")
    with pytest.raises(TopicError, match="marks nothing as good"):
        gathered(tmp_path, '[taxonomy]\ntree = "tree.toml"\n')
