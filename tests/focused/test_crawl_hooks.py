"""focused.crawl: what an ordering is told, and what becomes of its answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from scrapy.settings import Settings

from focused.crawl import Crawl
from focused.discovery import Asked
from focused.graph import LinkGraph
from focused.options import Options
from focused.orderings.base import Hubs, Ids, Ordering, Rescored, Revision, Surroundings
from focused.outputs import Exchange
from focused.page import Link, Page, PageReader
from focused.store.sqlite import SqliteStore
from focused.topic import Topic
from focused.urls import key_of
from focused.visit import Visit
from models.model import Floats
from models.similarity import Similarity
from models.text import Vocabulary

SEED = "http://a.example/"


@dataclass
class Talkative(Ordering):
    """Writes down what it hears and uses everything it may."""

    needs_graph: ClassVar[bool] = True
    heard: list[tuple[Any, ...]] = field(default_factory=list)
    restored: dict[str, Any] = field(default_factory=dict)
    seen: int = 0

    def observe(self, page: Page) -> None:
        self.seen += 1
        self.heard.append(("observe", page.id, page.site_id, page.depth, page.trail))

    def score(self, page: Page) -> Floats:
        for link in page.links:
            link.trail = {"from": page.id}
        return np.full(len(page.links), float(self.seen))

    def also(self, page: Page) -> list[Link]:
        return [Link("http://home.example/", [], 0, 0, score=0.25)] if page.id == 1 else []

    def found(self, page: Page, links: Sequence[Link], ids: Ids) -> None:
        self.heard.append(("found", page.id, dict(zip([link.url for link in links], ids.tolist(), strict=True))))

    def failed(self, page_id: int, url: str, outcome: str) -> None:
        self.heard.append(("failed", page_id, outcome))

    def moved(self, page_id: int, url: str, target_id: int) -> None:
        self.heard.append(("moved", page_id, target_id))

    def again(self, score: float, tries: int) -> float:
        return score - 100 * tries

    def rescored(self) -> Rescored | None:
        return Rescored(np.array([4]), np.array([50.0])) if self.seen == 1 else None

    def revise(self) -> Callable[[], Revision]:
        graph = self.around.graph.copy()
        hubs = Hubs(np.array([1]), np.array([1.0]), np.array([0.0]))
        return lambda: Revision(Rescored(np.array([3]), np.array([99.0])), hubs, [("looked_back", f"{graph.links}")])

    def state(self) -> dict[str, Any]:
        return {"seen": self.seen}

    def restore(self, parts: dict[str, Any]) -> None:
        self.restored = parts
        self.seen = parts.get("seen", 0)


def opened(folder: Path, **given: Any) -> tuple[Crawl, Talkative]:
    settings = Settings()
    settings.setmodule("focused.settings", priority="project")
    settings.setdict({"FOCUSED_STRICT_ORDER": 1, "DOWNLOAD_DELAY": 0, **given}, priority="cmdline")
    vocabulary, ordering = Vocabulary(), Talkative()
    model = Similarity(vocabulary, "bicycle")
    ordering.bind(Surroundings(Topic("t", "bicycle"), model, 0, vocabulary, LinkGraph()))
    folder.mkdir(exist_ok=True)
    settings.set("FOCUSED_DATA_DIR", str(folder.parent), priority="cmdline")
    options = Options.read(settings, folder.name)
    crawl = Crawl(options, SqliteStore(folder / "crawl.db"), ordering, model, PageReader(vocabulary))
    crawl.ask(Asked(SEED, key_of(SEED)))
    return crawl, ordering


def read(crawl: Crawl, *links: str) -> Visit:
    """The next page, with these links on it."""
    visit = crawl.next()
    assert visit is not None
    body = ("<p>bicycle " + " ".join(f'<a href="{link}">x</a>' for link in links)).encode()
    visit.exchange = Exchange(visit.url, "GET", [], 200, [], body, 0.0)
    crawl.learn(visit, crawl.reader.read(visit.url, body, "text/html"))
    crawl.finish(visit)
    return visit


def pairs(graph: LinkGraph) -> list[tuple[int, int]]:
    return sorted(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))


def test_it_learns_the_ids_of_the_links_also_of_those_it_made_itself(tmp_path: Path) -> None:
    crawl, ordering = opened(tmp_path / "c")
    read(crawl, "/one", "http://b.example/two")
    assert ordering.heard == [
        ("observe", 1, 1, 0, None),
        ("found", 1, {"http://a.example/one": 2, "http://b.example/two": 3, "http://home.example/": 4}),
    ]
    assert crawl.state.frontier.score_of([2, 3, 4]).tolist() == [1.0, 1.0, 50.0]  # rescored at once
    crawl.abandon()


def test_a_link_with_a_new_score_takes_over_the_trail_of_its_new_path(tmp_path: Path) -> None:
    crawl, _ = opened(tmp_path / "c")
    read(crawl, "/one", "/two")
    assert read(crawl).url == "http://home.example/"
    assert read(crawl, "/two").url == "http://a.example/one"
    visit = read(crawl)
    assert (visit.url, visit.trail) == ("http://a.example/two", {"from": 2})
    crawl.abandon()


def test_redirects_and_failures_are_told_with_their_ids(tmp_path: Path) -> None:
    crawl, ordering = opened(tmp_path / "c", FOCUSED_MAX_TRIES=2)
    read(crawl, "/one")
    visit = crawl.next()
    assert visit is not None and visit.id == 2
    visit.exchange = Exchange(visit.url, "GET", [], 301, [], b"", 0.0)
    crawl.moved(visit, "http://b.example/elsewhere")
    assert ordering.heard[-1] == ("moved", 2, 4)
    visit = crawl.next()
    assert visit is not None and visit.id == 4
    crawl.failed(visit, "http_404")
    assert ordering.heard[-1] == ("failed", 4, "http_404")
    crawl.abandon()


def test_a_link_tried_in_vain_waits_with_the_score_it_is_given(tmp_path: Path) -> None:
    crawl, _ = opened(tmp_path / "c")
    read(crawl, "/one")
    visit = crawl.next()
    assert visit is not None and visit.score == 1.0
    crawl.failed(visit, "timeout", retry_after=0.0)
    crawl.commit()
    assert crawl.store.load().scores[visit.id - 1] == -99.0
    crawl.abandon()


def test_a_link_that_waits_for_a_retry_keeps_its_score_in_memory_and_in_the_store(tmp_path: Path) -> None:
    crawl, _ = opened(tmp_path / "c", FOCUSED_REVISE_EVERY=2)
    read(crawl, "/one", "/two")
    assert read(crawl).url == "http://home.example/"  # the revision gives page 3 the score 99
    visit = crawl.next()
    assert visit is not None and visit.id == 3
    crawl.failed(visit, "timeout")
    assert read(crawl).id == 2
    crawl._apply(Rescored(np.array([3]), np.array([7.0])))
    crawl.commit()
    assert crawl.store.load().scores[2] == -1.0
    crawl.abandon()


def test_what_it_remembers_is_committed_with_the_page_and_the_graph_is_drawn_again(tmp_path: Path) -> None:
    crawl, ordering = opened(tmp_path / "c")
    read(crawl, "/one", "/two")
    read(crawl, "/two", "http://b.example/")
    crawl.commit()
    graph = ordering.around.graph
    visit = crawl.next()
    assert visit is not None
    crawl.abandon()  # killed: the page under way was not had
    crawl, again = opened(tmp_path / "c")
    assert again.restored == {"seen": 2}
    twin = again.around.graph
    assert sorted(zip(twin.sources, twin.targets, strict=True)) == sorted(
        zip(graph.sources, graph.targets, strict=True)
    )
    assert np.array_equal(twin.relevance, graph.relevance, equal_nan=True)
    assert twin.site.tolist() == graph.site.tolist()
    crawl.abandon()


def test_a_revision_changes_scores_and_leaves_hubs_and_events(tmp_path: Path) -> None:
    crawl, _ = opened(tmp_path / "c", FOCUSED_REVISE_EVERY=1)
    read(crawl, "/one", "/two")
    assert crawl.state.frontier.score_of([2, 3]).tolist() == [1.0, 99.0]
    crawl.commit()
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db:
        assert db.execute("SELECT * FROM hub").fetchall() == [(1, 1.0, 0.0, 1)]
        assert db.execute("SELECT kind, detail FROM event").fetchall() == [("looked_back", "3")]
        assert db.execute("SELECT score FROM page WHERE id = 3").fetchone() == (99.0,)
    crawl.abandon()
