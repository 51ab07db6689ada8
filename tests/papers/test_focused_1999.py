"""Chakrabarti, van den Berg, Dom 1999: worked numbers of frontier, promotion, monitoring and queries (F4, F5, F8, F10).

The classifier (F1, F2) is in test_focused_1999_models.py, hubs (F3) in test_hubs.py, overlaps and distances (F6, F7) in
tests/focused/evaluate.
"""

from __future__ import annotations

import math
import sqlite3
from importlib import resources
from typing import Any

import numpy as np
import pytest
import xxhash

from focused.alarms import Alarms, Counts, Trend, is_stagnant
from focused.frontier import Frontier
from focused.graph import LinkGraph
from focused.orderings.base import SEED_SCORE, Surroundings
from focused.orderings.focus import MAXIMUM, leads_of, packed
from focused.orderings.soft_focus import SoftFocus
from focused.orderings.unfocused import Unfocused
from focused.page import PageReader
from focused.topic import Topic
from models.similarity import Similarity
from models.text import Vocabulary

# F4: (tries, R, pages had of the server, random)
FRONTIER = {
    "u1": (0, 0.5, 3, 9),
    "u2": (0, 0.9, 7, 4),
    "u3": (1, 0.99, 0, 1),
    "u4": (0, 0.9, 2, 8),
    "u5": (0, 0.9, 2, 3),
}


def score(tries: int, relevance: float, load: int, random: int) -> float:
    value = float(packed(relevance, np.array([load]), np.array([random]))[0])
    for tried in range(tries):
        value = SoftFocus().again(value, tried + 1)
    return value


def test_frontier_takes_seed_then_tries_relevance_load_and_random() -> None:
    frontier, names = Frontier(), [*FRONTIER, "seed"]
    scores = [score(*row) for row in FRONTIER.values()] + [SEED_SCORE]
    frontier.push(range(6), range(1, 7), scores)
    assert [names[frontier.pick(0.0) or 0] for _ in names] == ["seed", "u5", "u4", "u2", "u1", "u3"]


def test_scores_keep_the_logarithm_of_relevance() -> None:
    assert math.log(score(*FRONTIER["u1"])) == pytest.approx(-0.693147, abs=1e-6)
    assert math.log(score(*FRONTIER["u2"])) == pytest.approx(-0.105361, abs=1e-6)


# F8: the hub links to n1 (another server, new, .001), n2 (its own), n3 (tried before) and n4 (.95)
def test_only_what_is_new_low_and_on_another_server_is_promoted() -> None:
    ordering, graph, frontier, vocabulary = SoftFocus(promote_every=1, rho=1.0), LinkGraph(), Frontier(), Vocabulary()
    graph.enter(range(1, 7), [1, 2, 1, 3, 4, 5])  # the hub, n1 … n4, and a page that is had
    graph.add(1, range(2, 7))
    for page in (1, 6):
        graph.judge(page, 0.9)
    frontier.push([2, 3, 4, 5], [2, 1, 3, 4], [0.001, 0.001, score(1, 0.9, 0, 0), 0.95])
    around = Surroundings(Topic("x", "x"), Similarity(vocabulary, "x"), 0, vocabulary, graph)
    ordering.bind(around)
    ordering._waiting, ordering._leads = frontier, leads_of(graph, np.array([1]))
    work = ordering.revise()
    assert work is not None
    rescored = work().rescored
    assert rescored is not None and rescored.ids.tolist() == [2]
    frontier.rescore(rescored.ids, rescored.scores)
    assert frontier.score_of([2]).tolist() == [MAXIMUM] == [pytest.approx(1.0, rel=1e-9)]


# F5
SERIES = [0.9, 0.8, 0.95, 0.1, 0.7, 0.05, 0.02, 0.01, 0.01, 0.0]
AVERAGES = [0.9, 0.85, 0.883333, 0.6875, 0.6375, 0.45, 0.2175, 0.195, 0.0225, 0.01]


def test_moving_average_and_the_page_at_which_diffusion_is_seen() -> None:
    trend, averages, alarms = Trend(window=4, patience=3), [], []
    for value in SERIES:
        trend.see(value)
        averages.append(trend.average)
        alarms.append(trend.is_diffuse)
    assert averages == pytest.approx(AVERAGES, abs=1e-6)
    assert alarms.index(True) + 1 == 9


@pytest.mark.parametrize(
    ("tries", "alarm"), [((500, 400, 100), False), ((10, 800, 190), True), ((0, 0, 0), False)]
)  # URLs tried never, once, more often
def test_stagnation_by_the_census_of_tries(tries: tuple[int, int, int], alarm: bool) -> None:
    assert is_stagnant(tries[0], tries[1] + tries[2]) is alarm
    begun = Alarms().begun(Counts(fetched=tries[1] + tries[2], failed=0, unfetched=tries[0]))
    assert [kind for kind, _ in begun] == ["stagnation"] * alarm


# F10: the toy rows in our tables
@pytest.fixture
def database() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.executescript(resources.files("focused.store").joinpath("schema.sql").read_text())
    rows: list[tuple[Any, ...]] = [
        # id, url, site, tries, load, ln R, class, random
        (1, "http://a/hub", 10, 1, 1, -0.1, "Cycling", 5),
        (2, "http://a/x", 10, 0, 1, -4.0, None, 1),
        (3, "http://b/y", 11, 0, 0, -4.0, None, 9),
        (4, "http://c/z", 12, 2, 1, -0.2, "Cycling", 3),
        (5, "http://c/w", 12, 1, 1, -3.0, "Funds", 4),
        (6, "http://d/v", 13, 0, 0, -0.3, None, 2),
    ]
    db.executemany("INSERT INTO site (id, host) VALUES (?, ?)", [(10, "a"), (11, "b"), (12, "c"), (13, "d")])
    for visit, (page, url, site, tries, load, log, best, random) in enumerate(rows, 1):
        relevance = math.exp(log)
        db.execute(
            "INSERT INTO page (id, url, site_id, tries, score, depth, class) VALUES (?, ?, ?, ?, ?, 0, ?)",
            (page, url, site, tries, score(tries, relevance, load, random), best),
        )
        if tries:
            had = (visit, relevance, log > -1.0)
            db.execute(f"UPDATE page SET state = 2, visit = ?, relevance = ?, relevant = ? WHERE id = {page}", had)
            db.execute(f"UPDATE site SET pages = pages + 1, relevance = relevance + {relevance} WHERE id = {site}")
    db.executemany("INSERT INTO link VALUES (?, ?, '', '', 0)", [(1, 2), (1, 3), (1, 4), (4, 6)])
    db.execute("INSERT INTO hub VALUES (1, 1.0, 0.0, 3)")
    return db


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT tries, pages FROM try_census", [(0, 3), (1, 2), (2, 1)]),
        ("SELECT class, pages FROM class_census", [("Cycling", 2), ("Funds", 1)]),
        ("SELECT url FROM hub_neighbour WHERE hub_id = 1", [("http://b/y",)]),
        (
            "SELECT url FROM page ORDER BY score DESC, id LIMIT 4",
            [("http://d/v",), ("http://b/y",), ("http://a/x",), ("http://a/hub",)],
        ),
        (
            "SELECT id, pages, density FROM site_rating",
            [(10, 1, pytest.approx(0.904837, abs=1e-6)), (12, 2, pytest.approx(0.434259, abs=1e-6))],
        ),
        ("SELECT * FROM class_link", [("Cycling", "Cycling", 1, 1, 1)]),
        ("SELECT class, pages FROM neighbour_class", [("Cycling", 1)]),
    ],
)
def test_queries_of_the_paper(database: sqlite3.Connection, sql: str, rows: list[Any]) -> None:
    assert database.execute(sql).fetchall() == rows


# F-14
def test_unfocused_enters_all_links_in_the_order_of_a_hash() -> None:
    ordering, vocabulary = Unfocused(), Vocabulary()
    ordering.bind(Surroundings(Topic("x", "x"), Similarity(vocabulary, "x"), 7, vocabulary, LinkGraph()))
    body = "".join(f'<a href="/{n}">cycling</a>' for n in range(50)).encode()
    page = PageReader(vocabulary).read("http://a.example/", body, "text/html")
    scores = ordering.score(page)
    hashes = [xxhash.xxh3_64_intdigest(link.url.encode(), 7) for link in page.links]
    assert np.argsort(scores).tolist() == sorted(range(50), key=hashes.__getitem__)
    page.relevance = 1.0
    assert ordering.score(page).tolist() == scores.tolist()  # the page is judged, but nobody asks
