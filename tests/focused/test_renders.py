"""Where a browser pays is learned: by site, by URL template, by the look of a page."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.page import Page, PageReader
from focused.renders import FEW_LINKS, FEW_WORDS, MOST_KINDS, Renders, is_active, look_of, template_of
from models.text import Vocabulary

TEXT = b"word " * FEW_WORDS
SITE = 7


def url(n: int, folder: str = "p") -> str:
    return f"http://a.example/{folder}/{n}"


def read(body: bytes) -> Page:
    return PageReader(Vocabulary()).read("http://a.example/", body)


def rendered(renders: Renders, pages: int, look: str, gives: int, folder: str = "p") -> list[int]:
    """The pages of a kind that are rendered when each render gives so many links."""
    chosen = []
    for n in range(1, pages + 1):
        if renders.is_worth_it(SITE, url(n, folder), look):
            renders.spend(SITE)
            renders.learn(SITE, url(n, folder), look, gives)
            chosen.append(n)
    return chosen


@pytest.mark.parametrize(
    ("body", "active"),
    [
        (b"<p>text</p>", False),
        (b"<SCRIPT src=x></SCRIPT>", True),
        (b"<b onclick='go()'>x</b>", True),
        (b"<b\nonMouseOver = go()>x</b>", True),
        (b"<a href='javascript:go()'>x</a>", True),
        (b"<p>press on click to go</p>", False),
    ],
)
def test_a_page_without_scripts_and_handlers_shows_no_more_in_a_browser(body: bytes, active: bool) -> None:
    assert is_active(body) == active


@pytest.mark.parametrize(
    ("body", "look"),
    [
        (b"<div id=app></div><script src=app.js></script>", "shell"),
        (TEXT + b"<script src=app.js></script>", "plain"),
        (b"<a href=/%d>x</a>" * FEW_LINKS % tuple(range(FEW_LINKS)) + b"<script src=app.js></script>", "plain"),
        (TEXT + b"<b onclick=\"location.href='/x'\">x</b>", "promising"),
        (TEXT + b"<script>menu.innerHTML = links</script>", "promising"),
        (TEXT + b"<script>document.createElement('a')</script>", "promising"),
        (TEXT + b"<script>document.createElement('script')</script>", "plain"),
    ],
)
def test_a_page_looks_like_a_shell_or_promises_links_or_neither(body: bytes, look: str) -> None:
    assert look_of(read(body), body) == look


def test_what_pays_is_rendered_on_and_what_does_not_is_looked_at_now_and_then() -> None:
    assert rendered(Renders(), 20, "shell", gives=1) == list(range(1, 21))
    assert rendered(Renders(), 20, "promising", gives=0) == [1, 2, 4, 16]
    assert rendered(Renders(), 20, "plain", gives=0) == [4, 16]
    assert rendered(Renders(), 20, "plain", gives=2) == [4, *range(16, 21)]


def test_a_menu_that_is_the_same_on_every_page_pays_only_for_some_renders() -> None:
    renders = Renders()
    gains = iter([40, *[0] * 100])
    chosen = 0
    for n in range(1, 60):
        if renders.is_worth_it(SITE, url(n), "promising"):
            renders.spend(SITE)
            renders.learn(SITE, url(n), "promising", next(gains))
            chosen += 1
    assert chosen <= 6


def test_kinds_and_sites_are_judged_apart() -> None:
    renders = Renders()
    assert len(rendered(renders, 10, "promising", gives=0, folder="static")) == 3
    assert len(rendered(renders, 10, "promising", gives=2, folder="list")) == 10
    assert len(rendered(renders, 10, "shell", gives=1, folder="static")) == 10
    assert renders.is_worth_it(SITE + 1, url(1, "static"), "promising")


def test_a_site_on_which_nothing_pays_is_not_tried_kind_by_kind() -> None:
    renders = Renders()
    tries = [len(rendered(renders, 3, "promising", gives=0, folder=f"folder-{chr(97 + n)}")) for n in range(20)]
    assert sum(tries) <= 14 and tries[-1] == 0


def test_the_budget_of_a_site_is_exact() -> None:
    renders = Renders(budget=3)
    for _ in range(3):
        assert renders.may_render(SITE)
        renders.spend(SITE)
    assert not renders.may_render(SITE) and renders.may_render(SITE + 1)


def test_a_shell_that_is_filled_pays_without_a_link() -> None:
    renders = Renders()
    for n in range(5):
        assert renders.is_worth_it(SITE, url(n), "shell")
        renders.spend(SITE)
        renders.learn(SITE, url(n), "shell", 0, is_filled=True)


def test_a_kind_whose_pages_hang_is_left_alone() -> None:
    renders = Renders()
    for n in range(2):
        assert renders.is_worth_it(SITE, url(n), "shell")
        renders.spend(SITE)
        renders.fail(SITE, url(n), "shell")
    assert not renders.is_worth_it(SITE, url(3), "shell")
    assert renders.sites[SITE].failed == 2


def test_what_was_learned_survives_as_json_and_only_changes_are_told() -> None:
    renders, later = Renders(), Renders()
    rendered(renders, 9, "shell", gives=1)
    later.restore(json.loads(json.dumps(renders.state())))
    assert later.sites == renders.sites
    assert renders.state() == {}
    renders.spend(SITE)
    assert list(renders.state()) == [f"site:{SITE}"]


@settings(max_examples=60)
@given(st.lists(st.text("ab/?=&.19-", max_size=12), max_size=40))
def test_any_url_has_a_template_and_a_site_keeps_a_bounded_number_of_them(paths: list[str]) -> None:
    renders = Renders()
    for path in paths * 5:
        address = f"http://a.example/{path}"
        assert template_of(address) == template_of(address)
        renders.is_worth_it(SITE, address, "shell")
    assert not paths or len(renders.sites[SITE].kinds) <= MOST_KINDS + 1
