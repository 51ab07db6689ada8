"""focused.evaluate.figures: the curves are the data, and no text can leave the script."""

from __future__ import annotations

import json

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
