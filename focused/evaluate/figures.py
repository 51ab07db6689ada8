"""The report's figures, drawn by plotly in the reader's browser from data inside the page: nothing is loaded."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from focused.evaluate.metrics import Floats, found_curve, harvest_curve, spread
from focused.evaluate.wording import clean
from focused.store.answers import Point, SiteRow

INK, GREY, FAINT = "#1f2933", "#7b8794", "#e4e7eb"
BLUE, PALE = "#2563a8", "#c3d3e5"
OTHERS = ("#b45309", "#4d7c0f", "#7c3aed", "#be185d", "#0f766e")  # the curves of a comparison
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"

_DRAW = """const draw = (id, figure) =>
    Plotly.newPlot(id, figure.data, figure.layout, {responsive: true, displayModeBar: false});
"""

Baselines = Mapping[str, Sequence[bool]]
VISIBLE = 1e-6
DASHES = ("solid", "dash", "dot", "dashdot")  # once round the colours, the next


class Curve(NamedTuple):
    """An ordering in a comparison: mean and spread after 1, 2, 3 … pages, and its share of the oracle's area."""

    name: str
    mean: Floats
    sd: Floats
    area: float
    area_sd: float
    is_bound: bool = False  # the oracle: what the others are measured by


def harvest_figure(points: Sequence[Point], baselines: Baselines) -> go.Figure:
    """Harvest of all pages and of the last 100; one thin line for each crawl it is compared with."""
    visits = [point.visit for point in points]
    figure = _figure("pages fetched")
    figure.add_scatter(x=visits, y=[p.harvest_100 for p in points], name="last 100 pages", line=_line(PALE, 1.5))
    for colour, (name, relevant) in zip(_colours(baselines), baselines.items(), strict=True):
        at = spread(len(relevant))
        curve = harvest_curve(relevant)[at].round(5)
        figure.add_scatter(
            x=(at + 1).tolist(), y=curve.tolist(), name=html.escape(name), line=_line(colour, 1.2, "dot")
        )
    figure.add_scatter(x=visits, y=[p.harvest for p in points], name="all pages", line=_line(BLUE, 2.5), legendrank=1)
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%")
    return figure


def found_figure(points: Sequence[Point], baselines: Baselines) -> go.Figure:
    """Relevant pages found against pages fetched."""
    figure = _figure("pages fetched")
    for colour, (name, relevant) in zip(_colours(baselines), baselines.items(), strict=True):
        at = spread(len(relevant))
        curve = found_curve(relevant)[at]
        figure.add_scatter(
            x=(at + 1).tolist(), y=curve.tolist(), name=html.escape(name), line=_line(colour, 1.2, "dot")
        )
    found = [point.relevant_so_far for point in points]
    figure.add_scatter(x=[p.visit for p in points], y=found, name="this crawl", line=_line(BLUE, 2.5), legendrank=1)
    figure.update_yaxes(rangemode="tozero")
    return figure


def sites_figure(sites: Sequence[SiteRow]) -> go.Figure:
    """Pages of each site, relevant and other, the best site on top."""
    places = list(range(len(sites)))
    labels = [html.escape(clean(site.host, 32)) for site in sites]
    figure = _figure("pages")
    for name, colour, counts in (
        ("relevant", BLUE, [site.relevant for site in sites]),
        ("other", PALE, [site.pages - site.relevant for site in sites]),
    ):
        figure.add_bar(y=places, x=counts, name=name, orientation="h", marker_color=colour)
    figure.update_layout(barmode="stack", bargap=0.35, height=90 + 24 * len(sites), hovermode="y unified")
    figure.update_yaxes(autorange="reversed", showgrid=False, automargin=True, tickvals=places, ticktext=labels)
    return figure


def relevance_figure(bins: Sequence[tuple[int, int]]) -> go.Figure:
    """How many pages have which relevance."""
    width = 1 / max(len(bins), 1)
    middles = (np.arange(len(bins)) * width + width / 2).round(4).tolist()
    figure = _figure("relevance")
    figure.add_bar(x=middles, y=[relevant for relevant, _ in bins], name="relevant", marker_color=BLUE)
    figure.add_bar(x=middles, y=[other for _, other in bins], name="other", marker_color=PALE)
    figure.update_layout(barmode="stack", bargap=0.08)
    figure.update_xaxes(range=[0, _reach(bins)])
    return figure


def _reach(bins: Sequence[tuple[int, int]]) -> float:
    """Cosines to a query seldom pass 0.4: as far as there are pages, in steps of a fifth."""
    last = max((place for place, counts in enumerate(bins, 1) if any(counts)), default=len(bins))
    return min(1.0, math.ceil(5 * last / max(len(bins), 1)) / 5)


def comparison_figure(curves: Sequence[Curve], highest: float = 1.0, y_format: str = ".0%") -> go.Figure:
    """One line an ordering, in a band as wide as the spread over the seeds; no value is above `highest`."""
    figure = _figure("pages fetched")
    for curve, (colour, dash) in zip(curves, _looks(curves), strict=True):
        at = spread(len(curve.mean), 400)
        x, mean, sd = (at + 1).tolist(), curve.mean[at], curve.sd[at]
        band = np.concatenate([mean + sd, (mean - sd)[::-1]]).clip(0.0, highest).round(5).tolist()
        shown = {"name": html.escape(clean(curve.name, 60)), "legendgroup": html.escape(curve.name)}
        if sd.max(initial=0.0) > VISIBLE:
            figure.add_scatter(
                x=x + x[::-1], y=band, fill="toself", line_width=0, fillcolor=_faint(colour), hoverinfo="skip",
                showlegend=False, **shown,
            )  # fmt: skip
        width = 1.5 if curve.is_bound else 2.2
        figure.add_scatter(x=x, y=mean.round(5).tolist(), mode="lines", line=_line(colour, width, dash), **shown)
        figure.update_xaxes(range=[0, 1.01 * len(curve.mean)])
    figure.update_layout(height=400)
    figure.update_yaxes(rangemode="tozero", tickformat=y_format)
    return figure


def areas_figure(curves: Sequence[Curve]) -> go.Figure:
    """Share of the oracle's area of each ordering with its spread, the best on top."""
    bars = [(curve, colour) for curve, (colour, _) in zip(curves, _looks(curves), strict=True) if not curve.is_bound]
    places, areas = list(range(len(bars))), [round(curve.area, 4) for curve, _ in bars]
    figure = _figure("share of the oracle's area")
    figure.add_bar(
        y=places, x=areas, orientation="h", marker_color=[colour for _, colour in bars], showlegend=False,
        error_x={"array": [round(curve.area_sd, 4) for curve, _ in bars], "color": INK, "thickness": 1, "width": 4},
        hovertemplate="%{x:.3f}<extra></extra>",
    )  # fmt: skip
    labels = [f"{html.escape(clean(curve.name, 32))}  <b>{curve.area:.3f}</b>" for curve, _ in bars]
    figure.add_vline(x=1, line=_line(GREY, 1.5, "dash"))
    figure.add_annotation(x=1, y=1, yref="paper", text="oracle", yanchor="bottom", showarrow=False, font_color=GREY)
    figure.update_layout(bargap=0.35, height=max(400, 100 + 36 * len(bars)), hovermode="closest")
    figure.update_yaxes(autorange="reversed", showgrid=False, automargin=True, tickvals=places, ticktext=labels)
    figure.update_xaxes(range=[0, 1.06 * max([1.0, *areas])])
    return figure


def scripts(figures: Mapping[str, go.Figure]) -> list[str]:
    """Plotly itself, then what draws each figure into the element of that id."""
    # Plotly writes < and > as \u003c and \u003e, so no text in a figure can end the script element.
    drawing = "\n".join(f"draw('{name}', {figure.to_json()});" for name, figure in figures.items())
    return [get_plotlyjs(), _DRAW + drawing]


def _line(colour: str, width: float, dash: str = "solid") -> dict[str, object]:
    return {"color": colour, "width": width, "dash": dash}


def _looks(curves: Sequence[Curve]) -> list[tuple[str, str]]:
    """Colour and dash of each: the oracle grey, the best of the others blue."""
    colours, looks = (BLUE, *OTHERS), []
    for place, _ in enumerate(curve for curve in curves if not curve.is_bound):
        looks.append((colours[place % len(colours)], DASHES[place // len(colours) % len(DASHES)]))
    others = iter(looks)
    return [(GREY, "dash") if curve.is_bound else next(others) for curve in curves]


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.13)"


def _colours(baselines: Baselines) -> list[str]:
    return [OTHERS[at % len(OTHERS)] for at in range(len(baselines))]


def _figure(x_title: str) -> go.Figure:
    axis = {"gridcolor": FAINT, "zeroline": False, "linecolor": GREY, "ticks": "", "separatethousands": True}
    return go.Figure(
        layout={
            "template": "none",
            "font": {"family": FONT, "size": 13, "color": INK},
            "margin": {"l": 56, "r": 16, "t": 32, "b": 48},
            "height": 320,
            "hovermode": "x unified",
            "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
            "xaxis": {**axis, "title": {"text": x_title, "font": {"color": GREY, "size": 13}}, "showgrid": False},
            "yaxis": {**axis, "showline": False, "ticklabelstandoff": 6},
        }
    )
