"""Pages out of templates: everything is escaped, titles and URLs come from strangers."""

from __future__ import annotations

import math
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import HTMLResponse

from focused.evaluate import tables
from focused.evaluate.report import id_of
from focused.evaluate.wording import about, clean, course, duration, moment, percent
from focused.store.fulltext import MARKS


def is_web(url: str) -> bool:
    """Whether a URL may become a link."""
    try:
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:
        return False


def score(value: float | None) -> str:
    """A score; that of a seed is infinite."""
    return "–" if value is None else f"{value:.4f}" if math.isfinite(value) else "first"


def marked(snippet: str) -> Markup:
    """A snippet with the words that were found."""
    begin, end = MARKS
    return Markup(str(escape(snippet)).replace(begin, "<mark>").replace(end, "</mark>"))


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("focused.console"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    for function in (about, clean, course, duration, moment, percent, score, marked):
        made.filters[function.__name__] = function
    made.filters["cell"] = tables.show
    made.filters["slug"] = id_of
    made.tests["web"] = is_web
    made.tests["numeric"] = tables.is_number
    made.tests["address"] = lambda cell: isinstance(cell, tables.Address)
    return made


_ENVIRONMENT = _environment()


def rendered(template: str, **values: object) -> str:
    return _ENVIRONMENT.get_template(template).render(**values)


def page(
    request: Request, template: str, status: int = 200, background: BackgroundTask | None = None, **values: object
) -> HTMLResponse:
    """A whole page; `crawl` and `topic` say where in the console it is."""
    where = {"crawl": "", "topic": "", "crawl_topic": "", **request.path_params}
    return HTMLResponse(rendered(template, **{**where, **values}), status, background=background)
