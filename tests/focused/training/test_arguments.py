"""focused.training.arguments: [model] is looked at before anything is learned."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.settings import Settings

from focused.errors import TopicError
from focused.settings import FOCUSED_MODELS
from focused.topic import Topic
from focused.training.arguments import check
from focused.training.kinds import kind_of


def of(**model: Any) -> None:
    kind_of(Settings({"FOCUSED_MODELS": FOCUSED_MODELS}), Topic("boats", "sailing", model=model))


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ({"threshold": "high"}, r"threshold = 'high' in \[model\] of topic 'boats' is not a number"),
        ({"threshold": 7}, "threshold = 7 .* is no relevance"),
        ({"threshold": -0.1}, "from 0 to 1"),
        ({"idf": "no"}, "idf = 'no' .* is not true or false"),
        ({"speed": 3}, "speed in .* is no argument of its kind: it takes threshold, idf"),
        ({"kind": "naive_bayes", "features": "many"}, "features = 'many' .* is not a whole number"),
        ({"kind": "naive_bayes", "features": -4}, "is not a whole number, 0 or more"),
        ({"kind": "naive_bayes", "relevant": 3}, "relevant = 3 .* is not a list of texts"),
        ({"kind": "svm", "c": True}, "c = True .* is not a number"),
        ({"kind": "centroids", "lam": "big"}, "lam = 'big' .* is not a number or 'fit'"),
        ({"kind": "text", "certainty": "x"}, "certainty = 'x' .* is not a number"),
        ({"kind": "table", "attributes": 3}, "attributes = 3 .* is not a list of texts"),
        ({"kind": "os.path"}, "'os.path' is no model"),
        ({"kind": "models.text.Vocabulary"}, "give a class with judge"),
    ],
)
def test_a_mistake_is_one_sentence(model: dict[str, Any], said: str) -> None:
    with pytest.raises(TopicError, match=said) as error:
        of(**model)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "model",
    [
        {},
        {"threshold": 0},
        {"threshold": 0.1, "idf": False},
        {"kind": "naive_bayes", "features": 500, "relevant": ["a", "b"]},
        {"kind": "taxonomy", "good": ["a/b"]},
        {"kind": "svm", "c": 2},
        {"kind": "centroids", "lam": "fit", "p_err": 0.1},
        {"kind": "table", "attributes": ["zoom"], "least": 2},
        {"kind": "text", "certainty": 0.8},
    ],
)
def test_what_is_documented_is_taken(model: dict[str, Any]) -> None:
    of(**model)


def test_a_model_of_ones_own_may_take_anything() -> None:
    class Own:
        def __init__(self, vocabulary: object, query: str, **others: object) -> None: ...

    check(Own, {"speed": "fast"}, "[model]")
