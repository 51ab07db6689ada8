"""Semantic crawlers — Batsakis 2007, §3.3: a link is as good as its anchor is near to the query in meaning.

    measure=ehrig     anchor words x query words, each pair by its shortest path in the ontology      (eq. 8)
    measure=ssrm      the same with tf-idf weights, the pair by path and depth (Li), lengths out      (eq. 9)
    measure=related   how many pairs of words are at most `within` steps apart                        (B-13)
    measure=mihalcea  each word counts with the one most similar to it on the other side              (B-18)
    measure=product   the same, multiplied from both sides instead of averaged
    measure=synset    mean of page and anchor, by words and their synonyms                            (eq. 10)
    senses=first      a word means what it means most often; best: whatever fits best
    ontology=PATH     SKOS, OWL, a table of terms or a folder with WordNet; none: WordNet as `make setup` puts it

An anchor without words has score 0 (synset: half of the page's); so has every link if the query has only stop words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from focused.errors import SettingError, TopicError
from focused.orderings.base import Ordering, Surroundings
from focused.page import Page
from focused.topic import check_query
from models.expansion import Expansion, Synonyms
from models.likeness import Likeness, Query
from models.meaning import Anchors, Meaning
from models.model import Floats
from models.ontology import Ontology, OntologyError, Steps, ehrig, li, near
from models.termgraph import term_graph
from models.wordnet import wordnet

MEASURES = ("ehrig", "ssrm", "synset", "related", "mihalcea", "product")


@dataclass
class Semantic(Ordering):
    """The nearest in meaning first."""

    measure: str = field(default="synset", metadata={"choices": MEASURES})
    senses: str = field(default="best", metadata={"choices": ("best", "first")})
    ontology: str = field(default="", metadata={"is_file": True})
    df: float = 0.5  # eq. 3: what a step costs
    a: float = 0.2  # eq. 4: weight of the path
    b: float = 0.6  # eq. 4: weight of the depth
    within: int = 1  # steps between related words
    _meaning: Meaning | Expansion = field(init=False, repr=False, compare=False)

    def bind(self, around: Surroundings) -> None:
        super().bind(around)
        if not 0 < self.df <= 1 or min(self.a, self.b, self.within) < 0:
            raise SettingError(
                f"ordering_args: df={self.df}, a={self.a}, b={self.b}, within={self.within}: "
                "give df in 0..1, the others 0 or more."
            )
        if not around.topic.query:
            raise TopicError(
                f"Topic '{around.topic.name}' has no query, which ordering semantic compares anchors with: "
                'add query = "some words" to its file.'
            )
        check_query(around.topic.query, f"query of topic '{around.topic.name}'")
        ontology, senses = self._load(), 1 if self.senses == "first" else None
        query = Query.of(around.vocabulary, around.topic.query)
        if self.measure == "synset":
            self._meaning = Expansion(Synonyms(around.vocabulary, ontology, senses), query)
            return
        likeness = Likeness(around.vocabulary, ontology, self._similar, senses)
        likeness.ask(query)
        self._meaning = Meaning(self.measure, likeness)

    def _load(self) -> Ontology:
        try:
            if self.ontology and not Path(self.ontology).is_dir():
                return term_graph(self.ontology, self.around.vocabulary.term_of)
            return wordnet(self.ontology)
        except OntologyError as error:
            raise SettingError(str(error)) from None

    def _similar(self, steps: Steps, depths: Steps) -> Floats:
        if self.measure == "related":
            return near(steps, self.within)
        return ehrig(steps, self.df) if self.measure == "ehrig" else li(steps, depths, self.a, self.b)

    def score(self, page: Page) -> Floats:
        of_anchors = self._meaning.scores(Anchors.of(page.terms, page.starts, page.ends), page.words)
        if isinstance(self._meaning, Expansion):
            return (self._meaning.of_page(page) + of_anchors) / 2  # eq. 10
        return of_anchors

    def terms(self, page: Page, index: int) -> dict[str, float]:
        anchor = Anchors.of(page.terms, page.starts[index : index + 1], page.ends[index : index + 1])
        of_anchor = {"anchor": float(self._meaning.scores(anchor, page.words)[0])}
        return {"page": self._meaning.of_page(page)} | of_anchor if isinstance(self._meaning, Expansion) else of_anchor
