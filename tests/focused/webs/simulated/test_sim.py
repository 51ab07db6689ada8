from __future__ import annotations

import subprocess
import sys
from collections import deque
from hashlib import sha256

import pytest

from focused.errors import WebError
from focused.urls import site_of
from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.shape import CONTENT, DOCUMENT, INDEX, LINKS
from focused.webs.simulated.web import SimWeb
from tests.focused.webs.simulated.graph import links_in, targets

DIGEST = """
import sys
from hashlib import sha256
from focused.webs import open_web
from focused.webs.simulated.catalogue import Spot
web = open_web(sys.argv[1])
pages = range(0, web.knobs.pages, web.knobs.pages // 150)
urls = [web.addresses.card(page).url for page in pages] + [f"https://{host}/" for host in web.markup.mirrors.hosts][:10]
urls += [web.addresses.site(site).root + kind.path(9) for site, kind in list(web.markup.traps.of.items())[:20]]
urls += [shop.root + path for shop in web.outskirts.catalogue.shops for path in ("/", "/news/", "/accessories/")]
urls += [web.outskirts.catalogue.url(Spot(s.number, "thing", s.domain, 7)) for s in web.outskirts.catalogue.shops]
urls += [f"http://{host}/robots.txt" for host in list(web.addresses.hosts)[:30]] + web.seeds("recreation/cycling", 5, 3)
assert len(urls) >= 200, len(urls)
answers = [web.fetch(url) for url in urls]
print(urls)
print([answer.headers for answer in answers])
print(sha256(b"".join(b"%d%s" % (status, body) for status, _, body in answers)).hexdigest())
"""


def digest(spec: str, hash_seed: str) -> str:
    command = [sys.executable, "-c", DIGEST, spec]
    return subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": hash_seed}).stdout


@pytest.fixture(scope="module")
def web() -> SimWeb:
    return SimWeb(Knobs(pages=2_000, seed=4, script_menus=0.0, script_links=0.0))


@pytest.mark.parametrize("preset", ["large", "hostile", "catalogue"])
def test_the_same_seed_gives_the_same_bytes_in_any_process(preset: str) -> None:
    first = digest(f"sim:{preset},seed=11", "1")
    assert first == digest(f"sim:{preset},seed=11", "2")
    assert first != digest(f"sim:{preset},seed=12", "1")


def test_pages_do_not_depend_on_what_was_asked_before(web: SimWeb) -> None:
    urls = [web.addresses.card(page).url for page in range(0, 2_000, 13)]
    forwards = [sha256(web.fetch(url).body).digest() for url in urls]
    again = SimWeb(web.knobs)
    backwards = [sha256(again.fetch(url).body).digest() for url in reversed(urls)]
    assert forwards == backwards[::-1]


def test_html_holds_the_links_of_the_map(web: SimWeb) -> None:
    for page in range(0, 2_000, 29):
        card = web.addresses.card(page)
        wanted = set(targets(web, page)) if not web.markup.thinness(card.place) else set()
        found = [web.addresses.page(url) for url, _ in links_in(card.url, web.fetch(card.url).body)]
        lost = wanted - set(found)
        assert len(lost) <= found.count(None), card.url
        assert set(found) - {None, page} <= set(targets(web, page)), card.url


def test_a_walk_over_the_html_reaches_nearly_everything(web: SimWeb) -> None:
    seeds = web.seeds("recreation/cycling", 5, 0)
    queue, seen, pages = deque(seeds), set(seeds), 0
    while queue:
        url = queue.popleft()
        answer = web.fetch(url)
        pages += answer.status == 200
        found = [target for target, _ in links_in(url, answer.body)]
        for target in [*found, answer.headers.get("Location", url)]:
            if target not in seen:
                seen.add(target)
                queue.append(target)
    assert pages >= 0.95 * 2_000


def test_truth_is_the_topic_of_the_page(web: SimWeb) -> None:
    for page in range(0, 2_000, 17):
        card = web.addresses.card(page)
        expected = None if card.place.kind == DOCUMENT else web.shape.words.topics[card.place.topic]
        assert web.truth(card.url) == expected


def test_pages_of_a_topic_are_those_whose_truth_it_is(web: SimWeb) -> None:
    everything = [web.addresses.card(page).url for page in range(2_000)]
    listed = list(web.pages_of("animals/horses"))
    assert listed == [url for url in everything if web.truth(url) == "animals/horses"]
    assert web.count("animals/horses") == len(listed) > 0


@pytest.mark.parametrize("topic", ["recreation/cycling", "business/investing", "other/general"])
def test_seeds_exist_and_are_near_the_topic(web: SimWeb, topic: str) -> None:
    seeds = web.seeds(topic, 5, 1)
    assert len(set(seeds)) == 5 and seeds == web.seeds(topic, 5, 1) != web.seeds(topic, 5, 2)
    assert all(web.fetch(url).status == 200 for url in seeds)
    branch = topic.partition("/")[0]
    assert all((web.truth(url) or "").startswith(branch) for url in seeds)
    assert sum(web.truth(url) == topic for url in seeds) >= 4


def test_a_topic_the_web_does_not_have_is_refused(web: SimWeb) -> None:
    with pytest.raises(WebError, match="recreation/cycling"):
        web.seeds("recreation/knitting", 5, 0)


def test_documents_are_not_html(web: SimWeb) -> None:
    cards = [card for card in map(web.addresses.card, range(2_000)) if card.place.kind == DOCUMENT]
    for card in cards:
        answer = web.fetch(card.url)
        assert answer.headers["Content-Type"] == "application/pdf" and answer.body.startswith(b"%PDF")
    assert cards


def test_lists_run_over_several_pages(web: SimWeb) -> None:
    cards = [card for card in map(web.addresses.card, range(2_000)) if card.place.kind in (INDEX, LINKS)]
    later = [card for card in cards if card.place.nth == 1]
    assert later
    for card in later:
        before = web.addresses.card(card.place.page - 1)
        assert (card.url, "next") in links_in(before.url, web.fetch(before.url).body)


def test_pages_have_the_size_and_the_parts_of_real_ones(web: SimWeb) -> None:
    bodies = [web.fetch(c.url).body for c in map(web.addresses.card, range(0, 2_000, 7)) if c.place.kind == CONTENT]
    assert all(3_000 < len(body) < 40_000 for body in bodies)
    for part in (b"<title>", b"<nav>", b"<main>", b"<article>", b"<aside>", b"<footer>"):
        assert all(part in body for body in bodies)


def test_websites_on_a_topic_are_those_with_half_of_their_pages_on_it() -> None:
    web = SimWeb(Knobs(pages=1000, seed=1))
    found, topic = web.websites("recreation/cycling"), "recreation/cycling"
    shares = {}
    for site in range(web.shape.site_count):
        pages = range(web.shape.sites.start[site], web.shape.sites.start[site + 1])
        cards = [web.addresses.card(page) for page in pages]
        shares[site_of(cards[0].url)] = sum(web.truth(card.url) == topic for card in cards) / len(cards)
    assert found == {host for host, share in shares.items() if share >= 0.5} and found
