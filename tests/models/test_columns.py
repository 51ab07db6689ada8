from __future__ import annotations

import numpy as np

from models.columns import Columns, bags
from models.model import Example
from models.text import Vocabulary


def test_columns_are_alphabetical_whatever_the_ids() -> None:
    vocabulary = Vocabulary((10, {}))
    ids = vocabulary.ids(["rose", "bicycle", "zebra"])
    columns = Columns(vocabulary, ["rose", "bicycl"])
    assert columns.terms == ["bicycl", "rose"]
    assert columns.of(ids).tolist() == [2, 1, 0]


def test_terms_met_later_and_no_terms_have_column_0() -> None:
    vocabulary = Vocabulary((10, {}))
    columns = Columns(vocabulary, ["rose"])
    assert columns.of(vocabulary.ids(["the", "later", "rose", "latest"])).tolist() == [0, 0, 1, 0]


def test_a_full_vocabulary_leaves_terms_out_and_does_not_mix_them() -> None:
    vocabulary = Vocabulary((10, {}), limit=1)
    columns = Columns(vocabulary, ["bicycl", "rose"])
    assert columns.of(vocabulary.ids(["bicycle", "rose", "the"])).tolist() == [1, 0, 0]


def test_bags_hold_each_word_of_each_example_once() -> None:
    vocabulary = Vocabulary((10, {}))
    texts = [["rose", "rose", "bicycle"], [], ["the", "rose"]]
    found = bags(vocabulary, [Example(vocabulary.ids(words), "x") for words in texts])
    assert found.terms == ["bicycl", "rose"]
    rows = list(zip(found.pages.tolist(), found.words.tolist(), found.counts.tolist(), strict=True))
    assert rows == [(0, 0, 1), (0, 1, 2), (2, 1, 1)]
    assert found.pooled(np.array([0, 0, 1]), 2).tolist() == [[1, 2], [0, 1]]
    only = found.only(np.array([1]))
    assert (only.terms, only.pages.tolist(), only.counts.tolist()) == (["rose"], [0, 2], [2, 1])
