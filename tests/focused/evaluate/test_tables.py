"""focused.evaluate.tables: what is shown, and when it is alarming."""

from __future__ import annotations

from pathlib import Path

from focused.evaluate.tables import Address, alarms, found, happened, headline, part, show
from focused.store.answers import Summary
from tests.focused.made_crawl import MadeCrawl, small_crawl

CALM = Summary(pages=100, relevant=50, discovered=1000, waiting=900)


def test_calm_crawl_has_no_alarm() -> None:
    assert alarms(CALM, [0.5, 0.5, 0.5, 0.4]) == []
    assert alarms(Summary(), []) == []


def test_each_alarm_is_raised_by_its_own_cause() -> None:
    assert "Diffusion" in alarms(CALM, [0.8, 0.3, 0.3, 0.3])[0]
    assert "Stagnation" in alarms(Summary(pages=100, discovered=100, waiting=0), [])[0]
    stagnant = alarms(
        Summary(pages=100, discovered=100), [], "few links; pages of Money keep turning up: mark it good?"
    )
    assert stagnant[0].endswith("Pages of Money keep turning up: mark it good? Or add seeds.")
    failing = Summary(pages=5, discovered=100, waiting=80, failed=15, failures={"dns": 2, "timeout": 13})
    assert alarms(failing, []) == ["More URLs were given up than fetched, most of them for 'timeout'."]


def test_cells_read_as_people_write_them() -> None:
    assert [show(cell) for cell in (None, 1234567, 0.12345, "a\x1bb", Address("http://a/", "t"))] == [
        *("", "1,234,567", "0.123", "ab", "http://a/"),
    ]


def test_headline_shows_the_summary() -> None:
    numbers = dict(headline(Summary(pages=2000, relevant=500, sites=7)))
    assert (numbers["pages"], numbers["harvest"], numbers["sites"]) == ("2,000", "25.0 %", "7")


def test_websites_and_links_on_closed_sites_are_counted_where_there_are_any(tmp_path: Path) -> None:
    assert len(headline(CALM)) == 8
    crawl = small_crawl(tmp_path)
    crawl.site("b.example", state="closed", posterior=0.9)
    crawl.site("c.example", state="closed", posterior=0.1)
    with crawl.read() as reading:
        numbers = dict(headline(reading.summary()))
    assert (numbers["websites judged"], numbers["judged relevant"], numbers["on closed sites"]) == ("2", "1", "1")


def test_a_harvest_is_in_percent(tmp_path: Path) -> None:
    with small_crawl(tmp_path).read() as reading:
        sites = part(reading, "sites")[0]
    assert [show(row[sites.headings.index("harvest")]) for row in sites.rows] == ["100.0 %", "50.0 %"]


def test_the_two_sides_of_a_model_are_no_categories(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path)
    crawl.fetched("http://a.example/", **{"class": "relevant"})
    crawl.fetched("http://a.example/2", 0.1, **{"class": "other"})
    with crawl.read() as reading:
        assert part(reading, "categories") == []
        assert "class" not in part(reading, "pages")[0].headings


def test_rows_fit_their_headings(tmp_path: Path) -> None:
    with small_crawl(tmp_path).read() as reading:
        sections = [*found(reading), *happened(reading)]
    assert len(sections) == 9
    assert all(len(row) == len(section.headings) for section in sections for row in section.rows)


def test_class_is_a_column_only_where_there_are_classes(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path)
    crawl.fetched("http://a.example/")
    with crawl.read() as reading:
        assert found(reading)[0].headings == ("page", "relevance", "depth", "visit")


def test_empty_tables_are_left_out(tmp_path: Path) -> None:
    with MadeCrawl(tmp_path).read() as reading:
        assert found(reading) == []


def test_times_are_dates_and_fractions_are_short(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path)
    for name, value in (("cpu", "3.359246614"), ("seeds", '["http://a.example/","http://b.example/"]')):
        crawl.insert("meta", name=name, value=value)
    with crawl.read() as reading:
        settings = {name: value for name, value in happened(reading)[-1].rows}
    assert str(settings["started_at"]).startswith("2023-11-1")
    assert (settings["cpu"], settings["seeds"]) == ("3.359", "http://a.example/, http://b.example/")
