"""Is a whole website on the topic? — Ester, Kriegel, Schubert 2004, §4.3.3 (W-09 to W-12).

    q_k  = Pr[p|C_k] (1 - p_err) + p_err / (n - 1) * sum of Pr[p|C_j], j != k     one page, corrected (W-09)
    L_k += ln q_k                                                                 one site, page by page (W-10)
    stop when some Pr[C_k|W] >= p_threshold: the verdict is frozen, the posterior runs on (W-12)

Class 0 is the wanted one. Differs: `p_err` is one minus the accuracy; Table 2 prints the accuracy itself (W-08).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any, Self

P_ERR = 0.12  # of most topics in Table 2
P_THRESHOLD = 0.9  # §5.2
_LEAST = 1e-12  # a page never rules a class out
_TOLERANCE = 1e-12
_LOW, _HIGH = 0.05, 0.95  # of a prior


def corrected(confidences: Sequence[float], p_err: float) -> list[float]:
    """What a page says once the classifier's own error is allowed for (W-09)."""
    total, share = sum(confidences), p_err / (len(confidences) - 1)
    return [(1 - p_err) * confidence + share * (total - confidence) for confidence in confidences]


def confidences(relevance: float, threshold: float) -> tuple[float, float]:
    """Of the wanted class and of the other, for any page model: its threshold is where the two are even.

    Differs: the odds of the relevance are divided by those of the threshold. A model with threshold 0.5, such as
    the paper's centroids, is taken as it is; the cosine to a query calls a page relevant at 0.08 already.

    >>> confidences(0.7, 0.5), confidences(0.08, 0.08)
    ((0.7, 0.30000000000000004), (0.5, 0.5))
    """
    threshold = min(max(threshold, _LEAST), 1 - _LEAST)
    wanted, other = relevance * (1 - threshold), (1 - relevance) * threshold
    confidence = wanted / (wanted + other)
    return confidence, 1 - confidence


def prior(relevant: int, screened: int) -> float:
    """The share of relevant sites among those screened so far, kept away from 0 and 1 (W-11)."""
    return min(_HIGH, max(_LOW, (relevant + 1) / (screened + 2)))


@dataclass(slots=True)
class Website:
    """What the pages of one site read so far say of it."""

    scores: list[float]  # L_k
    p_err: float = P_ERR
    p_threshold: float = P_THRESHOLD
    pages: int = 0
    confidence_sum: float = 0.0  # of the wanted class
    frozen: list[float] = field(default_factory=list)  # the posteriors that decided

    @classmethod
    def begun(
        cls, wanted: float = 0.5, p_err: float = P_ERR, p_threshold: float = P_THRESHOLD, classes: int = 2
    ) -> Self:
        """A site of which no page was read; the other classes share what the prior of the wanted one leaves."""
        others = [math.log((1 - wanted) / (classes - 1))] * (classes - 1)
        return cls([math.log(wanted), *others], p_err, p_threshold)

    def add(self, confidences: Sequence[float]) -> None:
        """One more page was read; its confidences sum to 1, the wanted class first."""
        told = corrected(confidences, self.p_err)
        self.scores = [score + math.log(max(q, _LEAST)) for score, q in zip(self.scores, told, strict=True)]
        self.pages += 1
        self.confidence_sum += confidences[0]
        self.settle()

    def settle(self) -> None:
        """Freezes the verdict as soon as one class is sure enough, whichever it is (W-12)."""
        if not self.frozen and self.pages:
            posteriors = self.posteriors
            if max(posteriors) >= self.p_threshold - _TOLERANCE:
                self.frozen = posteriors

    @property
    def posteriors(self) -> list[float]:
        """Pr[C_k|W] by all pages read (W-10)."""
        most = max(self.scores)
        shares = [math.exp(score - most) for score in self.scores]
        total = sum(shares)
        return [share / total for share in shares]

    @property
    def posterior(self) -> float:
        """That of the wanted class."""
        return self.posteriors[0]

    @property
    def decided(self) -> bool:
        return bool(self.frozen)

    @property
    def verdict(self) -> bool:
        """Whether the site is relevant: as it was decided, else as it looks now. A tie is no relevance."""
        wanted, *others = self.frozen or self.posteriors
        return wanted > max(others)

    @property
    def confidence(self) -> float:
        """The posterior of the wanted class when the site was decided, else the present one."""
        return (self.frozen or self.posteriors)[0]

    @property
    def mean_confidence(self) -> float:
        """The mean over the pages: what Table 3 lists as confidence (ambiguity A3)."""
        return self.confidence_sum / self.pages if self.pages else 0.0

    def state(self) -> list[Any]:
        """JSON that `restored` makes the same site of, to the last bit."""
        return list(astuple(self))

    @classmethod
    def restored(cls, state: Sequence[Any]) -> Self:
        return cls(*state)


def judged(pages: Iterable[Sequence[float]], site: Website) -> Website:
    """A site just begun, judged by all of its pages at once: what was read in no order decides together.

    For pages that another crawl fetched (W-26 ii), or with its homepage only (W-27).
    """
    threshold, site.p_threshold = site.p_threshold, math.inf
    for confidences in pages:
        site.add(confidences)
    site.p_threshold = threshold
    site.settle()
    return site
