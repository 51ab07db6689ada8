"""focused.evaluate.taught: a judge learns from pages that the crawl cannot come by, and from the seeds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scrapy.settings import Settings

from focused.errors import SettingError
from focused.evaluate.contest import Ground
from focused.evaluate.reach import Atlas, Rules
from focused.evaluate.runs import Plan
from focused.evaluate.taught import OF_SITE, Teacher, lessons
from focused.page import PageReader
from focused.topic import Topic
from focused.training import model_for
from focused.webs import open_web
from focused.webs.pages import PagesWeb
from models.similarity import Similarity
from models.text import Vocabulary
from tests.focused.webs.collected import page, web_of

WORDS = {"Birds": "the wings and feathers of number {}", "Trains": "an engine on rails and wheels, number {}"}
SETTINGS = Settings()
SETTINGS.setmodule("focused.settings")
TOPIC = 'query = "wings"\n[sim]\ntopic = "Birds"\nseeds = 1\n'


def text_of(subject: str, number: int) -> str:
    """Of each page another one."""
    return f"<p>{WORDS[subject].format(''.join(chr(ord('g') + int(digit)) for digit in str(number)))}</p>"


def address(subject: str, number: int) -> str:
    return f"http://{subject.lower()}{number % 3}.example/{number}.htm"


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PagesWeb:
    """Of each subject 90 pages on three sites; each links to the next but one: the odd ones are out of reach of 0."""
    monkeypatch.chdir(tmp_path)
    return web_of(
        *(
            page(address(subject, n), text_of(subject, n), [address(subject, (n + 2) % 90)], labels=[subject])
            for subject in WORDS
            for n in range(90)
        )
    )


def ground_of(web: PagesWeb, folder: Path) -> Ground:
    file = folder / "birds" / "topic.toml"
    file.parent.mkdir()
    file.write_text(TOPIC)
    vocabulary = Vocabulary()
    atlas = Atlas(web, PageReader(vocabulary), Similarity(vocabulary, "wings"), Rules())
    return Ground(Topic.load(str(file)), web, [[address("Birds", 0)]], atlas, vocabulary)


def test_lessons_are_the_seeds_and_pages_out_of_reach_of_no_site_too_many(web: PagesWeb) -> None:
    seed, reached = address("Birds", 0), frozenset(address("Birds", n) for n in range(0, 90, 2))
    learned = list(lessons(web, "Birds", [seed], reached))
    assert learned == list(lessons(web, "Birds", [seed], reached))
    assert learned[0] == (seed, "relevant")
    others = [url for url, _ in learned[1:]]
    assert not reached & set(others)
    birds = [url for url, label in learned[1:] if label == "relevant"]
    assert len(birds) == 45 and len(others) - len(birds) == 3 * OF_SITE
    assert all("birds" in url for url in birds)


def test_a_crawl_finds_the_judge_of_its_seed_set_and_it_knows_the_subject(web: PagesWeb, tmp_path: Path) -> None:
    ground = ground_of(web, tmp_path)
    plan = Plan(str(tmp_path / "birds"), f"pages:{web.path}", 10, tmp_path / "runs")
    taught = Teacher(SETTINGS, "svm", tmp_path / "judges").taught(plan, ground)
    assert taught.judge == "svm" and taught.judges is not None
    vocabulary = Vocabulary()
    model = model_for(SETTINGS, ground.topic, vocabulary, taught.judges / "0")
    read = PageReader(vocabulary).read
    bird, train = (read("http://x.example/", text_of(subject, 1).encode(), "text/html") for subject in WORDS)
    assert model.judge(bird).relevance > 0.5 > model.judge(train).relevance
    kept = {file: file.stat().st_mtime_ns for file in (taught.judges / "0" / "model").iterdir()}
    assert Teacher(SETTINGS, "svm", tmp_path / "judges").taught(plan, ground) == taught
    assert kept == {file: file.stat().st_mtime_ns for file in kept}  # it is not taught again


def test_only_what_learns_can_be_taught_and_only_on_collected_webs(web: PagesWeb, tmp_path: Path) -> None:
    ground = ground_of(web, tmp_path)
    plan = Plan("birds", "pages:x", 10, tmp_path)
    with pytest.raises(SettingError, match="--judge table: name a kind that learns"):
        Teacher(SETTINGS, "table", tmp_path).taught(plan, ground)
    simulated = replace(ground, web=open_web("sim:small"))
    with pytest.raises(SettingError, match="webs of pages: only"):
        Teacher(SETTINGS, "svm", tmp_path).taught(plan, simulated)
