from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.model import Example, ModelError
from models.naive_bayes import NaiveBayes
from models.taxonomy import Taxonomy
from models.text import Text, Vocabulary
from tests.models import corpora

TREE = {
    "Sport/Cycling": "bicycle race saddle gear wheel",
    "Sport/Riding": "horse race saddle stable",
    "Home/Garden/Roses": "rose thorn garden",
    "Home/Garden/Bulbs": "tulip garden spade",
    "Home": "kitchen table",
    "Money": "stock bond fund",
}
ALL_WORDS = sorted({word for text in TREE.values() for word in text.split()} | {"unknown", "the"})
GOOD = ("Sport/Cycling", "Home/Garden")


def taxonomy(vocabulary: Vocabulary, good: Sequence[str] = GOOD) -> Taxonomy:
    examples = [Example(vocabulary.ids(text.split()), path) for path, text in TREE.items()]
    return Taxonomy.fit(vocabulary, examples, good=good)


def by_hand(words: list[str]) -> dict[str, float]:
    """Pr[c|d] of every class as F-10 is printed, with plain products."""
    known = [word for word in words if any(word in text.split() for text in TREE.values())]
    size = len({word for text in TREE.values() for word in text.split()})
    nodes = {"/".join(path.split("/")[:end]) for path in TREE for end in range(1, path.count("/") + 2)}
    chances = {"": 1.0}
    for node in sorted(nodes, key=lambda path: path.count("/")):
        parent = node.rpartition("/")[0]
        family = [other for other in nodes if other.rpartition("/")[0] == parent]
        weight = {}
        for other in family:
            texts = [text for path, text in TREE.items() if path == other or path.startswith(f"{other}/")]
            pool = " ".join(texts).split()
            weight[other] = len(texts) * math.prod((1 + pool.count(word)) / (size + len(pool)) for word in known)
        chances[node] = chances[parent] * weight[node] / sum(weight.values())
    return chances


@settings(deadline=None)
@given(st.lists(st.sampled_from(ALL_WORDS), max_size=25))
def test_probabilities_are_those_of_the_printed_formula(words: list[str]) -> None:
    vocabulary = Vocabulary((10, {}))
    judgement, expected = taxonomy(vocabulary).judge(Text(vocabulary, " ".join(words))), by_hand(words)
    leaves = judgement.classes or {}
    assert leaves == pytest.approx({path: expected[path] for path in leaves}, abs=1e-9)
    assert sum(leaves.values()) == pytest.approx(1.0)
    assert judgement.relevance == pytest.approx(expected["Sport/Cycling"] + expected["Home/Garden"], abs=1e-9)
    assert leaves[judgement.best_class or ""] == max(leaves.values())
    assert judgement.good == (judgement.best_class in ("Sport/Cycling", "Home/Garden/Roses", "Home/Garden/Bulbs"))


@settings(deadline=None)
@given(st.lists(st.sampled_from(ALL_WORDS), max_size=40), st.data())
def test_spans_are_judged_as_if_they_were_pages(words: list[str], data: st.DataObject) -> None:
    vocabulary = Vocabulary((10, {}))
    model, places = taxonomy(vocabulary), st.integers(0, len(words))
    spans = [sorted(pair) for pair in data.draw(st.lists(st.tuples(places, places), max_size=8))]
    starts, ends = np.array([*zip(*spans, strict=True)] or [[], []], np.int32)
    alone = [model.judge(Text(vocabulary, " ".join(words[start:end]))).relevance for start, end in spans]
    assert model.judge_spans(vocabulary.ids(words), starts, ends) == pytest.approx(alone, abs=1e-9)


@settings(deadline=None)
@given(corpora.texts(), st.lists(st.sampled_from(corpora.WORDS), max_size=20))
def test_a_tree_of_two_leaves_is_naive_bayes(corpus: list[corpora.Text], words: list[str]) -> None:
    vocabulary, text = Vocabulary((10, {})), " ".join(words)
    made = corpora.examples(vocabulary, corpus)
    flat, page = NaiveBayes.fit(vocabulary, made), Text(vocabulary, text)
    tree = Taxonomy.fit(vocabulary, made, good=["relevant"])
    assert tree.judge(page).relevance == pytest.approx(flat.judge(page).relevance, abs=1e-12)
    assert tree.evidence(page) == flat.evidence(page)


def test_equal_leaves_go_to_the_first_in_the_tree() -> None:
    vocabulary = Vocabulary((10, {}))
    examples = [Example(vocabulary.ids(["word"]), label) for label in ("b", "c", "a")]
    assert Taxonomy.fit(vocabulary, examples, good=["c"]).judge(Text(vocabulary, "word")).best_class == "a"


def test_evidence_names_the_words_that_lead_to_the_good_class() -> None:
    vocabulary = Vocabulary((10, {}))
    page = Text(vocabulary, "bicycle bicycle wheel stock unknown")
    shares = dict(taxonomy(vocabulary, ["Sport/Cycling"]).evidence(page))
    assert next(iter(shares)) == "bicycl"
    assert shares["bicycl"] > shares["wheel"] > 0 > shares["stock"]
    assert "unknown" not in shares


def test_a_page_without_a_known_word_has_the_prior_and_is_not_relevant() -> None:
    vocabulary = Vocabulary((10, {}))
    judgement = taxonomy(vocabulary, ["Sport", "Home"]).judge(Text(vocabulary, "zebra"))
    assert judgement.relevance == pytest.approx(5 / 6)
    assert (judgement.relevant, judgement.thin) == (False, True)


def test_with_few_features_only_the_most_telling_words_count() -> None:
    vocabulary = Vocabulary((10, {}))
    texts = {"a": ["bicycle rose", "bicycle stock"], "b": ["tulip rose", "tulip stock"]}
    examples = [Example(vocabulary.ids(text.split()), label) for label, both in texts.items() for text in both]
    model = Taxonomy.fit(vocabulary, examples, good=["a"], features=2)
    assert model.saved().arrays["terms"].tolist() == ["bicycl", "tulip"]


@pytest.mark.parametrize(
    ("labels", "good", "said"),
    [
        ([], ["a"], "there are none"),
        (["a", "a"], ["a"], "all 2 are 'a'"),
        (["a", "a/b"], ["a/b"], "no class beside another"),
        (["Recreation/Cycling", "Business"], ["Recreation/Cycle"], "did you mean Recreation/Cycling"),
    ],
)
def test_examples_nothing_can_be_learned_from_are_refused(labels: list[str], good: list[str], said: str) -> None:
    vocabulary = Vocabulary((10, {}))
    with pytest.raises(ModelError, match=said):
        Taxonomy.fit(vocabulary, [Example(vocabulary.ids(["word"]), label) for label in labels], good=good)
