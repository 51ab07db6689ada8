"""The bytes of a page made safe to parse: UTF-8 whatever was sent, and never more work than a page is worth.

The parser's time grows with tags times nesting, its memory with open formatting elements times paragraphs, and its
time again with the square of one tag's attributes. A page beyond those bounds is read flat: links and text only.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, to_unicode

MAX_BODY = 16 * 1024 * 1024  # bytes of a page that are read
MAX_FLAT = 6 * 1024 * 1024  # of a page that is read flat: whoever sends such a page gets no more of our time
_NOT_ASCII = bytes(range(128, 256))
_META_WITHIN = 1024  # where the HTML standard stops looking for a <meta charset>

# The text encodings a browser knows, under the names of Python's codecs. Python has others that no page may name,
# since they execute escapes or are no encodings of text at all.
_ENCODINGS = frozenset(
    [f"iso8859-{part}" for part in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16)]
    + [f"cp{page}" for page in (866, 874, 932, 949, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258)]
    + "utf-8 utf-16 utf-16-le utf-16-be utf-32-le utf-32-be koi8-r koi8-u mac-roman mac-cyrillic gb18030".split()
    + "big5hkscs euc_jp iso2022_jp shift_jis".split()
)

_LESS_THAN = ord("<")
_FEW_TAGS, _SOME_TAGS, _MANY_TAGS = 1_400, 8_000, 100_000
_MAX_STEPS = 20_000_000  # tags times nesting
_MAX_COPIES = 500_000  # tags times open formatting elements
_MAX_COMPARED = 20_000_000  # attributes of one tag times different ones among them
_LONG_TAG, _LONG_BODY = 8_192, 65_536

_FORMATTING = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
_FORMATTING_TAG = re.compile(rb"<[bcefinstu](?:ig|ode|m|ont|obr|mall|trike|trong|t)?(?=[\s/>])[^>]*", re.IGNORECASE)
_TAG = re.compile(rb"""<[a-zA-Z](?:[^>"']++|"[^"]*+"|'[^']*+')*+""")
_ATTRIBUTE = re.compile(rb"[^\s/>\"'=]+")
_NAME = re.compile(rb"/?[a-zA-Z][a-zA-Z0-9]*|!--")
# Elements that never hold others, or that the next of their kind closes: they add nothing to the nesting.
_LEAVES = frozenset(
    b"area base br col embed hr img input link meta param source track wbr p li dt dd option optgroup tr td th tbody"
    b" thead tfoot colgroup caption rp rt html head body".split()
)
# What an end tag cannot reach out of, with the comment among them.
_WALLS = frozenset(
    b"table object applet marquee template select button script style textarea title xmp iframe noembed noframes"
    b" noscript svg math !--".split()
)
_FOREIGN = (b"svg", b"math")  # only there does "/>" close an element
_RAW = b"|".join(rb"<%s\b.*?(?:</%s|\Z)" % (name, name) for name in (b"script", b"style", b"noscript", b"iframe"))
_FLAT = re.compile(
    rb"<!--.*?(?:-->|\Z)|"
    + _RAW
    + rb"|(<(?:/?a|area|base|link|meta|/?title)(?:[\s/][^<>]{0,4096})?>)|</?[a-zA-Z][^<>]*>?",
    re.IGNORECASE | re.DOTALL,
)


class Readable(NamedTuple):
    """A page as valid UTF-8 without a byte order mark."""

    html: bytes
    cut: bool  # its end was left out
    flat: bool  # its structure was


def readable(body: bytes, content_type: str = "") -> Readable:
    cut = len(body) > MAX_BODY
    html = _utf8(_first(body, MAX_BODY), content_type)
    if is_wild(html):
        return Readable(b" ".join(filter(None, _FLAT.split(_first(html, MAX_FLAT)))), cut, True)
    return Readable(html, cut, False)


def _first(body: bytes, size: int) -> bytes:
    """At most so many bytes, no character cut in two."""
    return body if len(body) <= size else body[:size].rstrip(_NOT_ASCII)


def _utf8(body: bytes, content_type: str) -> bytes:
    bom_encoding, bom = read_bom(body)
    if bom_encoding is not None and bom is not None:
        return _transcoded(body[len(bom) :], bom_encoding)
    encoding = http_content_type_encoding(content_type) if content_type else None
    labelled = encoding is not None or "charset" in content_type.lower()
    if not labelled:
        encoding, labelled = _declared(body[:_META_WITHIN])
    if encoding is None or encoding not in _ENCODINGS:
        encoding = "utf-8"
    return _transcoded(body, encoding) if labelled else _guessed(body)


def _declared(head: bytes) -> tuple[str | None, bool]:
    """What a <meta> (or an XML declaration) says, and whether one says anything."""
    lower = head.lower()
    if b"charset" not in lower and b"encoding" not in lower:
        return None, False
    encoding = html_body_declared_encoding(head)
    # A page that could be read this far is not UTF-16 or UTF-32, whatever it says.
    return (None if encoding and encoding.startswith(("utf-16", "utf-32")) else encoding), encoding is not None


def _transcoded(body: bytes, encoding: str) -> bytes:
    if encoding == "utf-8" and _is_utf8(body):
        return body
    return to_unicode(body, encoding).encode("utf-8", "replace")


def _guessed(body: bytes) -> bytes:
    return body if _is_utf8(body) else _transcoded(body, "cp1252")


def _is_utf8(body: bytes) -> bool:
    if body.isascii():
        return True
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def is_wild(html: bytes) -> bool:
    """Whether parsing the page as it is could take seconds or gigabytes."""
    tags = int(np.count_nonzero(np.frombuffer(html, np.uint8) == _LESS_THAN))  # four times as quick as bytes.count
    if tags > _MANY_TAGS or (len(html) > _LONG_BODY and _has_endless_tag(html)):
        return True
    if tags <= _FEW_TAGS or (tags <= _SOME_TAGS and _formatting_kinds(html, tags) * tags <= _MAX_COPIES):
        return False
    return _Nesting().exceeds(html, tags)


def _has_endless_tag(html: bytes) -> bool:
    for tag in _TAG.findall(html):
        if len(tag) > _LONG_TAG:
            names = _ATTRIBUTE.findall(tag)
            if len(names) * len(set(names)) > _MAX_COMPARED:
                return True
    return False


def _formatting_kinds(html: bytes, tags: int) -> int:
    """At most how many formatting elements can be open: three of a kind (HTML standard, "Noah's Ark clause")."""
    found = _FORMATTING_TAG.findall(html)
    if len(found) * tags <= _MAX_COPIES:
        return len(found)
    # A tag that was cut inside a quotation may be of any kind.
    odd = sum(1 for tag in found if tag.count(b'"') % 2 or tag.count(b"'") % 2)
    return 3 * len(set(found)) + odd


class _Nesting:
    """How deep a page is nested and how much formatting is open: an estimate on the safe side, without a parser.

    An end tag closes one element of its name behind the last wall, or nothing; a wall that falls leaves open what
    was open behind it: scripts, comments and crossed tags can hide little nesting from it.
    """

    def __init__(self) -> None:
        self.walls = [b""]
        self.rooms: list[dict[bytes, int]] = [{}]  # behind each wall: how many elements of a name are open
        self.depth = self.formatting = 0

    def exceeds(self, html: bytes, tags: int) -> bool:
        deepest, most = _MAX_STEPS // tags, _MAX_COPIES // tags
        for piece in html.split(b"<")[1:]:
            found = _NAME.match(piece)
            if found is not None:
                self._meet(found[0].lower(), piece)
                if self.depth > deepest or self.formatting > most:
                    return True
            if b"!--" in self.walls and b"-->" in piece:
                self._fall(b"!--")
        return False

    def _meet(self, name: bytes, piece: bytes) -> None:
        room = self.rooms[-1]
        if name in _WALLS:
            self.walls.append(name)
            self.rooms.append({})
            self.depth += 1
        elif name[0] != 47:  # "/"
            if name not in _LEAVES and not (self.walls[-1] in _FOREIGN and b"/>" in piece):
                room[name] = room.get(name, 0) + 1
                self.depth += 1
                self.formatting += name in _FORMATTING
        elif room.get(name[1:]):
            room[name[1:]] -= 1
            self.depth -= 1
            self.formatting -= name[1:] in _FORMATTING
        elif name[1:] in self.walls:
            self._fall(name[1:])

    def _fall(self, name: bytes) -> None:
        fallen = b""
        while fallen != name:
            fallen = self.walls.pop()
            inner = self.rooms.pop()
            for tag, count in inner.items():
                self.rooms[-1][tag] = self.rooms[-1].get(tag, 0) + count
            self.depth -= 1
