"""The HMM crawler on pages: trails, near ties, hybrids, and what the user may get wrong."""

from __future__ import annotations

import numpy as np
import pytest

from focused.errors import SettingError, TopicError
from focused.graph import LinkGraph
from focused.orderings.base import Ordering, Surroundings, make
from focused.orderings.hmm import Hmm
from focused.page import Page, PageReader
from focused.sessions import Step
from focused.topic import Topic
from models.similarity import Similarity
from models.text import Vocabulary

HOST = "http://s.example/"
# From sports over clubs to bicycles, and from kitchens nowhere.
STEPS = [
    Step(f"{HOST}{name}", f"{HOST}{before}" if before else "", "bicycle" in text, text)
    for before, name, text in (
        ("", "sports", "sports news football league"),
        ("sports", "clubs", "clubs members meetings addresses"),
        ("clubs", "b1", "bicycle clubs racing"),
        ("b1", "b2", "bicycle touring holidays"),
        ("", "kitchen", "kitchen recipes soup"),
        ("kitchen", "cake", "cake recipes kitchen"),
        ("cake", "bread", "bread oven kitchen"),
        ("bread", "kitchen", "kitchen recipes soup"),
    )
]


def bound(arguments: str = "", steps: list[Step] = STEPS) -> Ordering:
    vocabulary = Vocabulary()
    ordering = make(Hmm, arguments)
    model = Similarity(vocabulary, "bicycle")
    around = Surroundings(Topic("topic", "bicycle"), model, 0, vocabulary, LinkGraph(), sessions=lambda: steps)
    ordering.bind(around)
    return ordering


def page(ordering: Ordering, text: str, trail: dict[str, list[float]] | None = None) -> Page:
    body = f'<p>{text} <a href="/1">bicycle touring</a> <a href="/2">soup</a> <a href="/3"></a></p>'
    made = PageReader(ordering.around.vocabulary).read("http://a.example/", body.encode(), "text/html")
    made.trail = trail
    return made


@pytest.mark.parametrize("clusters", ["kmeans", "xmeans"])
def test_pages_like_those_that_led_on_come_first(clusters: str) -> None:
    ordering = bound(f"clusters={clusters}")
    scores = [ordering.score(page(ordering, text))[0] for text in ("bicycle racing holidays", "kitchen soup oven")]
    assert scores[0] > scores[1]


def test_all_links_of_a_page_carry_what_the_page_may_be() -> None:
    ordering = bound()
    first = page(ordering, "sports football news")
    ordering.score(first)
    trails = [link.trail for link in first.links]
    assert all(trail == trails[0] for trail in trails)
    assert sum(trails[0]["alpha"]) == pytest.approx(1)


def test_the_same_page_scores_by_the_path_it_was_reached_on() -> None:
    ordering = bound()
    near, far = {"alpha": [0.0, 1.0, 0.0, 0.0]}, {"alpha": [0.0, 0.0, 0.0, 1.0]}
    scores = [ordering.score(page(ordering, "clubs members", trail))[0] for trail in (near, far)]
    assert scores[0] > scores[1]


def test_a_trail_of_another_shape_counts_as_none() -> None:
    ordering = bound()
    plain = ordering.score(page(ordering, "clubs"))
    for trail in ({"alpha": [1.0]}, {"other": [1.0]}, {}):
        assert np.array_equal(ordering.score(page(ordering, "clubs", trail)), plain)


def test_only_the_hybrid_with_anchors_tells_links_of_a_page_apart() -> None:
    for arguments, distinct in (("", 1), ("hybrid=page", 1), ("hybrid=anchor", 2)):
        ordering = bound(arguments)
        assert len(set(ordering.score(page(ordering, "clubs")).tolist())) == distinct
    scores = ordering.score(page(ordering, "clubs")).tolist()
    assert scores[0] > max(scores[1:])


def test_the_parts_of_a_score_are_named() -> None:
    ordering = bound("hybrid=anchor")
    parts = ordering.terms(page(ordering, "clubs"), 0)
    assert list(parts) == ["cluster", "one_step", "two_steps", "page", "anchor"]
    mixed = (parts["one_step"] + (parts["page"] + parts["anchor"]) / 2) / 2
    assert ordering.score(page(ordering, "clubs"))[0] == pytest.approx(mixed, abs=ordering.epsilon)  # type: ignore[attr-defined]


def test_mistakes_are_told_at_the_start() -> None:
    with pytest.raises(TopicError, match=r"browsing of topic 'topic'.*No recorded page is relevant"):
        bound(steps=[])
    with pytest.raises(SettingError, match="states=1"):
        bound("states=1")
    with pytest.raises(SettingError, match="epsilon=0"):
        bound("epsilon=0")
    with pytest.raises(SettingError, match="clusters=some is not known"):
        bound("clusters=some")
