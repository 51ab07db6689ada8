"""The page of a corpus as its server would have sent it: its own HTML, with exactly the links the corpus lists.

A corpus keeps a page's HTML as it was, and beside it the links that its makers counted as the page's. Where the two
differ, the list is right: a link of the HTML that is not listed leads to what the corpus left out (pictures, scripts),
and becomes plain text; a listed one that the HTML lacks is added at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from html import escape, unescape

from focused.urls import canonical
from focused.webs.pagefile import Row

Find = Callable[[str], str | None]  # the spelling under which a page of the corpus is known

_REST = r"""(?:[^>"']++|"[^"]*+"|'[^']*+')*+>"""
_TAG = re.compile(r"<(?:a|area|i?frame|link)\s" + _REST, re.IGNORECASE)
_BASE = re.compile(r"<base\s" + _REST, re.IGNORECASE)
_TARGET = re.compile(r"""\s(?:href|src)\s*=\s*("[^"]*"|'[^']*'|[^\s>"']+)""", re.IGNORECASE)
_END = re.compile(r"</body\s*>|</html\s*>", re.IGNORECASE)
_resolved = lru_cache(1 << 16)(canonical)  # neighbours share their links


def served(row: Row, find: Find) -> bytes:
    """The body of the answer, UTF-8."""
    html = row.html or f"<html><head><title>{escape(row.title)}</title></head><body></body></html>"
    if row.links is not None:
        html = _Links(row, find).rewritten(html)
    return html.encode("utf-8", "replace")


class _Links:
    """The links of one page: those it should have, and those met in its HTML."""

    def __init__(self, row: Row, find: Find) -> None:
        self.url, self.find = row.url, find
        tag = _BASE.search(row.html)
        self.base = (canonical(_href(tag[0])[0], row.url) if tag else None) or row.url
        self.folder = self.base.partition("?")[0].rpartition("/")[0] + "/"
        # Of two links to one page the first gives the anchor.
        self.wanted = {find(url) or url: anchor for url, anchor in reversed(row.links or [])}
        self.met = {self.url}

    def rewritten(self, html: str) -> str:
        html = _TAG.sub(self._tag, html)
        missing = [(url, anchor) for url, anchor in self.wanted.items() if url not in self.met]
        more = "".join(f'<p><a href="{escape(url)}">{escape(anchor)}</a></p>\n' for url, anchor in reversed(missing))
        end = _END.search(html) if more else None
        at = end.start() if end else len(html)
        return html[:at] + more + html[at:]

    def _tag(self, found: re.Match[str]) -> str:
        tag = found[0]
        href, begin, end = _href(tag)
        if href[:1] in ("", "#") or (tag[1:5].lower() == "link" and "canonical" not in tag.lower()):
            return tag
        target = _resolved(href, self.folder if href[0] != "?" else self.base)
        if target is None or target == self.url:
            return tag
        known = self.find(target) or target
        self.met.add(known)
        if known not in self.wanted:
            return tag[:begin] + tag[end:]
        return tag if known == target else f'{tag[:begin]} {_name(tag)}="{escape(known)}"{tag[end:]}'


def _href(tag: str) -> tuple[str, int, int]:
    """Where a tag leads to, and where in it that is said."""
    found = _TARGET.search(tag)
    return (unescape(found[1].strip("\"'")).strip(), *found.span()) if found else ("", 0, 0)


def _name(tag: str) -> str:
    return "src" if "frame" in tag[:8].lower() else "href"
