from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.leaves import leaf_starts
from focused.page import PageReader
from models.apprentice import REACH, Apprentice, Features, features
from models.model import Ids
from models.text import NOTHING, Vocabulary

NAMES = [f"{word}@{place}" for word in ("camera", "spec", "canon", "login", "price") for place in (-2, 0, 1)]
LINKS = st.lists(st.sets(st.sampled_from(NAMES), max_size=6), max_size=12)
LESSONS = st.lists(st.tuples(st.sets(st.sampled_from(NAMES), max_size=6), st.booleans()), max_size=30)


@dataclass
class Words:
    terms: Ids
    starts: Ids
    ends: Ids


def ints(*numbers: int) -> Ids:
    return np.array(numbers, np.int32)


def taught(lessons: list[tuple[set[str], bool]], limit: int = 200_000) -> Apprentice:
    apprentice = Apprentice(Vocabulary(), limit)
    for names, accepted in lessons:
        apprentice.learn(apprentice.named(names), accepted)
    return apprentice


def described(apprentice: Apprentice, page: Words) -> list[list[str]]:
    return [sorted(apprentice.names(link)) for link in features(page, page.starts)]


def test_words_are_told_apart_by_their_distance_from_the_link() -> None:
    vocabulary = Vocabulary()
    html = b'<p>Camera tests</p><a href="/1">Canon</a><b>new</b> <a href="/2">Pentax zoom</a> <i>printer</i>'
    page = PageReader(vocabulary).read("http://a.example/", html)
    apprentice = Apprentice(vocabulary)
    first, second = (set(apprentice.names(link)) for link in features(page, leaf_starts(page.tree, page.words)))
    assert first == {"camera@-1", "test@-1", "canon@0", "new@1", "pentax@2", "zoom@2", "printer@3"}
    assert second == {"camera@-3", "test@-3", "canon@-2", "new@-1", "pentax@0", "zoom@0", "printer@1"}


def test_a_text_is_one_leaf_however_long() -> None:
    page = Words(np.arange(1, 101, dtype=np.int32), ints(50), ints(51))
    keys = features(page, ints(0, 20, 90))[0]
    places = dict(zip((keys // 11).tolist(), (keys % 11 - REACH).tolist(), strict=True))
    assert [places[term] for term in (1, 20, 21, 50, 51, 52, 90, 91, 100)] == [-2, -2, -1, -1, 0, 1, 1, 2, 2]


def test_words_more_than_five_leaves_away_are_left_out() -> None:
    starts = np.arange(30, dtype=np.int32)
    page = Words(np.arange(1, 31, dtype=np.int32), starts, starts + 1)
    keys = features(page, ints(0))
    assert [(key // 11).tolist() for key in (keys[0], keys[15])] == [list(range(1, 7)), list(range(11, 22))]
    assert (keys[15] % 11 - REACH).tolist() == list(range(-5, 6))


def test_a_link_without_text_has_the_words_it_stands_before() -> None:
    vocabulary = Vocabulary()
    page = Words(vocabulary.ids(["camera", "canon"]), ints(0, 1, 2), ints(0, 1, 2))
    assert described(Apprentice(vocabulary), page) == [
        ["camera@0", "canon@1"],
        ["camera@-1", "canon@0"],
        ["camera@-1", "canon@0"],
    ]


def test_stop_words_are_no_features_but_take_their_place() -> None:
    vocabulary = Vocabulary()
    page = Words(vocabulary.ids(["the", "camera"]), ints(0, 1), ints(1, 2))
    assert described(Apprentice(vocabulary), page) == [["camera@1"], ["camera@0"]]


@pytest.mark.parametrize("starts", [ints(), ints(0, 0)])
def test_a_page_without_words_has_links_without_features(starts: Ids) -> None:
    assert [len(link) for link in features(Words(ints(), starts, starts), ints())] == [0] * len(starts)


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 6), max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 8)), max_size=9),
    st.sets(st.integers(0, 59)),
)
def test_all_links_at_once_are_described_as_one_by_one(
    terms: list[int], spans: list[tuple[int, int]], leaf_places: set[int]
) -> None:
    size = len(terms)
    starts = np.array([min(start, size) for start, _ in spans], np.int32)
    ends = np.array([min(start + length, size) for start, length in spans], np.int32)
    page = Words(np.array(terms, np.int32), starts, ends)
    own = sorted(place for place in leaf_places if place < size)
    found = features(page, np.array(own, np.int32))
    assert len(found) == len(spans)
    cuts = {*own, *starts.tolist(), *ends.tolist()}
    leaves = [len([cut for cut in cuts if cut <= place]) for place in range(size)]
    for start, end, keys in zip(starts.tolist(), ends.tolist(), found, strict=True):
        expected = set()
        for place, term in enumerate(terms):
            first = leaves[min(start, size - 1)]
            last = max(first, leaves[max(end - 1, 0)])
            away = min(leaves[place] - first, 0) + max(leaves[place] - last, 0)
            if term != NOTHING and abs(away) <= REACH:
                expected.add(term * 11 + away + REACH)
        assert keys.tolist() == sorted(expected)


@settings(deadline=None)
@given(LESSONS, LINKS)
def test_it_is_naive_bayes_with_laplace_smoothing(lessons: list[tuple[set[str], bool]], links: list[set[str]]) -> None:
    apprentice = taught(lessons)
    known = {name for names, _ in lessons for name in names}
    chances = []
    for link in links:
        joint = []
        for side in (True, False):
            mine = [names for names, accepted in lessons if accepted is side]
            chance = (len(mine) + 1) / (len(lessons) + 2)
            for name in link & known:
                chance *= (sum(name in names for names in mine) + 1) / (sum(map(len, mine)) + len(known))
            joint.append(chance)
        chances.append(joint[0] / sum(joint))
    assert apprentice.score([apprentice.named(link) for link in links]) == pytest.approx(chances, abs=1e-8)


def test_who_has_learned_nothing_does_not_know() -> None:
    apprentice = Apprentice(Vocabulary())
    assert apprentice.score([apprentice.named(["camera@0"]), apprentice.named([])]).tolist() == [0.5, 0.5]
    assert apprentice.score([]).tolist() == []


def test_next_to_certain_links_are_still_told_apart() -> None:
    apprentice = taught([({"camera@0", "spec@1"}, True)] * 300 + [({"login@0"}, False)] * 300)
    words: list[Features] = [apprentice.named(names) for names in (["camera@0"], ["camera@0", "spec@1"])]
    assert apprentice.odds(words)[0] < apprentice.odds(words)[1]


@settings(deadline=None)
@given(LESSONS, st.integers(0, 30), LINKS)
def test_it_goes_on_after_a_kill_as_if_nothing_had_happened(
    lessons: list[tuple[set[str], bool]], cut: int, links: list[set[str]]
) -> None:
    """What `changes` gave is kept as the crawl keeps it: part by part, None removes one."""
    whole, halved = taught(lessons, limit=8), Apprentice(Vocabulary(), limit=8)
    kept: dict[str, object] = {}
    for number, (names, accepted) in enumerate(lessons):
        if number == cut:
            halved = Apprentice(Vocabulary(), limit=8)
            halved.vocabulary.ids(["login", "other", "words", "first"])
            halved.restore(kept)
        halved.learn(halved.named(names), accepted)
        for name, part in orjson.loads(orjson.dumps(halved.changes())).items():
            if part is None:
                kept.pop(name, None)
            else:
                kept[name] = part
    scores = [one.odds([one.named(link) for link in links]).tolist() for one in (whole, halved)]
    assert scores[0] == scores[1]
    assert (whole.links, whole.known) == (halved.links, halved.known)


def test_nothing_new_is_nothing_to_keep() -> None:
    apprentice = taught([({"camera@0"}, True)])
    assert apprentice.changes() == {"camera@0": [0, 1], "links": [0, 1]}
    assert apprentice.changes() == {}
    apprentice.learn(apprentice.named([]), False)
    assert apprentice.changes() == {"links": [1, 1]}


def test_the_least_seen_features_are_forgotten_beyond_the_limit() -> None:
    often = [({"camera@0", "spec@1"}, True)] * 3
    apprentice = taught([*often, *(({f"word{number}x@0"}, False) for number in range(20))], limit=10)
    assert apprentice.known <= 10
    assert apprentice.score([apprentice.named(["camera@0"])])[0] > apprentice.score([apprentice.named([])])[0]
    forgotten = [name for name, part in apprentice.changes().items() if part is None]
    assert "word0x@0" in forgotten
    assert "camera@0" not in forgotten
