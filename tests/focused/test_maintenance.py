"""A share of the fetches goes to pages that were had before: how many, which, and what becomes of them."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focused.crawl import Crawl
from focused.errors import SettingError
from focused.names import load
from focused.outputs import Exchange
from focused.settings import FOCUSED_ORDERINGS as names
from tests.focused.changing_web import ChangingWeb, begun, run
from tests.focused.test_crawl import SEED
from tests.rig.check import members, rows

PAGE = "SELECT url, visit, fetched_at, last_visit, revisits, changes, relevance FROM page WHERE visit IS NOT NULL"


def refreshed(folder: Path, web: ChangingWeb, **given: object) -> Crawl:
    """A crawl of what there is, and then one that looks at it again."""
    run(begun(folder, web), web)
    return begun(folder, web, FOCUSED_MAINTAIN=1, **given)


def kinds(folder: Path) -> list[str]:
    """The types of the WARC's records."""
    heads = [member.partition(b"\r\n\r\n")[0].decode() for member in members(folder / "pages.warc.gz")]
    return [head.partition("WARC-Type: ")[2].split("\r\n")[0] for head in heads]


def found(folder: Path, seed: int, is_random: bool) -> tuple[int, int]:
    """Changes that a crawl which maintains a web for 12 epochs sees, and the looks it has for it."""
    web, chance = ChangingWeb(400, seed), np.random.default_rng(seed)
    run(begun(folder, web), web)
    for _ in range(12):
        web.pass_time()
        crawl = begun(folder, web, FOCUSED_MAINTAIN=0.2, FOCUSED_MAX_REVISITS=80)
        if is_random:
            history = crawl.revisits.maintenance.history
            history.worth = lambda now, h=history: chance.random(len(h))  # type: ignore[method-assign, misc]
        run(crawl, web)
    total = rows(folder / "crawl.db", "SELECT sum(changes), sum(revisits) FROM page")[0]
    return int(total[0]), int(total[1])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_sees_twice_the_changes_of_random_looks_at_the_same_cost(tmp_path: Path, seed: int) -> None:
    chosen, looks = found(tmp_path / "chosen", seed, is_random=False)
    at_random, other_looks = found(tmp_path / "random", seed, is_random=True)
    assert looks == other_looks == 12 * 80
    print(f"changes seen on web {seed}: {chosen} by worth, {at_random} at random")
    assert chosen >= 2 * at_random


@pytest.mark.parametrize("share", [0.1, 0.2, 0.5])
def test_the_share_is_exact_at_every_moment(tmp_path: Path, share: float) -> None:
    web = ChangingWeb(200, 3)
    crawl = begun(tmp_path / "c", web, FOCUSED_MAINTAIN=share, FOCUSED_MAX_PAGES=100)
    looks = 0
    for fetches in range(1, 10_000):
        if (visit := crawl.next()) is None:
            break
        looks += visit.kept is not None
        assert looks == int(share * fetches + 1e-9), fetches
        web.answer(crawl, visit)
    assert (crawl.progress.pages, crawl.stop_reason()) == (100, "max_pages")
    crawl.abandon()


def test_without_a_share_nothing_is_fetched_twice(tmp_path: Path) -> None:
    web = ChangingWeb(60, 3)
    run(begun(tmp_path / "c", web), web)
    assert len(web.asked) == len(set(web.asked)) == 60


def test_a_refresh_looks_at_each_page_once_and_tells_what_changed(tmp_path: Path) -> None:
    web = ChangingWeb(60, 4)
    crawl = refreshed(tmp_path / "c", web)
    before, web.asked = rows(crawl.store.path, PAGE), []
    web.pass_time()
    assert run(crawl, web) == "refreshed"
    assert sorted(web.asked) == sorted(web.urls)
    after = rows(crawl.store.path, PAGE)
    assert [row[:3] for row in after] == [row[:3] for row in before]  # the same pages, not one more
    assert {row[4] for row in after} == {1} and sum(row[5] for row in after) == web.changed > 0
    assert [row[3] > row[2] for row in after] == [True] * 60


def test_a_second_refresh_is_a_new_round(tmp_path: Path) -> None:
    web = ChangingWeb(30, 4)
    run(refreshed(tmp_path / "c", web), web)
    web.pass_time()
    run(begun(tmp_path / "c", web, FOCUSED_MAINTAIN=1), web)
    assert {row[4] for row in rows(tmp_path / "c/crawl.db", PAGE)} == {2}


def test_new_links_of_changed_pages_wait_during_a_refresh_and_are_followed_otherwise(tmp_path: Path) -> None:
    web = ChangingWeb(60, 4)
    crawl = refreshed(tmp_path / "c", web)
    web.pass_time()
    run(crawl, web)
    waiting = rows(crawl.store.path, "SELECT url FROM page WHERE state = 0")
    assert len(waiting) == web.changed
    assert run(begun(tmp_path / "c", web), web) == "finished"
    assert rows(crawl.store.path, "SELECT count(*) FROM page WHERE url LIKE '%/news/%' AND visit > 60") == [
        (web.changed,)
    ]


def test_looks_take_over_when_nothing_waits(tmp_path: Path) -> None:
    """At the second run every page has been had: a share of 0.2 looks at all of them, and follows what is new."""
    web = ChangingWeb(60, 4)
    run(begun(tmp_path / "c", web), web)
    web.asked = []
    web.pass_time()
    assert run(begun(tmp_path / "c", web, FOCUSED_MAINTAIN=0.2), web) == "finished"
    assert set(web.urls) <= set(web.asked) and sum("/news/" in url for url in web.asked) == web.changed


def test_an_unchanged_page_gets_a_revisit_record_and_a_changed_one_a_response(tmp_path: Path) -> None:
    web = ChangingWeb(60, 4)
    crawl = refreshed(tmp_path / "c", web)
    web.pass_time()
    run(crawl, web)
    recorded = kinds(tmp_path / "c")
    assert recorded.count("response") == 60 + web.changed == len((tmp_path / "c/pages.jsonl").read_text().splitlines())
    assert recorded.count("revisit") == 60 - web.changed


def test_a_changed_page_is_judged_anew_where_it_stands(tmp_path: Path) -> None:
    web = ChangingWeb(30, 4)
    crawl = refreshed(tmp_path / "c", web)
    before = crawl.progress.relevant
    web.words = ["soup garden stone"] * 30  # nothing is relevant any more
    run(crawl, web)
    assert before > 0
    assert rows(crawl.store.path, "SELECT sum(relevant), sum(relevance) FROM site") == [(0, pytest.approx(0.0))]
    again = begun(tmp_path / "c", web)
    assert (again.progress.pages, again.progress.relevant, again.progress.relevant_sites) == (30, 0, 0)
    again.abandon()


def test_the_number_of_looks_is_exact_with_many_under_way(tmp_path: Path) -> None:
    web = ChangingWeb(60, 4)
    run(begun(tmp_path / "c", web), web)
    crawl = begun(tmp_path / "c", web, FOCUSED_MAINTAIN=1, FOCUSED_MAX_REVISITS=17, FOCUSED_STRICT_ORDER=0)
    visits = []
    while (visit := crawl.next()) is not None:
        visits.append(visit)
    crawl.postpone(visits.pop(), 0.0)
    replaced = crawl.next()
    assert replaced is not None and crawl.next() is None and len(visits) + 1 == 17
    assert crawl.stop_reason() == "max_revisits"
    crawl.abandon()


def test_one_request_a_site_holds_for_looks_and_first_visits_together(tmp_path: Path) -> None:
    web = ChangingWeb(60, 4)
    run(begun(tmp_path / "c", web), web)
    crawl = begun(tmp_path / "c", web, FOCUSED_MAINTAIN=1, FOCUSED_STRICT_ORDER=0)
    sites = []
    while (visit := crawl.next()) is not None:
        sites.append(visit.site_id)
    assert len(sites) == len(set(sites)) == 20
    crawl.abandon()


@pytest.mark.parametrize(("pages", "budget", "news"), [(200, 2, 0), (40, 4, 40), (40, 3, 20)])
def test_looks_cost_a_site_nothing_of_its_budget_and_do_not_get_round_it(
    tmp_path: Path, pages: int, budget: int, news: int
) -> None:
    """Two pages are had of each of the 20 sites; each of them brings one that is new, as far as the budget goes."""
    web, given = ChangingWeb(pages, 4), {"FOCUSED_SITE_BUDGET": budget}
    run(begun(tmp_path / "c", web, **given), web)
    web.asked = []
    web.versions = [1] * pages
    run(begun(tmp_path / "c", web, FOCUSED_MAINTAIN=0.5, **given), web)
    assert rows(tmp_path / "c/crawl.db", "SELECT DISTINCT pages FROM site") == [(2 + news // 20,)]
    assert rows(tmp_path / "c/crawl.db", "SELECT sum(changes) FROM page") == [(40,)]
    assert sum("/news/" in url for url in web.asked) == news


def test_a_page_that_is_gone_keeps_its_place_and_is_left_alone(tmp_path: Path) -> None:
    web = ChangingWeb(1, 4)
    crawl = refreshed(tmp_path / "c", web)
    visit = crawl.next()
    assert visit is not None and visit.kept is not None
    visit.fetched_at, visit.answered = web.now, time.monotonic()
    crawl.failed(visit, "http_404")
    assert run(crawl, web) == "refreshed"
    assert rows(crawl.store.path, "SELECT outcome, visit, changes FROM page") == [("http_404", 1, 1)]
    again = begun(tmp_path / "c", web, FOCUSED_MAINTAIN=1)
    assert again.next() is None and again.progress.pages == 1
    again.abandon()


def test_a_page_that_does_not_answer_stays_as_it_is(tmp_path: Path) -> None:
    web = ChangingWeb(1, 4)
    crawl = refreshed(tmp_path / "c", web)
    visit = crawl.next()
    assert visit is not None
    crawl.failed(visit, "timeout")
    crawl.commit()
    assert rows(crawl.store.path, "SELECT outcome, state, revisits, changes FROM page") == [("ok", 2, 0, 0)]
    crawl.abandon()


def test_a_page_that_has_moved_leads_to_its_new_place(tmp_path: Path) -> None:
    web = ChangingWeb(1, 4)
    crawl = refreshed(tmp_path / "c", web)
    visit = crawl.next()
    assert visit is not None
    visit.exchange = Exchange(SEED, "GET", [], 301, [], b"", 0.0)
    crawl.moved(visit, "http://s1.example/new")
    crawl.commit()
    told = rows(crawl.store.path, "SELECT url, outcome, state, visit FROM page")
    assert told == [(SEED, "redirect", 2, 1), ("http://s1.example/new", None, 0, None)]
    crawl.abandon()


@pytest.mark.parametrize("name", sorted(set(names) - {"hmm"}))  # which needs recorded browsing
def test_a_share_holds_with_every_ordering(tmp_path: Path, name: str) -> None:
    """The first run follows every link; the second looks at all pages again, and follows what is new on them."""
    web, folder = ChangingWeb(40, 6), tmp_path / "c"
    kind = load(name, names, "")
    run(begun(folder, web, kind(), FOCUSED_REVISE_EVERY=10), web)
    had = rows(folder / "crawl.db", "SELECT count(visit) FROM page")[0][0]
    web.versions = [1] * 40
    reason = run(begun(folder, web, kind(), FOCUSED_MAINTAIN=0.2, FOCUSED_REVISE_EVERY=10), web)
    assert (reason, had > 0) == ("finished", True)
    changed = (
        "SELECT count(*), sum(changes), sum(revisits) FROM page WHERE visit IS NOT NULL AND url NOT LIKE '%/news/%'"
    )
    total, changes, looks = rows(folder / "crawl.db", changed)[0]
    leaves_sites = name in ("website", "xcrawl")  # for good: what comes up on them later is not followed
    assert had <= total and looks >= changes and (changes >= had or leaves_sites)
    news = rows(folder / "crawl.db", "SELECT count(visit) FROM page WHERE url LIKE '%/news/%'")[0][0]
    assert news == (0 if leaves_sites else changes)


def test_a_share_above_one_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="FOCUSED_MAINTAIN=2"):
        begun(tmp_path / "c", ChangingWeb(1, 1), FOCUSED_MAINTAIN=2)


def test_hubs_are_looked_at_first_once_they_are_known(tmp_path: Path) -> None:
    web = ChangingWeb(40, random.Random(5).randrange(100))
    run(begun(tmp_path / "c", web), web)
    crawl = begun(tmp_path / "c", web, FOCUSED_MAINTAIN=1)
    crawl.store.save_hubs([(33, 0.9, 0.0)], 40)
    crawl.close("stopped")
    crawl.abandon()
    web.pass_time()
    again: Any = begun(tmp_path / "c", web, FOCUSED_MAINTAIN=1)
    visit = again.next()
    assert visit is not None and visit.id == 33
    again.abandon()
