"""Tsoi et al. 2003: worked visit orders, relatives, precision and the adaptive rule (S1 to S7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from focused.evaluate.metrics import precision_at
from focused.exploration import Knobs, VisitTree
from focused.orderings.tunnel import Tunnel
from tests.focused.orderings.drawn_web import LINKS, SCORES, DrawnWeb, drawn, rated

WEB = DrawnWeb(drawn(LINKS), rated(SCORES))
WORKED = {  # d, r: order of visit, selections with their relatives, pages until f
    (1, 1): ("s a b k c d e n m g f h i", "s:s a:a b:b e:e k:k d:d c:c f:f", 11),
    (1, 2): ("s a b k c d e m n f g h i", "s:s a:a+b+k e:e d:c+d f:f", 10),
    (2, 1): ("s a b k c d e m n g f h i", "s:s e:e d:d c:c", 11),
    (2, 2): ("s a b k c d e m n f h i g", "s:s e:e d:c+d", 10),
    (1, 3): ("s a b k c d e m f g n h i", "s:s a:a+b+k e:c+d+e+m f:f+g", 9),
}


class Watched(VisitTree):
    """Writes down whose relatives were asked for, and who they were."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[int, list[int]]] = []

    def relatives(self, page_id: int, r: int) -> list[int]:
        relatives = super().relatives(page_id, r)
        self.asked.append((page_id, relatives))
        return relatives


def crawled(folder: Path, web: DrawnWeb, ordering: Tunnel, seeds: str = "s", **given: Any) -> tuple[list[str], Watched]:
    """The pages in order of visit, by name; and the tree, whose pages are in the same order."""
    ordering._tree = tree = Watched()
    crawl = web.opened(folder / "crawl", ordering, seeds, **given)
    try:
        return list(web.visits(crawl)), tree
    finally:
        crawl.abandon()


@pytest.mark.parametrize(("d", "r"), WORKED)
def test_pages_are_visited_in_the_worked_order(tmp_path: Path, d: int, r: int) -> None:
    order, selections, until = WORKED[d, r]
    visited, tree = crawled(tmp_path, WEB, Tunnel(d=d, r=r))
    assert visited == order.split()
    assert visited.index("f") + 1 == until
    name = dict(zip(tree, visited, strict=True)).__getitem__
    assert " ".join(f"{name(p)}:{'+'.join(map(name, e))}" for p, e in tree.asked) == selections


def test_the_page_cap_is_tested_before_each_download(tmp_path: Path) -> None:
    assert crawled(tmp_path, WEB, Tunnel(d=1, r=1), FOCUSED_MAX_PAGES=6)[0] == "s a b k c d".split()


def test_relatives_are_as_far_below_the_same_ancestor(tmp_path: Path) -> None:
    visited, tree = crawled(tmp_path, WEB, Tunnel(d=1, r=1))
    ids = dict(zip(visited, tree, strict=True))
    names = dict(zip(tree, visited, strict=True))

    def relatives(page: str, r: int) -> str:
        return "".join(map(names.__getitem__, tree.relatives(ids[page], r)))

    assert [relatives("c", r) for r in (1, 2, 3, 4, 9)] == ["c", "cd", "cdem", "cdem", "cdem"]
    assert [relatives("s", r) for r in (1, 2)] == ["s", "s"]


@pytest.mark.parametrize(
    ("d", "r", "eta"),
    [
        (1, 1, [0.750000, 0.375000, 0.538462]),
        (1, 2, [0.750000, 0.500000, 0.538462]),
        (2, 1, [0.750000, 0.500000, 0.538462]),
    ],
)
def test_precision_of_the_first_pages(tmp_path: Path, d: int, r: int, eta: list[float]) -> None:
    visited, _ = crawled(tmp_path, WEB, Tunnel(d=d, r=r))
    relevant = [WEB.scores[name] >= 0.5 for name in visited]
    assert [precision_at(relevant, n) for n in (4, 8, 13)] == pytest.approx(eta, abs=1e-6)


def test_d_and_r_grow_when_precision_falls() -> None:
    knobs, windows = Knobs(1, 1), [0.6, 0.5, 0.4, 0.28, 0.2, 0.12, 0.1, 0.05]
    steps = []
    for precision in windows:
        knobs.adapt(precision)
        steps.append(f"{knobs.d},{knobs.r}")
    assert steps == "1,1 1,1 1,1 2,1 2,1 2,2 2,2 3,2".split()


def test_the_best_page_is_selected_not_the_worst_as_printed(tmp_path: Path) -> None:
    web = DrawnWeb(drawn("s>abk a>x b>y k>z"), rated("s 1 a 0.6 b 0.5 k 0.2"))
    assert crawled(tmp_path, web, Tunnel(d=1, r=1))[0] == "s a b k x y z".split()


def test_two_seeds_are_two_trees(tmp_path: Path) -> None:
    web = DrawnWeb(drawn("1>x 2>y x>z"), rated("1 .9 2 .8 x .1 y .7 z .9"))
    visited, tree = crawled(tmp_path, web, Tunnel(d=1, r=2), seeds="12")
    assert visited == "1 2 x y z".split()
    assert [node.parent for node in tree.values()] == [None, None, 1, 2, 3]


def test_visited_pages_are_passed_through(tmp_path: Path) -> None:
    web = DrawnWeb(drawn("s>ab a>bc b>c c>x"), rated("s .5 a .9 b .2 c .1 x .9"))
    assert crawled(tmp_path, web, Tunnel(d=2, r=1))[0] == "s a b c x".split()
