"""A collected web: a file with one page a line (pagefile.py says what a line holds), replayed.

A URL that has no line is a 404. What could not be read is counted in `faults`; the rest is served.
"""

from __future__ import annotations

import random
import zlib
from collections import Counter
from pathlib import Path

from focused.errors import WebError
from focused.urls import canonical, site_of
from focused.webs.base import Answer, is_under
from focused.webs.pagestore import Entry, PageStore, key_of

HTML = {"Content-Type": "text/html; charset=utf-8"}
NOT_FOUND = Answer(404, HTML, b"<html><head><title>404 Not Found</title></head></html>\n")
UNREADABLE = "unreadable"
SHOWN = 20  # subjects named to somebody who asked for one that is not there


class PagesWeb:
    def __init__(self, path: str) -> None:
        file = Path(path)
        if not path or not file.is_file():
            what = f"'{path}' of web 'pages:' is no file" if path else "web 'pages:' names no file"
            raise WebError(f"{what}: write pages:FILE.jsonl.gz")
        self.path = path
        try:
            self._store = PageStore(file)
        except OSError as error:
            raise WebError(
                f"'{path}' of web 'pages:' cannot be read or unpacked ({error}): make room, or move it"
            ) from None
        self.faults: Counter[str] = self._store.faults
        self._entries = {key_of(entry.url): entry for entry in self._store.entries}
        if not self._entries:
            raise WebError(
                f"'{path}' has no pages in it: give a .jsonl or .jsonl.gz file with one object a line, "
                'at least {"url": "https://...", "html": "..."}'
            )

    def __len__(self) -> int:
        """How many pages there are."""
        return len(self._entries)

    def urls(self) -> list[str]:
        """Of all pages, in the order of the file."""
        return [entry.url for entry in self._entries.values()]

    def articles(self) -> list[str]:
        """Of all pages that are not mere lists of others."""
        return [entry.url for entry in self._entries.values() if not entry.is_hub]

    def fetch(self, url: str) -> Answer:
        entry = self._entry(url)
        if entry is None:
            return NOT_FOUND
        try:
            return Answer(200, HTML, self._store.body(entry))
        except (OSError, zlib.error):
            self.faults[UNREADABLE] += 1
            return NOT_FOUND

    def labels(self, url: str) -> tuple[str, ...]:
        """All subjects of a page. For the evaluator only."""
        entry = self._entry(url)
        return tuple(entry.labels) if entry else ()

    def truth(self, url: str) -> str | None:
        return next(iter(self.labels(url)), None)

    def seeds(self, topic: str, n: int, seed: int) -> list[str]:
        """Pages of the subject that lead on, one of each site as long as there are sites.

        Of several sites the page listed first is taken, their entrance; of a single one any. Never an index page:
        that of the subject would give all of it away.
        """
        sites = self._sites(topic)
        dice = random.Random(f"{seed} {topic}")
        order = dice.sample(sorted(sites), len(sites))
        for pages in sites.values():
            first = pages[:1] if len(sites) > 1 else []
            pages[:] = first + dice.sample(pages[len(first) :], len(pages) - len(first))
        turns = range(max(map(len, sites.values())))
        return [sites[site][turn] for turn in turns for site in order if turn < len(sites[site])][:n]

    def _sites(self, topic: str) -> dict[str, list[str]]:
        sites: dict[str, list[str]] = {}
        for entry in self._entries.values():
            if entry.links and not entry.is_hub and any(is_under(label, topic) for label in entry.labels):
                sites.setdefault(site_of(entry.url), []).append(entry.url)
        if not sites:
            known = Counter(label for entry in self._entries.values() for label in entry.labels)
            names = ", ".join(label for label, _ in known.most_common(SHOWN)) or "none: its pages have no labels"
            raise WebError(f"subject '{topic}' is not in '{self.path}': choose among {names}")
        return sites

    def _entry(self, url: str) -> Entry | None:
        known = canonical(url)
        return self._entries.get(key_of(known)) if known else None
