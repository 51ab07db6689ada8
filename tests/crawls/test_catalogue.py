"""xCrawl as people run it: scrapy crawl catalogue, with seeds or a search engine, and with what goes wrong."""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from focused.store.pageindex import PageIndex
from focused.urls import site_of
from focused.webs import open_web
from models.model import Readable
from tests.focused.search.answering import Server, served
from tests.rig.check import meta, rows
from tests.rig.run import Command, Ended, Run
from tests.rig.web import ROOT

WEB = "sim:catalogue,pages=100,shops=1,seed=1"
TABLE = '[model]\nkind = "table"\nattributes = ["processor CPU", "memory RAM", "hard disk", "graphics", "keyboard"]\n'
SIM = '[sim]\ntopic = "catalogue/notebooks"\n'


class Raising:
    """A validator of somebody's own that fails."""

    def accept(self, page: Readable) -> bool:
        raise RuntimeError(page.url)


def things(count: int, first: int = 0) -> list[str]:
    found = list(open_web(WEB).pages_of("catalogue/notebooks"))  # type: ignore[attr-defined]
    return found[first : first + count]


def command(folder: Path, topic: str, pages: int = 40, **settings: object) -> Command:
    path = folder / "topic.toml"
    path.write_text(f'query = "notebooks"\n{topic}')
    args = {"topic": path, "web": WEB, "max_pages": pages, "ordering_args": "max_iterations=20"}
    return Command(folder / "data", args, {"FOCUSED_STRICT_ORDER": 1, **settings}, spider="catalogue")


def ran(made: Command, code: int = 0) -> Ended:
    ended = made.run()
    assert ended.code == code, str(ended)
    return ended


def events(made: Command) -> dict[str, str]:
    return {kind: detail for kind, detail in rows(made.db, "SELECT kind, detail FROM event") if "search" in kind}


def test_all_things_of_a_shop_are_found_and_little_else(tmp_path: Path) -> None:
    made = command(tmp_path, f"seeds = {things(2, 50)}\n{TABLE}", pages=0)
    ran(made)
    existing = set(things(10_000))
    found = {url for (url,) in rows(made.db, "SELECT url FROM page WHERE relevant = 1")}
    had = rows(made.db, "SELECT count(*) FROM page WHERE visit IS NOT NULL")[0][0]
    print(f"{len(found)} of {len(existing)} things in {had} pages")
    assert meta(made.db, "stop_reason") == "finished"
    assert found <= existing and len(found) >= 0.9 * len(existing) and had <= 2 * len(existing)
    assert {site_of(url) for url in found} == {site_of(url) for url in existing}
    why = rows(made.db, "SELECT state, why FROM site WHERE pages > 0")
    assert why[0][0] == "closed" and str(why[0][1]).startswith(f"searched: {len(found)} accepted, ")
    assert len((made.data / "pages.jsonl").read_text().splitlines()) == len(found)


def scripted(folder: Path) -> Command:
    """A shop whose menu is made by scripts; nothing is said of a browser."""
    made = command(folder, f"seeds = {things(1, 50)}\n{TABLE}", pages=3, FOCUSED_RENDER_SECONDS=120)
    return replace(made, args={**made.args, "web": f"{WEB},shop_scripts=1"})


def test_a_menu_made_by_a_script_is_found_without_being_asked_for(tmp_path: Path) -> None:
    made = scripted(tmp_path)
    ran(made)
    told = [json.loads(value) for (value,) in rows(made.db, "SELECT value FROM memory WHERE name LIKE 'render.%'")]
    assert sum(site["links"] for site in told) > 0
    assert rows(made.db, "SELECT count(*) FROM page WHERE url LIKE '%/monitors/'") == [(1,)]  # only the menu says so
    assert float(meta(made.db, "seconds")) > float(meta(made.db, "seconds_rendering")) > 0


def test_without_a_browser_it_says_so_once_and_goes_on(tmp_path: Path) -> None:
    made = scripted(tmp_path)
    env = {**os.environ, "PATH": str(tmp_path)}
    done = subprocess.run(made.argv, cwd=ROOT, env=env, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("FOCUSED_RENDER=auto renders nothing: no Chromium was found on the PATH") == 1
    assert rows(made.db, "SELECT count(*) FROM page WHERE visit IS NOT NULL") == [(3,)]
    assert rows(made.db, "SELECT count(*) FROM page WHERE url LIKE '%/monitors/'") == [(0,)]


def test_a_limit_holds_while_the_search_goes_on(tmp_path: Path) -> None:
    answer = {"number_of_results": 9, "results": [{"url": url} for url in things(9)]}
    with served((200, {}, answer)) as server:
        table = f'[search]\nengine = "searxng:{server.address}"\ntokens = ["a", "b", "c", "d"]\n'
        made = command(tmp_path, f"{table}{TABLE}", pages=4)
        ran(made)
        assert meta(made.db, "stop_reason") == "max_pages"
        assert len(server.heard) == 4 + 1  # each token by itself, and one query; its answers are enough


def test_a_search_engine_over_http_finds_the_seeds(tmp_path: Path) -> None:
    answer = {"number_of_results": 9, "results": [{"url": url} for url in [*things(3), "mailto:nobody", ""]]}
    with served((200, {}, answer)) as server:
        table = f'[search]\nengine = "searxng:{server.address}"\ntokens = ["a", "b", "c", "d"]\n'
        made = command(tmp_path, f"{table}{TABLE}")
        ran(made)
        asked = [heard.parameters["q"] for heard in server.heard]
        assert asked == ["a", "b", "c", "d", "b a c", "b a d", "b c d", "a c d"]
        assert events(made) == {"search_done": "8 queries, 20 answers"}
        first = [url for (url,) in rows(made.db, "SELECT url FROM page WHERE visit <= 3 ORDER BY visit")]
        assert first == things(3)
        again = Command(made.folder, {**made.args, "max_pages": 50}, made.settings, made.spider)
        ran(again)
        assert len(server.heard) == len(asked)  # answers are kept


ANSWER = (200, {}, {"number_of_results": 9, "results": [{"url": url} for url in things(3)]})
TOKENS = ["zoom", "keyboard", "memory", "graphics"]
COUNTED, FIRST = len(TOKENS), "keyboard zoom memory"  # what was asked before anything could be learned


def updating(folder: Path, server: Server, update: str) -> Command:
    folder.mkdir()
    table = f'[search]\nengine = "searxng:{server.address}"\ntokens = {TOKENS}\nupdate_tokens = {update}\n'
    return command(folder, f"{table}{TABLE}")


def queries(server: Server) -> list[str]:
    return [heard.parameters["q"] for heard in server.heard][COUNTED:]


def test_queries_follow_what_accepted_pages_say_of_the_tokens_if_that_is_wanted(tmp_path: Path) -> None:
    with served(ANSWER) as still, served(ANSWER) as moving:
        ran(updating(tmp_path / "still", still, "false"))
        made = updating(tmp_path / "moving", moving, "true")
        ran(made)
        assert queries(still)[0] == queries(moving)[0] == FIRST
        assert sorted(map(set, queries(still)), key=sorted) == sorted(map(set, queries(moving)), key=sorted)
        assert queries(still)[1] == "keyboard zoom graphics"  # as far from the middle as the user had put them
        assert "zoom" not in queries(moving)[1]  # which no accepted page has
        kept = rows(made.db, "SELECT value FROM memory WHERE name LIKE 'search.words %'")
        assert len(kept) == 3 and all(0 < share <= 1 for (value,) in kept for share in json.loads(value).values())


def test_updated_tokens_survive_a_kill(tmp_path: Path) -> None:
    busy = (503, {}, b"")
    with served(ANSWER) as server, served(*[ANSWER] * (COUNTED + 1), busy, ANSWER) as failing:
        ran(updating(tmp_path / "whole", server, "true"))
        made = updating(tmp_path / "killed", failing, "true")
        with Run(made) as run:
            while run.alive() and len(failing.heard) < COUNTED + 2:  # it waits for the busy engine now
                time.sleep(0.003)
            time.sleep(0.4)  # until all pages are committed: none is read again
            assert run.kill().code == -9
        ran(made)
        assert list(dict.fromkeys(queries(failing))) == queries(server)


def test_without_an_engine_a_frozen_web_is_searched_itself(tmp_path: Path) -> None:
    made = command(
        tmp_path,
        f'[search]\ntokens = ["processor", "keyboard", "battery"]\n{TABLE}[sim]\ntopic = "catalogue/notebooks"\n',
    )
    ran(made)
    assert meta(made.db, "stop_reason") == "max_pages"
    assert rows(made.db, "SELECT sum(relevant) FROM page")[0][0] >= 10


def test_answers_on_a_site_that_was_closed_meanwhile_do_not_hold_up_the_search(tmp_path: Path) -> None:
    """Eight at once of a site: its walk may end while answers still wait there."""
    args = {"topic": "cameras", "web": "sim:catalogue,seed=3", "max_pages": 40}
    made = Command(tmp_path / "data", args, {"CONCURRENT_REQUESTS": 8}, spider="catalogue")
    ran(made)
    assert meta(made.db, "stop_reason") == "max_pages"


def test_an_earlier_crawl_can_be_searched(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    before = command(tmp_path / "before", f"seeds = {things(2)}\n{TABLE}", pages=5)
    ran(before)
    made = command(tmp_path, f'[search]\ntokens = ["keyboard"]\n{TABLE}', FOCUSED_SEARCH=f"crawl:{before.data}")
    ran(made)
    known = {url for (url,) in rows(before.db, "SELECT url FROM page WHERE relevant = 1")}
    seeds = {url for (url,) in rows(made.db, "SELECT url FROM page WHERE depth = 0")}
    assert known and known <= seeds and events(made) == {"search_done": f"1 queries, {len(seeds)} answers"}


def test_a_search_without_answers_ends_the_crawl_under_its_name(tmp_path: Path) -> None:
    PageIndex(tmp_path / "known.db").fill([("a page", "about boats", "http://a.example/")])
    made = command(tmp_path, f'[search]\nengine = "index:{tmp_path}/known.db"\ntokens = ["zoom"]\n{TABLE}')
    ended = ran(made, code=1)
    assert meta(made.db, "stop_reason") == "search_no_answers" and "knows no page" in ended.out


def test_a_quota_that_was_reached_can_be_raised(tmp_path: Path) -> None:
    table = '[search]\ntokens = ["processor", "keyboard", "battery", "memory"]\nquota = 2\n'
    made = command(tmp_path, f"{table}{TABLE}{SIM}", pages=5)
    ended = ran(made, code=1)
    assert meta(made.db, "stop_reason") == "search_quota" and "raise quota in [search], and run" in ended.out
    ran(command(tmp_path, f"{table.replace('quota = 2', 'quota = 20')}{TABLE}{SIM}", pages=5))
    assert rows(made.db, "SELECT count(*) FROM page WHERE visit IS NOT NULL") == [(5,)]


@pytest.mark.parametrize(
    ("trouble", "event"), [("down", "search_down"), ("quota", "search_quota"), ("silent", "search_no_answers")]
)
def test_when_the_engine_fails_the_crawl_goes_on_with_its_seeds(tmp_path: Path, trouble: str, event: str) -> None:
    pages = [("a notebook", "zoom lens sensor", url) for url in things(2, 80)]
    PageIndex(tmp_path / "known.db").fill(pages if trouble == "quota" else [])
    if trouble == "down":
        (tmp_path / "known.db").write_bytes(b"no database, but long enough to be taken for one" * 100)
    table = f'[search]\nengine = "index:{tmp_path}/known.db"\ntokens = ["zoom", "lens", "sensor", "x"]\nquota = 6\n'
    made = command(tmp_path, f"seeds = {things(1)}\n{table}{TABLE}", pages=10)
    if trouble == "silent":
        made = command(tmp_path, f"seeds = {things(1)}\n{table.replace('quota = 6', '')}{TABLE}", pages=10)
    ran(made)
    assert list(events(made)) == [event]
    assert rows(made.db, "SELECT count(*) FROM page WHERE visit IS NOT NULL") == [(10,)]


def test_a_validator_that_raises_rejects_and_the_crawl_goes_on(tmp_path: Path) -> None:
    made = command(tmp_path, f'seeds = {things(1)}\n[model]\nkind = "tests.crawls.test_catalogue.Raising"\n', pages=10)
    ended = ran(made)
    assert rows(made.db, "SELECT count(*), sum(relevant) FROM page WHERE visit IS NOT NULL") == [(10, 0)]
    told = rows(made.db, "SELECT detail FROM event WHERE kind = 'not_judged'")
    assert told == [(f"{things(1)[0]}: RuntimeError: {things(1)[0]}",)]  # of the first page, and once
    assert "not judged: 10" in ended.out and ended.err.count("could not be judged") == 1


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ('engine = "altavista"', "no search engine"),
        ('engine = "brave"', "BRAVE_SEARCH_KEY"),
        ("tokens = 5", "not a list of words"),
        ("word = 3", "'word'"),
        ('engine = "crawl:/nowhere"', "/nowhere"),
    ],
)
def test_mistakes_in_the_search_table_stop_at_the_start(tmp_path: Path, search: str, said: str) -> None:
    made = command(tmp_path, f"[search]\n{search}\n{TABLE}{SIM}")
    ended = ran(made, code=1)
    assert said in ended.err and ended.err.count("Error:") == 1 and not made.db.exists()
