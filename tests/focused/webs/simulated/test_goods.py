from __future__ import annotations

from collections import Counter

import pytest

from focused.webs.simulated.goods import BRANDS, KINDS, POOL, Goods


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_thing_is_the_same_in_every_shop_but_for_the_words(kind: str) -> None:
    goods = Goods(3)
    first, second = goods.thing(kind, 17, words=1), goods.thing(kind, 17, words=2)
    assert first[:3] == second[:3] and {value for _, value in first.rows} & {value for _, value in second.rows}
    assert [name for name, _ in first.rows] != [name for name, _ in second.rows]
    assert goods.thing(kind, 18, words=1) != first


def test_things_have_rows_of_attribute_and_value_without_gaps() -> None:
    goods = Goods(3)
    for number in range(0, POOL, 7):
        rows = goods.thing("cameras", number, words=number % 6).rows
        assert 8 < len(rows) <= len(KINDS["cameras"])
        assert all(name and value and "{" not in value and "|" not in name + value for name, value in rows)


def test_a_few_brands_make_most_of_the_things() -> None:
    goods = Goods(1)
    counts = Counter(goods.brand("notebooks", number) for number in range(POOL))
    assert len(counts) == len(BRANDS) and counts[0] > 3 * counts[len(BRANDS) - 1]


def test_look_alikes_share_some_attributes_but_not_most() -> None:
    for kind, other in (("cameras", "printers"), ("notebooks", "monitors")):
        names, others = ({name for names, _ in KINDS[each] for name in names.split("|")} for each in (kind, other))
        assert 3 <= len(names & others) < len(names) / 2
