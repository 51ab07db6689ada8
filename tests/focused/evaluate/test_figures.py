"""focused.evaluate.figures: the curves are the data, and no text can leave the script."""

from __future__ import annotations

import json

import numpy as np

from focused.evaluate import figures
from focused.store.answers import Point, SiteRow

POINTS = [Point(1, 1, 1.0, 1.0), Point(2, 1, 0.5, 0.5)]


def test_harvest_figure_has_both_lines_and_the_baselines() -> None:
    figure = figures.harvest_figure(POINTS, {"unfocused": [False, True, True]})
    curves = {trace.name: (list(trace.x), list(trace.y)) for trace in figure.data}
    assert curves["all pages"] == ([1, 2], [1.0, 0.5])
    assert curves["last 100 pages"] == ([1, 2], [1.0, 0.5])
    assert curves["unfocused"] == ([1, 2, 3], [0.0, 0.5, 0.66667])


def test_long_baselines_are_thinned() -> None:
    figure = figures.found_figure(POINTS, {"long": [True] * 100_000})
    assert max(len(trace.x) for trace in figure.data) == 2000
    assert figure.data[0].y[-1] == 100_000


def test_more_baselines_than_colours_are_drawn() -> None:
    assert len(figures.found_figure(POINTS, {str(n): [True] for n in range(9)}).data) == 10


def test_sites_with_the_same_beginning_stay_apart() -> None:
    long = "a" * 60
    sites = [SiteRow(n, f"{long}{n}.example", 10, n, 0.5, "open", None, 0.0) for n in range(3)]
    figure = figures.sites_figure(sites)
    assert list(figure.data[0].y) == [0, 1, 2]
    assert list(figure.data[1].x) == [10, 9, 8]


def test_relevance_figure_is_empty_without_pages() -> None:
    assert list(figures.relevance_figure([(0, 0)] * 4).data[0].x) == [0.125, 0.375, 0.625, 0.875]


def test_the_axis_of_relevance_ends_where_the_pages_end() -> None:
    bins = [(0, 0)] * 20
    assert figures.relevance_figure([*bins[:5], (1, 0), *bins[6:]]).layout.xaxis.range == (0, 0.4)
    assert figures.relevance_figure([*bins[:19], (0, 1)]).layout.xaxis.range == (0, 1)
    assert figures.relevance_figure(bins).layout.xaxis.range == (0, 1)


def test_script_cannot_be_ended_from_inside() -> None:
    plotly, drawing = figures.scripts({"harvest": figures.harvest_figure(POINTS, {"</script><b>": [True]})})
    assert "</script" not in plotly
    assert "<" not in drawing.removeprefix(figures._DRAW)
    assert "<" not in figures.scripts({"x": figures.go.Figure(layout_title_text="</script>")})[1].removeprefix(
        figures._DRAW
    )
    start = drawing.index("{", len(figures._DRAW))
    drawn, _ = json.JSONDecoder().raw_decode(drawing[start:])
    assert [trace["name"] for trace in drawn["data"]] == ["last 100 pages", "&lt;/script&gt;&lt;b&gt;", "all pages"]


def curve(name: str, area: float, is_bound: bool = False) -> figures.Curve:
    mean = np.full(1000, area)
    return figures.Curve(name, mean, np.full(1000, 0.3), area, 0.01, is_bound)


def test_comparison_has_a_line_and_a_band_for_each_ordering() -> None:
    figure = figures.comparison_figure([curve("oracle", 1.0, is_bound=True), curve("<b>", 0.5)])
    assert [trace.name for trace in figure.data] == ["oracle", "oracle", "&lt;b&gt;", "&lt;b&gt;"]
    band, line = figure.data[2:]
    assert (max(band.y), min(band.y), len(line.x)) == (0.8, 0.2, 400)
    assert max(figure.data[0].y) == 1.0  # not above the highest there can be


def test_a_crawl_of_one_seed_has_no_band() -> None:
    alone = curve("a", 0.5)._replace(sd=np.zeros(1000))
    assert len(figures.comparison_figure([alone]).data) == 1


def test_every_ordering_looks_different() -> None:
    curves = [curve("oracle", 1.0, is_bound=True), *(curve(str(n), 0.5) for n in range(20))]
    looks = figures._looks(curves)
    assert len(set(looks)) == 21 and looks[1] == (figures.BLUE, "solid")


def test_areas_are_bars_without_the_oracle() -> None:
    figure = figures.areas_figure([curve("oracle", 1.0, is_bound=True), curve("a", 0.7), curve("b", 0.4)])
    assert list(figure.data[0].x) == [0.7, 0.4]
    assert list(figure.layout.yaxis.ticktext) == ["a  <b>0.700</b>", "b  <b>0.400</b>"]
