"""The mean of a waiting link with two workers: links of both count, and how many they are goes with the site."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focused.orderings.page_crawler import PageCrawler
from focused.shared_crawl import SharedCrawl
from tests.crawls.worker_by_hand import Worker
from tests.rig.postgres import server

TARGET = "http://t.example/x"
CONFIDENCES = {"a": 90, "b": 60, "c": 30, "d": 80, "e": 10}


def made_web() -> dict[str, str]:
    """Sites of one page; all link to the same page, and the first to another, too."""
    link = f'<a href="{TARGET}">x</a>'
    web = {f"http://{name}.example/": f"<title>relevance {one}</title>{link}" for name, one in CONFIDENCES.items()}
    web["http://a.example/"] += '<a href="http://t.example/y">y</a>'
    return web


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[tuple[SharedWorker, SharedWorker]]:
    database = server().fresh()
    first, second = (SharedWorker(tmp_path / name / "topic", made_web(), PageCrawler(), database) for name in "12")
    yield first, second
    first.ends()
    second.ends()


class SharedWorker(Worker):
    def reads(self, site: str) -> None:
        """The only page of that site."""
        self.sow([site])
        assert self.step()

    def hears(self) -> None:
        """No site changes hands."""
        assert isinstance(self.crawl, SharedCrawl)
        self.crawl._hear(self.crawl.sharing.news(""))
        self.crawl.commit()

    def score_of(self, url: str) -> float:
        """As it is in memory, which is as it is in the store."""
        ((page, stored),) = self.crawl.store.session.all("SELECT id, score FROM page WHERE url = %s", url)  # type: ignore[attr-defined]
        (score,) = self.crawl.state.frontier.score_of([page]).tolist()
        assert stored == pytest.approx(score)
        return float(score)

    def gives_all_to(self, other: SharedWorker) -> None:
        sites = self.crawl.state.frontier.idle_sites()
        assert isinstance(self.crawl, SharedCrawl) and isinstance(other.crawl, SharedCrawl)
        for site in sites:
            self.crawl.state.leave(site)
        self.crawl.team.release(sites)
        other.crawl.state.adopt(other.crawl.team.snapshot(other.crawl.team.claim(None)))


def mean(names: str) -> float:
    """With one worker."""
    return pytest.approx(sum(CONFIDENCES[name] for name in names) / len(names) / 100)  # type: ignore[no-any-return]


def test_links_of_another_worker_move_the_mean_as_those_of_ones_own(
    workers: tuple[SharedWorker, SharedWorker],
) -> None:
    first, second = workers
    first.reads("a")
    second.reads("b")
    second.reads("c")
    first.hears()
    assert first.score_of(TARGET) == mean("abc")
    first.reads("d")
    assert first.score_of(TARGET) == mean("abcd")
    second.reads("e")
    first.hears()
    assert first.score_of(TARGET) == mean("abcde")


@pytest.mark.parametrize("is_killed", [False, True])
def test_how_many_links_a_mean_is_of_goes_with_the_site(
    workers: tuple[SharedWorker, SharedWorker], is_killed: bool
) -> None:
    first, second = workers
    first.reads("a")
    second.reads("b")
    first.reads("c")
    first.hears()
    assert first.score_of(TARGET) == mean("abc")
    if is_killed:  # and begins again before its lease has run out
        first.dies()
    first.gives_all_to(second)
    second.reads("d")
    assert (second.score_of(TARGET), second.score_of("http://t.example/y")) == (mean("abcd"), mean("a"))
    first.reads("e")
    second.hears()
    assert second.score_of(TARGET) == mean("abcde")


def test_a_link_that_was_heard_of_and_not_committed_counts_once(workers: tuple[SharedWorker, SharedWorker]) -> None:
    first, second = workers
    first.reads("a")
    second.reads("b")
    assert isinstance(first.crawl, SharedCrawl)
    first.crawl._hear(first.crawl.sharing.news(""))
    first.dies()
    for _ in range(2):
        first.hears()
    assert first.score_of(TARGET) == mean("ab")
