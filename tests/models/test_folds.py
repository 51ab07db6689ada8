from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.folds import site_folds
from models.model import Example, ModelError

NOTHING = np.zeros(0, np.int32)
PAGES = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("123456")), min_size=4, max_size=40)


@settings(deadline=None)
@given(PAGES)
def test_every_page_is_tried_once_by_who_knows_all_labels(pages: list[tuple[str, str]]) -> None:
    examples = [Example(NOTHING, label, f"{label}{site}.example") for label, site in pages]
    if min(sum(label == wanted for label, _ in pages) for wanted in "ab") < 2:
        return
    folds = site_folds(examples, 10)
    assert sorted(i for _, test in folds for i in test) == list(range(len(examples)))
    assert all({examples[i].label for i in train} == {"a", "b"} for train, _ in folds)
    if all(len({site for label, site in pages if label == wanted}) > 1 for wanted in "ab"):
        sites = [({examples[i].site for i in train}, {examples[i].site for i in test}) for train, test in folds]
        assert all(learned.isdisjoint(tried) for learned, tried in sites)


def test_pages_without_a_site_stand_for_themselves() -> None:
    examples = [Example(NOTHING, label) for label in "aaabbb"]
    assert [len(test) for _, test in site_folds(examples, 10)] == [2, 2, 2]


def test_a_single_example_of_a_label_is_not_enough() -> None:
    with pytest.raises(ModelError, match="two examples of each label"):
        site_folds([Example(NOTHING, label) for label in "aab"], 10)
