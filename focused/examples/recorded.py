"""Examples out of the topic's own crawl: proposed by the judge of words, confirmed by a person.

Relevant ones are pages of the purest sites (Chakrabarti 1999, §1: "purest sites" as new training data, after review;
F-24), other ones the least relevant pages of sites that have nothing relevant.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from focused.errors import StoreError, TopicError, WebError
from focused.examples.collection import Document, Examples
from focused.page import PageReader
from focused.store.queries import EXPORT_COLUMNS, Reading
from focused.urls import key_of
from focused.webs.warc import WarcWeb
from models.model import OTHER, RELEVANT

PROPOSALS, RECORDED, DATABASE = "proposals.csv", "pages.warc.gz", "crawl.db"
LEAST_PAGES = 3  # of a site that can be called pure
OF_SITE = 10  # pages of one site, so that no site is the topic
MOST_RELEVANT, MOST_OTHER = 200, 400


class Proposal(NamedTuple):
    url: str
    label: str
    relevance: float
    site: str
    title: str


def proposals(reading: Reading) -> list[Proposal]:
    """What a person should look through."""
    sites: dict[str, list[dict[str, Any]]] = {}
    for row in reading.pages():
        page = dict(zip(EXPORT_COLUMNS, row, strict=True))
        sites.setdefault(page["host"], []).append(page)
    pure = sorted((host for host in sites if len(sites[host]) >= LEAST_PAGES), key=lambda host: -_purity(sites[host]))
    relevant = [page for host in pure for page in _best(sites[host])][:MOST_RELEVANT]
    clean = [page for pages in sites.values() if not _purity(pages) for page in pages]
    other = sorted(clean, key=lambda page: (page["relevance"], page["visit"]))[:MOST_OTHER]
    if not relevant or not other:
        missing = RELEVANT if not relevant else OTHER
        raise TopicError(f"The crawl in {reading.folder} has no page to propose as {missing}: let it fetch more pages.")
    return [_proposal(page, RELEVANT) for page in relevant] + [_proposal(page, OTHER) for page in other]


def _purity(pages: Sequence[dict[str, Any]]) -> float:
    return sum(bool(page["relevant"]) for page in pages) / len(pages)


def _best(pages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    found = [page for page in pages if page["relevant"]]
    return sorted(found, key=lambda page: -page["relevance"])[:OF_SITE]


def _proposal(page: dict[str, Any], label: str) -> Proposal:
    title = " ".join((page["title"] or "").split())
    return Proposal(page["url"], label, round(page["relevance"] or 0.0, 4), page["host"], title[:120])


def write_proposals(file: Path, rows: Sequence[Proposal]) -> None:
    try:
        with file.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([Proposal._fields, *rows])
    except OSError as error:
        raise StoreError(f"{file} cannot be written ({error.strerror}): make room, or change its rights.") from None


def own_pages(folder: Path, urls: Iterable[str]) -> Iterator[Document]:
    """Those of some pages that the topic's crawl has had: nobody has to be asked for them again."""
    if not ((folder / DATABASE).is_file() and (folder / RECORDED).is_file()):
        return  # no crawl yet, or one on a shared store
    with Reading(folder / DATABASE) as reading, (folder / RECORDED).open("rb") as file:
        for url in urls:
            row = reading.find(key_of(url))
            if row is None or row.status != 200 or row.warc_offset is None:
                continue
            file.seek(row.warc_offset)
            try:
                record = next(ArchiveIterator(file))
                kind = record.http_headers.get_header("Content-Type", "")
                yield Document(url, url, record.content_stream().read(), kind)
            except (ArchiveLoadFailed, StopIteration, OSError):
                continue  # then it is fetched


def accepted(reader: PageReader, folder: Path) -> Examples:
    """The pages of the proposals that have a label now, out of the crawl's recording."""
    file = folder / PROPOSALS
    if not file.is_file():
        raise TopicError(f"There is no {file}: run `scrapy train {folder.name} --bootstrap` first.")
    try:
        web = WarcWeb(str(folder / RECORDED))
    except WebError as error:
        raise TopicError(f"The pages of {file} are not there any more: {error}.") from None
    examples = Examples(reader)
    with file.open(encoding="utf-8-sig", errors="replace", newline="") as lines:
        for row in csv.DictReader(line.replace("\0", "") for line in lines):
            _accept(examples, web, row.get("url") or "", (row.get("label") or "").strip().lower())
    return examples


def _accept(examples: Examples, web: WarcWeb, url: str, label: str) -> None:
    if label not in (RELEVANT, OTHER):
        return examples.skip(url, f"'{label}' is no label: write relevant or other")
    answer = web.fetch(url)
    if answer.status != 200:
        return examples.skip(url, "not in the crawl's recording")
    examples.add(Document(url, url, answer.body, answer.headers.get("Content-Type", "")), label)
