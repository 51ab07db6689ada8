"""The views of the crawl database that people ask for sites (F-24)."""

from __future__ import annotations

from pathlib import Path

from tests.focused.made_crawl import MadeCrawl


def made(folder: Path) -> MadeCrawl:
    """100 pages: a.example is relevant throughout, b.example half, c.example from page 81 on, d.example has few."""
    crawl = MadeCrawl(folder)
    for visit in range(1, 101):
        host, relevance = {0: ("a", 0.9), 1: ("b", 0.8 * (visit % 4 == 1)), 2: ("c", 0.7 * (visit > 80))}[visit % 3]
        if visit in (7, 13):
            host, relevance = "d", 1.0
        crawl.fetched(f"http://{host}.example/{visit}", relevance)
    return crawl


def test_sites_are_rated_by_density(tmp_path: Path) -> None:
    rows = made(tmp_path).db.execute("SELECT host, density FROM site_rating").fetchall()
    assert [host for host, _ in rows] == ["d.example", "a.example", "b.example", "c.example"]
    assert [round(density, 3) for _, density in rows] == [1.0, 0.9, 0.2, 0.127]


def test_only_sites_that_are_pure_and_known_well_are_proposed_as_examples(tmp_path: Path) -> None:
    rows = made(tmp_path).db.execute("SELECT host, pages, relevant, purity FROM purest_site").fetchall()
    assert rows == [("a.example", 33, 33, 1.0)]


def test_growth_compares_the_last_tenth_of_the_crawl_with_the_one_before(tmp_path: Path) -> None:
    crawl = made(tmp_path)
    for visit in (101, 102, 103):
        crawl.fetched(f"http://e.example/{visit}", 0.9)
    rows = crawl.db.execute("SELECT host, before, lately FROM site_growth").fetchall()
    assert rows[0] == ("e.example", 0, 3)
    assert ("c.example", 4, 2) in rows and len(rows) == 4  # all but d.example, which gave nothing lately


def test_promotions_are_a_view_and_no_events_to_be_told(tmp_path: Path) -> None:
    crawl = made(tmp_path)
    crawl.insert("event", at=1.0, kind="promoted", detail="page 12: hub 3 links to it")
    crawl.insert("event", at=2.0, kind="diffusion", detail="less and less")
    row = crawl.db.execute("SELECT page_id, hub_id, url, relevant FROM promotion").fetchall()
    assert row == [(12, 3, "http://a.example/12", 1)]
    assert [event.kind for event in crawl.read().events()] == ["diffusion"]
