"""Examples of a simulated web that is not the one crawled."""

from __future__ import annotations

from collections import Counter

import pytest

from focused.examples import simulated
from focused.examples.simulated import ANOTHER, OF_LEAF, documents, first_pages, other_web
from focused.page import PageReader
from focused.urls import homepage_of, site_of
from focused.webs import open_web
from models.text import Vocabulary

WEB = "sim:small,seed=3"


def test_pages_are_of_another_web_and_labelled_by_its_truth() -> None:
    web, crawled = other_web(WEB), open_web(WEB)
    assert web is not None
    found = list(documents(web, "animals/horses"))
    assert all(web.truth(document.url) == label for document, label in found)
    assert not [document.url for document, _ in found if crawled.truth(document.url)]
    counts = Counter(label for _, label in found)
    assert set(counts) == set(web.topics())
    assert set(counts.values()) == {OF_LEAF}


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
    assert labels["catalogue/cameras"] == OF_LEAF


def test_example_sites_give_their_first_pages_labelled_by_what_the_site_is_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulated, "SITES_OF_TOPIC", 3)
    monkeypatch.setattr(simulated, "SITES_OF_OTHERS", 4)
    web = other_web(WEB)
    assert web is not None
    found = list(first_pages(web, "animals/horses", PageReader(Vocabulary())))
    main = {site_of(home): topic for home, topic in web.sites()}
    assert all(main[site_of(page.url)] == label for page, label in found)
    sites = Counter({site_of(page.url): label for page, label in found}.values())
    assert sites["animals/horses"] == 3 and sites.total() == 7
    assert len(sites) == 5  # as many other topics as other sites: each has its turn
    pages = Counter(site_of(page.url) for page, _ in found)
    assert max(pages.values()) <= simulated.SITE_PAGES
    assert {page.url for page, _ in found if page.url == homepage_of(page.url)} <= {home for home, _ in web.sites()}


def test_web_that_is_not_simulated_gives_none() -> None:
    assert other_web("warc:some.warc.gz") is None
    assert other_web("") is None
