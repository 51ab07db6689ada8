from __future__ import annotations

from collections import Counter

import pytest

from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.layout import PER_INDEX
from focused.webs.simulated.shape import ABOUT, CONTACT, CONTENT, DOCUMENT, HOME, INDEX, LINKS, Shape
from focused.webs.simulated.words import shipped


@pytest.fixture(scope="module", params=[(100, 1), (1_003, 2), (10_000, 3)])
def shape(request: pytest.FixtureRequest) -> Shape:
    pages, seed = request.param
    return Shape(Knobs(pages=pages, seed=seed), shipped())


def test_every_page_is_on_one_site_and_in_one_place(shape: Shape) -> None:
    places = [shape.place(page) for page in range(shape.knobs.pages)]
    homes = [place for place in places if place.kind == HOME]
    assert len(homes) == shape.site_count
    assert [place.site for place in homes] == list(range(shape.site_count))
    assert all(shape.sites.start[p.site] <= p.page < shape.sites.start[p.site + 1] for p in places)


def test_sections_fill_their_site(shape: Shape) -> None:
    for site in range(shape.site_count):
        sections = shape.sections_of(site)
        assert len(sections) >= 1
        ends = [shape.sections.start[section] + shape.sections.size[section] for section in sections]
        starts = [shape.sections.start[section] for section in sections]
        assert starts[1:] == ends[:-1] and ends[-1] == shape.sites.start[site + 1]
        assert all(len(shape.content(section)) >= 1 for section in sections)


def test_an_index_lists_each_page_of_its_section_once(shape: Shape) -> None:
    for section in range(len(shape.sections.start)):
        count = shape.sections.indices[section]
        if count:
            listed = [page for nth in range(count) for page in shape.listed(section, nth)]
            assert listed == list(shape.content(section))
            assert all(1 <= len(shape.listed(section, nth)) <= PER_INDEX + 1 for nth in range(count))


def test_front_pages_are_where_the_map_says(shape: Shape) -> None:
    for site in range(shape.site_count):
        for kind in (ABOUT, CONTACT, LINKS):
            page = shape.front(site, kind)
            assert page is None or shape.place(page).kind == kind


def test_topics_in_one_go_are_the_topics_one_by_one(shape: Shape) -> None:
    topics = shape.topics()
    for page in range(0, shape.knobs.pages, 3):
        place = shape.place(page)
        assert topics[page] == (-1 if place.kind == DOCUMENT else place.topic)


def test_pages_of_all_kinds_exist() -> None:
    shape = Shape(Knobs(pages=10_000, seed=3), shipped())
    kinds = Counter(shape.place(page).kind for page in range(10_000))
    assert set(kinds) == {HOME, ABOUT, CONTACT, LINKS, INDEX, CONTENT, DOCUMENT}
    assert kinds[CONTENT] > 8_000 and 40 < kinds[DOCUMENT] < 250
