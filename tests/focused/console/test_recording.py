"""Browsing recorded in a real browser, and what keeps strangers' pages and strangers out of it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from focused.console.framing import POLICY, framed
from focused.sessions import browsed, read
from focused.webs import open_web
from models.browsing import Browsing
from models.text import Vocabulary
from tests.focused.console.payloads import PAYLOADS
from tests.focused.console.running import ENV, Console, browsing, until

WEB = "sim:small,seed=1"
TOPIC = 'query = "recreational cycling, bicycle clubs"\n[sim]\ntopic = "recreation/cycling"\n'


@contextmanager
def recording(folder: Path, *words: str) -> Iterator[Console]:
    """`scrapy topics record bikes`, as a person starts it."""
    (folder / "topics/bikes").mkdir(parents=True)
    (folder / "topics/bikes/topic.toml").write_text(TOPIC)
    command = [sys.executable, "-m", "scrapy", "topics", "record", "bikes", *words]
    with subprocess.Popen(command, cwd=folder, env=ENV, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r":(\d+)/topics/bikes/record#token=(\S+)", process.stdout.readline())
            assert found, "the recorder did not start"
            yield Console(folder, int(found[1]), found[2])
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    with recording(tmp_path_factory.mktemp("recorder"), "--web", WEB) as console:
        yield console


def steps_of(console: Console) -> list[tuple[str, str, bool]]:
    found = read(console.folder / "topics/bikes/sessions.jsonl").steps
    return [(step.url, step.referrer, step.relevant) for step in found]


def test_a_person_browses_marks_pages_and_the_hmm_learns_from_it(recorder: Console) -> None:
    with browsing(recorder) as page:
        page.goto(f"{recorder.address}/topics/bikes/record")
        page.locator("main form button.plain").first.click()  # one of the seeds
        page.wait_for_selector("#frame")
        frame, visited = page.frame_locator("#frame"), page.locator("#steps .steps li")
        until(lambda: visited.count() == 1)
        assert page.locator("#said").inner_text() == ""
        assert not page.locator("main form button.plain").first.is_visible()  # the seeds make room for the page
        page.set_viewport_size({"width": 800, "height": 800})
        mark = page.get_by_role("button", name="Relevant", exact=True)
        assert mark.bounding_box()["y"] < page.locator("#frame").bounding_box()["y"] < 800
        page.set_viewport_size({"width": 1280, "height": 800})
        web, seen = open_web(WEB), {page.locator("#steps p.quiet").first.inner_text()}
        for number in range(2, 6):
            last = quote(page.locator("#steps p.quiet").first.inner_text(), safe="")
            until(
                lambda last=last: frame.locator(f'a[href$="from={last}"]').count()
            )  # the page that was opened is there
            links = frame.locator("a[href]")
            targets = [parse_qs(urlsplit(link.get_attribute("href")).query)["url"][0] for link in links.all()]
            good = next(at for at, url in enumerate(targets) if url not in seen and b"<a " in web.fetch(url).body)
            seen.add(targets[good])
            links.nth(good).click()
            until(lambda wanted=number: visited.count() == wanted)
            if number in (2, 4):
                page.get_by_role("button", name="Relevant", exact=True).click()
                until(lambda wanted=number // 2: page.locator("#steps li.good").count() == wanted)
        assert page.evaluate("document.querySelector('#frame').contentDocument") is None  # an origin of its own
    steps = steps_of(recorder)
    assert [relevant for _, _, relevant in steps] == [False, True, False, True, False]
    assert [referrer for _, referrer, _ in steps] == ["", *(url for url, _, _ in steps[:-1])]  # click by click
    assert "sessions.jsonl" in (recorder.folder / "topics/bikes/topic.toml").read_text()
    vocabulary = Vocabulary()
    learned = browsed(read(recorder.folder / "topics/bikes/sessions.jsonl").steps, vocabulary)
    assert (len(learned.pages), len(learned.links)) == (5, 4)
    assert Browsing.fit(vocabulary, learned, "kmeans", 4).hmm is not None
    words = "crawl topic -a topic=bikes -a ordering=hmm -a max_pages=10 -s FOCUSED_PROGRESS=0".split()
    command = [sys.executable, "-m", "scrapy", *words, "-a", f"web={WEB}"]
    assert subprocess.run(command, cwd=recorder.folder, env=ENV, capture_output=True, timeout=120).returncode == 0


def test_without_token_and_key_nothing_is_fetched_or_shown(recorder: Console) -> None:
    base = "/topics/bikes"
    assert recorder.change(f"{base}/open", token="wrong", url="http://a.example/").status == 403
    assert recorder.get(f"{base}/open?url=http://a.example/").status in (404, 405)
    assert recorder.get(f"{base}/recorded/guess").status == 404
    assert recorder.get(f"{base}/recorded/guess?url=http://a.example/").status == 404
    assert recorder.get(f"{base}/record", Host="evil.example").status == 400


def test_the_frame_is_a_sandbox_that_may_load_nothing(recorder: Console) -> None:
    seed = re.search(r'name="url" value="(http[^"]+)"', recorder.get("/topics/bikes/record").text)
    assert seed is not None and recorder.change("/topics/bikes/open", url=seed[1]).status == 200
    outer = recorder.get("/topics/bikes/record")
    assert "frame-src 'self'" in outer.headers["content-security-policy"]
    address = re.search(r'src="(/topics/bikes/recorded/[^"]+)"', outer.text)
    assert address is not None and 'sandbox=""' in outer.text
    inner = recorder.get(address[1])
    assert inner.headers["content-security-policy"] == POLICY and "sandbox" in POLICY.split("; ")
    assert "allow-scripts" not in POLICY and "default-src 'none'" in POLICY
    hrefs = re.findall(r'href="([^"]*)"', inner.text)
    assert hrefs and all(href.startswith(address[1]) for href in hrefs)
    assert recorder.get(f"{address[1]}?url=javascript:alert(1)").status == 400
    assert recorder.get(f"{address[1]}?url=http://nowhere.example/").status == 400


def test_addresses_of_this_machine_are_refused_on_the_real_web(tmp_path: Path) -> None:
    with recording(tmp_path) as console:
        answer = console.change("/topics/bikes/open", url=f"{console.address}/")
        assert answer.status == 400 and "cannot be shown" in answer.text and "egress" in answer.text


def test_nothing_that_runs_loads_or_leads_away_is_left_of_a_page() -> None:
    body = "<base href='http://evil.example/x/'><a href='y' target=_top onclick=steal()>in</a>" + "".join(
        f'<p>{payload}</p><a href="{payload}">{payload}</a>' for payload in PAYLOADS
    )
    html = framed(body.encode(), "text/html", "http://a.example/", lambda url: f"/through?{url}")
    framesets = framed(b"<frameset><frame src=/top><frame src=javascript:x></frameset>", "", "http://a.example/", str)
    assert re.findall(r'href="(.*?)"', framesets) == ["http://a.example/top"]
    hrefs = re.findall(r"<a[^>]* href=\"([^\"]*)\"", html)
    assert hrefs[0] == "/through?http://evil.example/x/y"
    assert all(href.startswith("/through?http") for href in hrefs)
    for tag in ("script", "iframe", "object", "embed", "meta", "base", "link", "style", "svg"):
        assert f"<{tag}" not in html.lower(), tag
    tags = re.findall(r"<[a-z][^>]*>", html)
    assert not [tag for tag in tags if re.search(r"\s(on\w+|src|srcset|style|target|action|formaction)=", tag)]


def test_a_topic_that_came_with_the_project_is_not_recorded_for(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scrapy", "topics", "record", "cycling"]
    done = subprocess.run(command, cwd=tmp_path, env=ENV, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "came with the project" in done.stdout + done.stderr
