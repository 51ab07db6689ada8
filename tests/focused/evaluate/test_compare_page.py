"""focused.evaluate.compare_page: who wins is said, drawn and tabulated, and names of orderings stay text."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.evaluate.compare_page import render, table, who_wins, within_reach, write_page
from tests.focused.evaluate.made_comparison import comparison
from tests.focused.evaluate.test_report import PAYLOAD, Tags
from tests.rig.browser import FLAGS, browser_path

MANY = {"best_first": 0.6, "fish": 0.3, "shark": 0.4, "a": 0.2, "b": 0.25, "c": 0.35, "d": 0.45, PAYLOAD: 0.1}


def test_the_winner_is_named_with_its_lead() -> None:
    made = comparison({"good": 0.8, "bad": 0.2})
    good, bad = (row.area or 0.0 for row in made.contestants)
    assert who_wins(made) == (
        f"good reaches {good:.3f} of the oracle's area, {good - bad:.3f} more than bad (ahead on 3 of 3 seeds); "
        "no other is ever ahead."
    )
    assert 0.7 < good < 0.95 and bad < 0.3


def test_one_ordering_wins_over_nobody() -> None:
    assert who_wins(comparison({"good": 0.8})).endswith(" of the oracle's area.")
    assert who_wins(comparison({"good": None})) == "No ordering could be measured."


def test_a_tie_is_said_to_be_one() -> None:
    assert who_wins(comparison({"a": 0.5, "b": 0.5})) == "Not discriminating: all orderings tie."
    assert who_wins(comparison({"a": 0.5, "b": 0.5, "c": 0.1})).endswith("of the oracle's area, as much as b.")


def test_it_is_said_when_the_lead_changes() -> None:
    made = comparison({"early": 0.9, "late": 0.5})
    late = next(row for row in made.rows if row.name == "late")
    late.found = [[False] * 80 + [True] * 120] * 3
    assert who_wins(made).endswith("at the end late has found more.")
    late.found = [[True] * 20 + [False] * 180] * 3
    assert "; no other is ahead after page " in who_wins(made)


def test_what_was_to_be_found_stands_beside_the_scores() -> None:
    assert within_reach(comparison({"good": 0.8})) == (
        "Within reach: 400 pages, 100 of them relevant (judged by the web itself); "
        "no crawl of 200 pages can pass harvest 0.500."
    )


def test_table_has_means_and_spreads_apart() -> None:
    section = table(comparison({"good": 0.8, "broken": None}))
    assert section.headings[:3] == ("ordering", "area", "±")
    rows = {str(row[0]): row for row in section.rows}
    assert rows["oracle"][1:3] == (1.0, 0.0)
    assert rows["broken"][1:] == (None,) * (len(section.headings) - 1)
    assert all(len(row) == len(section.headings) for row in section.rows)


def test_harvest_by_likeness_stands_beside_harvest_by_truth() -> None:
    page = render(comparison({"good": 0.8}))
    heads = page.partition("<thead>")[2].partition("</thead>")[0]
    assert '<th class="number">similar</th><th class="number">similar pages</th>' in heads


def test_names_of_orderings_stay_text() -> None:
    made = comparison(MANY)
    made.notes.append(PAYLOAD)
    made.web = PAYLOAD
    page = render(made)
    tags = Tags(page)
    assert len(tags.all("script")) == 2 and tags.all("img") == [] and PAYLOAD not in page
    policy = str(tags.all("meta")[1]["content"])
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert not any("src" in attributes for _, attributes in tags.tags)


def test_failures_and_notes_are_shown() -> None:
    made = comparison({"good": 0.8, "broken": None})
    made.notes.append("Judged by nobody.")
    page = render(made)
    assert '<p class="alarm">Judged by nobody.</p>' in page
    assert "broken failed on 3 of 3 seeds; seed 0: it broke (status 1)" in page
    assert "<b>good</b>" in page


def test_nothing_measured_has_a_page_with_the_oracle() -> None:
    assert "No ordering could be measured." in render(comparison({"broken": None}))


@pytest.mark.parametrize("width", [1280, 800])
def test_browser_draws_every_figure_and_asks_nobody(tmp_path: Path, width: int) -> None:
    from playwright.sync_api import sync_playwright

    path = write_page(comparison(MANY), tmp_path)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        page, seen = browser.new_page(viewport={"width": width, "height": 900}), []
        page.on("request", lambda request: seen.append(request.url))
        page.on("console", lambda message: seen.append(message.text))
        page.on("pageerror", lambda error: seen.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_selector("#relevant-pages-found .main-svg")
        drawn, title = page.locator(".js-plotly-plot").count(), page.title()
        wide = page.evaluate("document.documentElement.scrollWidth")
        browser.close()
    assert (drawn, title, seen) == (3, "Orderings on cycling", [path.as_uri()])
    assert wide <= width
