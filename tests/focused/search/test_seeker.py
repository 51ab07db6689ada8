"""focused.search: tokens, and which query comes next."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.errors import TopicError
from focused.search.engine import Answers
from focused.search.queries import centre_out, queries, search_weights
from focused.search.seeker import ENOUGH, NOTHING, Plan, Seeker
from focused.search.tokens import Tokens

TOKENS = Tokens(given="abcd")
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
    weights = Tokens(documents).weights()
    assert set(weights) == {"camera", "sensor", "zoom", "aperture"} and max(weights.values()) == 1.0
    assert list(weights.values()) == sorted(weights.values(), reverse=True)
    assert list(Tokens(documents).weights(most=2)) == list(weights)[:2]
    assert Tokens().weights() == {} and Tokens([["the", "of"]]).weights() == {}


def test_a_word_that_is_everywhere_weighs_less() -> None:
    weights = Tokens([["page", "aperture"]]).weights()
    assert weights["aperture"] == 1.0 > weights["page"] > 0


def test_tokens_weigh_by_how_often_they_are_there_beside_the_most_frequent() -> None:
    often, seldom = Tokens([["zoom", "zoom", "lens"]]), Tokens([["zoom", "lens", "lens"]])
    assert often.shares_of(["zoom", "zoom", "lens"]) == {"zoom": 1.0, "lens": 0.5}
    assert often.weights()["lens"] == pytest.approx(seldom.weights()["lens"] / seldom.weights()["zoom"] / 4, abs=1e-6)


def test_tokens_of_the_user_are_sure_until_a_document_has_one_of_them() -> None:
    tokens = Tokens(given=["Zoom", "hot-shoe", "lens", "---"])
    assert tokens.weights() == dict.fromkeys(("Zoom", "hot-shoe", "lens", "---"), 1.0)
    tokens.add(tokens.shares_of(["boats", "boats", "at", "sea"]))
    assert set(tokens.weights().values()) == {1.0}
    tokens.add(tokens.shares_of(["zoom", "zoom", "camera", "hot", "shoe"]))
    weights = tokens.weights()
    assert weights["Zoom"] == 1.0 > weights["hot-shoe"] > 0 == weights["lens"] == weights["---"]


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


def test_a_query_of_one_token_wants_all_its_answers_although_it_was_counted() -> None:
    assert Seeker(TOKENS, Plan(words=1)).most("a") == 10
    assert Seeker(TOKENS, Plan(words=2)).most("a") == 1


def test_new_authorities_give_tokens_new_weights_and_no_query_is_asked_twice() -> None:
    seeker, still = (Seeker(Tokens([["zoom", "lens"], ["zoom", "sensor"]]), Plan(words=2)) for _ in range(2))
    before, asked = dict(seeker.weights), []
    while " " not in (query := str(seeker.next())):
        seeker.answered(query, FOUND)
    asked.append(query)
    seeker.answered(query, FOUND)
    seeker.read(["shutter", "shutter", "shutter", "lens", "lens", "the"])
    asked += sought(seeker)
    assert seeker.weights["shutter"] > 0 and seeker.weights["lens"] > before["lens"] and "shutter" in asked
    pairs = [frozenset(query.split()) for query in asked if " " in query]
    assert len(pairs) == len(set(pairs)) and set(pairs) > {frozenset(q.split()) for q in sought(still) if " " in q}


def test_updated_tokens_are_the_same_after_a_kill() -> None:
    first, second = (Seeker(Tokens([["zoom", "lens"]]), Plan(words=2, update_tokens=True)) for _ in range(2))
    query = str(first.next())
    first.answered(query, FOUND)
    kept = [first.read(["shutter", "lens"]), first.read(["flash", "flash"])]
    second.restore(json.loads(json.dumps(first.state())))
    for shares in kept:
        second.recall(shares)
    assert second.weights == first.weights and sought(second) == sought(first)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"tokns": []}, "'tokns'"),
        ({"words": 0}, "words = 0"),
        ({"answers": "ten"}, "answers = 'ten'"),
        ({"engine": 5}, "engine = 5"),
        ({"quota": -1}, "quota = -1"),
        ({"words": True}, "words = True"),
        ({"update_tokens": 1}, "update_tokens = 1 .* true or false"),
    ],
)
def test_mistakes_in_the_table_are_named(table: dict[str, Any], said: str) -> None:
    with pytest.raises(TopicError, match=said):
        Plan.of(table, "topic 'x'")
