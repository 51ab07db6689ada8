"""What workers tell each other: once, to whoever has the site by then, together with what came of it."""

from __future__ import annotations

import pytest

from focused.store.interface import Fenced
from focused.store.news import Letter, News
from focused.store.postgres import PostgresStore
from focused.store.rows import Colleague
from tests.focused.store.places import Two
from tests.focused.store.test_team import filled


def read(store: PostgresStore, most: int = 10, part: str = "") -> News:
    return store.team.post.news(store.team.me.id, most, part)


def test_a_letter_is_there_until_a_commit_has_what_came_of_it(two: Two) -> None:
    site = filled(two.first)
    two.second.write([(site.id, 0.5)], {})
    assert read(two.first).letters == []
    two.second.commit({})
    letter = Letter(site.id, None, 0.5)
    assert (read(two.second).letters, read(two.first).letters) == ([], [letter])
    two.first.roll_back()
    two.first.begin_again()
    two.first.commit({})
    assert read(two.first).letters == [letter], "the worker that had read it died before its commit"
    two.first.commit({})
    assert read(two.first).letters == []


def test_a_letter_goes_with_the_site(two: Two) -> None:
    site = filled(two.first)
    two.second.write([(site.id, 0.5)], {})
    two.second.commit({})
    two.first.team.release([site.id])
    assert read(two.first).letters == []
    assert two.second.team.claim(None) == [site.id]
    assert read(two.second).letters == [Letter(site.id, None, 0.5)]


def test_who_has_lost_the_site_takes_no_letter_away(two: Two) -> None:
    site = filled(two.first)
    two.second.write([(site.id, 0.5)], {})
    two.second.commit({})
    assert len(read(two.first).letters) == 1
    two.is_silent(two.first)
    two.second.team.reclaim()
    two.second.team.claim(None)
    with pytest.raises(Fenced):
        two.first.commit({})
    assert read(two.second).letters == [Letter(site.id, None, 0.5)]


def test_new_scores_go_to_other_workers_and_wait_for_those_who_will_have_the_sites_of_nobody(two: Two) -> None:
    theirs, mine, free = (
        filled(two.first), filled(two.second, "b.example", 101), filled(two.first, "c.example", 201),
    )  # fmt: skip
    two.first.team.release([free.id])
    two.second.write([], {1: 0.9, 101: 0.8, 201: 0.7})
    two.second.commit({})
    assert two.rows("SELECT site_id, page_id, value FROM letter ORDER BY id") == [
        (theirs.id, 1, 0.9),
        (free.id, 201, 0.7),
    ]
    assert read(two.first).letters == [Letter(theirs.id, 1, 0.9)]
    assert mine.is_ours


def test_letters_wait_until_all_links_are_taken_in_for_they_may_speak_of_them(two: Two) -> None:
    site = filled(two.first)
    two.second.write([(site.id, number / 10) for number in range(3)], {})
    two.second.commit({})
    links = "SELECT {}, n, 'x', 0, 1 FROM generate_series(1, 2) AS n"
    two.do(f"INSERT INTO inbox (site_id, key, url, score, depth) {links.format(site.id)}")
    news = read(two.first, most=2)
    assert (len(news.links), news.letters, news.is_all) == (2, [], False)
    two.first.commit({})
    news = read(two.first, most=2)
    assert ([letter.value for letter in news.letters], news.is_all) == ([0.0, 0.1], False)
    two.first.commit({})
    news = read(two.first, most=2)
    assert ([letter.value for letter in news.letters], news.is_all) == ([0.2], True)


def test_others_tell_of_themselves_also_those_that_are_gone(two: Two) -> None:
    for store, words in ((two.first, "[1]"), (two.second, "[2]")):
        store.remember({"ordering.counts": words, "ordering.else": "[3]"})
        store.commit({})
    assert read(two.first, part="ordering.counts").colleagues == [Colleague(True, [2])]
    two.second.team.leave()
    assert read(two.first, part="ordering.counts").colleagues == [Colleague(False, [2])]
    assert read(two.first).colleagues == []


def test_what_is_remembered_of_a_site_is_known_to_all(two: Two) -> None:
    site, other = filled(two.first), filled(two.first, "b.example", 11)
    two.first.remember({f"ordering.site:{site.id}": "[]", f"ordering.event:{site.id}:0": "[1]"})
    two.first.commit({})
    assert two.second.team.post.parts_of([site.id, other.id], "ordering.site") == {site.id: []}
