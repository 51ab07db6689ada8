"""The simulated web has the statistics that knobs.py says it imitates; ranges around published values."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest

from focused.webs import open_web
from focused.webs.simulated.knobs import TRAITS
from focused.webs.simulated.shape import CONTENT, HOME
from focused.webs.simulated.web import SimWeb
from tests.focused.webs.simulated.graph import links_in, tail_exponent, targets

EASY = ["science/astronomy"]
HARD = ["arts/music", "arts/photography"]
COMPETITIVE = [path for path, trait in TRAITS.items() if trait.rivals]
ORDINARY = [path for path in TRAITS if path not in (*EASY, *HARD, *COMPETITIVE, "other/general")]


class Graph:
    def __init__(self, web: SimWeb) -> None:
        self.web = web
        self.out = [targets(web, page) for page in range(web.knobs.pages)]
        self.topics: npt.NDArray[np.int8] = web.shape.topics()
        self.site = [web.shape.place(page).site for page in range(web.knobs.pages)]

    def same_topic(self, topic: str, across_sites: bool = False) -> float:
        """Share of the links from pages on a topic that lead to a page on it."""
        number = self.web.shape.words.topics.index(topic)
        pairs = [(p, q) for p in np.flatnonzero(self.topics == number).tolist() for q in self.out[p]]
        ends = [q for p, q in pairs if not across_sites or self.site[p] != self.site[q]]
        return float(np.mean(self.topics[ends] == number))

    def base(self, topic: str) -> float:
        return float(np.mean(self.topics == self.web.shape.words.topics.index(topic)))

    def reached(self, seeds: list[int]) -> set[int]:
        seen, front = set(seeds), seeds
        while front:
            front = list({q for p in front for q in self.out[p]} - seen)
            seen.update(front)
        return seen


@pytest.fixture(scope="module", params=range(1, 6))
def graph(request: pytest.FixtureRequest) -> Graph:
    web = open_web(f"sim:small,seed={request.param}")
    assert isinstance(web, SimWeb)
    return Graph(web)


def test_site_sizes_follow_a_power_law_of_about_1_8(graph: Graph) -> None:
    sizes = np.diff(graph.web.shape.sites.start).tolist()
    assert 1.6 < tail_exponent(sizes, 4) < 1.95  # Huberman: 1.6 to 1.9
    assert max(sizes) > 20 * np.median(sizes)


def test_in_degrees_follow_a_power_law_of_about_2_1(graph: Graph) -> None:
    counts = Counter(target for found in graph.out for target in found)
    assert 2.0 < tail_exponent(list(counts.values()), 20) < 2.35
    assert max(counts.values()) > 50 * np.median(list(counts.values()))


def test_out_degrees_have_a_tail_of_about_2_7(graph: Graph) -> None:
    counts = [len(found) for found in graph.out]
    assert 2.55 < tail_exponent(counts, 20) < 2.9
    assert 15 < np.mean(counts) < 35


def test_links_stay_on_an_ordinary_topic_as_on_real_webs(graph: Graph) -> None:
    # Schools Wikipedia, all links: .25 (Birds), .37 (Astronomy) to .58 (Science).
    for topic in (*EASY, *ORDINARY):
        assert 0.25 < graph.same_topic(topic) < 0.65, topic
        assert 0.01 < graph.base(topic) < 0.09, topic
        assert graph.same_topic(topic, across_sites=True) > 2.5 * graph.base(topic), topic


def test_links_across_sites_stay_on_an_easy_topic_as_on_the_debian_web(graph: Graph) -> None:
    for topic in EASY:  # astronomy .54/.05, mathematics .60/.09, multimedia .52/.08
        assert 0.45 < graph.same_topic(topic, across_sites=True) < 0.65, topic
        assert 0.03 < graph.base(topic) < 0.09, topic


def test_links_across_sites_hardly_know_a_hard_topic(graph: Graph) -> None:
    for topic in HARD:  # physics .05/.06, games .01/.04
        assert 0.25 * graph.base(topic) < graph.same_topic(topic, across_sites=True) < 2.2 * graph.base(topic), topic
        assert 0.03 < graph.base(topic) < 0.11, topic


def test_rivals_do_not_link_to_each_other(graph: Graph) -> None:
    assert COMPETITIVE == ["business/investing", "business/law"]
    for topic in COMPETITIVE:
        assert graph.same_topic(topic, across_sites=True) < 0.15, topic


def test_three_homepages_in_ten_are_thin(graph: Graph) -> None:
    web = graph.web
    homes = [web.shape.place(page) for page in web.shape.sites.start[:-1]]
    thin = [web.markup.thinness(place) for place in homes if place.kind == HOME]
    assert 0.24 < np.mean([bool(kind) for kind in thin]) < 0.36
    assert {"frames", "words"} <= set(thin)


def test_everything_is_reached_from_five_seeds(graph: Graph) -> None:
    seeds = [graph.web.addresses.page(url) for url in graph.web.seeds("recreation/sailing", 5, 0)]
    reached = graph.reached([page for page in seeds if page is not None])
    assert len(reached) > 0.97 * graph.web.knobs.pages


def test_islands_are_reached_only_over_pages_on_other_topics(graph: Graph) -> None:
    shape, tunnels = graph.web.shape, graph.web.markup.linker.tunnels
    sources: dict[int, set[int]] = {}
    for page, found in enumerate(graph.out):
        for target in found:
            if shape.is_island(graph.site[target]) and graph.site[target] != graph.site[page]:
                sources.setdefault(graph.site[target], set()).add(page)
    assert len(sources) == len(tunnels.length) > 10 and set(tunnels.length.values()) == {1, 2, 3}
    off = [graph.topics[page] != shape.sites.topic[island] for island, pages in sources.items() for page in pages]
    assert np.mean(off) > 0.95


def test_words_of_a_page_are_log_normal_between_80_and_1500(graph: Graph) -> None:
    places = [p for p in map(graph.web.shape.place, range(0, 10_000, 9)) if p.kind == CONTENT]
    counts = np.array([len(graph.web.text.words(place)) for place in places])
    assert counts.min() >= 80 and counts.max() <= 1500
    assert 280 < np.median(counts) < 380
    inside = np.log(counts[(counts > 80) & (counts < 1500)])
    assert abs(inside.mean() - np.median(inside)) < 0.15 and inside.std() > 0.5


def test_a_few_percent_of_links_are_dead_and_some_have_moved(graph: Graph) -> None:
    web = graph.web
    cards = [card for card in map(web.addresses.card, range(0, 10_000, 25)) if card.place.kind == CONTENT]
    found = {url for card in cards for url, _ in links_in(card.url, web.fetch(card.url).body)}
    truths = {url: web.truth(url) for url in found}
    statuses = Counter(200 if truth else web.fetch(url).status for url, truth in truths.items())
    soft = sum(truth == "gone" for truth in truths.values())
    assert 0.02 < (statuses[404] + soft) / len(found) < 0.08
    assert 0.10 < soft / (statuses[404] + soft) < 0.40  # Bar-Yossef et al. 2004: a quarter
    assert 0.005 < statuses[301] / len(found) < 0.04


def test_anchors_are_mostly_but_not_always_telling(graph: Graph) -> None:
    web = graph.web
    told = total = 0
    for card in map(web.addresses.card, range(0, 10_000, 40)):
        own = set(web.markup.linker.own(card.place)) if card.place.kind == CONTENT else set()
        for url, anchor in links_in(card.url, web.fetch(card.url).body) if own else []:
            page = web.addresses.page(url)
            if page in own and web.shape.place(page).site != card.place.site:
                total += 1
                told += anchor == web.addresses.card(page).title
    assert 0.5 < told / total < 0.75


def test_one_large_site_in_ten_has_a_mirror() -> None:
    web = open_web("sim:medium,seed=1")
    assert isinstance(web, SimWeb)
    large = [site for site in range(web.shape.site_count) if web.shape.size(site) >= web.knobs.mirror_least]
    assert 0.06 < len(web.markup.mirrors.hosts) / len(large) < 0.14  # Bharat, Broder 1999: about a tenth


def test_a_small_share_of_sites_has_traps_and_menus_made_by_scripts(graph: Graph) -> None:
    count = graph.web.shape.site_count
    assert 1 <= len(graph.web.markup.traps.of) < 0.03 * count
    assert 0.03 < sum(map(graph.web.markup.is_menu_scripted, range(count))) / count < 0.10
    assert 0.01 < np.mean([graph.web.markup.is_scripted(graph.web.shape.place(page)) for page in range(10_000)]) < 0.03


def test_spam_on_the_hostile_web_is_as_frequent_as_on_the_real_one() -> None:
    web = open_web("sim:hostile,seed=1")
    assert isinstance(web, SimWeb)
    content = [page for page in range(10_000) if web.shape.place(page).kind == CONTENT]
    assert 0.12 < np.mean([web.shape.is_stuffed(page) for page in content]) < 0.16  # Ntoulas et al. 2006: 13.8 %
