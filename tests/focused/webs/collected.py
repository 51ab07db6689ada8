"""Small page-per-line corpora for tests, written into the working folder."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from focused.page import PageReader
from focused.webs.pages import PagesWeb
from models.text import Vocabulary

A, B, C = "http://a.example/x/one.htm", "http://a.example/x/two.htm", "http://b.example/"


def page(url: str, html: str = "", links: list[str] | None = None, **more: Any) -> dict[str, Any]:
    listed = [{"url": link, "anchor": "words"} for link in links or []]
    made = f"<html><head><title>T</title></head><body>{html}</body></html>"
    return {"url": url, "host": "h", "title": "T", "html": made, "links": listed, "labels": [], "hub": False} | more


def jsonl(*pages: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(given).encode() + b"\n" for given in pages)


def web_of(*pages: dict[str, Any] | bytes, name: str = "web.jsonl.gz") -> PagesWeb:
    data = b"".join(given if isinstance(given, bytes) else jsonl(given) for given in pages)
    Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return PagesWeb(name)


def links_of(web: PagesWeb, url: str) -> list[tuple[str, str]]:
    """The links of a page as a crawl reads them, and their anchors."""
    answer = web.fetch(url)
    assert answer.status == 200
    read = PageReader(Vocabulary()).read(url, answer.body, answer.headers["Content-Type"])
    return [(link.url, link.anchor) for link in read.links]
