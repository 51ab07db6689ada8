"""focused.evaluate.standings: orderings on one field, and the page that tells it."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest
from scrapy.utils.project import get_project_settings

from focused.evaluate.archive import Archive, stamp_of
from focused.evaluate.contest import Ground
from focused.evaluate.reach import Atlas, Rules
from focused.evaluate.runs import Job, Plan, Run, entries_of
from focused.evaluate.standings import Contest, Field, Prospect, Standing, truth_of
from focused.evaluate.standings_page import page
from focused.page import PageReader
from focused.topic import Topic
from focused.webs import open_web
from models.similarity import Similarity
from models.text import Vocabulary

WEB = "sim:small,seed=1,pages=800"
AT = Field(WEB, "cycling")
BEST = [True] * 20 + [False] * 20


def standing(**areas: list[float | None]) -> Standing:
    prospects = [Prospect(400, 20, BEST), Prospect(410, 30, BEST), Prospect(420, 40, BEST)]
    return Standing(AT, 40, prospects, dict(areas))


def test_the_best_and_what_cannot_be_told_from_it() -> None:
    made = standing(one=[0.8, 0.7, 0.9], two=[0.7, 0.8, 0.8], three=[0.5, 0.4, 0.6], four=[None, None, None])
    assert made.best == ["one", "two"]
    assert made.stat("one").mean == pytest.approx(0.8) and made.stat("four").mean is None


def test_ties_and_empty_webs_do_not_discriminate() -> None:
    assert standing(one=[0.8] * 3, two=[0.5] * 3).not_discriminating() == ""
    assert standing(one=[0.8] * 3, two=[0.8001] * 3).not_discriminating() == "all orderings tie"
    poor = replace(standing(one=[0.8] * 3, two=[0.5] * 3), prospects=[Prospect(400, 10, BEST)] * 3)
    assert poor.not_discriminating() == "hardly anything relevant is within reach"


def test_the_page() -> None:
    made = standing(one=[0.8, 0.7, 0.9], two=[0.5, 0.4, 0.6], three=[None, None, None])
    made.errors["three"] = "no sessions (status 1, /somewhere/x.log)"
    tie = replace(
        standing(one=[0.8] * 3, two=[0.8] * 3, three=[0.8] * 3), at=Field("pages:/far/away/b.jsonl.gz", "horses")
    )
    text = page([made, tie], ["The third web is not there."], "2026-01-01, commit x")
    assert "2026-01-01, commit x" in text and "over 3 seed sets, of 40\npages" in text
    assert (
        "## `sim:small,seed=1,pages=800`, 40 pages\n\n|  | cycling |\n| --- | --- |\n| *pages within reach* | 410 |"
        in text
    )
    assert (
        "| *of them relevant* | 30 |\n| `one` | **0.800 ± 0.100** |\n| `two` | 0.500 ± 0.100 |\n| `three` | – |" in text
    )
    assert (
        "Crawls that failed, and are not in these means: `three`, 3 (no sessions)." in text
        and "/far/away" not in text
        and "/somewhere" not in text
    )
    assert "| horses (not discriminating) |" in text and "horses does not discriminate: all orderings tie." in text
    assert (
        "## Over all 2 topics, 40 pages\n\n|  | mean |\n| --- | --- |\n| `one` | 0.800 |\n| `two` | 0.650 |\n" in text
    )
    assert text.endswith("The third web is not there.\n")


def test_the_mean_harvest_over_the_topics_is_told_at_four_points() -> None:
    """An ordering that failed on a topic has no such mean; a crawl that failed does not count."""
    made = standing(one=[0.8] * 3, two=[0.5] * 3, three=[0.2] * 3)
    one = replace(made, found={"one": [BEST, BEST], "two": [BEST], "three": [BEST]})
    two = replace(one, at=Field(WEB, "horses"), found={"one": [[False] * 40], "two": [[True] * 10], "three": []})
    text = page([one, two], [], "today")
    assert (
        "Harvest, mean over the topics, after 10, 25, 50 and 100 % of the pages:\n\n"
        "|  | 10% | 25% | 50% | 100% |\n| --- | --- | --- | --- | --- |\n"
        "| `two` | 1.000 | 1.000 | 0.750 | 0.375 |\n| `one` | 0.500 | 0.500 | 0.500 | 0.250 |\n"
    ) in text
    assert text.count("`three`") == 2  # its areas, of this topic and of all


def test_a_champion_stands_beside_the_best_of_the_others_at_each_length() -> None:
    late = standing(one=[0.8, 0.7, 0.9], two=[0.5, 0.4, 0.6], three=[None, None, None])
    early = replace(standing(one=[0.3, 0.3, 0.3], two=[0.4, 0.5, 0.6], three=[0.1, 0.1, 0.1]), pages=10)
    text = page([late, early], [], "today", champion="one")
    assert "of 40 and of the first 10\npages" in text
    assert "`one` beside the best of the others, 40 pages" in text and "`one` beside the best of the others, 10" in text
    assert "| cycling | 0.800 | 0.500 `two` | +0.300 ± 0.000 |" in text
    assert "| cycling | 0.300 | 0.500 `two` | -0.200 ± 0.058 |" in text


def test_the_same_crawls_are_scored_after_fewer_pages(tmp_path: Path) -> None:
    web, vocabulary = open_web(WEB), Vocabulary()
    atlas = Atlas(web, PageReader(vocabulary), Similarity(vocabulary, "bicycle"), Rules())
    seeds = [web.seeds("recreation/cycling", 5, 0)]
    ground = Ground(Topic.load("cycling"), web, seeds, atlas, vocabulary)
    plan, archive = Plan("cycling", WEB, 30, tmp_path / "runs"), Archive.of(tmp_path / "cache", get_project_settings())
    (entry,) = entries_of("breadth_first")
    other = next(url for url in map(str, atlas.reach(seeds[0], 50, lambda *_: None).urls) if url not in seeds[0])
    archive.shelf.put(archive.key_of((plan, Job(entry, 0))), asdict(Run([*seeds[0], *[other] * 25], [True] * 30)))
    contest = Contest(archive, 1, lambda *_: None, lambda *_: pytest.fail("it was run again"))
    early = contest.standing(AT, plan, [entry], ground, 5)
    assert early.pages == 5 and len(early.prospects[0].best) == 5
    late = contest.standing(AT, plan, [entry], ground)
    (soon,), (later,) = early.areas["breadth_first"], late.areas["breadth_first"]
    assert soon is not None and later is not None and soon > 0.9 > later  # the seeds are relevant, the rest is not


def test_a_field_is_explored_once_and_known_crawls_are_not_run(tmp_path: Path) -> None:
    web, vocabulary = open_web(WEB), Vocabulary()
    atlas = Atlas(web, PageReader(vocabulary), Similarity(vocabulary, "bicycle"), Rules())
    topic = Topic.load("cycling")
    seeds = [web.seeds("recreation/cycling", 5, seed) for seed in range(2)]
    ground = Ground(topic, web, seeds, atlas, vocabulary)
    plan = Plan("cycling", WEB, 30, tmp_path / "runs")
    archive = Archive.of(tmp_path / "cache", get_project_settings())
    (entry,) = entries_of("breadth_first")
    for seed, urls in enumerate(seeds):  # as if they had been run: the seeds and no more
        archive.shelf.put(archive.key_of((plan, Job(entry, seed))), asdict(Run(urls, [True] * len(urls))))
    heard: list[str] = []
    contest = Contest(archive, 1, lambda seed, pages: heard.append(f"{seed}: {pages}"), lambda *_: heard.append("run"))
    found = contest.standing(AT, plan, [entry], ground)
    assert found.prospects[0].reachable > 400 and found.prospects[0].relevant > 10
    assert len(found.prospects[0].best) == 30 and sum(found.prospects[0].best) >= 10
    each = found.stat("breadth_first").each
    assert all(0 < area < 1 for area in each if area is not None) and found.errors == {}
    assert found.found["breadth_first"] == [truth_of(ground).of(urls) for urls in seeds]
    assert heard and "run" not in heard
    heard.clear()
    assert contest.standing(AT, plan, [entry], ground) == found and heard == []


def test_a_file_that_changed_is_another_web(tmp_path: Path) -> None:
    file = tmp_path / "web.jsonl"
    file.write_text("{}")
    before = stamp_of(f"pages:{file}")
    file.write_text("{} ")
    assert stamp_of(f"pages:{file}") != before and stamp_of("sim:small") == ["sim:small"]
