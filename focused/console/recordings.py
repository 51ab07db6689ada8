"""Recording of browsing: an outer page with the marks, and in its frame the pages of the Web, one after the other.

The frame navigates by itself, without the token: its addresses carry a key of their own, which no stranger knows and
no page in the frame can read, for nothing runs there.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from html import escape
from urllib.parse import quote, urlencode

from scrapy.settings import BaseSettings
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from focused.administration.recording import Brings, Recorder
from focused.console import framing
from focused.console.advice import settings_of
from focused.console.crawls import Shared, shared
from focused.console.rendering import page, rendered
from focused.console.safety import POLICY
from focused.errors import FocusedError
from focused.examples.collection import Document, Skipped
from focused.topic import Topic
from focused.urls import canonical
from focused.webs import open_web

HOPS = 5  # redirects of a frozen web that are followed
CHANGES = ("open", "judge")
OUTER = {"Content-Security-Policy": f"{POLICY}; frame-src 'self'"}
INNER = {"Content-Security-Policy": framing.POLICY}


def view(request: Request, topic: Topic) -> Response:
    recorder = shared(request).recorders.get(topic.name)
    answer = page(request, "record.html", recorder=recorder, seeds=_beginnings(request, topic), about=topic)
    answer.headers.update(OUTER)
    return answer


def steps(request: Request, topic: Topic) -> Response:
    """What was visited and marked so far, as a piece of the page."""
    recorder = shared(request).recorders.get(topic.name)
    return HTMLResponse(rendered("recorded.html", recorder=recorder, topic=topic.name))


def frame(request: Request, topic: Topic) -> Response:
    """The page somebody looks at; with `url`, the one a link of it leads to."""
    recorder = shared(request).recorders.get(topic.name)
    key = request.path_params["key"]
    if recorder is None or not hmac.compare_digest(key.encode(), recorder.key.encode()):
        raise HTTPException(404, "There is no such recording.")
    url = request.query_params.get("url", "")
    try:
        shown = recorder.open(url, request.query_params.get("from", "")) if url else recorder.current
    except FocusedError as error:  # the person goes back, or opens another page
        return HTMLResponse(f"<!DOCTYPE html><p>{escape(str(error))}</p>", 400, headers=INNER)
    if shown is None:
        raise HTTPException(404, "No page is open.")
    return HTMLResponse(_shown(topic, recorder.key, shown), headers=INNER)


def _shown(topic: Topic, key: str, document: Document) -> str:
    def lead(target: str) -> str:
        return f"/topics/{quote(topic.name)}/recorded/{key}?{urlencode({'url': target, 'from': document.url})}"

    return framing.framed(document.body, document.content_type, document.url, lead)


def changed(request: Request, topic: Topic, what: str, fields: Mapping[str, str]) -> Response:
    """A page is opened by its address, or judged."""
    given = shared(request)
    recorder = given.recorders.get(topic.name)
    if what == "open":
        recorder = recorder or Recorder(topic.name, _brings(given, settings_of(request, topic)))
        recorder.open(fields.get("url", "").strip())
        given.recorders[topic.name] = recorder
    elif recorder is not None:
        recorder.mark(fields.get("url", ""), fields.get("relevant") == "yes")
    return HTMLResponse(rendered("recorded.html", recorder=recorder, topic=topic.name))


def _brings(given: Shared, settings: BaseSettings) -> Brings:
    """From the frozen web at once; from the real one by a crawl with all its manners and limits."""
    name = settings.get("FOCUSED_WEB") or ""
    if not name:
        return lambda url: next(given.documents(settings, [url]))
    web = open_web(name)

    def brings(url: str) -> Document | Skipped:
        for _ in range(HOPS):
            answer = web.fetch(url)
            onward = canonical(answer.headers.get("Location", ""), url) if 300 <= answer.status < 400 else None
            if onward is None:
                break
            url = onward
        if answer.status != 200:
            return Skipped(url, f"status {answer.status}")
        return Document(url, url, answer.body, answer.headers.get("Content-Type", ""))

    return brings


def _beginnings(request: Request, topic: Topic) -> list[str]:
    """Where one may begin: the topic's seeds or, on a frozen web, those it offers."""
    name = settings_of(request, topic).get("FOCUSED_WEB") or ""
    if topic.seeds or not name or not topic.sim:
        return list(topic.seeds)[:10]
    return open_web(name).seeds(topic.sim["topic"], 5, 0)
