"""Crawl databases made by hand, for the tests of everything that only reads them."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from focused.outputs import Exchange, Outputs
from focused.store.queries import Reading
from focused.store.sqlite import VERSION
from focused.urls import key_of, site_of

BEGIN = 1_700_000_000.0


class MadeCrawl:
    """Insert what a test needs; `read` closes it and opens it for reading, from PostgreSQL if `shared`."""

    shared = False

    def __init__(self, folder: Path, version: int = VERSION) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.db = sqlite3.connect(folder / "crawl.db")
        self.db.executescript(resources.files("focused.store").joinpath("schema.sql").read_text())
        self.note(schema_version=version)
        self.sites: dict[str, int] = {}
        self.visits = 0

    def note(self, **values: Any) -> None:
        self.db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(values.items()))

    def site(self, host: str, **values: Any) -> int:
        if host not in self.sites:
            self.sites[host] = self.insert("site", host=host)
        if values:
            names = ", ".join(f"{name} = ?" for name in values)
            self.db.execute(f"UPDATE site SET {names} WHERE host = ?", (*values.values(), host))
        return self.sites[host]

    def page(self, url: str, **values: Any) -> int:
        """A waiting link, unless `values` say otherwise."""
        defaults = {"url": url, "site_id": self.site(site_of(url)), "score": 0.5, "depth": 1}
        page_id = self.insert("page", **defaults | values)
        packed = (np.int64(key_of(url)).tobytes(), np.uint32(1).tobytes(), np.float64(0.5).tobytes())
        self.insert("discovery", first_id=page_id, **dict(zip(("keys", "sites", "scores"), packed, strict=True)))
        return page_id

    def fetched(self, url: str, relevance: float | None = 0.9, **values: Any) -> int:
        """A page that was had; relevant from 0.5 on."""
        self.visits += 1
        relevant = relevance is not None and relevance >= 0.5
        site_id = self.site(site_of(url))
        self.db.execute(
            "UPDATE site SET pages = pages + 1, relevant = relevant + ?, relevance = relevance + ? WHERE id = ?",
            (relevant, relevance or 0.0, site_id),
        )
        had = {"state": 2, "outcome": "ok", "visit": self.visits, "fetched_at": BEGIN + self.visits, "status": 200}
        judged = {"relevance": relevance, "relevant": None if relevance is None else int(relevant), "tries": 1}
        return self.page(url, **had | judged | values)

    def link(self, source: int, target: int, anchor: str = "", score: float = 0.5) -> None:
        self.db.execute("INSERT INTO link VALUES (?, ?, ?, ?, ?)", (source, target, anchor, "/html/body/a", score))

    def insert(self, table: str, **values: Any) -> int:
        marks = ", ".join("?" * len(values))
        cursor = self.db.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", (*values.values(),))
        return int(cursor.lastrowid or 0)

    def save(self) -> Path:
        self.db.commit()
        self.db.close()
        return self.folder / "crawl.db"

    def read(self) -> Reading:
        return Reading(copied(self.save()), self.folder) if self.shared else Reading(self.save())


def copied(path: Path) -> str:
    """The same crawl on PostgreSQL, in a schema of the folder's name; the URL of its database."""
    from focused.store.crawl_schema import prepare
    from focused.store.session import Session
    from tests.rig.postgres import server

    session = Session(server().url(), path.parent.name)
    prepare(session)
    with closing(sqlite3.connect(path)) as db:
        packed = db.execute("SELECT first_id, keys FROM discovery")
        keys = {first: int(np.frombuffer(key, np.int64)[0]) for first, key in packed}
        for table in ("meta", "site", "page", "link", "hub", "event"):
            cursor = db.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in cursor.description]
            rows = [dict(zip(names, row, strict=True)) for row in cursor if row[0] != "schema_version"]
            for row in rows if table == "page" else []:
                row["key"] = keys[row["id"]]
                del row["rescored"]
            _copy(session.db, table, rows)
    session.close()
    return server().url()


def _copy(db: Any, table: str, rows: list[dict[str, Any]]) -> None:
    if rows:
        columns = ", ".join(rows[0])
        with db.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(list(row.values()))


def small_crawl(folder: Path) -> MadeCrawl:
    """Two seeds on a.example; b.example has the relevant pages, c.example waits, d.example fails.

    page 1 seed 0.2 → 3 (b, 0.9), 4 (b, 0.8), 5 (c, waiting); page 2 seed 0.6 → 3; page 3 → 4, 6 (d, robots)
    """
    crawl = MadeCrawl(folder)
    inf = float("inf")
    crawl.fetched("http://a.example/", 0.2, title="Start", depth=0, score=inf)
    crawl.fetched("http://a.example/list", 0.6, title="List", depth=0, score=inf, **{"class": "Cycling"})
    crawl.fetched("http://b.example/one", 0.9, title="One", parent_id=1, score=0.7, **{"class": "Cycling"})
    crawl.fetched("http://b.example/two", 0.8, title="Two", depth=2, parent_id=3, score=0.4)
    crawl.page("http://c.example/later", score=0.3, parent_id=1)
    crawl.page("http://d.example/no", state=3, outcome="robots", tries=1, depth=2, parent_id=3)
    for source, target, anchor, score in ((1, 3, "the one", 0.7), (1, 4, "two", 0.2), (1, 5, "later", 0.3)):
        crawl.link(source, target, anchor, score)
    for source, target in ((2, 3), (3, 4), (3, 6)):
        crawl.link(source, target, "again", 0.4)
    crawl.note(topic="made", ordering="best_first", stop_reason="max_pages", started_at=BEGIN, stopped_at=BEGIN + 60)
    crawl.insert("event", at=BEGIN + 5, kind="site_closed", detail="d.example: budget of 1 pages spent")
    return crawl


def large_crawl(folder: Path, pages: int = 3000, seed: int = 1) -> MadeCrawl:
    """A crawl that finds its topic, loses it a little towards the end, and meets some failures."""
    crawl, random_ = MadeCrawl(folder), random.Random(seed)
    hosts = [f"{word}{n}.example" for n in range(12) for word in ("bike", "trail", "club", "news", "shop")]
    for visit in range(1, pages + 1):
        good = random_.random() < (0.15 + 0.5 * min(1, visit / 400) - 0.25 * visit / pages)
        host = hosts[min(int(random_.expovariate(0.12)), 59)]
        relevance = random_.betavariate(6, 2) if good else random_.betavariate(1.3, 7)
        parent = random_.randint(1, visit - 1) if visit > 5 else None
        title = f"{random_.choice(['Mountain', 'City', 'Road', 'Touring'])} bicycle page {visit}"
        values = {"title": title, "parent_id": parent, "score": random_.random(), "depth": 0 if parent is None else 1}
        category = random_.choice(["Recreation/Cycling", "Recreation/Outdoors", "Shopping", "News"])
        crawl.fetched(f"https://{host}/page/{visit}", relevance, **values, **{"class": category})
        for target in {random_.randint(1, visit) for _ in range(4)}:
            crawl.link(visit, target, "more about bicycles", random_.random())
    for n in range(pages // 10):
        failure = random_.choice(["http_404", "http_404", "timeout", "robots", "dns"])
        crawl.page(f"https://{random_.choice(hosts)}/lost/{n}", state=3, outcome=failure, tries=3)
    for n in range(pages):
        crawl.page(f"https://{random_.choice(hosts)}/waiting/{n}", score=random_.random())
    crawl.note(
        topic="cycling", ordering="soft_focus", stop_reason="max_pages", started_at=BEGIN, web="sim:small,seed=1"
    )
    crawl.note(stopped_at=BEGIN + pages, inversion_rate=0.0213)
    crawl.insert("event", at=BEGIN + 40, kind="site_closed", detail="bike0.example: budget of 500 pages spent")
    return crawl


def write_warc(crawl: MadeCrawl) -> None:
    """A response with the page's links and a request for each fetched page, where the rows say they are."""
    outputs = Outputs(crawl.folder, {})
    for page_id, url in crawl.db.execute("SELECT id, url FROM page WHERE visit IS NOT NULL").fetchall():
        links = crawl.db.execute(
            "SELECT url, anchor FROM link JOIN page ON id = target_id WHERE source_id = ?", (page_id,)
        )
        anchors = "".join(f'<a href="{target}">{anchor}</a> ' for target, anchor in links)
        body = f"<html><title>{page_id}</title><body>{anchors}<!--{'x' * 100_000}--></body></html>".encode()
        headers = [("Content-Type", "text/html")]
        offset = outputs.write_exchange(Exchange(url, "GET", [("Host", site_of(url))], 200, headers, body, BEGIN))
        crawl.db.execute("UPDATE page SET warc_offset = ? WHERE id = ?", (offset, page_id))
    outputs.flush()
    outputs.close()
