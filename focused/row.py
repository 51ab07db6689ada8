"""What the store is told of a page that was had."""

from __future__ import annotations

import xxhash

from focused import outcomes
from focused.store.rows import DONE, Fetched
from focused.visit import Visit


def row_of(visit: Visit, outcome: str, number: int, warc_offset: int) -> Fetched:
    """Its row; `warc_offset` is where its record begins, if it may be kept."""
    page, exchange, at = visit.page, visit.exchange, visit.kept.fetched_at if visit.kept else visit.fetched_at
    row = Fetched(DONE, outcome, number, at, visit.status, hash=hash_of(exchange.body))
    row = row._replace(etag=exchange.header("etag"), last_modified=exchange.header("last-modified"))
    if outcome != outcomes.NOINDEX:
        row = row._replace(warc_offset=warc_offset)
    if page is None:
        return row._replace(relevance=0.0, relevant=False)
    return row._replace(relevance=page.relevance, relevant=page.relevant, best_class=page.best_class, title=page.title)


def hash_of(body: bytes) -> int:
    """What two answers are told apart by."""
    return int(xxhash.xxh3_64_intdigest(body)) - 2**63
