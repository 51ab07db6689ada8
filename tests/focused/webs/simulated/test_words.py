from __future__ import annotations

from importlib.resources import files

import numpy as np

from focused.webs.simulated.knobs import TRAITS
from focused.webs.simulated.words import GENERAL, shipped, spread


def test_the_taxonomy_has_the_leaves_that_topics_need() -> None:
    topics = shipped().topics
    assert {path.rpartition("/")[2] for path in topics} >= {
        "cycling",
        "gardening",
        "astronomy",
        "investing",
        "horses",
        "sailing",
    }
    assert len(topics) >= 15 and len({path.partition("/")[0] for path in topics}) >= 5
    assert set(topics) == set(TRAITS) and topics[-1] == GENERAL


def test_a_table_repeats_words_by_their_frequency() -> None:
    assert np.bincount(spread([0, 1, 2], [1, 2, 5], 800)).tolist() == [100, 200, 500]


def test_topics_have_words_of_their_own() -> None:
    words = shipped()
    used = [set(table.tolist()) for table in words.plain[:-1]]
    assert all(len(ids) > 60 for ids in used)
    shared = [len(a & b) / min(len(a), len(b)) for n, a in enumerate(used) for b in used[:n]]
    assert max(shared) < 0.3
    cycling = words.topics.index("recreation/cycling")
    assert words.words.index("bicycle") in used[cycling]


def test_synonyms_stand_for_the_main_word() -> None:
    words = shipped()
    cycling = words.topics.index("recreation/cycling")
    bicycle = words.words.index("bicycle")
    assert bicycle in words.plain[cycling] and bicycle not in words.synonymous[cycling]


def test_ordinary_english_begins_with_its_commonest_words() -> None:
    words = shipped()
    counts = np.bincount(words.ordinary, minlength=words.size)
    assert {words.words[id_] for id_ in np.argsort(-counts)[:6]} >= {"a", "the", "of"}
    assert 3000 < (counts > 0).sum()


def test_the_licence_of_wordnet_is_kept() -> None:
    for package, folder in (("focused.webs.simulated", "data"), ("models", "data")):
        text = files(package).joinpath(folder, "WORDNET-LICENSE.txt").read_text("utf-8")
        assert "WordNet 3.0 Copyright 2006 by Princeton University" in text
