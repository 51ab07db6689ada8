"""Ontologies of a topic's own: tables of terms, SKOS, OWL; and what is wrong with some."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.expansion import Expansion, Synonyms
from models.likeness import Likeness, Query
from models.meaning import Anchors, Meaning
from models.ontology import Ancestry, Meeting, OntologyError, ehrig, synonyms
from models.termgraph import Entry, TermGraph, term_graph
from models.text import Vocabulary, words_of

STEM = Vocabulary().term_of
TOML = """
[vehicle]
[bicycle]
words = ["bicycle", "bike", "pedal cycle"]
parents = ["vehicle"]
[tandem]
parents = ["bicycle"]
[car]
words = ["car"]
parents = ["vehicle"]
"""
CSV = "concept,parents,words\nvehicle,,\nbicycle,vehicle,bicycle;bike;pedal cycle\ntandem,bicycle,\ncar,vehicle,car\n"
SKOS = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://t.example/> .
:vehicle a skos:Concept ; skos:prefLabel "vehicle"@en ; skos:narrower :car .
:bicycle skos:broader :vehicle ; skos:prefLabel "Bicycle"@en, "Fahrrad"@de ; skos:altLabel "bike", "pedal cycle" .
:tandem skos:broader :bicycle ; skos:prefLabel "tandem" .
:car skos:prefLabel "car" .
"""
OWL = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"
 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xml:base="http://t.example/">
<owl:Class rdf:about="vehicle"><rdfs:label>vehicle</rdfs:label></owl:Class>
<owl:Class rdf:about="bicycle"><rdfs:subClassOf rdf:resource="vehicle"/><rdfs:subClassOf rdf:resource="bicycle"/>
<rdfs:subClassOf><owl:Restriction/></rdfs:subClassOf><rdfs:label>bicycle</rdfs:label><rdfs:label>bike</rdfs:label>
</owl:Class>
<owl:Class rdf:about="tandem"><rdfs:subClassOf rdf:resource="bicycle"/><rdfs:label>tandem</rdfs:label></owl:Class>
<owl:Class rdf:about="car"><rdfs:subClassOf rdf:resource="vehicle"/><rdfs:label>car</rdfs:label></owl:Class></rdf:RDF>
"""


@pytest.mark.parametrize(("name", "text"), [("t.toml", TOML), ("t.csv", CSV), ("t.ttl", SKOS), ("t.OWL", OWL)])
def test_every_kind_of_file_gives_the_same_ontology(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    graph = term_graph(str(tmp_path / name), STEM)
    ancestry = Ancestry(graph)
    (bicycle,), (car,), (tandem,) = (graph.concepts(word) for word in ("Bikes", "car", "TANDEM"))
    assert graph.concepts("bicycle") == [bicycle]
    assert ancestry.meeting(tandem, car) == Meeting(3, 0)
    assert ancestry.meeting(tandem, bicycle) == Meeting(1, 1)
    assert [ancestry.depth(concept) for concept in (tandem, bicycle, car)] == [2, 1, 1]
    others = {"bike", "fahrrad"} if name == "t.ttl" else {"bike"}
    assert set(synonyms(graph, "bicycle")) == others  # no name of several words
    assert graph.concepts("pedal") == graph.concepts("zebra") == []


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("t.toml", "[a", "cannot be used"),
        ("t.toml", "a = 1", "'a' is not a table"),
        ("t.toml", "[a]\nwords = 'a'", "are not lists"),
        ("t.toml", "[a]\nparents = ['b']", "below 'b', which is not there"),
        ("t.toml", "[a]\nparents = ['b']\n[b]\nparents = ['a']", "above itself"),
        ("t.toml", "", "no concept by a single word"),
        ("t.csv", "a,b\n", "concept,parents,words"),
        ("t.ttl", "this is no turtle", "not valid RDF"),
        ("t.owl", "<rdf:RDF", "not valid RDF"),
        ("t.ttl", "", "no concept by a single word"),
        ("t.xyz", "", "of no known kind"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_the_reason(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(OntologyError, match=said) as raised:
        term_graph(str(tmp_path / name), STEM)
    assert str(tmp_path / name) in str(raised.value)


def test_a_file_that_is_not_there_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match="No such file"):
        term_graph(str(tmp_path / "t.csv"), STEM)
    (tmp_path / "t.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(OntologyError, match="cannot be used"):
        term_graph(str(tmp_path / "t.csv"), STEM)


WORDS = ["alder", "birch", "cedar", "dogwood", "elm", "fir"]
parents = st.lists(st.integers(0, 5), max_size=2)


@given(st.lists(parents, min_size=6, max_size=6), st.lists(st.sampled_from(WORDS), max_size=3), st.data())
def test_words_are_compared_with_all_terms_as_pair_by_pair(
    above: list[list[int]], query: list[str], data: st.DataObject
) -> None:
    entries = [Entry(word, [WORDS[p] for p in above[n] if p < n], [word]) for n, word in enumerate(WORDS)]
    graph, vocabulary = TermGraph(entries, STEM), Vocabulary()
    likeness = Likeness(vocabulary, graph, lambda steps, depths: ehrig(steps))
    likeness.ask(Query.of(vocabulary, " ".join(query)))
    word, ancestry = data.draw(st.sampled_from(WORDS)), Ancestry(graph)
    for term, found in zip(likeness.query.words, likeness.of([word])[0], strict=True):
        meeting = ancestry.meeting(graph.concepts(word)[0], graph.concepts(term[0])[0])
        assert found == (0.5**meeting.steps if meeting else 0.0)


ANCHORS = st.lists(
    st.lists(st.sampled_from(["bike", "Bikes", "car", "tandem", "the", "zebra"]), max_size=4), max_size=5
)


@pytest.mark.parametrize("measure", ["ehrig", "ssrm", "related", "mihalcea", "product", "synset"])
@given(anchors=ANCHORS)
def test_all_anchors_at_once_score_as_one_by_one(measure: str, anchors: list[list[str]]) -> None:
    vocabulary = Vocabulary()
    entries = [Entry("v", [], ["vehicle"]), Entry("b", ["v"], ["bicycle", "bike"]), Entry("t", ["b"], ["tandem"])]
    graph, query = TermGraph(entries, STEM), Query.of(vocabulary, "bicycle car")
    likeness = Likeness(vocabulary, graph, lambda steps, depths: ehrig(steps))
    likeness.ask(query)
    made = Expansion(Synonyms(vocabulary, graph), query) if measure == "synset" else Meaning(measure, likeness)
    words = [word for anchor in anchors for word in anchor]
    ends = np.cumsum([len(anchor) for anchor in anchors], dtype=np.int32)
    starts = (ends - np.array([len(anchor) for anchor in anchors])).astype(np.int32)
    terms = vocabulary.ids(words)
    together = made.scores(Anchors.of(terms, starts, ends), words)
    alone = [made.scores(Anchors.of(terms, starts[n : n + 1], ends[n : n + 1]), words)[0] for n in range(len(ends))]
    assert together.tolist() == alone
    assert all(score == 0 for score, anchor in zip(alone, anchors, strict=True) if set(anchor) <= {"the", "zebra"})
    assert all(score > 0 for score, anchor in zip(alone, anchors, strict=True) if "bike" in anchor)


@pytest.mark.parametrize("text", ["", "the of and", "zebra"])
def test_a_query_without_known_words_is_like_nothing_but_itself(text: str) -> None:
    vocabulary = Vocabulary()
    graph = TermGraph([Entry("b", [], ["bicycle", "bike"])], STEM)
    likeness = Likeness(vocabulary, graph, lambda steps, depths: ehrig(steps))
    likeness.ask(Query.of(vocabulary, text))
    words = words_of("bicycle zebra")
    anchors = Anchors.of(vocabulary.ids(words), np.array([0, 1], np.int32), np.array([1, 2], np.int32))
    expansion = Expansion(Synonyms(vocabulary, graph), likeness.query)
    for made in (Meaning("ehrig", likeness), Meaning("ssrm", likeness), Meaning("mihalcea", likeness), expansion):
        scores = made.scores(anchors, words)
        assert scores[0] == 0.0
        assert (scores[1] > 0) == (text == "zebra")


def test_of_two_weights_of_a_term_the_larger_stays() -> None:
    vocabulary = Vocabulary((1000, {}))
    graph = TermGraph([Entry("c", [], ["car", "auto", "automobile"]), Entry("r", [], ["repair", "fix"])], STEM)
    expansion = Expansion(Synonyms(vocabulary, graph), Query.of(vocabulary, "car repair"))
    words = "car car auto repair".split()  # car, auto, automobile 2; repair, fix 1
    anchors = Anchors.of(vocabulary.ids(words), np.array([0], np.int32), np.array([4], np.int32))
    assert expansion.scores(anchors, words) == pytest.approx([8 / (14**0.5 * 5**0.5)])
