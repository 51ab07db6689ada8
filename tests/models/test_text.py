from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from models.text import NOTHING, Vocabulary, background_counts, counted, words_of


def test_words_are_unicode_words_in_their_own_case() -> None:
    assert words_of("Fahrräder für Zürich — 自転車 c_d e2") == ["Fahrräder", "für", "Zürich", "自転車", "c", "d", "e2"]


def test_forms_of_a_word_share_a_term_whatever_their_case() -> None:
    vocabulary = Vocabulary()
    ids = vocabulary.ids(["Cycling", "cycles", "CYCLE", "cycled"])
    assert len(set(ids.tolist())) == 1
    assert vocabulary.terms[ids[0]] == "cycl"


def test_stop_words_numbers_letters_and_monsters_are_no_terms() -> None:
    assert Vocabulary().ids(["the", "1999", "x", "a" * 41]).tolist() == [NOTHING] * 4


def test_words_of_other_scripts_stay_as_they_are() -> None:
    vocabulary = Vocabulary()
    ids = vocabulary.ids(["Fahrräder", "自転車"])
    assert [vocabulary.terms[i] for i in ids] == ["fahrräder", "自転車"]


def test_after_the_limit_new_words_are_counted_and_ignored() -> None:
    vocabulary = Vocabulary(limit=2)
    assert vocabulary.ids(["alpha", "beta", "gamma", "alpha"]).tolist() == [1, 2, NOTHING, 1]
    assert vocabulary.ignored == 1


def test_the_shipped_table_knows_rare_from_common() -> None:
    vocabulary = Vocabulary()
    rare, common, unknown = vocabulary.idf(vocabulary.ids(["bicycle", "person", "zzyzx"]))
    assert common < rare < unknown
    assert background_counts()[0] > 100_000


@given(st.lists(st.text(max_size=12)))
def test_any_text_has_terms_and_counts_that_add_up(texts: list[str]) -> None:
    vocabulary = Vocabulary((10, {}))
    ids = vocabulary.ids([word for text in texts for word in words_of(text)])
    terms, counts = counted(ids)
    assert counts.sum() == (ids != NOTHING).sum()
    assert NOTHING not in terms
    assert len(vocabulary.idf(ids)) == len(ids)


def test_a_term_is_written_as_the_shortest_word_met_that_has_it() -> None:
    vocabulary = Vocabulary((10, {}))
    vocabulary.ids(["Ponies", "pony", "bicycles", "the"])
    assert vocabulary.written(["poni", "bicycl", "sail"]) == {"poni": "pony", "bicycl": "bicycles", "sail": "sail"}
    assert vocabulary.written([]) == {}
