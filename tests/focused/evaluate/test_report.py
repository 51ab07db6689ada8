"""focused.evaluate.report: complete, self-contained, and deaf to what strangers wrote."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from focused.evaluate.report import render, write_report
from tests.focused.made_crawl import MadeCrawl, large_crawl, small_crawl
from tests.rig.browser import FLAGS, browser_path

PAYLOAD = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"


class Tags(HTMLParser):
    """Every start tag outside the scripts, with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == name]


def hostile_crawl(folder: Path) -> MadeCrawl:
    crawl = MadeCrawl(folder)
    crawl.fetched("https://a.example/", 0.9, title=PAYLOAD, depth=0, **{"class": PAYLOAD})
    crawl.fetched('https://a.example/"onmouseover="x', title='" onmouseover="x')
    odd = {"url": "javascript:alert(1)", "site_id": 1, "score": 0.5, "depth": 1, "state": 2, "outcome": PAYLOAD}
    crawl.insert("page", **odd, visit=3, relevance=0.99, relevant=1)
    crawl.note(topic=PAYLOAD, stop_reason=PAYLOAD)
    crawl.insert("event", at=1.0, kind=PAYLOAD, detail=PAYLOAD)
    crawl.link(1, 2)
    return crawl


def test_strangers_text_never_becomes_markup(tmp_path: Path) -> None:
    page = render(hostile_crawl(tmp_path).read(), PAYLOAD, {PAYLOAD: [True]})
    tags = Tags(page)
    assert len(tags.all("script")) == 2
    assert tags.all("img") == []
    assert not any(name.startswith("on") for _, attributes in tags.tags for name in attributes)
    assert PAYLOAD not in page


def test_the_head_says_what_was_looked_for_and_how(tmp_path: Path) -> None:
    with small_crawl(tmp_path).read() as reading:
        assert '<p class="quiet">topic made, ordering best_first</p>' in render(reading, "x")


def test_only_addresses_of_the_web_become_links(tmp_path: Path) -> None:
    links = Tags(render(hostile_crawl(tmp_path).read(), "x")).all("a")
    assert len(links) > 2
    assert all(str(link["href"]).startswith(("http://", "https://")) for link in links)
    assert all(link["rel"] == "noreferrer noopener" for link in links)


def test_nothing_is_loaded_and_only_our_scripts_run(tmp_path: Path) -> None:
    tags = Tags(render(small_crawl(tmp_path).read(), "x"))
    policy = str(tags.all("meta")[1]["content"])
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-inline" not in policy.split("style-src")[0]
    assert not any("src" in attributes for _, attributes in tags.tags)
    assert tags.all("link") == []


def test_every_table_of_the_contract_is_there(tmp_path: Path) -> None:
    page = render(large_crawl(tmp_path, pages=300).read(), "cycling")
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    assert headings == [
        *("Harvest", "Relevant pages found", "Pages of the best sites", "Pages by relevance"),
        *("Best pages", "Best sites", "Best hubs so far", "Authorities", "Categories"),
        *("Outcomes", "Tries", "Events", "About the crawl"),
    ]


def test_what_hubs_promoted_is_told_with_what_came_of_it(tmp_path: Path) -> None:
    made = MadeCrawl(tmp_path)
    hub, good, bad = (made.fetched(f"http://site{value}.example/", value) for value in (0.9, 0.8, 0.1))
    waiting = made.page("http://d.example/")
    for page in (good, bad, waiting):
        made.insert("event", at=1.0, kind="promoted", detail=f"page {page}: hub {hub} links to it")
    rows = re.search(r"<h2>Promoted by hubs</h2>.*?<tbody>(.*?)</tbody>", render(made.read(), "x"), re.DOTALL)
    assert rows is not None and rows[1].count("<tr>") == 1
    assert re.findall(r"<td class=.number.>(\d+)</td>", rows[1]) == ["3", "2", "1"]  # links, fetched, relevant


def test_alarm_is_shown(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path)
    crawl.fetched("http://a.example/")
    assert "Stagnation" in render(crawl.read(), "x")


def test_empty_crawl_has_a_report(tmp_path: Path) -> None:
    page = render(MadeCrawl(tmp_path).read(), "nothing")
    assert "no page yet" in page and "script-src 'none'" in page


def test_report_is_written_into_the_folder_and_nothing_else_is_left(tmp_path: Path) -> None:
    with small_crawl(tmp_path).read() as reading:
        path = write_report(reading, tmp_path)
    assert path == tmp_path / "report.html"
    assert sorted(file.name for file in tmp_path.iterdir() if not file.name.startswith("crawl.db")) == ["report.html"]


def test_browser_draws_every_figure_and_asks_nobody(tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    path = tmp_path / "report.html"
    path.write_text(render(hostile_crawl(tmp_path / "crawl").read(), "x", {PAYLOAD: [True, False]}), "utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        page, seen = browser.new_page(), []
        page.on("request", lambda request: seen.append(request.url))
        page.on("console", lambda message: seen.append(message.text))
        page.on("pageerror", lambda error: seen.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_selector("#pages-by-relevance .main-svg")
        drawn, title = page.locator(".js-plotly-plot").count(), page.title()
        browser.close()
    assert (drawn, title, seen) == (4, "Crawl x", [path.as_uri()])
