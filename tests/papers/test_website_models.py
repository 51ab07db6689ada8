"""Ester, Kriegel, Schubert 2004: worked numbers of the page and the website classifier (W-05 to W-12)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from models.centroids import Centroids, confidences
from models.clusters import Clusters, Distances
from models.model import OTHER, RELEVANT
from models.text import Text, Vocabulary
from models.website import Website, corrected, judged, prior


def whole(word: str) -> str:
    return word


@pytest.mark.parametrize(
    ("distances", "lam", "expected"),
    [
        ((0.2, 0.9), 1.0, (0.702444, 0.297556)),
        ((0.5, 0.8), 1.0, (0.580582, 0.419418)),
        ((0.99, 0.98), 1.0, (0.497500, 0.502500)),
        ((0.7, 0.7), 1.0, (0.5, 0.5)),
        ((0.0, 0.9), 1.0, (0.930572, 0.069428)),
        ((1.0, 1.0), 1.0, (0.5, 0.5)),
        ((0.3, 0.8, 0.9), 1.0, (0.486262, 0.269862, 0.243876)),
        ((0.2, 0.9), 0.0, (0.938558, 0.061442)),
        ((0.5, 0.8), 0.0, (0.756471, 0.243529)),
        ((0.99, 0.98), 0.0, (0.332209, 0.667791)),
        ((0.7, 0.7), 0.0, (0.5, 0.5)),
        ((1.0, 1.0), 0.0, (0.5, 0.5)),
    ],
)
def test_e1_confidence_of_a_page(distances: tuple[float, ...], lam: float, expected: tuple[float, ...]) -> None:
    assert confidences(np.array(distances), lam) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("lam", [0.0, 1.0])
def test_e1_no_distance_is_above_one(lam: float) -> None:
    """The printed formula calls the farther of two such classes likelier: (0.25, 0.75) for distances 2 and 8."""
    printed = np.log([2.0, 8.0]) / np.log([2.0, 8.0]).sum()
    assert printed == pytest.approx([0.25, 0.75], abs=1e-6)
    assert confidences(np.array([2.0, 8.0]), lam) == pytest.approx([0.5, 0.5], abs=1e-6)


def test_e2_the_nearest_of_the_centroids_of_a_class() -> None:
    """Three terms that weigh the same: two centroids of the wanted class, one of the other."""
    vocabulary = Vocabulary(stem=whole)
    clusters = Clusters(["aa", "bb", "cc"], np.ones(3), [RELEVANT, OTHER], np.array([0, 0, 1]), np.eye(3))
    model = Centroids.of(vocabulary, clusters)
    page, empty = Text(vocabulary, "aa aa aa bb cc"), Text(vocabulary, "")
    distances = Distances(vocabulary, clusters).of(page.terms, np.zeros(1, np.int32), np.array([5], np.int32))
    assert distances[0] == pytest.approx([0.095466, 0.698489], abs=1e-6)
    assert model.judge(page).classes == pytest.approx({RELEVANT: 0.711366, OTHER: 0.288634}, abs=1e-6)
    assert model.judge(empty).classes == {RELEVANT: 0.5, OTHER: 0.5}


def test_e3_correction_for_the_error_of_the_page_classifier() -> None:
    assert corrected([0.9, 0.1], 0.12) == pytest.approx([0.804, 0.196], abs=1e-6)
    assert corrected([1.0, 0.0], 0.12) == pytest.approx([0.88, 0.12], abs=1e-6)
    assert corrected([0.7, 0.2, 0.1], 0.15) == pytest.approx([0.6175, 0.23, 0.1525], abs=1e-6)
    assert corrected([0.9, 0.1], 0.88) == pytest.approx([0.196, 0.804], abs=1e-6)  # Table 2 taken literally


@pytest.mark.parametrize(
    ("wanted", "before", "p_err", "expected"),
    [
        ((0.35, 0.80, 0.75, 0.90), 0.5, 0.12, (0.386000, 0.627228, 0.789258, 0.938886)),
        ((0.35, 0.80, 0.75, 0.90), 0.3, 0.12, (0.212243, 0.418981, 0.616132, 0.868144)),
        ((0.35, 0.80, 0.75, 0.90), 0.5, 0.0, (0.350000, 0.682927, 0.865979, 0.983095)),
        ((0.3, 0.2, 0.25), 0.5, 0.12, (0.348000, 0.166264, 0.082227)),
        ((1.0, 0.0), 0.5, 0.12, (0.88, 0.5)),
    ],
)
def test_e4_posterior_after_each_page(
    wanted: tuple[float, ...], before: float, p_err: float, expected: tuple[float, ...]
) -> None:
    site = Website.begun(before, p_err)
    after = []
    for confidence in wanted:
        site.add((confidence, 1 - confidence))
        after.append(site.posterior)
    assert after == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("threshold", [0.8, 0.9])
def test_e4_the_relevant_site_is_decided_after_four_pages(threshold: float) -> None:
    assert pages_to_decide((0.35, 0.80, 0.75, 0.90, 0.9), p_threshold=threshold) == (4, True)


def test_e4_the_irrelevant_site_is_decided_after_three() -> None:
    assert pages_to_decide((0.3, 0.2, 0.25, 0.2)) == (3, False)


def test_e4_two_thousand_pages_do_not_underflow() -> None:
    site = judged([(0.6, 0.4)] * 2000, Website.begun())
    assert site.posterior == pytest.approx(1.0, abs=1e-6)
    assert math.prod([corrected((0.6, 0.4), 0.12)[0]] * 2000) == pytest.approx(0.0, abs=1e-6)  # what a product would be


def test_e4_prior_from_the_sites_so_far() -> None:
    found = [prior(*counts) for counts in ((0, 0), (3, 10), (0, 200), (500, 500))]
    assert found == pytest.approx([0.5, 0.333333, 0.05, 0.95], abs=1e-6)


@pytest.mark.parametrize(
    ("accuracy", "threshold", "step", "needed", "least"),
    [
        (0.85, 0.9, 1.734601, 2.197225, 2),  # horses
        (0.90, 0.9, 2.197225, 2.197225, 1),  # astronomy
        (0.88, 0.9, 1.992430, 2.197225, 2),  # sailing, boxing
        (0.86, 0.8, 1.815290, 1.386294, 1),  # mountain biking
        (0.88, 0.8, 1.992430, 1.386294, 1),  # skate boarding
    ],
)
def test_e5_the_least_number_of_pages_that_can_decide(
    accuracy: float, threshold: float, step: float, needed: float, least: int
) -> None:
    site = Website.begun(p_err=1 - accuracy, p_threshold=threshold)
    site.add((1.0, 0.0))
    assert site.scores[0] - site.scores[1] == pytest.approx(step, abs=1e-6)
    assert math.log(threshold / (1 - threshold)) == pytest.approx(needed, abs=1e-6)
    assert pages_to_decide([1.0] * 5, 1 - accuracy, threshold) == (least, True)


@pytest.mark.parametrize(
    ("pages", "confidence", "posterior"),
    [
        (4, 0.65, 0.846235),
        (6, 0.59, 0.820550),
        (4, 0.75, 0.948998),
        (3, 0.68, 0.824232),
        (5, 0.71, 0.953884),
        (5, 0.60, 0.803649),
        (4, 0.67, 0.874487),
        (7, 0.64, 0.941584),
        (4, 0.70, 0.908998),
    ],
)
def test_e5b_table_3_lists_the_mean_confidence_of_pages(pages: int, confidence: float, posterior: float) -> None:
    site = judged([(confidence, 1 - confidence)] * pages, Website.begun(p_err=0.15))
    assert site.posterior == pytest.approx(posterior, abs=1e-6)
    assert site.mean_confidence == pytest.approx(confidence)


@pytest.mark.parametrize(
    ("distances", "lam", "confidence", "pages"),
    [
        ((0.2, 0.9), 1.0, 0.702444, 4),
        ((0.2, 0.9), 0.0, 0.938558, 2),
        ((0.5, 0.8), 1.0, 0.580582, 9),
        ((0.5, 0.8), 0.0, 0.756471, 3),
        ((0.6, 0.8), 1.0, 0.552613, 14),
        ((0.6, 0.8), 0.0, 0.695977, 4),
    ],
)
def test_e11_pages_needed_if_all_pages_looked_alike(
    distances: tuple[float, float], lam: float, confidence: float, pages: int
) -> None:
    wanted = confidences(np.array(distances), lam)[0]
    assert wanted == pytest.approx(confidence, abs=1e-6)
    assert pages_to_decide([wanted] * 20) == (pages, True)


def pages_to_decide(
    wanted: tuple[float, ...] | list[float], p_err: float = 0.12, p_threshold: float = 0.9
) -> tuple[int, bool]:
    """After how many pages a site is decided, and how."""
    site = Website.begun(p_err=p_err, p_threshold=p_threshold)
    for number, confidence in enumerate(wanted, 1):
        site.add((confidence, 1 - confidence))
        if site.decided:
            return number, site.verdict
    raise AssertionError("never decided")
