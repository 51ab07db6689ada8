"""Examples of a simulated web that is not the one crawled."""

from __future__ import annotations

from collections import Counter

from focused.examples.simulated import ANOTHER, OF_OTHERS, OF_TOPIC, documents, other_web
from focused.webs import open_web

WEB = "sim:small,seed=3"


def test_pages_are_of_another_web_and_labelled_by_its_truth() -> None:
    web, crawled = other_web(WEB), open_web(WEB)
    assert web is not None
    found = list(documents(web, "animals/horses"))
    assert all(web.truth(document.url) == label for document, label in found)
    assert not [document.url for document, _ in found if crawled.truth(document.url)]
    counts = Counter(label for _, label in found)
    assert counts.pop("animals/horses") == OF_TOPIC
    assert set(counts) == set(web.topics()) - {"animals/horses"}
    assert set(counts.values()) == {OF_OTHERS}


def test_same_web_gives_the_same_examples() -> None:
    first, second = (other_web(WEB) for _ in range(2))
    assert first is not None
    assert second is not None
    assert list(documents(first, "home/cooking")) == list(documents(second, "home/cooking"))


def test_web_of_the_examples_is_like_the_crawled_one_but_never_large() -> None:
    web = other_web("sim:large,seed=7,mixed=0.4")
    assert web is not None
    assert (web.knobs.seed, web.knobs.pages, web.knobs.mixed) == (7 + ANOTHER, 10_000, 0.4)


def test_goods_of_a_catalogue_are_topics_too() -> None:
    web = other_web("sim:catalogue,seed=1")
    assert web is not None
    labels = Counter(label for _, label in documents(web, "catalogue/cameras"))
    assert labels["catalogue/cameras"] == OF_TOPIC


def test_web_that_is_not_simulated_gives_none() -> None:
    assert other_web("warc:some.warc.gz") is None
    assert other_web("") is None
