"""Whole crawls that render: what only a browser sees is found, and a browser is used where it pays."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.utils.test import get_crawler

from focused.errors import SettingError
from middlewares.render import RenderMiddleware
from tests.middlewares.test_egress import listening
from tests.rig.check import jsonl_is_whole, outputs_agree, pages_done, rows
from tests.rig.handmade import HandmadeWeb, Pages, Reply
from tests.rig.run import Command
from tests.rig.web import ROOT

TEXT = "<p>" + "some words about nothing at all " * 15 + "</p>"
COUNTER = "<script>window.visits = (window.visits || 0) + 1</script>"  # as most pages have one
PATIENT = {"FOCUSED_RENDER_SECONDS": 120}  # the machine may be busy, and this is not about time


def static(*links: str) -> Reply:
    anchors = " ".join(f'<a href="{link}">link</a>' for link in ("A/", "A/s/1", "A/s/2", "A/s/3", "A/s/4", *links))
    return Reply(body=f"<title>relevance 50</title>{COUNTER}{TEXT}{anchors}")


def listing(*links: str) -> Reply:
    """Half of its links are made by a script."""
    made = f"<div id=more></div><script>for (const url of {json.dumps(links)}) more.innerHTML += "
    return Reply(body=static().body + made + "`<a href=${url}>${url}</a>`</script>")


def shell(*links: str) -> Reply:
    """Nothing but a script, which asks for the rest."""
    made = f"const links = {json.dumps(links)}; document.body.append('{TEXT[3:-4]}'); for (const url of links) "
    return Reply(body=f"<title>relevance 90</title><div></div><script>{made}"
                 "document.body.appendChild(document.createElement('a')).href = url</script>")  # fmt: skip


# Of 40 pages 8 make links by script, and each of those leads on to the next: who misses one misses the rest.
MIXED: Pages = {
    "A/": static("A/list/0", *(f"A/s/{n}" for n in range(14))),
    **{f"A/s/{n}": static() for n in range(31)},
    **{f"A/list/{n}": listing(f"A/list/{n + 1}", f"A/s/{14 + 2 * n}", f"A/s/{15 + 2 * n}") for n in range(3)},
    "A/list/3": listing("A/app/0", "A/s/20", "A/s/21"),
    **{f"A/app/{n}": shell(f"A/app/{n + 1}", f"A/s/{22 + 2 * n}", f"A/s/{23 + 2 * n}") for n in range(3)},
    "A/app/3": shell("A/s/28", "A/s/29", "A/s/30"),
}


def crawl_of(web: HandmadeWeb, folder: Path, mode: str, **settings: object) -> Command:
    topic = folder / "topic.toml"
    topic.write_text(f'query = "x"\nseeds = ["{web.url("A/")}"]\n[model]\nkind = "tests.rig.handmade.Told"\n')
    return Command(folder / mode, {"topic": topic}, {"FOCUSED_RENDER": mode, **PATIENT, **settings})


def renders(command: Command) -> int:
    return sum(json.loads(value)["renders"] for (value,) in rows(command.db, "SELECT value FROM memory"))


def test_a_browser_where_it_pays_finds_what_a_browser_everywhere_finds_with_a_third_of_the_renders(
    tmp_path: Path,
) -> None:
    with HandmadeWeb(MIXED) as web:
        never, auto, always = (crawl_of(web, tmp_path, mode) for mode in ("never", "auto", "always"))
        for command in (never, auto, always):
            web.asked.clear()
            ended = command.run(300)
            assert ended.code == 0, str(ended)
            assert len(web.asked) == len(set(web.asked))  # a page is fetched once, shown or not
            outputs_agree(command.data)
    everything = {web.url(name) for name in MIXED}
    assert pages_done(always.db) == everything
    assert renders(always) == len(MIXED) == 40
    assert len(pages_done(auto.db)) >= 0.95 * len(everything)
    assert renders(auto) <= 0.3 * renders(always)
    assert len(pages_done(never.db)) == 16 and renders(never) == 0
    relevance = {item["url"]: item["relevance"] for item in jsonl_is_whole(auto.data / "pages.jsonl")}
    assert relevance[web.url("A/app/3")] == 0.9  # judged once, as shown


def test_links_behind_clicks_have_the_text_and_the_path_of_what_leads_there(tmp_path: Path) -> None:
    page = TEXT + """<ul><li onclick='location = "A/lenses"'>All lenses</li></ul>"""
    with HandmadeWeb({"A/": Reply(body=page), "A/lenses": (0.9, "")}) as web:
        command = crawl_of(web, tmp_path, "auto", FOCUSED_PROBE=1)
        assert command.run(120).code == 0
        assert rows(command.db, "SELECT anchor, dom_path FROM link") == [("All lenses", "/html/body/ul/li")]
        assert pages_done(command.db) == {web.url("A/"), web.url("A/lenses")}


def test_the_budget_of_renders_is_exact_and_holds_over_two_runs(tmp_path: Path) -> None:
    with HandmadeWeb(MIXED) as web:
        command = crawl_of(web, tmp_path, "always", FOCUSED_RENDER_BUDGET=1, FOCUSED_MAX_PAGES=2)
        assert command.run(120).code == 0
        assert command.but(FOCUSED_MAX_PAGES=4).run(120).code == 0
        assert (renders(command), len(pages_done(command.db))) == (1, 4)


def test_the_simulated_web_is_rendered_from_itself(tmp_path: Path) -> None:
    settings = {"FOCUSED_RENDER": "auto", "FOCUSED_PROBE": 1, "FOCUSED_MAX_PAGES": 4, "FOCUSED_ALLOW_ADDRESSES": ""}
    args = {"topic": "cycling", "web": "sim:small,seed=1,script_menus=1"}
    command = Command(tmp_path / "crawl", args, {**settings, **PATIENT})
    ended = command.run(120)
    assert ended.code == 0, str(ended)
    told = [json.loads(value) for (value,) in rows(command.db, "SELECT value FROM memory WHERE name LIKE 'render.%'")]
    assert sum(site["links"] for site in told) > 0


def test_a_recorded_web_is_rendered_from_itself_and_what_was_rendered_is_not_rendered_again(tmp_path: Path) -> None:
    with HandmadeWeb({"A/": listing("A/made"), "A/made": static()}) as web:
        commands = {mode: crawl_of(web, tmp_path, mode, FOCUSED_MAX_PAGES=1) for mode in ("never", "always")}
        for command in commands.values():
            assert command.run(120).code == 0
        home, made = web.url("A/"), web.url("A/made")
    for mode, command in commands.items():
        archive = {"FOCUSED_WEB": f"warc:{command.data}/pages.warc.gz", "FOCUSED_RENDER": "always"}
        replay = Command(tmp_path / f"replay-{mode}", command.args, {**PATIENT, **archive})
        ended = replay.run(120)
        assert ended.code == 0, str(ended)
        assert (made,) in rows(replay.db, "SELECT url FROM page WHERE outcome = 'http_404'")
        assert rows(replay.db, "SELECT url FROM page WHERE outcome = 'ok'") == [(home,)]
        assert renders(replay) == (1 if mode == "never" else 0)


def test_a_script_reaches_what_the_crawl_may_reach_and_nothing_else(tmp_path: Path) -> None:
    with listening("127.0.0.1") as (canary,):
        foreign = f"http://127.0.0.1:{canary.port}"
        page = f"""{TEXT}<script src="{foreign}/app.js"></script><script src="A/app.js"></script>
        <script>fetch("{foreign}/data"); new Image().src = "{foreign}/image"</script>"""
        pages = {"A/": Reply(body=page), "A/app.js": Reply(body="""document.write('<a href="A/made">made</a>')""")}
        with HandmadeWeb({**pages, "A/made": (0.9, "")}) as web:
            command = crawl_of(web, tmp_path, "always", FOCUSED_ALLOW_ADDRESSES="127.0.0.2/32")
            ended = command.run(120)
            assert ended.code == 0, str(ended)
            assert pages_done(command.db) == {web.url("A/"), web.url("A/made")}
        assert (canary.accepts, canary.paths) == (0, [])


def test_without_a_browser_a_crawl_that_would_use_one_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    given = {"FOCUSED_RENDER": "auto", "FOCUSED_BROWSER": "", "FOCUSED_PROBE": False}
    with pytest.raises(NotConfigured):
        RenderMiddleware.from_crawler(get_crawler(settings_dict=given))
    assert [record.getMessage() for record in caplog.records] == [
        "FOCUSED_RENDER=auto renders nothing: no Chromium was found on the PATH: install one (on Debian: apt install "
        "chromium) or give its path as FOCUSED_BROWSER."
    ]
    with pytest.raises(SettingError, match="FOCUSED_RENDER=always needs a browser, but no Chromium was found"):
        RenderMiddleware.from_crawler(get_crawler(settings_dict={**given, "FOCUSED_RENDER": "always"}))


def test_who_does_not_render_does_not_pay_for_it() -> None:
    code = """if True:
    import sys
    from scrapy.utils.test import get_crawler
    from scrapy.exceptions import NotConfigured
    from middlewares.render import RenderMiddleware
    try:
        RenderMiddleware.from_crawler(get_crawler(settings_dict={"FOCUSED_RENDER": "never", "FOCUSED_PROBE": 0}))
    except NotConfigured:
        print("playwright" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "False\n", done.stderr
