"""Frozen webs: what a crawl can be run on, any number of times, without asking the real one anything."""

from __future__ import annotations

import logging
from pathlib import Path

from focused.errors import WebError
from focused.webs.base import Answer, Labelled, Web, is_under
from focused.webs.pages import PagesWeb
from focused.webs.simulated.knobs import PRESETS, Knobs, knobs_of
from focused.webs.simulated.web import SimWeb
from focused.webs.warc import WarcWeb

__all__ = ["Answer", "Web", "about", "faults_of", "is_same", "open_web"]

logger = logging.getLogger(__name__)


def open_web(spec: str) -> Web:
    """The web of a FOCUSED_WEB setting: "sim:small,seed=1", "warc:PATH" or "pages:FILE.jsonl.gz"."""
    web = _opened(spec)
    if faults := faults_of(web):
        logger.warning("Web '%s' has faults (%s); the rest of it is served", spec, faults)
    return web


def is_same(one: str, other: str) -> bool:
    """Whether two FOCUSED_WEB settings name one web: `sim:small` is `sim:small,seed=1`, a path may be spelt in full."""
    return one == other or ("" not in (one, other) and _identity(one) == _identity(other))


def _identity(spec: str) -> object:
    kind, _, rest = spec.partition(":")
    try:
        return _knobs(spec) if kind == "sim" else (kind, Path(rest).resolve())
    except WebError:  # of a crawl whose web had other knobs
        return spec


def _knobs(spec: str) -> Knobs:
    preset, *options = spec.partition(":")[2].split(",")
    return knobs_of(preset, dict(_option(text, spec) for text in options))


def faults_of(web: Web) -> str:
    """What was wrong with the files of a web, and how often; empty if nothing was."""
    return ", ".join(f"{name} {count:,}" for name, count in sorted(getattr(web, "faults", {}).items()))


def _opened(spec: str) -> Web:
    kind, _, rest = spec.partition(":")
    if kind == "sim":
        return SimWeb(_knobs(spec))
    if kind == "warc":
        return WarcWeb(rest)
    if kind == "pages":
        return PagesWeb(rest)
    raise WebError(
        f"web '{spec}' is of no known kind: give sim:{'|'.join(PRESETS)}[,seed=N], warc:PATH or pages:FILE.jsonl.gz"
    )


def about(web: Web, url: str, topic: str) -> bool:
    """Whether a page is on a topic or on one below it, as the web itself knows. For the evaluator only."""
    labels = web.labels(url) if isinstance(web, Labelled) else (web.truth(url),)
    return any(label is not None and is_under(label, topic) for label in labels)


def _option(text: str, spec: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise WebError(f"option '{text}' of web '{spec}' has no value: write {text or 'name'}=NUMBER")
    return name.strip(), value.strip()
