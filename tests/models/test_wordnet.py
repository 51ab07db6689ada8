"""Our reader of WordNet against nltk's, and what happens without WordNet."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.likeness import Likeness, Query
from models.ontology import Ancestry, OntologyError, ehrig, li, synonyms
from models.text import Vocabulary
from models.wordnet import CORPUS, WordNet, wordnet

# Nouns, verbs, adjectives, instances, several roots, inflected forms, the same word twice.
PAIRS = [
    ("car", "truck"), ("dog", "cat"), ("bicycle", "vehicle"), ("biking", "cycling"), ("clubs", "society"),
    ("race", "competition"), ("mountain", "hill"), ("run", "walk"), ("buy", "purchase"), ("buy", "think"),
    ("red", "blue"), ("quickly", "fast"), ("einstein", "physicist"), ("paris", "city"), ("horse", "horses"),
    ("star", "planet"), ("garden", "gardener"), ("investing", "money"), ("sail", "boat"), ("chef", "fireman"),
]  # fmt: skip


@pytest.fixture(scope="module")
def ours() -> WordNet:
    return wordnet()


@pytest.fixture(scope="module")
def theirs(ours: WordNet) -> Iterator[Any]:
    from nltk import data
    from nltk.corpus.reader import WordNetCorpusReader

    root = Path(__file__).parent.parent.parent / ".cache" / "nltk_data"
    data.path.insert(0, str(root))
    with pytest.warns(UserWarning, match="multilingual"):
        reader = WordNetCorpusReader(str(root / CORPUS), None)
    yield reader
    data.path.remove(str(root))


def best_of_theirs(theirs: Any, one: str, other: str) -> tuple[int | None, int | None, float]:
    """Shortest path, deepest meeting and best similarity of eq. 4 over all senses, by nltk."""
    paths, depths, similar = [], [], [0.0]
    for first, second in product(theirs.synsets(one), theirs.synsets(other)):
        path = first.shortest_path_distance(second)
        if path is not None:
            depth = max(met.max_depth() for met in first.lowest_common_hypernyms(second))
            paths.append(path)
            depths.append(depth)
            similar.append(1.0 if path == 0 else math.exp(-0.2 * path) * math.tanh(0.6 * depth))
    return min(paths, default=None), max(depths, default=None), max(similar)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_paths_depths_similarities_and_synonyms_are_nltks(ours: WordNet, theirs: Any, one: str, other: str) -> None:
    ancestry = Ancestry(ours)
    pairs = product(ours.concepts(one), ours.concepts(other))
    met = [meeting for pair in pairs if (meeting := ancestry.meeting(*pair))]
    path, depth, similar = best_of_theirs(theirs, one, other)
    assert min((meeting.steps for meeting in met), default=None) == path
    assert max((meeting.depth for meeting in met), default=None) == depth
    vocabulary = Vocabulary()
    likeness = Likeness(vocabulary, ours, li)
    likeness.ask(Query.of(vocabulary, other))
    assert likeness.of([one])[0] == pytest.approx([1.0 if vocabulary[one] == vocabulary[other] else similar])
    names = {name.lower() for synset in theirs.synsets(one) for name in synset.lemma_names()} - {one}
    assert set(synonyms(ours, one)) == {name for name in names if name.isalnum()}


def test_every_word_means_the_same_as_to_nltk(ours: WordNet, theirs: Any) -> None:
    words = sorted({name.lower() for name in theirs.all_lemma_names()})[::200]
    forms = [word + ending for word in words[::5] for ending in ("s", "es", "ing", "ed", "er")]
    letters = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
    for word in words + forms:
        synsets = [synset.offset() << 2 | letters[synset.pos()] for synset in theirs.synsets(word)]
        assert ours.concepts(word) == synsets, word


def test_all_terms_of_a_query_are_compared_at_once_as_one_by_one(ours: WordNet) -> None:
    vocabulary, words = Vocabulary(), ["Bicycle", "walk", "zzzyx", "the", "planets"]
    likeness = Likeness(vocabulary, ours, lambda steps, depths: ehrig(steps))
    likeness.ask(Query.of(vocabulary, "bicycle club star zzzyx"))
    together = likeness.of(words)
    for column, term in enumerate(("bicycle", "club", "star", "zzzyx")):
        likeness.ask(Query.of(vocabulary, term))
        assert np.array_equal(likeness.of(words)[:, 0], together[:, column])
    assert together[2].tolist() == [0.0, 0.0, 0.0, 1.0]  # what WordNet does not know is similar to itself alone
    assert not together[3].any()


def test_the_first_sense_alone_may_count(ours: WordNet) -> None:
    vocabulary = Vocabulary()
    all_senses, first = Likeness(vocabulary, ours, li), Likeness(vocabulary, ours, li, senses=1)
    for likeness in (all_senses, first):
        likeness.ask(Query.of(vocabulary, "bank"))
    assert first.of(["river"])[0, 0] <= all_senses.of(["river"])[0, 0]
    assert first.of(["deposit"])[0, 0] < all_senses.of(["deposit"])[0, 0]


def test_what_is_remembered_is_bounded(ours: WordNet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.likeness.MOST_WORDS", 10)
    vocabulary = Vocabulary()
    likeness = Likeness(vocabulary, ours, li)
    likeness.ask(Query.of(vocabulary, "car"))
    for number in range(100):
        assert likeness.of([f"word{number}", "truck"])[1, 0] == pytest.approx(0.670312, abs=1e-6)
        assert len(likeness) <= 12


def test_a_missing_wordnet_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match=r"was not found in .*make setup"):
        wordnet(str(tmp_path))


def test_a_broken_wordnet_is_named(tmp_path: Path) -> None:
    (tmp_path / "data.noun").write_bytes(b"x")
    with pytest.raises(OntologyError, match="cannot be read"):
        wordnet(str(tmp_path))


def test_irregular_forms_are_taken_from_the_lists(ours: WordNet, tmp_path: Path) -> None:
    assert ours.concepts("mice") == []  # the lists that come with the set-up are empty
    source = Path(__file__).parent.parent.parent / ".cache" / "nltk_data" / CORPUS
    for path in source.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "noun.exc").unlink()
    (tmp_path / "noun.exc").write_text("mice mouse\n")
    assert WordNet(tmp_path).concepts("mice") == ours.concepts("mouse")[:4]
