"""focused.evaluate.truth: what pages are really about, from the web or from labels of any quality."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.errors import SettingError
from focused.evaluate.truth import Fair, Labels, Truth, Verdicts, names_of, read_labels
from focused.topic import Topic
from focused.webs import open_web


def labels(folder: Path, content: bytes | str, *names: str) -> Labels:
    path = folder / "labels.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_labels(path, names or ("cycling",))


def test_the_web_knows_its_pages() -> None:
    web = open_web("sim:small,seed=1,pages=300")
    urls = web.seeds("recreation/cycling", 3, 0)
    known = [web.truth(url) == "recreation/cycling" for url in urls]
    assert Truth(web, "recreation/cycling").of(urls) == Truth("sim:small,seed=1,pages=300", "recreation/cycling").of(
        urls
    )
    assert Truth(web, "recreation/cycling").of(urls) == known and any(known)
    assert Truth(web, "science").of(["http://nowhere.example/"]) == [False]


def test_names_a_label_may_use_for_a_topic() -> None:
    assert names_of(Topic.load("cycling")) == ["recreation/cycling", "cycling"]
    assert names_of(Topic("bikes", taxonomy={"good": ["Recreation/Cycling"]})) == ["Recreation/Cycling", "bikes"]
    assert names_of(Topic("bikes")) == ["bikes"]


def test_yes_no_and_topics_are_labels(tmp_path: Path) -> None:
    rows = ["1", "yes", "TRUE", "Cycling", "cycling/touring", "0", "no", "False", "gardening", "cyclingwear"]
    text = "url,label\n" + "".join(f"http://a/{n},{label}\n" for n, label in enumerate(rows))
    found = labels(tmp_path, text)
    assert found.of(f"http://a/{n}" for n in range(11)) == [True] * 5 + [False] * 6
    assert found.faults == []


def test_http_and_https_are_the_same_page(tmp_path: Path) -> None:
    assert labels(tmp_path, "http://A.example:80/x#top,1\n").of(["https://a.example/x", "http://a.example/"]) == [
        True,
        False,
    ]


def test_bad_lines_are_named_and_the_rest_is_used(tmp_path: Path) -> None:
    found = labels(
        tmp_path,
        b"url,label\n\nhttp://a/1,1\nnonsense,1\nhttp://a/2\nhttp://a/3,\nhttp://a/\xff,1\nhttp://a/1,0\n"
        b'"http://a/4, with a comma",1\nhttp://a/5,yes,extra\nhttp://a/\0,1\n',
    )
    assert found.faults == [
        "line 4: 'nonsense' is not an http(s) URL",
        "line 5: 'http://a/2' has no label",
        "line 6: 'http://a/3' has no label",
        "line 7: 'http://a/\\udcff' is not UTF-8",
        "line 8: 'http://a/1' was labelled otherwise before",
    ]
    assert found.of(["http://a/1", "http://a/5"]) == [True, True]


def test_a_field_beyond_all_bounds_costs_its_line_only(tmp_path: Path) -> None:
    found = labels(tmp_path, f"http://a/1,1\n{'x' * 200_000},1\nhttp://a/2,1\n")
    assert len(found.pages) == 2 and found.faults == ["line 2: field larger than field limit (131072)"]


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    assert labels(tmp_path, "\ufeffurl,label\r\nhttp://a/1,1\r\n").of(["http://a/1"]) == [True]


@pytest.mark.parametrize("content", ["", "url,label\n", "a;b\nc;d\n"])
def test_labels_without_a_label_are_a_mistake(tmp_path: Path, content: str) -> None:
    with pytest.raises(SettingError, match="has no label that can be used"):
        labels(tmp_path, content)


def test_a_file_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"--truth .*none\.csv cannot be read \(No such file"):
        read_labels(tmp_path / "none.csv", [])


def test_labels_of_strangers_and_pages_without_labels_are_counted() -> None:
    found = Labels({f"a/{n}": True for n in range(10)}, faults=["line 3: 'x' has no label"])
    assert found.notes(["http://a/0", "http://a/1", "https://a/1", "http://a/x"]) == [
        "Lines of the labels that were not used: 1 (line 3: 'x' has no label).",
        "Labels of pages that cannot be reached: 8 (a/2; a/3; a/4; a/5; a/6; and 3 more).",
        "Pages within reach without a label, which count as not relevant: 1.",
    ]
    assert Labels({"a/": True}).notes(["http://a/"]) == []


def test_what_the_model_did_not_see_is_not_relevant() -> None:
    assert Verdicts({"http://a/": True}).of(["http://a/", "http://b/"]) == [True, False]


def test_pages_a_model_has_learned_from_do_not_count() -> None:
    judge = Verdicts({"http://a/": True, "http://b/": True, "http://c/": False})
    fair = Fair(judge, ["https://b/", "https://c/"])
    assert fair.of(iter(["http://a/", "http://b/", "http://c/"])) == [True, False, False]


def test_what_has_no_label_may_be_judged_by_somebody_else() -> None:
    others = Verdicts({"http://a/0": False, "http://a/1": True, "http://a/2": True})
    found = Labels({"a/0": True, "a/2": False}, others=others)
    assert found.of(["http://a/0", "http://a/1", "http://a/2", "http://a/3"]) == [True, True, False, False]
    assert found.notes(["http://a/0", "http://a/1", "http://a/2"]) == []  # nobody is without a judge
