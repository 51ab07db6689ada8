"""The console in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from focused.console.keeping import LARGE
from focused.console.trainings import kept
from focused.evaluate.wording import clean
from focused.store.queries import Reading
from focused.urls import canonical
from tests.focused.console.made_topic import write_topic
from tests.focused.console.payloads import PAYLOADS
from tests.focused.console.running import Console, browsing, crawl, running, until
from tests.focused.made_crawl import MadeCrawl, small_crawl

# What a payload would have made of itself.
MADE = "main :is(script, img, iframe, object, embed, video, style, base, [onerror], [onload], a[href^=javascript])"
SIZE = {"width": 1200, "height": 900}


def hostile_crawl(folder: Path, payloads: list[str]) -> None:
    """A payload each as title, class, anchor and in the URL of a page; the first page links to all."""
    made = MadeCrawl(folder)
    for number, payload in enumerate(payloads, 1):
        url = canonical(f"http://site{number}.example/{payload}") or ""
        made.fetched(url, 0.6 + number / 1000, title=payload, depth=0, score=1.0, **{"class": payload})
        made.site(f"site{number}.example", why=payload)
        made.link(1, number, payload)
        made.insert("event", at=time.time(), kind=payload, detail=payload)
    made.fetched("javascript:window.hacked=1//", 1.0, title="a URL that no crawl would follow")
    made.note(topic=payloads[0], ordering=payloads[1], web=payloads[2], started_at=1.0)
    made.save()


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    folder = tmp_path_factory.mktemp("console")
    write_topic(folder / "topics/bikes")
    for half in range(2):
        hostile_crawl(folder / f"crawls/hostile{half}", PAYLOADS[half::2])
    small_crawl(folder / "crawls/small").save()
    MadeCrawl(folder / "crawls/empty").save()
    large = small_crawl(folder / "crawls/large")
    large.fetched("http://b.example/far", visit=LARGE + 10_000)
    large.save()
    with running(folder) as found:
        yield found


@pytest.fixture(scope="module")
def page(console: Console) -> Iterator[Any]:
    with browsing(console) as found:
        found.set_viewport_size(SIZE)
        yield found


def test_the_token_leaves_the_address_at_once(console: Console, page: Any) -> None:
    assert page.url == f"{console.address}/"
    assert page.evaluate("localStorage.getItem('focused-token')") == console.token
    assert page.locator(".key").is_hidden()


def test_the_plot_moves_while_a_crawl_runs(console: Console, page: Any) -> None:
    plot, folder = page.locator("#plot"), console.folder / "crawls/cycling"
    with crawl(console.folder, "cycling", 5000) as process:
        try:
            until(lambda: (folder / "pages.jsonl").is_file() and (folder / "pages.jsonl").stat().st_size)
            page.goto(f"{console.address}/crawls/cycling")
            page.wait_for_selector("#plot .points path")
            first = int(plot.get_attribute("data-last"))
            until(lambda: int(plot.get_attribute("data-last")) >= first + 50)
            assert 0.2 <= float(plot.get_attribute("data-top")) < 1  # cosines are small, and are seen all the same
            assert "Running" in page.locator("#panel").inner_text()
            assert int(page.locator("#panel .numbers b").first.inner_text().replace(",", "")) > 0
        finally:
            process.kill()


def test_a_click_on_a_dot_explains_the_page(console: Console, page: Any) -> None:
    page.goto(f"{console.address}/crawls/small")
    page.wait_for_selector("#plot .points path")
    assert page.locator("#plot").get_attribute("data-dots") == "4"
    assert page.locator("#plot").get_attribute("data-top") == "1"
    box = page.locator("#plot .trace").nth(1).locator("path.point").nth(1).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x + 3, y + 3)
    page.mouse.move(x, y)
    until(lambda: page.locator("#hint").inner_text() == "page 3, relevance 0.900: One")
    page.mouse.click(x, y)
    page.wait_for_url("**/explain?page=3")
    assert "Fetched as page 3" in page.locator("main").inner_text()


def test_no_dot_is_cut_at_the_edge(console: Console, page: Any) -> None:
    page.goto(f"{console.address}/crawls/small")
    page.wait_for_selector("#plot .points path")
    area = page.locator("#plot .nsewdrag").bounding_box()
    boxes = [point.bounding_box() for point in page.locator("#plot path.point").all()]
    assert min(box["x"] for box in boxes) >= area["x"]
    assert max(box["x"] + box["width"] for box in boxes) <= area["x"] + area["width"]


def test_a_crawl_without_pages_says_so(console: Console, page: Any) -> None:
    page.goto(f"{console.address}/crawls/empty")
    until(lambda: "No page yet." in page.locator("#panel").inner_text())
    assert page.locator("#plot").inner_text() == "No page was fetched yet."


def test_a_large_crawl_is_filled_in_piece_by_piece(console: Console, page: Any) -> None:
    page.goto(f"{console.address}/crawls/large")
    page.wait_for_selector("#plot .points path")
    until(lambda: "URLs known" in page.locator("#panel").inner_text())
    ticks = page.locator("#plot .xtick").all_text_contents()
    assert "30,000" in ticks and not any("k" in tick for tick in ticks)
    page.goto(f"{console.address}/crawls/large/results")
    page.locator("#jump a", has_text="Categories").click()
    assert page.locator("section#authorities h2").is_visible()
    assert page.locator(".later p", has_text="Counting").count() == 0


@pytest.mark.parametrize("half", range(2))
def test_a_hundred_payloads_are_shown_and_never_run(console: Console, page: Any, half: int) -> None:
    base = f"{console.address}/crawls/hostile{half}"
    for path in ("", "/results", "/explain?page=1", "/results?q=window.hacked"):
        page.goto(base + path)
        if not path:
            page.wait_for_selector("#plot .points path")
        text = " ".join(page.locator("main").inner_text().split())
        shown = [payload for payload in PAYLOADS[half::2] if clean(payload) in text]
        assert len(shown) == 50 if path in ("/results", "/explain?page=1") else len(shown) > 5, path
        assert (page.evaluate("window.hacked"), page.locator(MADE).count()) == (None, 0), path


def test_what_is_searched_for_is_shown_and_never_run(console: Console, page: Any) -> None:
    assert len(set(PAYLOADS)) == 100
    page.goto(f"{console.address}/crawls/hostile0/results?q=" + quote(PAYLOADS[2]))
    assert page.get_by_label("Search").input_value() == PAYLOADS[2]
    assert (page.evaluate("window.hacked"), page.locator(MADE).count()) == (None, 0)


def relevant_classes(folder: Path, after: int) -> set[str]:
    with Reading(folder / "crawls/bikes/crawl.db") as reading:
        return {row[4] for row in reading.pages() if row[3] and row[7] > after}


def test_marking_a_class_changes_the_topic_and_the_next_verdicts(console: Console, page: Any) -> None:
    breadth = ("-a", "ordering=breadth_first")
    assert crawl(console.folder, "bikes", 40, *breadth).wait() == 0
    assert relevant_classes(console.folder, 0) == {"Recreation/Cycling"}
    page.goto(f"{console.address}/topics/bikes")
    sailing = page.locator(".tree li", has_text="Sailing")
    sailing.get_by_role("button", name="mark good").click()
    page.locator(".tree li.good", has_text="Sailing").wait_for()
    until(lambda: page.locator("#said").inner_text() == "Recreation/Sailing is marked (good)")
    page.locator(".tree li", has_text="Cycling").get_by_role("button", name="unmark").click()
    until(lambda: page.locator(".tree li.good").count() == 1)
    text = (console.folder / "topics/bikes/topic.toml").read_text()
    assert 'good = ["Recreation/Sailing"]  # for now' in text
    assert crawl(console.folder, "bikes", 90, *breadth).wait() == 0  # no training in between
    assert relevant_classes(console.folder, 40) == {"Recreation/Sailing"}


def test_a_text_is_classified_and_the_model_trained(console: Console, page: Any) -> None:
    page.goto(f"{console.address}/topics/bikes")
    page.get_by_label("Page").fill("Pedals, brakes and wheels of a mountain bicycle <script>window.hacked=1</script>")
    page.get_by_role("button", name="Classify").click()
    page.wait_for_selector("#classified table")
    assert "Recreation/Cycling" in page.locator("#classified").inner_text()
    assert "bicycl" in page.locator("#classified .parts").inner_text()
    page.get_by_role("button", name="Train").click()
    until(lambda: "Trained: taxonomy" in page.locator("#training").inner_text())
    until(lambda: page.locator("#said").inner_text() == "")  # no longer that it has begun
    assert kept(console.folder / "crawls/bikes").startswith("taxonomy, precision ")
    page.get_by_role("button", name="Suggest").click()
    page.wait_for_selector("#suggested > *")
    assert page.evaluate("window.hacked") is None


def test_without_the_token_nothing_changes(console: Console, page: Any) -> None:
    before = (console.folder / "topics/bikes/topic.toml").read_text()
    page.evaluate("localStorage.setItem('focused-token', 'wrong')")
    page.goto(f"{console.address}/topics/bikes")
    page.locator(".tree li", has_text="Investing").get_by_role("button", name="mark good").click()
    page.locator("#said.wrong").wait_for()
    assert "open the address that the terminal shows" in page.locator("#said").inner_text()
    assert (console.folder / "topics/bikes/topic.toml").read_text() == before
