"""Examples that are on the Web, fetched by real crawls over loopback."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import pytest
from scrapy.settings import BaseSettings
from scrapy.utils.project import get_project_settings

from focused.errors import TopicError
from focused.examples.collection import Document, Skipped
from focused.examples.fetched import SITE_PAGES, Fetching
from tests.rig.plan import Shape
from tests.rig.run import QUICK
from tests.rig.web import LoopbackWeb


def settings(**own: object) -> BaseSettings:
    found = get_project_settings()
    found.update({**QUICK, "CONCURRENT_REQUESTS_PER_DOMAIN": 1, **own}, priority="cmdline")
    return found


def untold(*_: object) -> None:
    pass


def fetched(folder: Path, labels: dict[str, str], walk: bool, **own: object) -> tuple[dict[str, str], list[Skipped]]:
    """URL → label of what was had, and what was not."""
    found = list(Fetching(settings(**own), folder, walk).documents(labels, untold))
    had = {document.url: label for document, label in found if isinstance(document, Document)}
    return had, [skipped for skipped, _ in found if isinstance(skipped, Skipped)]


def first_pages(web: LoopbackWeb, home: int, most: int) -> set[str]:
    """Breadth first on one site, by the web's own plan."""
    seen, waiting, found = {home}, deque([home]), list[str]()
    while waiting and len(found) < most:
        page = waiting.popleft()
        found.append(web.url(page))
        for link in web.plan.links[page]:
            if web.plan.sites[link] == web.plan.sites[home] and link not in seen:
                seen.add(link)
                waiting.append(link)
    return set(found)


def test_of_a_site_the_first_25_pages_breadth_first(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=2000, sites=2, missing=0.0, moved=0.0)) as web:
        first, second = web.homes()
        had, skipped = fetched(tmp_path / "sites", {first: "relevant", second: "other"}, walk=True)
        pages = [first_pages(web, home, SITE_PAGES) for home in (0, 1)]
        assert had == dict.fromkeys(pages[0], "relevant") | dict.fromkeys(pages[1], "other")
        assert skipped == []
        assert web.count() == 2 * SITE_PAGES
        again, _ = fetched(tmp_path / "sites", {first: "relevant"}, walk=True)
        assert again == dict.fromkeys(pages[0], "relevant")
        assert web.count() == 2 * SITE_PAGES  # what was fetched once is not fetched again


def test_of_a_page_the_page_alone_and_what_failed_has_its_name(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=60, sites=3, seed=5, missing=0.1, moved=0.1)) as web:
        plan = web.plan
        missing, moved = web.url(plan.of_kind("missing")[0]), plan.of_kind("moved")
        to_page = next(n for n in moved if plan.kinds[plan.links[n][0]] == "ok")
        labels = {web.url(1): "relevant", web.url(to_page): "other", missing: "other", "http://10.1.2.3/": "other"}
        had, skipped = fetched(tmp_path / "pages", labels, walk=False)
        target = web.url(plan.links[to_page][0])
        assert had == {web.url(1): "relevant", target: "other"}
        assert dict(skipped) == {missing: "not fetched (http_404)", "http://10.1.2.3/": "not fetched (egress)"}


def test_refused_crawl_says_why(tmp_path: Path) -> None:
    with pytest.raises(TopicError, match=r"cannot be fetched: FOCUSED_MAX_TRIES='many' is not a number"):
        fetched(tmp_path / "pages", {"http://127.0.0.2:1/": "relevant"}, walk=False, FOCUSED_MAX_TRIES="many")


def test_nothing_wanted_starts_nothing(tmp_path: Path) -> None:
    assert fetched(tmp_path / "pages", {}, walk=True) == ({}, [])
    assert not (tmp_path / "pages").exists()
