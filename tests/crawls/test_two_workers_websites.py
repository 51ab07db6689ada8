"""Whole websites with two workers: what a site says of another's reaches it once, however often workers die."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from focused.orderings.base import SEED_SCORE, make
from focused.orderings.counts import Counts
from focused.orderings.website import WebsiteCrawler
from focused.shared_crawl import SharedCrawl
from tests.crawls.worker_by_hand import Worker
from tests.rig.postgres import server

SEEDS, TARGETS, PAGES = [f"s{n}" for n in range(12)], [f"t{n}" for n in range(10)], 4
# What is known of a site must not depend on which was finished first: the prior is fixed.
ARGUMENTS = "prior=0.5,l_threshold=4,collapse=0"
ROUNDS = 400  # more than are needed
Ranks = dict[str, tuple[int, float]]


def made_web(seed: int) -> dict[str, str]:
    """Sites whose pages link to each other and to homepages and pages of targets; a page in ten is missing."""
    chance, web = random.Random(seed), dict[str, str]()
    for name in (*SEEDS, *TARGETS):
        leaning = chance.choice((0.25, 0.45, 0.55, 0.75))
        for page in range(PAGES):
            inner = [f"http://{name}.example/{other or ''}" for other in range(PAGES)]
            others = [f"http://{to}.example/{chance.choice(('', 'deep'))}" for to in chance.sample(TARGETS, 3)]
            links = "".join(f'<a href="{url}">link</a> ' for url in (*inner, *others))
            confidence = leaning + chance.uniform(-0.2, 0.2)
            if page == 0 or chance.random() > 0.1:
                web[inner[page]] = f"<title>relevance {100 * confidence:.0f}</title>{links}"
    return web


class Websites(Worker):
    """One that looks for whole websites."""

    ordering: WebsiteCrawler

    def __init__(self, folder: Path, web: dict[str, str], database: str = "", arguments: str = ARGUMENTS) -> None:
        super().__init__(folder, web, make(WebsiteCrawler, arguments), database)

    def has_seeds(self) -> bool:
        """Whether a site is under way, or one that is given waits to be: no other is begun before."""
        return bool(self.ordering._under_way) or self.crawl.state.frontier.best_score(time.monotonic()) == SEED_SCORE

    @property
    def ranks(self) -> Ranks:
        """Of the sites that nobody has examined: how many sites link there, and the mean weight."""
        sites = self.crawl.state.discovery
        return {
            sites.site(site).host: (place.edges, pytest.approx(place.rank))
            for site, place in self.ordering._border.places.items()
            if place.edges
        }


def ranks_of_one(folder: Path, web: dict[str, str]) -> Ranks:
    """When all sites that were given are known, and no other is begun."""
    worker = Websites(folder, web).sow(SEEDS)
    while worker.has_seeds():
        worker.step()
    ranks = worker.ranks
    worker.ends()
    return ranks


def two(folder: Path, web: dict[str, str], arguments: str = ARGUMENTS) -> list[Websites]:
    database = server().fresh()
    workers = [Websites(folder / name / "topic", web, database, arguments) for name in ("first", "second")]
    for number, worker in enumerate(workers):
        worker.sow(SEEDS[number::2])
    return workers


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("life", [0, 7, 3])
def test_a_site_has_the_rank_it_has_with_one_worker_however_often_workers_die(
    tmp_path: Path, seed: int, life: int
) -> None:
    """A worker that dies has read its letters, or has ended a site, and has not committed what came of it."""
    web = made_web(seed)
    alone = ranks_of_one(tmp_path / "alone", web)
    workers = two(tmp_path, web)
    for number in range(1, ROUNDS):
        for worker in workers:
            is_last = bool(life) and number % life == 0
            if worker.has_seeds():
                worker.step(commits=not is_last)
            if is_last:
                if isinstance(worker.crawl, SharedCrawl):
                    worker.crawl._hear(worker.crawl.sharing.news(worker.ordering.tells))
                worker.dies()
            worker.share()
        if not any(worker.has_seeds() for worker in workers):
            break
    for worker in workers * 2:
        worker.share()
    assert len(alone) == len(TARGETS)
    assert {**workers[0].ranks, **workers[1].ranks} == alone
    assert all(set(worker.ranks) & set(alone) for worker in workers), "both have some of them"
    assert workers[0].crawl.store.pending() == len(alone)
    for worker in workers:
        worker.ends()


def finished(workers: list[Websites]) -> list[Counts]:
    """They go on until neither has anything to do; what they have counted."""
    for _ in range(ROUNDS):
        had = False
        for worker in workers:
            worker.share()
            had |= worker.crawl.has_more() and worker.step()
        if not had and not any(worker.crawl.has_more() for worker in workers):
            break
    return [worker.ordering._counts for worker in workers]


def test_every_site_is_screened_once_and_both_count_those_of_both(tmp_path: Path) -> None:
    workers = two(tmp_path, made_web(4))
    counts = finished(workers)
    for worker in workers:
        worker.share()
    assert [one.of_all("screened") for one in counts] == 2 * [len(SEEDS) + len(TARGETS)]
    assert [one.of_all("relevant") for one in counts] == 2 * [sum(one.relevant for one in counts)]
    assert min(one.screened for one in counts) > 0
    assert [worker.crawl.stop_reason() for worker in workers] == 2 * ["finished"]
    for worker in workers:
        worker.ends()


def test_together_they_stop_when_they_have_the_sites_that_are_wanted(tmp_path: Path) -> None:
    wanted = 5
    workers = two(tmp_path, made_web(4), f"{ARGUMENTS},wanted={wanted}")
    counts = finished(workers)
    assert wanted <= sum(one.relevant for one in counts) <= wanted + 1, "the other may have had one under way"
    assert [worker.crawl.stop_reason() for worker in workers] == 2 * ["wanted_sites"]
    for worker in workers:
        worker.ends()


def test_a_homepage_waits_as_long_as_the_site_of_another_worker_that_links_to_it_is_under_way(tmp_path: Path) -> None:
    web = {
        "http://s0.example/": '<title>relevance 90</title><a href="http://t0.example/">t</a> <a href="/1">more</a>',
        "http://s0.example/1": "<title>relevance 90</title>",
        "http://t0.example/": "<title>relevance 90</title>",
    }
    database = server().fresh()
    first, second = (Websites(tmp_path / name / "topic", web, database) for name in ("first", "second"))
    second.crawl.state.discovery.site_id_of("http://t0.example/")  # whoever meets a site first has it
    first.sow(["s0"])
    assert first.step()
    second.share()
    assert not second.step(), "its link is not published"
    assert first.step()
    second.share()
    assert second.ranks == {"t0.example": (1, pytest.approx((0.9 + 0.9878048780) / 2, abs=0.05))}
    assert second.step()
    for worker in (first, second):
        worker.ends()


def test_a_site_that_another_worker_has_examined_is_no_new_one(tmp_path: Path) -> None:
    """Else a site would seem rich in links, and be left too early (W-15)."""
    web = {
        "http://s0.example/": '<title>relevance 90</title><a href="http://t0.example/">t</a> <a href="/1">more</a>',
        "http://t0.example/": '<title>relevance 90</title><a href="/1">more</a>',
    }
    database = server().fresh()
    first, second = (Websites(tmp_path / name / "topic", web, database) for name in ("first", "second"))
    second.sow(["t0"])
    first.sow(["s0"])
    second.step()
    first.step()
    (crawl,) = [first.ordering._under_way[site] for site in first.ordering._under_way]
    assert (crawl.linked, crawl.link_weight) == ({}, 1.0)
    for worker in (first, second):
        worker.ends()
