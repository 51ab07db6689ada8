"""Tsoi et al. 2003: worked numbers of the page score (S-04, S8)."""

from __future__ import annotations

import pytest

from models.model import OTHER, RELEVANT, Example
from models.naive_bayes import NaiveBayes
from models.text import Text, Vocabulary


@pytest.mark.parametrize(("text", "score"), [("linux kernel", 0.857143), ("", 0.5)])
def test_score_is_the_posterior_of_the_topic(text: str, score: float) -> None:
    vocabulary = Vocabulary((10, {}))
    examples = [
        Example(vocabulary.ids("linux linux linux kernel kernel".split()), RELEVANT),
        Example(vocabulary.ids("garden garden garden garden linux".split()), OTHER),
    ]
    judgement = NaiveBayes.fit(vocabulary, examples).judge(Text(vocabulary, text))
    assert judgement.relevance == pytest.approx(score, abs=1e-6)
    assert judgement.relevant == bool(text)  # without a word nothing speaks for it
