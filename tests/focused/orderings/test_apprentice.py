"""The apprentice as an ordering: it learns from what the validator says, and forgets nothing in a death."""

from __future__ import annotations

import json
import random
import tempfile
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focused.errors import SettingError
from focused.orderings.apprentice import ApprenticeCrawler
from focused.orderings.base import make
from focused.store.team import of_site
from tests.focused.orderings.drawn_web import DrawnWeb

SLOW = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
NAMES = [f"{kind}{number}" for number in range(12) for kind in ("camera", "printer")]


class Named(DrawnWeb):
    """The anchor of a link is the kind of thing its page presents."""

    def body(self, name: str) -> bytes:
        links = self.links.get(name, ())
        return "".join(f'<p><a href="{self.url(link)}">{link.rstrip("0123456789")}</a></p>' for link in links).encode()


def shop(seed: int = 0) -> Named:
    chance = random.Random(seed)
    links = {name: chance.sample(NAMES, 5) for name in NAMES}
    links["s"] = chance.sample(NAMES, 8)
    gone = dict.fromkeys(chance.sample(NAMES, 3), "http_404")
    moving = {"camera0": "camera1"} if "camera0" not in gone else {}
    return Named(links, {name: float(name.startswith("camera")) for name in NAMES}, gone, moving)


def crawled(web: Named, **given: int) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        crawl = web.opened(Path(folder) / "crawl", ApprenticeCrawler(**given), "s")
        try:
            return list(web.visits(crawl))
        finally:
            crawl.abandon()


def test_once_it_has_seen_both_it_prefers_the_links_that_lead_to_accepted_pages() -> None:
    order = crawled(shop())
    kinds = [name.rstrip("0123456789") for name in order[1:]]
    both = max(kinds.index("camera"), kinds.index("printer")) + 1
    later = kinds[both:]
    cameras = later.count("camera")
    assert later[: cameras - 2].count("camera") >= cameras - 4  # nearly all of them come before the printers


@SLOW
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 4))
def test_it_goes_on_after_deaths_as_if_nothing_had_happened(seed: int, life: int, refresh: int) -> None:
    web = shop(seed)
    with tempfile.TemporaryDirectory() as folder:
        made = lambda: ApprenticeCrawler(refresh=refresh)  # noqa: E731
        lives = web.visits_in_lives(Path(folder) / "crawl", made, life, seeds="s")
    assert lives == crawled(web, refresh=refresh)


def test_a_site_may_cost_what_it_costs(tmp_path: Path) -> None:
    crawl = shop().opened(tmp_path / "crawl", ApprenticeCrawler(), "s", FOCUSED_SITE_BUDGET=3)
    assert len(list(shop().visits(crawl))) > 10
    crawl.abandon()


def test_what_is_known_of_the_links_to_a_site_goes_to_another_worker_with_it(tmp_path: Path) -> None:
    first, second = ApprenticeCrawler(), ApprenticeCrawler()
    crawl = shop().opened(tmp_path / "crawl", first, "s")
    for _ in islice(shop().visits(crawl), 6):
        pass
    second.bind(first.around)
    kept = {name: json.loads(value) for name, value in crawl.store.load().memory.items() if of_site(name)}
    second.adopt({name.removeprefix("ordering."): part for name, part in kept.items()})
    assert second._to.keys() == first._to.keys() != set()
    crawl.state.leave(1)
    assert not first._to
    crawl.abandon()


def test_a_refresh_of_nothing_is_refused() -> None:
    with pytest.raises(SettingError, match="at least 1"):
        make(ApprenticeCrawler, "refresh=0")
