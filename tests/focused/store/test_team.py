"""Workers of one crawl: who has which site, what a worker that was away may still do, and what it commits once only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest

from focused.errors import StoreError
from focused.store.batch import Batch, column
from focused.store.interface import Fenced
from focused.store.news import News
from focused.store.postgres import PostgresStore
from focused.store.queries import Reading
from focused.store.rows import DONE, Abroad, Fetched, Found, Site
from tests.focused.store.places import Two
from tests.focused.store.test_store import pages
from tests.rig.postgres import server


def filled(store: PostgresStore, host: str = "a.example", first: int = 1) -> Site:
    (site,) = store.enter_sites([host])
    store.add(pages(first, 5, site.id))
    store.commit({})
    return site


def news(store: PostgresStore, most: int = 10) -> News:
    return store.team.post.news(store.team.me.id, most, "")


def test_a_site_belongs_to_the_worker_that_found_it(two: Two) -> None:
    assert filled(two.first).is_ours
    (known,) = two.second.enter_sites(["a.example"])
    assert not known.is_ours
    assert [site.host for site in two.first.load().records] == ["a.example"]
    assert two.second.load().records == []


def test_ids_of_two_workers_never_meet(two: Two) -> None:
    mine, theirs = two.first.reserve(2500).tolist(), two.second.reserve(2500).tolist()
    assert len({*mine, *theirs}) == 5000
    assert mine == sorted(mine)


def test_links_to_another_workers_site_wait_in_its_inbox(two: Two) -> None:
    site = filled(two.first)
    link = Abroad(site.id, 77, "http://a.example/new", 0.5, 2, 9, 0, None, None, "an anchor", "/a")
    two.second.add(Found([], np.empty(0, np.int64), [], [], abroad=[link]))
    assert news(two.first).links == []
    two.second.commit({})
    assert two.first.pending() == 6
    assert news(two.second).links == []
    assert news(two.first).links == [link]
    two.first.commit({})
    assert news(two.first).links == []


def test_sites_of_a_silent_worker_are_taken_over_with_what_it_had_under_way(two: Two) -> None:
    site = filled(two.first)
    two.first.lease(3, None)
    two.first.remember({f"budget.site:{site.id}": "[1]", "ordering.step": "2"})
    two.first.commit({})
    assert two.second.team.claim(None) == []
    two.is_silent(two.first)
    assert two.second.team.reclaim() == 1
    assert two.second.team.claim(None) == [site.id]
    taken = two.second.team.snapshot([site.id])
    assert taken.scores.tolist() == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])
    assert taken.memory == {f"budget.site:{site.id}": "[1]"}


def test_a_worker_that_wakes_too_late_has_its_work_discarded(two: Two) -> None:
    filled(two.first)
    lease = two.first.lease(1, None)
    assert lease is not None
    two.first.commit({})
    two.is_silent(two.first)
    two.second.team.reclaim()
    two.second.team.claim(None)
    two.second.load()
    assert two.first.finish(1, lease.token, Fetched(DONE, "ok", 1))
    with pytest.raises(Fenced):
        two.first.commit({"pages.jsonl": 99})
    assert two.first.counts() == (0, 0, 0)
    assert two.first.offsets() == {}
    two.first.begin_again()
    assert two.first.load().records == []
    two.first.log(0.0, "back", "and at work")
    two.first.commit({})


def test_a_silent_worker_that_nobody_missed_goes_on(two: Two) -> None:
    filled(two.first)
    two.is_silent(two.first)
    two.first.log(0.0, "late", "but still there")
    two.first.commit({})
    assert two.second.team.reclaim() == 0


def test_what_was_given_back_is_free_at_once_the_best_site_first(two: Two) -> None:
    low, high = filled(two.first, "low.example"), filled(two.first, "high.example", 11)
    two.first.team.release([low.id, high.id])
    assert two.second.team.claim(1) == [high.id]
    assert two.first.team.claim(None) == [low.id]


def test_a_worker_that_ends_leaves_its_sites_to_others(two: Two) -> None:
    site = filled(two.first)
    two.first.lease(2, None)
    two.first.commit({})
    two.first.team.leave()
    assert two.second.team.is_alone()
    assert [record.id for record in two.second.load().records] == [site.id]
    assert two.second.lease(2, None) is not None


def test_visits_are_numbered_without_gaps_over_all_workers(two: Two) -> None:
    filled(two.first)
    filled(two.second, "b.example", 101)
    for store, page_id in ((two.first, 1), (two.second, 101), (two.first, 2), (two.second, 102)):
        lease = store.lease(page_id, None)
        assert lease is not None
        store.finish(page_id, lease.token, Fetched(DONE, "ok", 1, relevance=0.7, relevant=page_id > 100))
        store.commit({})
    assert two.rows("SELECT id, visit FROM page WHERE visit IS NOT NULL ORDER BY visit") == [
        (1, 1), (101, 2), (2, 3), (102, 4),
    ]  # fmt: skip
    assert two.second.team.totals == (4, 2, 0)


def test_a_batch_whose_connection_died_is_committed_once(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the commit, after it but before the answer, and in between batches."""
    filled(two.first)
    whole, deaths = Batch.commit, ["before", "after"]

    def dying(batch: Batch, db: Any, *rest: Any) -> Any:
        if deaths and deaths.pop(0) == "before":
            db.close()
        answer = whole(batch, db, *rest)
        if deaths == []:
            deaths.append("")
            db.close()
            raise psycopg.OperationalError("the connection is lost")
        return answer

    monkeypatch.setattr(Batch, "commit", dying)
    lease = two.first.lease(1, None)
    assert lease is not None
    two.first.finish(1, lease.token, Fetched(DONE, "ok", 1))
    two.first.log(0.0, "once", "only")
    two.first.commit({})
    assert two.first.counts() == (1, 0, 0)
    assert two.rows("SELECT kind FROM event") == [("once",)]
    server().ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'focused'")
    two.first.log(0.0, "twice", "")
    two.first.commit({})
    assert len(two.rows("SELECT 1 FROM event")) == 2


def test_texts_of_any_kind_come_back_as_they_were(two: Two) -> None:
    texts = [
        "plain",
        'a "quoted" one',
        "back\\slash",
        "{brace, comma}",
        "new\nline\ttab",
        "NULL",
        "",
        "日本 ü",
        "nul\0l",
    ]
    for number, text in enumerate(texts):
        two.first.log(float(number), "text", text)
    two.first.commit({})
    assert [row[0] for row in two.rows("SELECT detail FROM event ORDER BY at")] == [*texts[:-1], "null"]


def test_numbers_of_any_kind_are_written_as_arrays() -> None:
    numbers = [1, None, True, float("inf"), np.float64(0.5), np.int64(-3), 1e-7]
    assert column(numbers) == "{1,NULL,1,inf,0.5,-3,1e-07}"


# --- bad input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("postgresql://who@127.0.0.1:1/none", "cannot be reached"),
        ("postgresql://%zz", "no address of a database"),
        ("postgresql://who:secret@127.0.0.1:1/none", "cannot be reached"),
    ],
)
def test_a_wrong_address_is_one_sentence_without_the_password(tmp_path: Path, url: str, says: str) -> None:
    with pytest.raises(StoreError, match=says) as caught:
        PostgresStore(url, "crawl", tmp_path)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_user_without_rights_is_told_what_is_missing(tmp_path: Path) -> None:
    server().ask("DROP ROLE IF EXISTS guest")
    server().ask("CREATE ROLE guest LOGIN")
    with pytest.raises(StoreError, match="may not keep or read crawl 'crawl'"):
        PostgresStore(server().url(user="guest"), "crawl", tmp_path)


def test_a_folder_with_a_crawl_on_sqlite_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "crawl.db").touch()
    with pytest.raises(StoreError, match="holds a crawl on SQLite"):
        PostgresStore(server().url(), "with_sqlite", tmp_path)


def test_a_reader_takes_what_one_worker_remembers_and_what_is_known_of_all_sites(two: Two) -> None:
    two.first.remember({"ordering.words": "[1]", "ordering.names": "[1]", "ordering.site:7": "[1]"})
    two.first.commit({})
    for words in ("[1]", "[2]"):  # it commits more often
        two.second.remember({"ordering.words": words, "ordering.site:8": "[2]"})
        two.second.commit({})
    with Reading(two.url, two.folder / two.schema) as reading:
        assert reading.memory("ordering") == {"words": [2], "site:7": [1], "site:8": [2]}


def test_a_worker_that_remembers_nothing_takes_what_one_that_is_gone_has_left_and_leaves_the_living_alone(
    two: Two,
) -> None:
    two.first.remember({"ordering.words": "[1]"})
    two.second.remember({"ordering.words": "[2]"})
    two.first.commit({})
    two.second.commit({})
    assert two._worker("third").load().memory == {}, "all are alive"
    two.first.team.leave()
    assert two._worker("fourth").load().memory == {"ordering.words": "[1]"}
    assert two.second.load().memory == {"ordering.words": "[2]"}
    assert two._worker("fifth").load().memory == {}, "it was left once"
