"""focused.evaluate.browsing: a simulated reader sees only what the crawl cannot come by."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest
from scrapy.settings import Settings

from focused.evaluate.archive import Archive
from focused.evaluate.browsing import browsed
from focused.evaluate.contest import Ground
from focused.evaluate.reach import Atlas, Rules
from focused.evaluate.runs import Job, Plan, Run, entries_of
from focused.evaluate.standings import BROWSING, Contest, Field
from focused.page import PageReader
from focused.sessions import Step
from focused.surfing import LENGTH, WALKS, sessions_for
from focused.topic import Topic
from focused.webs import open_web
from focused.webs.pages import PagesWeb
from models.similarity import Similarity
from models.text import Vocabulary
from tests.focused.webs.collected import page, web_of

TOPIC = 'query = "wings"\n[sim]\ntopic = "Birds"\nseeds = 1\n'
HMM, OTHER = (Job(entry, 0) for entry in entries_of("hmm,breadth_first"))
COUNT = 40
SETTINGS = Settings()
SETTINGS.setmodule("focused.settings")


def address(number: int) -> str:
    return f"http://a.example/{number % COUNT}.htm"


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PagesWeb:
    """Page 0 leads to the even ones alone; the odd ones lead to odd and to even ones. A quarter are about birds."""
    monkeypatch.chdir(tmp_path)
    return web_of(
        *(
            page(
                address(n),
                "<p>of wings and rails</p>",
                [address(n + 2), *[address(n + 1), address(n + 6)] * (n % 2)],
                labels=["Birds" if n % 8 in (0, 1) else "Trains"],
            )
            for n in range(COUNT)
        )
    )


@pytest.fixture
def ground(web: PagesWeb, tmp_path: Path) -> Ground:
    file = tmp_path / "birds" / "topic.toml"
    file.parent.mkdir()
    file.write_text(TOPIC)
    vocabulary = Vocabulary()
    atlas = Atlas(web, PageReader(vocabulary), Similarity(vocabulary, "wings"), Rules())
    return Ground(Topic.load(str(file)), web, [[address(0)]], atlas, vocabulary)


@pytest.fixture
def plan(web: PagesWeb, tmp_path: Path) -> Plan:
    return Plan(str(tmp_path / "birds"), f"pages:{web.path}", 10, tmp_path / "runs")


def steps_of(plan: Plan) -> list[Step]:
    return sessions_for(Topic.load(plan.topic), plan.web)


def test_the_reader_follows_links_and_sees_no_page_within_reach(plan: Plan, ground: Ground, tmp_path: Path) -> None:
    steps = steps_of(browsed(plan, HMM, ground, tmp_path / "kept"))
    reached = set(ground.atlas.reach(ground.seeds[0], 1000).urls)
    assert len(reached) == COUNT / 2 and not reached & {step.url for step in steps}
    assert WALKS * LENGTH <= len(steps) < WALKS * LENGTH + LENGTH
    assert {step.relevant for step in steps} == {True, False}
    assert all(not step.relevant or step.url in {address(n) for n in range(1, COUNT, 8)} for step in steps)
    assert sum(step.referrer != "" for step in steps) > len(steps) / 2


def test_browsing_is_the_same_each_time_and_is_made_once(plan: Plan, ground: Ground, tmp_path: Path) -> None:
    made = browsed(plan, HMM, ground, tmp_path / "kept")
    assert steps_of(browsed(plan, HMM, ground, tmp_path / "again")) == steps_of(made)
    file = Path(made.topic) / "sessions.jsonl"
    written = file.stat().st_mtime_ns
    assert browsed(plan, HMM, ground, tmp_path / "kept") == made and file.stat().st_mtime_ns == written


def test_the_topic_is_otherwise_the_same(plan: Plan, ground: Ground, tmp_path: Path) -> None:
    topic = Topic.load(browsed(plan, HMM, ground, tmp_path / "kept").topic)
    assert replace(topic, folder=None, sessions={}) == replace(ground.topic, folder=None)


def test_only_who_learns_from_browsing_gets_some_and_only_where_there_is_none(
    plan: Plan, ground: Ground, tmp_path: Path
) -> None:
    own = replace(ground, topic=replace(ground.topic, sessions={"file": "mine.jsonl"}))
    simulated = replace(ground, web=open_web("sim:small"))
    nothing = replace(ground, seeds=[[address(1)]])  # from here all is within reach
    assert browsed(plan, OTHER, ground, tmp_path / "kept") == plan
    assert [browsed(plan, HMM, at, tmp_path / "kept") for at in (own, simulated, nothing)] == [plan] * 3


def test_a_standing_is_that_of_the_crawl_with_browsing(plan: Plan, ground: Ground, tmp_path: Path) -> None:
    archive = Archive.of(tmp_path / "cache", SETTINGS)
    taught = browsed(plan, HMM, ground, tmp_path / "cache" / BROWSING)
    archive.shelf.put(archive.key_of((taught, HMM)), asdict(Run([address(0), address(8)], [True] * 2)))
    contest = Contest(archive, 1, lambda *_: None, lambda *_: pytest.fail("another crawl was run"))
    found = contest.standing(Field(plan.web, plan.topic), plan, [HMM.entry], ground)
    assert found.found["hmm"] == [[True, True]] and found.prospects[0].relevant == 5
