"""What every page model offers: a judgement of a page, and the same of many short texts at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

    from models.saved import Saved
    from models.text import Vocabulary

Ids = NDArray[np.int32]
Floats = NDArray[np.float64]

RELEVANT, OTHER = "relevant", "other"  # the labels of models with two classes
LONGEST_FAULT = 200  # characters that are told of an error
THIN = 10  # a page with fewer known words gives little to judge by (F-11)


class ModelError(ValueError):
    """A model cannot be made of what was given; the message is one sentence for the user."""


class ModelFileError(ModelError):
    """A kept model cannot be used; the message is one sentence for the user."""


class Readable(Protocol):
    """What a model may look at of a page."""

    url: str
    title: str
    words: list[str]  # as written
    terms: Ids  # the term of each word (see models.text.Vocabulary)

    @property
    def judged_terms(self) -> Ids:
        """Title and main content: what a page is judged by."""

    @property
    def tree(self) -> LexborHTMLParser:
        """The parsed page."""


@dataclass(slots=True, frozen=True)
class Judgement:
    """What a model says of a page."""

    relevance: float  # 0..1
    relevant: bool
    best_class: str | None = None
    classes: dict[str, float] | None = None
    good: bool | None = None  # some node on the path to the best class is good (F-13); None: the model has no tree
    thin: bool = False  # too little text to judge by (F-11)
    fault: str = ""  # why the page could not be judged


@dataclass(slots=True, frozen=True, eq=False)
class Example:
    """A labelled page to learn from."""

    terms: Ids
    label: str
    site: str = ""
    url: str = ""


class PageModel(Protocol):
    """Judges pages."""

    threshold: float  # a page of at least this relevance is relevant

    def judge(self, page: Readable) -> Judgement:
        """The whole page. Never raises: an unreadable page has relevance 0."""

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        """Relevance of each of the texts terms[start:end], in one call: the anchors of a page."""

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        """The terms that moved the judgement, most telling first, with their share in it."""


class Trained(PageModel, Protocol):
    """Learned from examples, kept in a folder."""

    @classmethod
    def fit(cls, vocabulary: Vocabulary, examples: Sequence[Example], **arguments: Any) -> Self: ...

    def saved(self) -> Saved: ...

    @classmethod
    def restored(cls, vocabulary: Vocabulary, saved: Saved) -> Self: ...


class Counting(Protocol):
    """Counts the pages it could not judge."""

    faults: int


Model = TypeVar("Model", bound=Counting)


def failing_closed(judge: Callable[[Model, Readable], Judgement]) -> Callable[[Model, Readable], Judgement]:
    """A page that a model cannot judge has relevance 0, and is counted: no fault of the Web stops a crawl."""

    @wraps(judge)
    def judged(model: Model, page: Readable) -> Judgement:
        try:
            return judge(model, page)
        except Exception as error:
            model.faults += 1
            return Judgement(0.0, False, thin=True, fault=f"{type(error).__name__}: {error}"[:LONGEST_FAULT])

    return judged
