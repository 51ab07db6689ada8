"""The link graph of a whole shared crawl, as one worker needs it that looks back: arrays, packed by the server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from focused.store.session import Session

PARTS = 8  # of table link, as the schema says
_PAGES = "SELECT string_agg(int8send(id), ''), string_agg(int8send(site_id), '') FROM page"
_LINKS = """SELECT coalesce(string_agg(int8send(source_id), ''), ''), coalesce(string_agg(int8send(target_id), ''), '')
    FROM (SELECT source_id, target_id FROM link_{} ORDER BY 1, 2) AS sorted"""
_JUDGED = """SELECT string_agg(int8send(id), ''), string_agg(float8send(coalesce(relevance, 0)), '')
    FROM page WHERE visit IS NOT NULL"""


class SharedGraph(NamedTuple):
    """Asks as often as it is read."""

    session: Session

    def pages(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Ids and sites of all pages of the crawl."""
        ids, sites = self.session.one(_PAGES)
        return _numbers(ids), _numbers(sites)

    def links(self) -> Iterator[tuple[NDArray[np.uint32], NDArray[np.uint32]]]:
        for part in range(PARTS):
            sources, targets = self.session.one(_LINKS.format(part))
            if sources:
                yield _numbers(sources).astype(np.uint32), _numbers(targets).astype(np.uint32)

    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The pages that were had, and their relevance."""
        ids, relevances = self.session.one(_JUDGED)
        return _numbers(ids), np.frombuffer(relevances or b"", ">f8").astype(np.float64)


def _numbers(packed: bytes | None) -> NDArray[np.int64]:
    return np.frombuffer(packed or b"", ">i8").astype(np.int64)
