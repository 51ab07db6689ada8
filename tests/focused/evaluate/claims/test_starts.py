"""focused.evaluate.claims.starts: topic files, and seeds by rule."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from focused.errors import WebError
from focused.evaluate.claims.starts import (
    COUNT,
    OFFERED,
    distance,
    far_seeds,
    opened,
    part_of,
    seeds_of,
    sessions_file,
    thinned,
    topic_file,
    web_of,
)
from focused.sessions import Step
from focused.surfing import sessions_for
from focused.topic import Topic
from focused.webs import about
from tests.focused.evaluate.claims.made import SETUP

WEB = "sim:small,seed=1"


def test_a_web_a_seed_or_a_pair() -> None:
    assert [web_of(SETUP, number) for number in range(2)] == ["sim:small,seed=1", "sim:small,seed=2"]
    assert [web_of(replace(SETUP, pairs=True), number) for number in range(3)] == [WEB, WEB, "sim:small,seed=2"]


def test_a_topic_file_is_a_topic_with_another_model(tmp_path: Path) -> None:
    setup = replace(SETUP, model='[model]\nkind = "taxonomy"\n[taxonomy]\ngood = ["{topic}"]')
    path = topic_file(setup, "cycling", ["http://a.example/"], None, tmp_path)
    made, shipped = Topic.load(str(path)), Topic.load("cycling")
    assert (made.name, made.query, made.sim["topic"]) == ("cycling", shipped.query, "recreation/cycling")
    assert made.model == {"kind": "taxonomy"} and made.taxonomy == {"good": ["recreation/cycling"]}
    assert made.seeds == ("http://a.example/",)
    assert topic_file(setup, "cycling", ["http://a.example/"], None, tmp_path) == path
    assert topic_file(setup, "cycling", [], None, tmp_path) != path
    by_site = topic_file(replace(setup, examples="sites"), "cycling", [], None, tmp_path)
    assert Topic.load(str(by_site)).sim["examples"] == "sites"


def test_far_seeds_are_two_or_three_links_away() -> None:
    web, topic = opened(WEB), "home/gardening"
    seeds = far_seeds(WEB, topic, 0)
    assert len(set(seeds)) == COUNT and seeds == far_seeds(WEB, topic, 0) != far_seeds(WEB, topic, 1)
    assert not any(about(web, url, topic) for url in seeds)
    assert all(2 <= distance(web, url, topic) <= 3 for url in seeds)
    assert distance(web, next(iter(web.pages_of(topic))), topic) == 0


def test_pairs_have_three_tenths_each_of_a_list_and_no_seed_in_common() -> None:
    setup = replace(SETUP, pairs=True)
    first, second = (seeds_of(setup, "cycling", number) for number in (0, 1))
    offered = opened(WEB).seeds("recreation/cycling", OFFERED, 0)
    assert len(offered) == 20 and len(first) == len(second) == 6
    assert not set(first) & set(second) and {*first, *second} < set(offered)
    assert seeds_of(SETUP, "cycling", 0) == []  # the web's own


def test_of_a_shorter_list_the_parts_are_shorter() -> None:
    offered = [f"http://a/{n}" for n in range(13)]
    first, second = part_of(offered, 0), part_of(offered, 1)
    assert len(first) == len(second) == 4 and not set(first) & set(second)
    assert first != offered[:4]  # drawn, not the first that were offered


@pytest.mark.parametrize("pairs", [False, True])
def test_screened_seeds_are_all_on_the_topic(pairs: bool) -> None:
    setup = replace(SETUP, pairs=pairs, screened=True)
    seeds, web = seeds_of(setup, "cycling", 1), opened(web_of(setup, 1))
    assert len(set(seeds)) == (6 if pairs else COUNT)
    assert all(about(web, url, "recreation/cycling") for url in seeds)


def test_claims_are_for_simulated_webs(tmp_path: Path) -> None:
    page = tmp_path / "web.jsonl"
    page.write_text('{"url": "http://a/", "title": "", "html": "<p>a</p>", "labels": ["x"]}\n')
    with pytest.raises(WebError, match="simulated"):
        opened(f"pages:{page}")


def test_fewer_pages_of_one_kind_to_learn_from() -> None:
    steps = [Step(f"http://a/{n}", "", n % 2 == 0, "text") for n in range(400)]
    for fewer, is_relevant in (("relevant", True), ("other", False)):
        kept = [step.relevant for step in thinned(steps, fewer)]
        assert kept.count(not is_relevant) == 200 and 30 < kept.count(is_relevant) < 70


def test_browsing_is_kept_beside_the_topics(tmp_path: Path) -> None:
    assert sessions_file(SETUP, "cycling", 0, tmp_path) is None
    setup = replace(SETUP, web="sim:small,pages=1000", fewer="other")
    path = sessions_file(setup, "cycling", 0, tmp_path)
    assert path is not None and path == sessions_file(setup, "cycling", 0, tmp_path) and path.is_absolute()
    topic = Topic.load(str(topic_file(setup, "cycling", [], path, tmp_path)))
    steps = sessions_for(topic, web_of(setup, 0))
    assert len(steps) > 10 and any(step.relevant for step in steps)


def test_without_a_model_of_its_own_a_setup_takes_that_of_the_topic(tmp_path: Path) -> None:
    made = Topic.load(str(topic_file(replace(SETUP, model="", starts=12), "cameras", [], None, tmp_path)))
    assert made.model == Topic.load("cameras").model and made.sim["seeds"] == 12
    assert not made.search  # it begins where all others do
