"""Between Scrapy's requests and our visits: the only place where one becomes the other."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import orjson
import xxhash
from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.request import request_from_dict
from twisted.python.failure import Failure

from focused.crawl import Crawl
from focused.discovery import Asked
from focused.outputs import Exchange
from focused.store.rows import Kept
from focused.urls import canonical, key_of, site_of
from focused.visit import KEY, Visit

_PLAIN_META = {"depth", "is_start_request", "link_text", "download_slot", "download_latency", "download_timeout"}


def hand_over(crawler: Crawler, crawl: Crawl) -> None:
    """Scrapy builds the middlewares and the monitor before the scheduler: this is where they find the crawl."""
    vars(crawler)["focused_crawl"] = crawl


def crawl_of(crawler: Crawler) -> Crawl:
    """The crawl of a running spider; from the moment the spider is open."""
    crawl: Crawl = vars(crawler)["focused_crawl"]
    return crawl


class PlainRequest(Request):
    """A request to a canonical URL: nothing of it needs to be escaped."""

    def _set_url(self, url: str) -> None:
        self._url = url


Settle = Callable[[Failure], None]


def request_of(visit: Visit, spider: Spider, settle: Settle) -> Request:
    """The request that carries out a visit; whatever makes it fail is settled before the spider hears of it."""
    site = site_of(visit.url)
    if visit.request is None:
        meta = {KEY: visit, "download_slot": site}
        headers = _conditions(visit.kept) if visit.kept else None
        return PlainRequest(visit.url, headers=headers, errback=settle, meta=meta, dont_filter=True)
    request = request_from_dict(_restored(visit.request), spider=spider)
    request.meta.update({KEY: visit, "download_slot": site, "depth": visit.depth})
    return request.replace(errback=partial(_settle_first, settle, request.errback), dont_filter=True)


def _conditions(kept: Kept) -> dict[str, str]:
    """The server need not send what we have (RFC 9110, §13)."""
    given = {"If-None-Match": kept.etag, "If-Modified-Since": kept.last_modified}
    return {name: value for name, value in given.items() if value}


def _settle_first(settle: Settle, errback: Callable[[Failure], Any] | None, failure: Failure) -> Any:
    settle(failure)
    return errback(failure) if errback else None


def asked_of(request: Request, spider: Spider) -> Asked | None:
    """What the frontier keeps of a request; None if its URL is none. Requests must survive as JSON."""
    url = canonical(request.url)
    if url is None:
        return None
    is_start = bool(request.meta.get("is_start_request"))
    stored = None if _is_plain(request, spider) else _stored(request, spider)
    key = key_of(url)
    if request.method != "GET" or request.body:
        key = _mixed(key, request.method.encode() + request.body)
    if request.dont_filter and not is_start:
        key = _mixed(key, uuid.uuid4().bytes)
    return Asked(url, key, stored, float(request.priority))


def exchange_of(request: Request, response: Response) -> Exchange:
    """The request and its answer, for the WARC."""
    return Exchange(
        response.url, request.method, _lines(request.headers.items()),
        response.status, _lines(response.headers.items()), response.body, time.time(),
    )  # fmt: skip


def _is_plain(request: Request, spider: Spider) -> bool:
    parse = getattr(spider, "parse", None)
    return (
        request.method == "GET"
        and not (request.body or request.headers or request.cookies or request.cb_kwargs or request.errback)
        and (request.callback is None or request.callback == parse)
        and request.meta.keys() <= _PLAIN_META
    )


def _stored(request: Request, spider: Spider) -> str:
    given = request.to_dict(spider=spider)
    given["meta"] = {key: value for key, value in given["meta"].items() if key != KEY}
    given["body"] = given["body"].decode("latin-1")
    given["headers"] = {
        key.decode("latin-1"): [v.decode("latin-1") for v in values] for key, values in given["headers"].items()
    }
    try:
        return orjson.dumps(given).decode()
    except TypeError as error:
        raise TypeError(
            f"{request} of spider '{spider.name}' cannot be kept ({error}): "
            "give meta and cb_kwargs only what JSON can say."
        ) from None


def _restored(stored: dict[str, Any]) -> dict[str, Any]:
    return {**stored, "body": stored["body"].encode("latin-1")}


def _mixed(key: int, more: bytes) -> int:
    return int(xxhash.xxh3_64_intdigest(key.to_bytes(8, "little", signed=True) + more)) - 2**63


def _lines(headers: Any) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, values in headers for value in values]
