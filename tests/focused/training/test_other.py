"""focused.training.other: a judge that did not steer, and pages that do not count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scrapy.settings import BaseSettings
from scrapy.utils.project import get_project_settings

from focused.errors import SettingError
from focused.page import PageReader
from focused.topic import Topic
from focused.training.other import documents_of, labelled_judge, other_judge, taught_pages
from focused.webs import Web, open_web
from models.text import Vocabulary

BIKES, GARDENS = "bicycle wheel saddle rider race", "garden flower seed soil rose"


@pytest.fixture
def reader() -> PageReader:
    return PageReader(Vocabulary())


@pytest.fixture
def settings() -> BaseSettings:
    found: BaseSettings = get_project_settings().copy()
    return found


@pytest.fixture
def web(tmp_path: Path) -> Web:
    """Ten pages on two sites, the even ones about bicycles."""
    lines = [
        {"url": f"http://{'ab'[n // 5]}.example/{n}", "title": "", "html": f"<p>{(BIKES, GARDENS)[n % 2]} {n}</p>"}
        for n in range(10)
    ]
    path = tmp_path / "web.jsonl"
    path.write_text("".join(json.dumps({**line, "labels": []}) + "\n" for line in lines))
    return open_web(f"pages:{path}")


def judged(model: object, reader: PageReader, text: str) -> bool:
    return bool(model.judge(reader.read("http://x/", f"<p>{text}</p>".encode(), "text/html", 200)).relevant)  # type: ignore[attr-defined]


def test_labels_teach_a_judge(settings: BaseSettings, reader: PageReader, web: Web) -> None:
    labels = {f"{'ab'[n // 5]}.example/{n}": n % 2 == 0 for n in range(8)} | {"gone.example/": True}
    topic = Topic("bikes", BIKES)
    model = labelled_judge(settings, topic, "naive_bayes", reader, documents_of(web, labels))
    assert judged(model, reader, f"{BIKES} and more") and not judged(model, reader, GARDENS)


def test_labelled_pages_are_had_by_either_scheme(web: Web) -> None:
    found = list(documents_of(web, {"a.example/0": True, "nowhere.example/": False}))
    assert [(document.url.partition("://")[2], yes) for document, yes in found] == [("a.example/0", True)]


def test_labels_of_one_kind_teach_nothing(settings: BaseSettings, reader: PageReader, web: Web) -> None:
    pages = documents_of(web, {"a.example/0": True, "gone.example/": False})
    with pytest.raises(SettingError, match="no page labelled other is on this web"):
        labelled_judge(settings, Topic("bikes", BIKES), "naive_bayes", reader, pages)


def test_examples_of_another_web_teach_another_judge(
    settings: BaseSettings, reader: PageReader, tmp_path: Path
) -> None:
    settings.set("FOCUSED_WEB", "sim:small,seed=1,pages=1000", priority="cmdline")
    topic = Topic.load("cycling")
    model = other_judge(settings, topic, "naive_bayes", reader, tmp_path)
    assert judged(model, reader, "bicycle cycling mountain biking wheel") and not judged(
        model, reader, "stocks and bonds"
    )
    assert taught_pages(settings, topic, reader, tmp_path) == frozenset()  # made of words


def test_the_judge_that_steers_cannot_be_the_other(settings: BaseSettings, reader: PageReader, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="judge:similarity is the judge that steers"):
        other_judge(settings, Topic("bikes", BIKES), "similarity", reader, tmp_path)
    with pytest.raises(SettingError, match="judge:oracle is not known: use one of"):
        other_judge(settings, Topic("bikes", BIKES), "oracle", reader, tmp_path)


def test_pages_the_steering_model_learns_from_are_known(
    settings: BaseSettings, reader: PageReader, tmp_path: Path
) -> None:
    for name, text in (("relevant", BIKES), ("other", GARDENS)):
        page = f'<link rel="canonical" href="http://{name}.example/"><p>{text}</p>'
        (tmp_path / f"{name}.html").write_text(page)
    (tmp_path / "topic.toml").write_text(
        'query = "x"\n[examples]\nrelevant = ["relevant.html"]\nother = ["other.html"]\n'
    )
    found = taught_pages(settings, Topic.load(str(tmp_path)), reader, tmp_path / "crawl")
    assert found == {"http://relevant.example/", "http://other.example/"}
