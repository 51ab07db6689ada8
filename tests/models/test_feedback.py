"""Relevance feedback: which words speak for the topic, by the pages so far."""

from __future__ import annotations

import math

import numpy as np
import pytest

from models.feedback import MOST, Feedback
from models.text import Vocabulary


def taught(vocabulary: Vocabulary) -> Feedback:
    feedback = Feedback()
    for text, belief in (("wing feather sky", 0.9), ("wing nest", 0.8), ("engine rail sky", 0.1), ("rail", 0.0)):
        feedback.learn(vocabulary.ids(text.split()), belief)
    return feedback


def test_a_word_weighs_what_the_pages_that_had_it_were() -> None:
    vocabulary = Vocabulary()
    feedback = taught(vocabulary)
    share = (1.0 + 0.9 + 0.8 + 0.1) / 14.0
    wing = (0.9 + 0.8 + 3 * share) / (2 + 3)
    expected = math.log(wing / (1 - wing)) - math.log(share / (1 - share))
    assert feedback.weights(vocabulary.ids(["wing"]))[0] == pytest.approx(expected)
    wing_, sky, rail, unmet = feedback.weights(vocabulary.ids("wing sky rail unmet".split()))
    assert wing_ > sky > 0 > rail and unmet == pytest.approx(0.0)


def test_a_text_says_what_its_words_say_within_bounds() -> None:
    vocabulary = Vocabulary()
    feedback, terms = taught(vocabulary), vocabulary.ids("wing sky rail unmet".split())
    weights = feedback.weights(terms)
    said = feedback.spans(terms, np.array([0, 1, 2, 3], np.int32), np.array([2, 3, 2, 4], np.int32))
    assert said.tolist() == pytest.approx([weights[:2].sum(), weights[1:3].sum(), 0.0, 0.0])
    many = np.repeat(terms[:1], 50)
    assert feedback.spans(many, np.array([0]), np.array([50])).tolist() == [MOST]


def test_what_is_kept_says_the_same_in_another_process() -> None:
    vocabulary, other = Vocabulary(), Vocabulary()
    other.ids(["something", "else", "first"])
    kept = taught(vocabulary).saved(lambda ids: [vocabulary.terms[i] for i in ids.tolist()])
    again = Feedback()
    again.restore(kept, lambda words: np.array([other.id_of(word) for word in words], np.int32))
    words = "wing feather sky nest engine rail".split()
    assert again.weights(other.ids(words)).tolist() == taught(vocabulary).weights(vocabulary.ids(words)).tolist()
