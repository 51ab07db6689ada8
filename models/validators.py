"""Does a page present one instance of what is wanted? — xCrawl, §2.2 (X-13).

A validator says yes or no and nothing else: `accept(page)`. The models below let a validator stand where a page
model is asked for: relevance 1 or 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

import numpy as np

from models.columns import Columns
from models.description import Group
from models.model import OTHER, RELEVANT, THIN, Example, Floats, Ids, Judgement, Readable, failing_closed
from models.naive_bayes import KIND as NAIVE_BAYES
from models.naive_bayes import NaiveBayes
from models.saved import Kept, Saved
from models.tabular import Reading
from models.text import Vocabulary, background_counts, text_ids

TEXT = "text"
ENOUGH, ENOUGH_IN_PARTS = 4, 6  # labels in one group; in several together
LEAST_SHARE = 0.03  # of the words of a page that a description which is no table must make up
ALIKE = 0.5  # of the labels of two groups: these describe two things of one kind
SAME_SIZE = 0.6


class Validator(Protocol):
    """A yes or no, never an error."""

    def accept(self, page: Readable) -> bool: ...


class TableValidator:
    """Accepts a page that sets out attributes and values of one thing; no training.

    With `attributes`, at least `least` of these words must be among the labels: cameras, not printers.
    """

    def __init__(self, vocabulary: Vocabulary, attributes: Sequence[str] = (), least: int = 3) -> None:
        self.vocabulary = vocabulary
        self.faults = 0
        self._wanted = set(text_ids(vocabulary, attributes).tolist()) - {0}
        self._least = min(least, len(self._wanted))

    def accept(self, page: Readable) -> bool:
        return bool(self.labels(page))

    def labels(self, page: Readable) -> list[str]:
        """The attributes of the one thing the page presents; none if it presents none, or several."""
        try:
            found = described(list(Reading(page.tree).groups.values()), len(page.words))
        except Exception:  # whatever a page holds, the crawl goes on
            self.faults += 1
            return []
        known = self._wanted.intersection(text_ids(self.vocabulary, found).tolist())
        return found if len(known) >= self._least else []


def described(groups: Sequence[Group], words: int) -> list[str]:
    """The labels of the groups that describe one thing on a page of so many words."""
    kept = sorted((group for group in groups if group.describes()), key=lambda group: -len(group.labels))
    if not kept or any(_are_twins(kept[0], other) for other in kept[1:]):
        return []
    labels = list(dict.fromkeys(row.label for group in kept for row in group.rows))
    if len(kept[0].labels) < ENOUGH and len(labels) < ENOUGH_IN_PARTS:
        return []
    said = sum(len(row.label.split()) + len(row.value.split()) for group in kept for row in group.rows)
    is_sure = any(group.is_table and len(group.labels) >= ENOUGH for group in kept)
    return labels if is_sure or said >= LEAST_SHARE * words else []


def _are_twins(one: Group, other: Group) -> bool:
    few, many = sorted((one.labels, other.labels), key=len)
    return len(few) >= SAME_SIZE * len(many) and len(few & many) >= ALIKE * len(few)


class TextValidator:
    """Accepts a page whose text is like that of the examples: naive Bayes and a threshold."""

    def __init__(self, model: NaiveBayes) -> None:
        self.model = model

    def accept(self, page: Readable) -> bool:
        return self.model.judge(page).relevant


def verdict(accepted: bool, threshold: float, known: bool = True, thin: bool = False) -> Judgement:
    """Yes or no as a judgement; a page of which nothing is known is not relevant, however low the threshold."""
    best, chance = (RELEVANT, 1.0) if accepted else (OTHER, 0.0)
    return Judgement(chance, known and chance >= threshold, best, {RELEVANT: chance, OTHER: 1.0 - chance}, thin=thin)


class Accepting:
    """Any validator as a page model. One that raises rejects the page, and is counted."""

    def __init__(self, validator: Validator, threshold: float = 0.5) -> None:
        self.validator = validator
        self.threshold = threshold
        self.faults = 0

    @failing_closed
    def judge(self, page: Readable) -> Judgement:
        return verdict(bool(self.validator.accept(page)), self.threshold)

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        return np.zeros(len(starts))

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        return []


class TableModel:
    """The table validator as a page model; its evidence are the attributes it found."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        query: str = "",
        attributes: str | Sequence[str] = (),
        least: int = 3,
        threshold: float = 0.5,
    ) -> None:
        words = [attributes] if isinstance(attributes, str) else attributes
        self.validator = TableValidator(vocabulary, words, least)
        self.threshold = threshold
        self.faults = 0

    @failing_closed
    def judge(self, page: Readable) -> Judgement:
        return verdict(self.validator.accept(page), self.threshold)

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        """An anchor is no table."""
        return np.zeros(len(starts))

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        labels = self.validator.labels(page)
        return [(label, 1 / len(labels)) for label in labels[:most]]


class TextModel(Kept):
    """The text validator as a page model that is trained."""

    def __init__(self, vocabulary: Vocabulary, saved: Saved) -> None:
        saved.require(TEXT, ["accepted_from"], ["terms"])
        self.validator = TextValidator(NaiveBayes(vocabulary, saved._replace(kind=NAIVE_BAYES)))
        self.threshold = float(saved.facts["accepted_from"])
        self.faults = 0
        super().__init__(vocabulary, saved)
        self._columns = Columns(vocabulary, saved.arrays["terms"].tolist())

    @classmethod
    def fit(
        cls, vocabulary: Vocabulary, examples: Sequence[Example], threshold: float = 0.5, certainty: float = 0.5
    ) -> Self:
        """`certainty` is the probability from which a page is accepted. Without other examples, against English."""
        pages = list(examples)
        if pages and all(example.label == RELEVANT for example in pages):
            pages += background(vocabulary, [len(example.terms) for example in pages])
        inner = NaiveBayes.fit(vocabulary, pages, threshold=certainty).saved()
        return cls(vocabulary, Saved(TEXT, {**inner.facts, "accepted_from": threshold}, inner.arrays))

    @failing_closed
    def judge(self, page: Readable) -> Judgement:
        known = int(np.count_nonzero(self._columns.of(page.judged_terms)))
        return verdict(self.validator.accept(page), self.threshold, known > 0, known < THIN)

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        model = self.validator.model
        known = np.append(0, np.cumsum(self._columns.of(terms) > 0))
        accepted = (model.judge_spans(terms, starts, ends) >= model.threshold) & (known[ends] > known[starts])
        return accepted.astype(np.float64)

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        return self.validator.model.evidence(page, most)


def background(vocabulary: Vocabulary, lengths: Sequence[int]) -> list[Example]:
    """Pages of so many words each, drawn from the English of the shipped table: what is not an example (X-13 b)."""
    terms, counts = zip(*background_counts()[1].items(), strict=True)
    chances = np.cumsum(counts) / sum(counts)
    drawn = [np.searchsorted(chances, row) for row in map(np.random.default_rng(0).random, lengths)]
    return [Example(np.array([vocabulary.id_of(terms[i]) for i in row], np.int32), OTHER) for row in drawn]
