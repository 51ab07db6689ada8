from __future__ import annotations

import pytest

from models.model import ModelError
from models.tree import Tree

PATHS = ["Recreation/Cycling", "Recreation/Gardening/Roses", "Business", "Recreation"]


def test_parents_come_before_children_and_siblings_stand_side_by_side() -> None:
    tree = Tree(PATHS)
    assert tree.paths == [
        "Business",
        "Recreation",
        "Recreation/Cycling",
        "Recreation/Gardening",
        "Recreation/Gardening/Roses",
    ]
    assert tree.parents == [-1, -1, 1, 1, 3]
    assert [(parent, family.start, family.stop) for parent, family in tree.families] == [
        (-1, 0, 2),
        (1, 2, 4),
        (3, 4, 5),
    ]
    assert tree.leaves.tolist() == [0, 2, 4]
    assert [list(tree.siblings(number)) for number in (1, 3)] == [[0, 1], [2, 3]]


def test_a_name_that_begins_like_another_parts_no_family() -> None:
    tree = Tree(["A/x", "A b/x", "A/y", "A-c/x"])
    for parent, family in tree.families:
        assert {tree.parents[number] for number in range(family.start, family.stop)} == {parent}
    assert len(tree.families) == 4


def test_goodness_is_inherited_and_counted_once() -> None:
    good = Tree(PATHS).good(["Recreation", "Recreation/Gardening"])
    assert good.all.tolist() == [False, True, True, True, True]
    assert good.highest.tolist() == [1]
    assert [parent for parent, _ in good.families] == [-1]


def test_only_families_on_the_way_to_what_is_good_matter() -> None:
    good = Tree([*PATHS, "Business/Funds", "Business/Bonds"]).good(["Recreation/Cycling"])
    assert [family.stop - family.start for _, family in good.families] == [2, 2]


@pytest.mark.parametrize(
    ("good", "said"),
    [
        (["Recreation/Cyclin"], "no examples of class 'Recreation/Cyclin': did you mean Recreation/Cycling"),
        (["xyz"], r"did you mean Business, Recreation, Recreation/Cycling.*\?"),
        ([], "No class is marked as good"),
        (["Business", "Recreation"], "All classes are good"),
    ],
)
def test_marks_that_cannot_be_are_refused(good: list[str], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        Tree(PATHS).good(good)


@pytest.mark.parametrize("path", ["", "/", "A//B", "A/", "/A", "A/ /B"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(ModelError, match="is no path of classes: write it as Recreation/Cycling"):
        Tree(["B", path])


def test_two_spellings_of_one_class_are_refused() -> None:
    with pytest.raises(ModelError, match="'Recreation/Cycling' and 'Recreation/cycling' differ in spelling only"):
        Tree(["Recreation/cycling", "Recreation/Cycling"])
