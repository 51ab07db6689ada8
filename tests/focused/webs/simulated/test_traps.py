from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from focused.urls import canonical
from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.shape import Shape
from focused.webs.simulated.traps import DEEPEST, KINDS, WIDE, Family, Traps
from focused.webs.simulated.words import shipped

ENDLESS = 1_000_000
FAMILIES = [kind(ENDLESS) for kind in KINDS]
NAMES = ["Calendar", "Log in", "Browse", "Topics", "Files", "Items"]


def reached(family: Family, pages: int) -> set[int]:
    seen, front = {0}, {0}
    while front:
        front = {n for page in front for n in family.links(page) if 0 <= n < pages} - seen
        seen |= front
    return seen


def test_there_is_a_trap_of_every_known_kind() -> None:
    assert [family.name for family in FAMILIES] == NAMES


@pytest.mark.parametrize("family", FAMILIES, ids=NAMES)
@given(n=some.integers(0, ENDLESS - 1))
def test_every_number_has_its_own_url_and_every_url_its_number(family: Family, n: int) -> None:
    path = family.path(n)
    assert family.number(path) == n
    url = f"http://www.some-host.example{path}"
    assert canonical(url) == url, "a URL that no crawler would follow is no trap"


@pytest.mark.parametrize("family", FAMILIES, ids=NAMES)
def test_a_trap_goes_on_and_on(family: Family) -> None:
    assert len(reached(family, 20_000)) > 1_500


def test_each_trap_goes_wrong_in_its_own_way() -> None:
    _calendar, _sessions, facets, deeper, repeated, wide = FAMILIES
    assert facets.path(120_304).count("&") == 3
    assert deeper.path(ENDLESS - 1).count("/") >= 19
    assert repeated.path(ENDLESS - 1).count("/old-f/old-f") > DEEPEST // 3
    assert len(wide.links(0)) == WIDE == 400


def test_only_what_a_site_has_is_its_trap() -> None:
    shape = Shape(Knobs(pages=5_000, seed=1, traps=0.2, trap_pages=50), shipped())
    traps = Traps(shape)
    assert {family.name for family in traps.of.values()} == set(NAMES)
    for site, family in traps.of.items():
        assert traps.number(site, family.path(49)) == 49
        assert traps.number(site, family.path(50)) is None, "it ends after trap_pages"
        assert all(traps.number(site, path) is not None for path in traps.links(site, 3))
        other = next(each for each in traps.of.values() if each is not family)
        assert traps.number(site, other.path(7)) is None
    assert traps.number(next(s for s in range(shape.site_count) if s not in traps.of), "/item-list/3.html") is None


@pytest.mark.parametrize(
    "path", ["/", "/shop-by/?colour=x", "/topic-tree/what/", "/event-calendar/1/2.html", "/?sid=zz"]
)
def test_what_only_looks_like_a_trap_is_none(path: str) -> None:
    traps = Traps(Shape(Knobs(pages=5_000, seed=1, traps=0.2), shipped()))
    assert all(traps.number(site, path) is None for site in traps.of)
