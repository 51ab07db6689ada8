"""Kinds of page models, by their names in FOCUSED_MODELS, and how each is taught."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from scrapy.settings import BaseSettings

from focused.errors import TopicError
from focused.examples import Examples
from focused.examples.wanted import DIRECTORIES, SITES
from focused.names import load
from focused.topic import Topic, check_query
from focused.training.arguments import check
from models.model import OTHER, RELEVANT, Example, ModelError, PageModel, Trained
from models.text import Vocabulary
from models.validators import Accepting, Validator

BY_QUERY, BY_EXAMPLES, BY_TAXONOMY = "similarity", "naive_bayes", "taxonomy"


@dataclass(slots=True, frozen=True)
class Kind:
    """One kind of model with the arguments that the topic's [model] gives it."""

    name: str
    made: Any
    topic: Topic
    arguments: dict[str, Any] = field(default_factory=dict)

    @property
    def needs_examples(self) -> bool:
        """What can do with the topic's words is made of them, as long as there are some."""
        by_words = "query" in signature(self.made).parameters and (self.topic.query or not self.can_learn)
        return not by_words and self.can_learn

    @property
    def can_learn(self) -> bool:
        return hasattr(self.made, "fit")

    def from_words(self, vocabulary: Vocabulary) -> PageModel:
        """A model that is not taught; a class that only says yes or no is a validator."""
        if self.name == BY_QUERY:
            check_query(self.topic.query, f"query of topic '{self.topic.name}'")
        try:
            if hasattr(self.made, "accept") and not hasattr(self.made, "judge"):
                return Accepting(self._validator(vocabulary))
            model: PageModel = self.made(vocabulary, self.topic.query, **self.arguments)
        except (TypeError, ModelError) as error:
            raise self._misfit(error) from None
        return model

    def _validator(self, vocabulary: Vocabulary) -> Validator:
        """Made with what it asks for by name."""
        known, offered = signature(self.made).parameters, {"vocabulary": vocabulary, "query": self.topic.query}
        made: Validator = self.made(
            **{name: value for name, value in offered.items() if name in known}, **self.arguments
        )
        return made

    def fit(self, examples: Examples, pages: Sequence[Example] | None = None) -> Trained:
        """Learn from all examples, or from some of them."""
        known = signature(self.made.fit).parameters
        offered = {"good": list(examples.good) or [RELEVANT], "query": self.topic.query}
        arguments = {name: value for name, value in offered.items() if name in known} | self.arguments
        try:
            model: Trained = self.made.fit(examples.vocabulary, self.taught(examples, pages), **arguments)
        except (TypeError, ModelError) as error:
            raise self._misfit(error, examples.left_out()) from None
        return model

    def taught(self, examples: Examples, pages: Sequence[Example] | None = None) -> Sequence[Example]:
        """The examples as the model sees them: a kind that takes `good` learns all classes, the others two."""
        if "good" in signature(self.made.fit).parameters:
            return examples.pages if pages is None else pages
        return examples.two_classes(pages)

    def _misfit(self, error: Exception, left_out: str = "") -> TopicError:
        said = str(error) if str(error).endswith(("?", ".")) else f"{error}."
        also = f" Left out: {left_out}." if left_out else ""
        return TopicError(f"Model '{self.name}' cannot be made for topic '{self.topic.name}': {said}{also}")


def kind_of(settings: BaseSettings, topic: Topic, name: str = "") -> Kind:
    """The named kind, or the topic's own. Arguments in [model] are for the kind that is named there."""
    arguments = dict(topic.model)
    own = str(arguments.pop("kind", "") or default_kind(topic))
    name = name or own
    made = load(name, settings.getdict("FOCUSED_MODELS"), "[model] kind")
    if not isinstance(made, type) or not (hasattr(made, "judge") or hasattr(made, "accept")):
        raise TopicError(f"[model] kind={name!r} is no model: give a class with judge(page) or accept(page).")
    given = arguments if name == own else {}
    check(made, given, f"[model] of topic '{topic.name}'")
    return Kind(name, made, topic, given)


def default_kind(topic: Topic) -> str:
    """Where [model] names none: by what the topic offers."""
    if "tree" in topic.taxonomy:
        return BY_TAXONOMY
    sides = {key.removesuffix(SITES).removesuffix(DIRECTORIES) for key in topic.examples}
    return BY_EXAMPLES if "labels" in sides or sides >= {RELEVANT, OTHER} else BY_QUERY
