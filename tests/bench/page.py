"""CPU time to read a page, part by part: `python -m tests.bench.page`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from focused.dom import DomPaths, Found, Marks, Words, visible
from focused.html import readable
from focused.page import PageReader
from focused.urls import canonical, canonical_links
from models.text import Vocabulary
from tests.bench.pages import make_page

URL = "https://www.example.com/dir/index.html"


class NoVocabulary:
    """The cost of terms is the vocabulary's, not the reader's."""

    def ids(self, words: list[str]) -> np.ndarray[Any, np.dtype[np.int32]]:
        return np.zeros(0, np.int32)


def microseconds(work: Callable[[], object], seconds: float = 0.3) -> float:
    """CPU time of one call: the best of many short runs, since the machine is shared."""
    best, until = float("inf"), time.process_time() + seconds
    while time.process_time() < until:
        start = time.process_time()
        for _ in range(10):
            work()
        best = min(best, (time.process_time() - start) / 10)
    return best * 1e6


def parts(body: bytes) -> dict[str, float]:
    """Where the time of reading one page goes."""
    html = readable(body, "text/html; charset=utf-8").html
    tree = LexborHTMLParser(html)
    found = Found()
    found.walk(tree)
    hrefs = [element[1] for element in found.links]
    took = {
        "charset and guard": microseconds(lambda: readable(body, "text/html; charset=utf-8")),
        "parse": microseconds(lambda: LexborHTMLParser(html)),
        "walk": microseconds(lambda: Found().walk(tree)),
        "canonical URLs": microseconds(lambda: canonical_links(hrefs, URL)),
        "DOM paths": microseconds(lambda: list(map(DomPaths().of, [element[0] for element in found.links]))),
    }
    marks = Marks()
    marks.set(found.links, found)
    text = visible(tree)
    took["text"] = microseconds(lambda: visible(tree))
    took["words and spans"] = microseconds(lambda: Words(text, found.links))
    marks.remove()

    def mark() -> None:
        marks.set(found.links, found)
        marks.remove()

    took["marks, set and removed"] = microseconds(mark)
    took["one URL, one by one"] = microseconds(lambda: [canonical(href, URL) for href in hrefs]) / len(hrefs)
    return took


def main() -> None:
    reader = PageReader(cast(Vocabulary, NoVocabulary()))
    learned = PageReader(Vocabulary())
    for kilobytes, links in ((10, 20), (50, 100), (200, 500)):
        body = make_page(kilobytes, links, seed=1)
        page = reader.read(URL, body)
        whole = microseconds(lambda body=body: reader.read(URL, body, "text/html; charset=utf-8"))  # type: ignore[misc]
        terms = microseconds(lambda page=page: learned.vocabulary.ids(page.words))  # type: ignore[misc]
        print(f"{kilobytes} KB, {len(page.links)} links, {len(page.words)} words: {whole:.0f} µs (+ terms {terms:.0f})")
        for name, took in parts(body).items():
            print(f"    {name:24}{took:9.1f}")


if __name__ == "__main__":
    main()
