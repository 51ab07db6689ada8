"""focused.search: tokens, and which query comes next."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.errors import TopicError
from focused.search.engine import Answers
from focused.search.queries import centre_out, queries, search_weights
from focused.search.seeker import ENOUGH, NOTHING, Plan, Seeker
from focused.search.tokens import tokens_of, weighted

TOKENS = dict.fromkeys(("a", "b", "c", "d"), 1.0)
FOUND = Answers(["http://a.example/"], 5)


def sought(seeker: Seeker, answers: Answers = FOUND, authorities: int = 1) -> list[str]:
    """All its queries, each answered like this."""
    asked = []
    while (query := seeker.next()) is not None:
        asked.append(query)
        if seeker.answered(query, answers):
            seeker.judged(authorities)
    return asked


def test_tokens_are_the_words_that_tell_documents_from_others() -> None:
    documents = [["The", "camera", "sensor", "sensor", "zoom"], ["camera", "aperture", "2024", "of", "zoom"]]
    weights = tokens_of(documents)
    assert set(weights) == {"camera", "sensor", "zoom", "aperture"} and max(weights.values()) == 1.0
    assert list(weights.values()) == sorted(weights.values(), reverse=True)
    assert list(tokens_of(documents, most=2)) == list(weights)[:2]
    assert tokens_of([]) == {} and tokens_of([["the", "of"]]) == {}


def test_a_word_that_is_everywhere_weighs_less() -> None:
    weights = weighted([["camera", "zoom"]], (100, {"camera": 90, "zoom": 1}))
    assert weights["zoom"] == 1.0 > weights["camera"]


def test_an_engine_that_does_not_count_calls_all_tokens_equal() -> None:
    assert search_weights({"a": None, "b": None}) == {"a": 1.0, "b": 1.0}
    assert search_weights({"a": 0, "b": 0}) == {"a": 0.0, "b": 0.0}


@settings(deadline=None, max_examples=50)
@given(st.lists(st.sampled_from("abcdefgh"), unique=True), st.integers(1, 4))
def test_every_set_of_tokens_is_a_query_once(tokens: list[str], size: int) -> None:
    made = [frozenset(query.split()) for query in queries(tokens, size)]
    assert len(made) == len(set(made))
    assert all(len(one) == min(size, len(tokens)) for one in made)
    assert not tokens or frozenset().union(*made) == set(tokens)
    assert sorted(centre_out(tokens)) == sorted(tokens)


def test_tokens_are_counted_before_they_are_put_together() -> None:
    asked = sought(Seeker(TOKENS, Plan(words=3)))
    assert asked[:4] == list("abcd") and len(asked) == 4 + 4


def test_few_tokens_make_one_query_and_nothing_is_counted() -> None:
    assert sought(Seeker(TOKENS, Plan(words=4))) == ["b a c d"]


def test_it_ends_after_so_many_queries_without_a_new_authority() -> None:
    seeker = Seeker(TOKENS, Plan(words=2, max_queries=3))
    assert len(sought(seeker, authorities=0)) == 4 + 3 and seeker.over == ENOUGH
    assert len(sought(Seeker(TOKENS, Plan(words=2, max_queries=3)))) == 4 + 6  # all that there are


def test_it_ends_when_nothing_is_found_or_the_quota_is_spent() -> None:
    seeker = Seeker(TOKENS, Plan(words=3))
    assert len(sought(seeker, Answers([], 0))) == 8 and seeker.over == NOTHING
    seeker = Seeker(TOKENS, Plan(words=3, quota=6))
    assert len(sought(seeker)) == 6 and seeker.over == "search_quota"


def test_it_goes_on_where_it_was() -> None:
    first, whole = Seeker(TOKENS, Plan(words=2)), sought(Seeker(TOKENS, Plan(words=2)))
    asked = []
    for _ in range(6):
        asked.append(str(first.next()))
        first.answered(asked[-1], FOUND)
    second = Seeker(TOKENS, Plan(words=2))
    second.restore(first.state())
    assert asked + sought(second) == whole


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"tokns": []}, "'tokns'"),
        ({"words": 0}, "words = 0"),
        ({"answers": "ten"}, "answers = 'ten'"),
        ({"engine": 5}, "engine = 5"),
        ({"quota": -1}, "quota = -1"),
        ({"words": True}, "words = True"),
    ],
)
def test_mistakes_in_the_table_are_named(table: dict[str, Any], said: str) -> None:
    with pytest.raises(TopicError, match=said):
        Plan.of(table, "topic 'x'")
