"""The two tables of the Debian documentation web: its sites, and which real URLs mean them."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).resolve().parent / "data"


class Site(NamedTuple):
    package: str
    docroot: str
    landing: str
    base_url: str
    topics: list[str]


class Alias(NamedTuple):
    """What a real URL means: the same path below `docroot` where that is a page, else the package's landing page."""

    package: str
    docroot: str  # empty: always the landing page


def sites(path: Path = DATA / "debian-web-sites.tsv.gz") -> dict[str, Site]:
    """By package."""
    return {row["package"]: _site(row) for row in _rows(path)}


def _site(row: dict[str, str]) -> Site:
    topics = [topic for topic in row["topics"].split(",") if topic]
    return Site(row["package"], row["docroot"], row["landing"], row["base_url"], topics)


def aliases(path: Path = DATA / "debian-web-aliases.tsv.gz") -> dict[str, Alias]:
    """By the beginning of the URL, without scheme and www; of several that begin alike the first is meant."""
    found: dict[str, Alias] = {}
    for row in _rows(path):
        found.setdefault(row["url_prefix"].rstrip("/"), Alias(row["package"], row["docroot"] or ""))
    return found


def _rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text, delimiter="\t"))
