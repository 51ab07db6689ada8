"""Synthetic pages for the benches: nested markup, inline style and script, Zipf words, mostly internal links."""

from __future__ import annotations

import random
from itertools import accumulate

WORDS_PER_KILOBYTE = 34  # measured on documentation pages: a fifth of a page's bytes is visible text
_SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi wo zu bra cle dri flo gru pla sten tri shu ing er al on".split()


def word_list(count: int = 20_000, seed: int = 0) -> list[str]:
    """Distinct pronounceable words, the short ones first, as in a language."""
    rng = random.Random(seed)
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(rng.choices(_SYLLABLES, k=rng.randint(1, 5)))] = None
    return sorted(words, key=len)


_WORDS = word_list()
_ZIPF = list(accumulate(1 / rank for rank in range(2, len(_WORDS) + 2)))


class _Writer:
    """Text and links of one page, drawn in order from one random source."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def words(self, count: int) -> str:
        return " ".join(self.rng.choices(_WORDS, cum_weights=_ZIPF, k=count))

    def href(self) -> str:
        rng = self.rng
        kind, number = rng.random(), rng.randrange(5000)
        folder = _WORDS[rng.randrange(40)]
        if kind < 0.7:
            return f"/{folder}/page-{number}.html"
        if kind < 0.8:
            return f"page-{number}.html"
        if kind < 0.9:
            return f"/{folder}/list?page={number}&sort=name#top"
        return f"https://www.{_WORDS[rng.randrange(400)]}-{number}.example.org/{folder}/"

    def link(self) -> str:
        return f'<a class="link" href="{self.href()}">{self.words(self.rng.randint(2, 5))}</a>'

    def paragraph(self, words: int) -> str:
        emphasis = f"<em>{self.words(2)}</em>" if words > 4 else ""
        return f"<p class='text'>{self.words(max(1, words - 2)).capitalize()}, {emphasis}.</p>\n"

    def menu(self, links: int) -> str:
        items = "".join(f'<li class="item"><span class="dot"></span>{self.link()}</li>\n' for _ in range(links))
        return f'<nav id="menu"><ul class="menu">\n{items}</ul></nav>\n'

    def section(self, number: int, words: int, links: int) -> str:
        inside = "".join(f"<p>{self.words(3)} {self.link()} {self.words(3)}</p>\n" for _ in range(links))
        left = max(3, words - links * 10)
        body = self.paragraph(left // 2) + inside + self.paragraph(left - left // 2)
        return f'<div class="box" id="s{number}"><div class="inner"><h2>{self.words(3)}</h2>\n{body}</div></div>\n'


def _filler(size: int) -> str:
    """Inline style and script: bytes a reader must pass over."""
    rule = ".box .inner p { margin: 0 0 1em 0; color: #333333; line-height: 1.5 }\n"
    line = 'window.dataLayer = window.dataLayer || []; if (1 < 2) { dataLayer.push({"page": "view", "id": 12345}); }\n'
    half = max(0, size // 2)
    return f"<style>{rule * (half // len(rule))}</style>\n<script>{line * (half // len(line))}</script>\n"


def make_page(kilobytes: int, links: int, seed: int = 0) -> bytes:
    """A page of about that size with that many links: same arguments, same bytes."""
    write = _Writer(seed)
    menu = links // 4
    sections = max(1, links // 6)
    words = max(0, kilobytes * WORDS_PER_KILOBYTE - menu * 4 - 10)
    per, extra = divmod(links - menu, sections)
    body = write.menu(menu) + "".join(write.section(n, words // sections, per + (n < extra)) for n in range(sections))
    head = f"<meta charset='utf-8'><title>{write.words(6)}</title>\n"
    filler = _filler(kilobytes * 1024 - len(body) - 250)
    page = (
        f"<!DOCTYPE html>\n<html lang='en'><head>{head}{filler}</head>\n<body><div id='page'>{body}</div></body></html>"
    )
    return page.encode()
