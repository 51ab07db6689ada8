"""Every example judged by a model that has not seen its site: 10-fold cross-validation, folds grouped by site (W-08).

Pages of one site share words that have nothing to do with their topic. A model that has seen half of them would look
better than it will be on sites it meets in a crawl.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from focused.examples import Examples
from focused.training.kinds import Kind
from models.folds import Fold, site_folds
from models.model import Example, ModelError
from models.text import Text, Vocabulary

FOLDS = 10  # W-22
ONE_SITE = "All pages of a class are of one site: the figures are better than they will be on other sites."
Told = Callable[[str, int, int], None]


class Held(NamedTuple):
    """An example, and what a model said of it that had not seen it."""

    example: Example
    is_good: bool
    relevance: float
    relevant: bool
    best_class: str | None


class Validation(NamedTuple):
    held: list[Held]
    folds: int
    threshold: float
    note: str = ""


def cross_validate(kind: Kind, examples: Examples, told: Told) -> Validation:
    """As many folds as there are sites to part, 10 at most."""
    good = [examples.is_good(page.label) for page in examples.pages]
    folds, note = folds_of(examples)
    held: list[Held] = []
    threshold = 0.5
    for number, (known, unknown) in enumerate(folds, 1):
        model = kind.fit(examples, [examples.pages[i] for i in known])
        threshold = model.threshold
        for i in unknown:
            said = model.judge(unseen(examples.vocabulary, examples.pages[i]))
            held.append(Held(examples.pages[i], good[i], said.relevance, said.relevant, said.best_class))
        told(f"cross-validating {kind.name}", number, len(folds))
    return Validation(held, len(folds), threshold, note)


def unseen(vocabulary: Vocabulary, example: Example) -> Text:
    """An example as a page to judge: its words are all that is left of it."""
    text = Text(vocabulary, "")
    text.terms = example.terms
    return text


def folds_of(examples: Examples) -> tuple[list[Fold], str]:
    """Which examples to learn from and which to try, and what a reader of the figures should know."""
    pages = examples.two_classes()
    try:
        folds = site_folds(pages, FOLDS)
    except ModelError:
        return [], "There are too few examples to cross-validate: give two of each class at least."
    parted = any({pages[i].site for i in known} & {pages[i].site for i in unknown} - {""} for known, unknown in folds)
    return folds, ONE_SITE if parted else ""
