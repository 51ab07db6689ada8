"""Naive Bayes down a tree of classes — Chakrabarti, van den Berg, Dom 1999, §3.1 (F-10, F-11, F-13).

    Pr[root|d] = 1
    Pr[c|d]    = Pr[parent(c)|d] * Pr[c|parent] Pr[d|c] / the same summed over the siblings of c
    R(d)       = sum of Pr[c|d] over the good classes that lie under no other good class

A class is a path ("Recreation/Cycling"); what is below a good class is good. An inner class is learned from its own
examples and those of all classes below it. The words' probabilities are those of models.naive_bayes.
Differs: R is printed as a sum over all good classes, which would count a parent and its children (1.8 in the worked
example); a page of which no word is known is not relevant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np

from models.columns import Columns, bags, check
from models.model import THIN, Example, Floats, Ids, Judgement, ModelError, Readable, failing_closed
from models.naive_bayes import most_telling, normalised, span_sums, together, word_weights
from models.saved import Kept, Saved
from models.text import Vocabulary, counted
from models.tree import Tree

KIND = "taxonomy"


class Taxonomy(Kept):
    """Relevance is R(d). `classes` of a judgement are the leaves: an inner class has the sum of those below it."""

    def __init__(self, vocabulary: Vocabulary, saved: Saved) -> None:
        saved.require(KIND, ("paths", "good", "threshold"), ("terms", "counts", "pages"))
        self.threshold = float(saved.facts["threshold"])
        self.tree = Tree(saved.facts["paths"])
        self.good = self.tree.good(saved.facts["good"])
        self.faults = 0
        super().__init__(vocabulary, saved)
        self._columns = Columns(vocabulary, saved.arrays["terms"].tolist())
        counts, pages = saved.arrays["counts"], saved.arrays["pages"]
        self._weights = np.concatenate([word_weights(counts[group]) for _, group in self.tree.families])
        self._prior = np.log(pages)  # Pr[c|parent] but for a factor that siblings share
        self._leaf_paths = [self.tree.paths[leaf] for leaf in self.tree.leaves]
        self._other_leaves = [self.tree.paths[leaf] for leaf in self.tree.leaves if not self.good.all[leaf]]

    @classmethod
    def fit(
        cls,
        vocabulary: Vocabulary,
        examples: Sequence[Example],
        good: Sequence[str],
        threshold: float = 0.5,
        features: int = 0,
    ) -> Self:
        """Learn from examples whose labels are paths; `features` keeps only the most telling words (0: all)."""
        tree = Tree(check(examples))
        tree.good(good)
        if len(tree.families) == len(tree.paths):
            raise ModelError(f"The tree of {', '.join(tree.paths[:10])} has no class beside another: add one.")
        of = np.array([tree.number(example.label) for example in examples])
        found = most_telling(bags(vocabulary, examples), of, features)
        counts, pages = found.pooled(of, len(tree.paths)), np.bincount(of, minlength=len(tree.paths))
        for child in range(len(tree.paths) - 1, -1, -1):  # children come after their parents
            if tree.parents[child] >= 0:
                counts[tree.parents[child]] += counts[child]
                pages[tree.parents[child]] += pages[child]
        facts = {"paths": tree.paths, "good": list(good), "threshold": threshold}
        return cls(vocabulary, Saved(KIND, facts, {"terms": np.array(found.terms), "counts": counts, "pages": pages}))

    @failing_closed
    def judge(self, page: Readable) -> Judgement:
        columns = self._columns.of(page.judged_terms)
        known = int(np.count_nonzero(columns))
        chances = self._chances(self._joint(columns))
        relevance = float(together(chances[self.good.highest]))
        leaves = chances[self.tree.leaves]
        best = int(leaves.argmax())  # the first of equals
        return Judgement(
            relevance,
            known > 0 and relevance >= self.threshold,
            self._leaf_paths[best],
            dict(zip(self._leaf_paths, np.exp(leaves).tolist(), strict=True)),
            bool(self.good.all[self.tree.leaves[best]]),
            known < THIN,
        )

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        """R of each span, exact. Only families on the way to a good class are looked at, one after the other."""
        columns = self._columns.of(terms)
        chances = np.zeros((len(self.tree.paths), len(starts)))
        for parent, family in self.good.families:
            joint = span_sums(self._weights[family], columns, starts, ends) + self._prior[family, None]
            chances[family] = normalised(joint) + (chances[parent] if parent >= 0 else 0.0)
        return together(chances[self.good.highest])

    def doubt(self, classes: Mapping[str, float]) -> float:
        """1 - R of a page with these leaves, exact where it is too small to be seen in R."""
        return sum(classes[path] for path in self._other_leaves)

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        """On the way to the likeliest good class: the log-odds of each class against its strongest sibling."""
        every = self._columns.of(page.judged_terms)
        columns, counts = counted(every)
        joint = self._joint(every)
        step = int(self.good.highest[self._chances(joint)[self.good.highest].argmax()])
        odds = np.zeros(len(columns))
        while step >= 0:
            rivals = [sibling for sibling in self.tree.siblings(step) if sibling != step]
            if rivals:
                rival = max(rivals, key=joint.__getitem__)
                odds += (self._weights[step] - self._weights[rival])[columns] * counts
            step = self.tree.parents[step]
        return self._columns.telling(columns, odds, most)

    def _joint(self, columns: Ids) -> Floats:
        """ln Pr[c|parent] Pr[d|c] of every class, but for what its siblings share."""
        joint: Floats = self._weights.take(columns, axis=1).sum(axis=1) + self._prior
        return joint

    def _chances(self, joint: Floats) -> Floats:
        """ln Pr[c|d] of every class (F-10)."""
        chances = np.empty_like(joint)
        for parent, family in self.tree.families:
            chances[family] = normalised(joint[family]) + (chances[parent] if parent >= 0 else 0.0)
        return chances
