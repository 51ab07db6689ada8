"""Frozen webs: what a crawl can be run on, any number of times, without asking the real one anything."""

from __future__ import annotations

import logging

from focused.errors import WebError
from focused.webs.base import Answer, Labelled, Web, is_under
from focused.webs.pages import PagesWeb
from focused.webs.simulated.knobs import PRESETS, knobs_of
from focused.webs.simulated.web import SimWeb
from focused.webs.warc import WarcWeb

__all__ = ["Answer", "Web", "about", "faults_of", "open_web"]

logger = logging.getLogger(__name__)


def open_web(spec: str) -> Web:
    """The web of a FOCUSED_WEB setting: "sim:small,seed=1", "warc:PATH" or "pages:FILE.jsonl.gz"."""
    web = _opened(spec)
    if faults := faults_of(web):
        logger.warning("Web '%s' has faults (%s); the rest of it is served", spec, faults)
    return web


def faults_of(web: Web) -> str:
    """What was wrong with the files of a web, and how often; empty if nothing was."""
    return ", ".join(f"{name} {count:,}" for name, count in sorted(getattr(web, "faults", {}).items()))


def _opened(spec: str) -> Web:
    kind, _, rest = spec.partition(":")
    if kind == "sim":
        preset, *options = rest.split(",")
        return SimWeb(knobs_of(preset, dict(_option(text, spec) for text in options)))
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
