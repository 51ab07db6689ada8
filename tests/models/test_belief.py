"""belief: the judge's word, corrected by the pages so far."""

from __future__ import annotations

import json

import numpy as np

from models.belief import Belief, Seen
from models.text import Vocabulary, text_ids

SEED = "bicycle racing saddles and wheels, touring the alps on a bicycle"
OTHER = "soup with carrots and onions, boiled for an hour in a large pot"


def seen(belief: Belief, text: str, relevance: float) -> Seen:
    return belief.see(text_ids(belief.vocabulary, [text]), relevance)


def taught(threshold: float = 0.08) -> Belief:
    belief = Belief(Vocabulary(), threshold)
    for _ in range(2):
        belief.learn_seed(seen(belief, SEED, 0.2))
    for number in range(60):
        page = seen(belief, SEED if number % 2 else OTHER, 0.2 if number % 2 else 0.01)
        belief.learn(page, belief.of(page))
    return belief


def test_pages_like_the_seeds_are_believed_and_others_are_not() -> None:
    belief = taught()
    assert belief.of(seen(belief, SEED, 0.2)) > 0.9
    assert belief.of(seen(belief, OTHER, 0.01)) < 0.1


def test_the_pages_speak_against_a_judge_that_errs() -> None:
    belief = taught()
    like, unlike = (belief.of(seen(belief, text, 0.08)) for text in (SEED, OTHER))
    assert like > unlike + 0.3


def test_a_judge_is_believed_up_to_a_bound() -> None:
    belief = taught()
    assert belief.of(seen(belief, OTHER, 0.5)) == belief.of(seen(belief, OTHER, 1.0))


def test_a_probability_counts_by_its_odds_within_a_bound_and_the_pages_only_sway_it() -> None:
    belief = taught(threshold=0.5)
    like, unlike = seen(belief, SEED, 0.2), seen(belief, OTHER, 0.01)
    assert belief.of(unlike, 0.9) > 0.9 > 0.5 > belief.of(like, 0.02)
    assert belief.of(like, 0.3) > belief.of(unlike, 0.3)
    assert belief.of(like, 0.99) == belief.of(like, 0.9999)
    assert Belief(Vocabulary(), 0.5).of(like, 0.4) < Belief(Vocabulary(), 0.3).of(like, 0.4)


def test_a_lower_prior_believes_less() -> None:
    page = Seen(np.zeros(0, np.int32), np.zeros(0), 0.0, 0.15)
    assert Belief(Vocabulary(), 0.08, 0.05).of(page) < Belief(Vocabulary(), 0.08, 0.5).of(page)


def test_anchors_are_compared_with_the_seeds() -> None:
    belief = taught()
    terms = text_ids(belief.vocabulary, ["bicycle touring carrots soup"])
    starts, ends = np.array([0, 2, 1], np.int32), np.array([2, 4, 1], np.int32)
    cosines = belief.spans(terms, starts, ends)
    assert cosines[0] > 0.3 > 0.0 > cosines[1] and cosines[2] == 0.0


def test_it_survives_as_json() -> None:
    belief, twin = taught(), Belief(Vocabulary(), threshold=0.08)
    twin.restore(json.loads(json.dumps(belief.saved())))
    assert twin.of(seen(twin, SEED, 0.1)) == belief.of(seen(belief, SEED, 0.1))


def test_seeds_say_before_the_first_page_what_relevant_pages_look_like() -> None:
    """Where the judge is blind, and the seeds are little alike, a page that is a little like them is relevant."""
    belief = Belief(Vocabulary(), threshold=0.08, prior=0.5)
    for text in (SEED, "alps and other mountains", "wheels of wagons and their saddles"):
        belief.learn_seed(seen(belief, text, 0.0))
    page = seen(belief, "mountains and wheels, a short text of many other words", 0.0)
    assert belief.of(page) > 0.5 > Belief(belief.vocabulary, 0.08, prior=0.5).of(page)


def test_the_order_of_the_seeds_does_not_matter() -> None:
    texts = [SEED, "alps and other mountains", "touring on wheels"]
    made = []
    for order in (texts, texts[::-1]):
        belief = Belief(Vocabulary(), threshold=0.08)
        for text in order:
            belief.learn_seed(seen(belief, text, 0.05))
        made.append(belief.relevant_at)
    assert abs(made[0] - made[1]) < 1e-6


def test_pages_that_are_all_alike_do_not_make_relevant_pages_and_others_the_same() -> None:
    belief = taught()
    for _ in range(700):
        page = seen(belief, OTHER, 0.01)
        belief.learn(page, belief.of(page))
    assert belief.relevant_at - belief.other_at > 0.6 and belief.of(seen(belief, OTHER, 0.01)) < 0.5
