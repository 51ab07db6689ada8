"""Chakrabarti, van den Berg, Dom 1999: worked numbers of the classifier (F1) and of hard against soft (F2)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from models.model import Example
from models.taxonomy import Taxonomy
from models.text import Text, Vocabulary

EXAMPLES = {
    "Recreation/Cycling": ["bike bike trail", "bike bike trail"],
    "Recreation/Gardening": ["seed seed", "seed trail"],
    "Business": ["fund fund", "fund fund", "bike", "seed"],
}


def taxonomy(good: Sequence[str] = ("Recreation/Cycling",)) -> tuple[Vocabulary, Taxonomy]:
    vocabulary = Vocabulary((10, {}))
    examples = [Example(vocabulary.ids(text.split()), label) for label, texts in EXAMPLES.items() for text in texts]
    return vocabulary, Taxonomy.fit(vocabulary, examples, good=good)


@pytest.mark.parametrize(
    ("text", "business_cycling_gardening", "best", "log_relevance"),
    [
        ("bike bike trail", (0.098904, 0.856487, 0.044609), "Recreation/Cycling", -0.154916),
        ("fund", (0.875000, 0.055556, 0.069444), "Business", -2.890372),
        ("seed bike", (0.281609, 0.319285, 0.399106), "Recreation/Gardening", -1.141672),
        ("", (0.500000, 0.250000, 0.250000), "Business", -1.386294),
        ("xyz xyz xyz", (0.500000, 0.250000, 0.250000), "Business", -1.386294),
    ],
)
def test_probabilities_down_the_tree(
    text: str, business_cycling_gardening: tuple[float, ...], best: str, log_relevance: float
) -> None:
    vocabulary, model = taxonomy()
    judgement = model.judge(Text(vocabulary, text))
    assert judgement.classes is not None
    assert list(judgement.classes) == ["Business", "Recreation/Cycling", "Recreation/Gardening"]
    assert list(judgement.classes.values()) == pytest.approx(business_cycling_gardening, abs=1e-6)
    assert judgement.best_class == best
    assert judgement.good == (best == "Recreation/Cycling")
    assert math.log(judgement.relevance) == pytest.approx(log_relevance, abs=1e-6)


def test_a_good_parent_is_counted_once_and_not_with_its_children() -> None:
    vocabulary, model = taxonomy(["Recreation", "Recreation/Cycling", "Recreation/Gardening"])
    assert model.judge(Text(vocabulary, "bike bike trail")).relevance == pytest.approx(0.901096, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "recreation"),
    [("bike bike trail", 0.901096), ("fund", 0.125), ("seed bike", 0.718391), ("", 0.5), ("xyz xyz xyz", 0.5)],
)
def test_probability_of_an_inner_class(text: str, recreation: float) -> None:
    vocabulary, model = taxonomy(["Recreation"])
    assert model.judge(Text(vocabulary, text)).relevance == pytest.approx(recreation, abs=1e-6)


def test_goodness_is_inherited() -> None:
    vocabulary, model = taxonomy(["Recreation"])
    judgement = model.judge(Text(vocabulary, "bike bike trail"))
    assert (judgement.best_class, judgement.good) == ("Recreation/Cycling", True)


def test_long_texts_do_not_underflow() -> None:
    vocabulary, model = taxonomy(["Business"])
    relevance = model.judge(Text(vocabulary, "bike " * 400 + "trail " * 100)).relevance
    assert math.log(relevance) == pytest.approx(-336.909611, abs=1e-6)
    vocabulary, model = taxonomy()
    relevance = model.judge(Text(vocabulary, "fund " * 300 + "seed " * 300)).relevance
    assert math.log(relevance) == pytest.approx(-700.0, abs=1e-6)


def test_relevant_by_sum_but_the_best_leaf_is_not_good() -> None:
    """F2: leaves good .3, good .3, other .4."""
    vocabulary = Vocabulary((10, {}))
    pages = {"g1": 3, "g2": 3, "b1": 4}
    examples = [Example(vocabulary.ids(["word"]), label) for label, count in pages.items() for _ in range(count)]
    judgement = Taxonomy.fit(vocabulary, examples, good=["g1", "g2"]).judge(Text(vocabulary, "word"))
    assert judgement.relevance == pytest.approx(0.6, abs=1e-6)
    assert judgement.relevant
    assert (judgement.best_class, judgement.good) == ("b1", False)
