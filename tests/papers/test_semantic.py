"""Batsakis 2007: worked numbers of the semantic crawlers (B-13 to B-18; examples B2 to B5, B13)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from focused.graph import LinkGraph
from focused.orderings.base import Surroundings
from focused.orderings.best_first import BestFirst
from focused.orderings.semantic import Semantic
from focused.page import PageReader
from focused.topic import Topic
from models.meaning import Anchors, both_ways, mihalcea_scores
from models.ontology import ehrig, li
from models.similarity import Similarity
from models.text import Text, Vocabulary

ALL_ALIKE = (1000, {})  # no term is in the table: all have the same idf, and weights are counts
LINUX = "[a1]\n[a2]\nparents=['a1']\n[a3]\nparents=['a2']\n[a4]\nparents=['a3']\n[a5]\nparents=['a4']\n" + (
    "[system]\nparents=['a5']\n[unix]\nparents=['system']\n[linux]\nparents=['unix']\n"
)
CARS = "[car]\nwords=['car', 'auto', 'automobile']\n[repair]\nwords=['repair', 'fix']\n"


def score(folder: Path, terms: str, query: str, body: str, measure: str, **given: int) -> list[float]:
    """The scores of the links of a page by a real ordering with an ontology of its own."""
    path = folder / "terms.toml"
    path.write_text(terms)
    vocabulary = Vocabulary(ALL_ALIKE)
    page = PageReader(vocabulary).read("http://a.example/", body.encode(), "text/html")
    ordering = Semantic(measure=measure, ontology=str(path), **given)
    model = Similarity(vocabulary, query)
    ordering.bind(Surroundings(Topic("topic", query), model, 0, vocabulary, LinkGraph()))
    return ordering.score(page).tolist()


def test_ehrig_similarity_halves_with_every_step() -> None:  # B-13, eq. 3
    assert ehrig(np.array([0, 1, 2, 3])) == pytest.approx([1.0, 0.5, 0.25, 0.125])


def test_ehrig_crawler_sums_over_all_pairs(tmp_path: Path) -> None:  # B2, eq. 8; nothing connects picnic to the query
    body = '<a href="/1">Linux, Linux and Unix: a picnic</a> <a href="/2"></a> <a href="/3">picnic</a>'
    assert score(tmp_path, LINUX, "linux system", body, "ehrig") == pytest.approx([1.75, 0.0, 0.0], abs=1e-6)


@pytest.mark.parametrize(
    ("path", "depth", "similarity"),
    [
        (1, 5, 0.814682),
        (2, 3, 0.634663),
        (4, 2, 0.374585),
        (6, 1, 0.161756),
        (6, 0, 0.0),  # B3
        (2, 5, 0.667005),
        (1, 6, 0.817509),  # B4
    ],
)
def test_li_similarity_is_a_product(path: int, depth: int, similarity: float) -> None:  # B3, eq. 4
    assert li(np.array([path]), np.array([depth])) == pytest.approx([similarity], abs=1e-6)


def test_the_same_concept_is_similar_by_1_however_shallow() -> None:  # B-15
    assert li(np.array([0, 0]), np.array([5, 0])).tolist() == [1.0, 1.0]


def test_ssrm_can_exceed_1(tmp_path: Path) -> None:  # B4, eq. 9
    body = '<a href="/1">linux linux unix</a> <a href="/2">the</a>'
    assert score(tmp_path, LINUX, "linux system", body, "ssrm") == pytest.approx([1.570451, 0.0], abs=1e-6)


def test_the_plain_cosine_of_the_same_vectors_is_less() -> None:  # B4: a query and an anchor with one word in common
    vocabulary = Vocabulary(ALL_ALIKE)
    model = Similarity(vocabulary, "linux system")
    assert model.judge(Text(vocabulary, "linux linux unix")).relevance == pytest.approx(0.632456, abs=1e-6)


def test_without_synonyms_the_same_page_and_anchor_are_less_similar() -> None:  # B5, eq. 7
    vocabulary = Vocabulary(ALL_ALIKE)
    model = Similarity(vocabulary, "car repair")
    page = PageReader(vocabulary).read("http://a.example/", b'<a href="/1">car shop</a>', "text/html")
    page.relevance = model.judge(Text(vocabulary, "automobile automobile fix shop")).relevance
    ordering = BestFirst()
    ordering.bind(Surroundings(Topic("topic", "car repair"), model, 0, vocabulary, LinkGraph()))
    assert ordering.score(page) == pytest.approx([0.25], abs=1e-6)


def test_synonyms_of_query_and_anchor_count(tmp_path: Path) -> None:  # B5, eq. 10
    # The page's own text is that of the worked example only with the anchors' words left out of the main content.
    filler = " ".join(["automobile automobile fix shop"] * 25)
    body = f'<nav><a href="/1">car shop</a> <a href="/2"></a></nav><main>{filler}</main>'
    of_page, of_anchor = 0.547723, 0.670820
    scores = score(tmp_path, CARS, "car repair", body, "synset")
    assert scores == pytest.approx([0.609271, of_page / 2], abs=1e-6)
    assert scores[0] == pytest.approx((of_page + of_anchor) / 2, abs=1e-6)


@pytest.mark.parametrize(("within", "pairs"), [(1, 3.0), (2, 4.0)])
def test_pairs_of_words_that_are_near_enough_are_counted(tmp_path: Path, within: int, pairs: float) -> None:  # B2
    body = '<a href="/1">Linux, Linux and Unix: a picnic</a> <a href="/2"></a> <a href="/3">picnic</a>'
    assert score(tmp_path, LINUX, "linux system", body, "related", within=within) == [pairs, 0.0, 0.0]


def test_mihalcea_takes_the_best_partner_of_each_word() -> None:  # B13: car 1, repair 2 against auto 1.5, shop 1
    likeness = np.array([[1.0, 0.2], [0.1, 0.3]])  # car and repair with auto and shop
    anchors = Anchors.of(np.array([1, 2], np.int32), np.array([0], np.int32), np.array([2], np.int32))
    there, back = mihalcea_scores(anchors, likeness, np.array([1.0, 2.0]), np.array([1.5, 1.0]))
    assert [*there, *back] == pytest.approx([0.533333, 0.72], abs=1e-6)
    assert both_ways("mihalcea", there, back) == pytest.approx([0.626667], abs=1e-6)
    assert both_ways("product", there, back) == pytest.approx([0.384], abs=1e-6)
