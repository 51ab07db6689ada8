"""The crawler that learned from browsing — Batsakis 2007, §3.4: a link is as good as the chance that it is relevant.

    the page's cluster and what its parent passed on give alpha, the state it may be in                (B-22, B-23)
    hmm      = the chance that the next page is relevant, the same for all links of the page
    hybrid=none     hmm                                                                                 (§3.4.1)
    hybrid=page     (sim(page, c_r) + hmm) / 2                                                          (eq. 11)
    hybrid=anchor   (hmm + (sim(page, c_r) + sim(anchor, c_r)) / 2) / 2                                 (eq. 12)
    of links nearer than epsilon the one with the better second step comes first                       (B-24)

c_r is the mean of the relevant pages of the recorded browsing. A link found on several pages has the alpha of the one
that gave it the highest score.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from focused.errors import SettingError, TopicError
from focused.orderings.base import Ordering, Surroundings
from focused.page import Page
from focused.sessions import browsed
from models.browsing import Browsing
from models.hmm import Ahead, packed
from models.model import Floats, ModelError
from models.similarity import DIGITS

TOLD = 9  # digits of alpha that a link carries


@dataclass
class Hmm(Ordering):
    """The most likely way to relevant pages first."""

    hybrid: str = field(default="none", metadata={"choices": ("none", "page", "anchor")})
    clusters: str = field(default="kmeans", metadata={"choices": ("kmeans", "xmeans")})
    states: int = 4  # link distances told apart; the last: that far or farther
    epsilon: float = 0.01  # chances nearer than that are a tie
    recursion: str = field(default="sum", metadata={"choices": ("sum", "max")})
    literal_seed: bool = False  # pi goes through A before the first page
    _browsing: Browsing = field(init=False, repr=False, compare=False)

    def bind(self, around: Surroundings) -> None:
        super().bind(around)
        if self.states < 2 or self.epsilon <= 0:
            raise SettingError(
                f"ordering_args: states={self.states}, epsilon={self.epsilon}: give 2 or more, and above 0."
            )
        learned = browsed(around.sessions(), around.vocabulary)
        try:
            self._browsing = Browsing.fit(around.vocabulary, learned, self.clusters, self.states)
        except ModelError as error:
            raise TopicError(
                f"Ordering hmm cannot learn from the browsing of topic '{around.topic.name}': {error}"
            ) from None
        hmm = self._browsing.hmm
        self._browsing.hmm = replace(hmm, recursion=self.recursion, literal_seed=self.literal_seed)

    def score(self, page: Page) -> Floats:
        alpha, ahead = self._look(page)
        trail = {"alpha": alpha.round(TOLD).tolist()}
        for link in page.links:
            link.trail = trail
        return packed(self._chances(page, ahead.one), ahead.two, self.epsilon)

    def _look(self, page: Page) -> tuple[Floats, Ahead]:
        """The state a page may be in, and what is ahead of it."""
        kept = (page.trail or {}).get("alpha")
        parent = np.array(kept) if kept and len(kept) == self.states else None
        hmm = self._browsing.hmm
        alpha = hmm.alpha(parent, self._browsing.cluster(page.judged_terms))
        return alpha, hmm.ahead(alpha)

    def _chances(self, page: Page, one: float) -> Floats:
        chances = np.full(len(page.links), one)
        if self.hybrid == "none":
            return chances.round(DIGITS)
        similar = np.full(len(page.links), self._browsing.relevant.judge(page).relevance)
        if self.hybrid == "anchor":
            similar = (similar + self._browsing.relevant.judge_spans(page.terms, page.starts, page.ends)) / 2
        mixed: Floats = (chances + similar) / 2  # eq. 11, 12
        return mixed.round(DIGITS)

    def terms(self, page: Page, index: int) -> dict[str, float]:
        cluster = self._browsing.cluster(page.judged_terms)
        _, ahead = self._look(page)
        found = {"cluster": float(cluster), "one_step": ahead.one, "two_steps": ahead.two}
        if self.hybrid == "none":
            return found
        relevant = self._browsing.relevant
        found["page"] = relevant.judge(page).relevance
        if self.hybrid == "anchor":
            starts, ends = page.starts[index : index + 1], page.ends[index : index + 1]
            found["anchor"] = float(relevant.judge_spans(page.terms, starts, ends)[0])
        return found
