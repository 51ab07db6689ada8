"""What it costs to judge a page and its anchors, beside scikit-learn asked for one text at a time.

Both sides are trained on the same pages and must give the same probabilities. Times are CPU times of this process.
Run: python -m tests.bench.judge
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import numpy as np
from nltk.stem.porter import PorterStemmer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

from focused.page import AROUND, Page, PageReader
from models.model import OTHER, RELEVANT, Example, Floats
from models.naive_bayes import NaiveBayes
from models.text import Text, Vocabulary, stop_words, words_of
from tests.bench.pages import make_page

ROUNDS = 3
PAGES = 40  # examples; the page that is judged is one more
URL = "https://www.example.com/dir/index.html"
LABELS = (OTHER, RELEVANT)
SAME = 1e-9


def microseconds(work: Callable[[], object], seconds: float = 1.0) -> float:
    """CPU time of one call, the best of all that fit into some seconds: the machine is shared."""
    best, until = float("inf"), time.process_time() + seconds
    while time.process_time() < until:
        start = time.process_time()
        for _ in range(5):
            work()
        best = min(best, (time.process_time() - start) / 5)
    return best * 1e6


def times_cheaper(ours: Callable[[], object], theirs: Callable[[], object]) -> float:
    """Measured in turn, the median of some rounds: other work on the machine comes and goes."""
    return median(microseconds(theirs, 0.5) / microseconds(ours, 0.5) for _ in range(ROUNDS))


class Theirs:
    """scikit-learn's counter and naive Bayes on terms that are known already."""

    def __init__(self, texts: Sequence[list[str]]) -> None:
        self.counter = CountVectorizer(analyzer=lambda terms: terms)
        self.model = MultinomialNB().fit(self.counter.fit_transform(texts), [LABELS[i % 2] for i in range(len(texts))])

    def judge(self, terms: list[str]) -> float:
        return float(self.model.predict_proba(self.counter.transform([terms]))[0][1])

    def judge_text(self, text: str, stem: Callable[[str], str]) -> float:
        """The whole way from a text, with a stemmer that is asked for each word."""
        words = [word for word in map(str.lower, words_of(text)) if len(word) > 1 and word not in stop_words()]
        return self.judge([stem(word) for word in words])


class Both:
    """The same examples learned by both, and a page of 1,700 words with 100 links to judge."""

    def __init__(self) -> None:
        self.vocabulary = Vocabulary()
        reader = PageReader(self.vocabulary)
        *pages, self.page = [reader.read(URL, make_page(50, 100, seed=seed)) for seed in range(PAGES + 1)]
        examples = [Example(page.terms, LABELS[number % 2]) for number, page in enumerate(pages)]
        self.ours = NaiveBayes.fit(self.vocabulary, examples)
        self.theirs = Theirs([self.terms(page, 0, len(page.terms)) for page in pages])
        self.starts = np.maximum(self.page.starts - AROUND, 0)
        self.ends = np.minimum(self.page.ends + AROUND, len(self.page.terms))

    def terms(self, page: Page, start: int, end: int) -> list[str]:
        return [self.vocabulary.terms[i] for i in page.terms[start:end] if i]

    def anchors(self) -> list[list[str]]:
        """The terms of each link's anchor with the words around it."""
        return [self.terms(self.page, *span) for span in zip(self.starts, self.ends, strict=True)]

    def judge_anchors(self) -> Floats:
        return self.ours.judge_spans(self.page.terms, self.starts, self.ends)


def judge() -> dict[str, float]:
    """Of a page: from its text, and from its terms, which every page of a crawl has."""
    both = Both()
    page, text = both.page, " ".join(both.page.words)
    terms = both.terms(page, 0, len(page.terms))
    same(both.ours.judge(page).relevance, both.theirs.judge(terms))
    nltk = PorterStemmer(mode="ORIGINAL_ALGORITHM").stem

    def from_text() -> object:
        return both.ours.judge(Text(both.vocabulary, text))

    def from_terms() -> object:
        return both.ours.judge(page)

    return {
        "judge_us_per_word": microseconds(from_text) / len(page.words),
        "judge_us_per_page": microseconds(from_terms),
        "judge_vs_sklearn": times_cheaper(from_terms, lambda: both.theirs.judge(terms)),
        "judge_text_vs_sklearn": times_cheaper(
            from_text, lambda: both.theirs.judge_text(text, both.vocabulary.term_of)
        ),
        "judge_text_vs_nltk_sklearn": times_cheaper(from_text, lambda: both.theirs.judge_text(text, nltk)),
    }


def anchors() -> dict[str, float]:
    """Of 100 anchors with their context: all at once, and one by one."""
    both = Both()
    texts = both.anchors()
    same(both.judge_anchors(), [both.theirs.judge(text) for text in texts])
    return {
        "anchors_ms_per_100": microseconds(both.judge_anchors) / 1000 * 100 / len(texts),
        "anchors_vs_sklearn": times_cheaper(both.judge_anchors, lambda: [both.theirs.judge(text) for text in texts]),
    }


def same(ours: Any, theirs: Any) -> None:
    """A fast judge that says something else would prove nothing."""
    if not np.allclose(ours, theirs, rtol=0, atol=SAME):
        raise AssertionError(f"other probabilities than scikit-learn's: {ours} and {theirs}")


def main() -> None:
    """Print everything."""
    print(json.dumps(judge() | anchors(), indent=2))


if __name__ == "__main__":
    main()
