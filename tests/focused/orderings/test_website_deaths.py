"""Two hundred internal crawls under way when the process dies: what it left on the disk is taken up exactly."""

from __future__ import annotations

import copy
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from focused.crawl import Crawl
from focused.discovery import Asked
from focused.graph import LinkGraph
from focused.options import Options
from focused.orderings.base import Surroundings, make
from focused.orderings.website import WebsiteCrawler
from focused.outputs import Exchange
from focused.page import PageReader
from focused.store.sqlite import SqliteStore
from focused.topic import Topic
from focused.urls import key_of, site_of
from focused.visit import Visit
from models.text import Vocabulary
from tests.rig.check import db_is_whole, rows
from tests.rig.handmade import Told

SITES, START, PAGES, ACTIVE = 260, 220, 8, 200
# A verdict must not depend on which site was finished first: the prior is fixed, and none is read on for its links.
ARGUMENTS = f"active={ACTIVE},prior=0.5,l_threshold=0,collapse=0"
HOMES = [f"http://s{n}.example/" for n in range(SITES)]


def made_web(seed: int) -> dict[str, bytes]:
    """Small sites that link to each other, the last ones reached by links only. One page in ten is missing."""
    chance, pages = random.Random(seed), dict[str, bytes]()
    for number, home in enumerate(HOMES):
        leaning = chance.choice((0.25, 0.45, 0.55, 0.75))
        for page in range(PAGES):
            links = [f"{home}{inner}" for inner in chance.sample(range(1, PAGES), 3)] + chance.sample(HOMES, 2)
            links += [HOMES[START + number]] if page == 0 and START + number < SITES else []
            confidence = leaning + chance.uniform(-0.2, 0.2)
            body = "".join(f'<a href="{link}">link</a> ' for link in links)
            if chance.random() > 0.1 or (page == 0 and number < SITES - START):
                pages[f"{home}{page or ''}"] = f"<title>relevance {100 * confidence:.0f}</title>{body}".encode()
    return pages


class Life:
    """A crawl of whole websites from its start to its death, with as many requests in flight as it gives."""

    def __init__(self, folder: Path, web: dict[str, bytes], seed: int) -> None:
        self.web, self.chance = web, random.Random(seed)
        self.in_flight: list[Visit] = []
        is_new = not folder.exists()
        folder.mkdir(exist_ok=True)
        made = make(WebsiteCrawler, ARGUMENTS)
        assert isinstance(made, WebsiteCrawler)
        self.ordering, vocabulary = made, Vocabulary((100, {}))
        model = Told(vocabulary, "")
        made.bind(Surroundings(Topic("t", "x"), model, 0, vocabulary, LinkGraph()))
        self.crawl = Crawl(options(folder), SqliteStore(folder / "crawl.db"), made, model, PageReader(vocabulary))
        for home in HOMES[:START] if is_new else ():
            self.crawl.ask(Asked(home, key_of(home)))

    @property
    def known(self) -> tuple[Any, ...]:
        """What is under way, the border, the counts."""
        return copy.deepcopy((self.ordering._under_way, self.ordering._border, self.ordering._counts))

    def goes_on(self, answers: int) -> int:
        """So many requests are answered, in any order; how many were."""
        for number in range(answers):
            while visit := self.crawl.next():
                self.in_flight.append(visit)
            if not self.in_flight:
                return number
            self._answer(self.in_flight.pop(self.chance.randrange(len(self.in_flight))))
        return answers

    def _answer(self, visit: Visit) -> None:
        body = self.web.get(visit.url)
        if body is None:
            return self.crawl.failed(visit, "http_404")
        visit.exchange = Exchange(visit.url, "GET", [], 200, [], body, 0.0)
        self.crawl.learn(visit, self.crawl.reader.read(visit.url, body, "text/html"))
        self.crawl.finish(visit)


def options(folder: Path) -> Options:
    settings = Settings()
    settings.setmodule("focused.settings", priority="project")
    given = {"DOWNLOAD_DELAY": 0, "FOCUSED_DATA_DIR": str(folder.parent)}
    settings.setdict(given, priority="cmdline")
    return Options.read(settings, folder.name)


def ended(life: Life, folder: Path) -> dict[str, tuple[Any, ...]]:
    """The verdicts of a crawl that is let to its end; no site was examined twice."""
    while life.goes_on(100):
        life.crawl.commit()
    assert life.crawl.stop_reason() == "finished"
    life.crawl.close("finished")
    begun, examined = life.ordering._counts.begun, life.ordering._border.examined
    life.crawl.abandon()
    assert begun == len(examined) == SITES
    db_is_whole(folder / "crawl.db")
    sites = [json.loads(line) for line in (folder / "sites.jsonl").read_text().splitlines()]
    told = {site["host"]: tuple(site[name] for name in ("relevant", "decided", "posterior", "pages")) for site in sites}
    reached = {site_of(home) for home in HOMES if home in life.web}
    assert len(sites) == len(told) and told.keys() == reached
    return told


@pytest.mark.parametrize(("seed", "answers", "lost"), [(1, 0, 150), (2, 250, 60), (3, 500, 1), (4, 500, 97)])
def test_what_a_kill_leaves_is_taken_up_exactly(tmp_path: Path, seed: int, answers: int, lost: int) -> None:
    """The files are copied between two commits, as they are then: nothing of the dying process tidies up."""
    web = made_web(seed)
    whole = Life(tmp_path / "whole", web, seed)
    whole.goes_on(answers)
    while visit := whole.crawl.next():
        whole.in_flight.append(visit)
    whole.crawl.commit()
    committed, had = whole.known, rows(tmp_path / "whole/crawl.db", "SELECT url FROM page WHERE visit IS NOT NULL")
    assert len(committed[0]) > 150
    assert whole.goes_on(lost) == lost
    assert whole.known != committed
    shutil.copytree(tmp_path / "whole", tmp_path / "killed")
    killed = Life(tmp_path / "killed", web, seed + 100)
    assert killed.known == committed
    assert rows(tmp_path / "killed/crawl.db", "SELECT url FROM page WHERE visit IS NOT NULL") == had
    assert killed.crawl.progress.pages == len(had)
    assert ended(killed, tmp_path / "killed") == ended(whole, tmp_path / "whole")


def test_ten_deaths_in_one_crawl_change_no_verdict(tmp_path: Path) -> None:
    web, folder = made_web(7), tmp_path / "0"
    for death in range(10):
        life = Life(folder, web, death)
        life.goes_on(60)
        life.crawl.commit()
        committed = life.known
        life.goes_on(25)
        folder = Path(shutil.copytree(folder, tmp_path / f"{death + 1}"))
        life.crawl.abandon()
        life = Life(folder, web, death)
        assert life.known == committed
        life.crawl.abandon()
    assert ended(Life(folder, web, 10), folder) == ended(Life(tmp_path / "whole", web, 11), tmp_path / "whole")
