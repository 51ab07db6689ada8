"""robots.txt is asked for once, and what it said is kept, within bounds."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Any

import pytest

from focused.robots import Robots
from middlewares import robots as robots_module
from tests.middlewares.robots_house import NOTHING, PRIVATE, ROBOTS, SITE, FakeCrawl, House, Said


def test_what_is_known_outlives_the_process() -> None:
    house = House((200, PRIVATE), FakeCrawl(delay=1.0))
    assert house.outcome() == 1.0
    again = House({}, house.crawl)
    assert again.outcome(f"{SITE}/private") == "robots"
    assert again.outcome(f"{SITE}/public") == "fetch"
    assert again.asked == []


@pytest.mark.parametrize(("failures", "outcome"), [(1, 500.0), (3, "robots_unreachable")])
def test_a_restart_is_no_reason_to_ask_an_unreachable_site_sooner(failures: int, outcome: str | float) -> None:
    house = House((503, b""))
    for _ in range(failures):
        house.now += 3600
        house.outcome()
    again = House({}, house.crawl)
    again.now = house.now + 100
    assert again.outcome() == outcome
    assert again.asked == []


def test_no_copy_is_used_for_longer_than_a_day() -> None:
    house = House((200, NOTHING))
    house.outcome()
    house.said[ROBOTS] = (200, b"")
    house.now += 24 * 3600 - 1
    assert house.outcome() == "robots"
    house.now += 2
    assert house.outcome() == "fetch"
    assert len(house.asked) == 2


def test_the_rules_kept_for_another_name_are_not_ours() -> None:
    said: Said = (200, b"User-agent: focused\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n")
    house = House(said)
    assert house.outcome() == "robots"
    other = House(said, house.crawl, agent="other")
    assert other.outcome() == "fetch"
    assert other.asked == [ROBOTS]


def test_links_that_come_together_share_one_request() -> None:
    house = House((200, PRIVATE))
    assert (
        house.outcomes(*[f"{SITE}/private"] * 2, *[f"{SITE}/{i}" for i in range(8)]) == ["robots"] * 2 + ["fetch"] * 8
    )
    assert house.asked == [ROBOTS]
    polite = House((200, PRIVATE), FakeCrawl(delay=2.0))
    assert polite.outcomes(f"{SITE}/a", f"{SITE}/b") == [2.0, 2.0]
    assert polite.asked == [ROBOTS]


def test_one_visit_called_off_does_not_take_the_others_with_it() -> None:
    house = House((200, PRIVATE))

    async def together() -> str | float:
        first = asyncio.ensure_future(house._outcome(f"{SITE}/a", 1))
        second = asyncio.ensure_future(house._outcome(f"{SITE}/b", 1))
        third = asyncio.ensure_future(house._outcome(f"{SITE}/c", 1))
        await asyncio.sleep(0)
        second.cancel()
        with suppress(asyncio.CancelledError):
            await second
        await first
        return await third

    assert asyncio.run(together()) == "fetch"
    assert house.asked == [ROBOTS]


def test_memory_is_bounded_by_sites_and_rules_and_the_store_remembers_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    said: dict[str, Said] = {f"https://h{i}.example/robots.txt": (200, PRIVATE * 2) for i in range(9)}
    for limits in ({"MAX_SITES": 3}, {"MAX_RULES": 6}):
        house = House(said)
        for name, limit in limits.items():
            monkeypatch.setattr(robots_module, name, limit)
        for i in list(range(9)) * 2:
            assert house.outcome(f"https://h{i}.example/private", site_id=i) == "robots"
            assert len(house.middleware._known) <= 3
            assert house.middleware._rules == sum(known.robots.size for known in house.middleware._known.values())
        assert len(house.asked) == 9
        monkeypatch.undo()


def test_a_long_file_is_read_off_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []
    parse = Robots.parse

    def watched(*args: Any) -> Robots:
        threads.append(threading.current_thread())
        return parse(*args)

    monkeypatch.setattr(Robots, "parse", watched)
    rules = b"".join(b"Disallow: /%d/\n" % i for i in range(20_000))
    house = House((200, b"User-agent: *\n" + rules))
    assert house.outcome(f"{SITE}/19999/") == "robots"
    assert House({}, house.crawl).outcome(f"{SITE}/19999/") == "robots"
    assert House((200, PRIVATE)).outcome() == "fetch"
    assert [thread is threading.main_thread() for thread in threads] == [False, False, True]
