"""One spelling for every URL: WHATWG parsing, then what tells two addresses of one page apart is taken away.

Everything behind this module (frontier, seen test, store) compares URLs as strings, so `canonical` is idempotent.
"""

from __future__ import annotations

import re

from ada_url import join_url, normalize_url
from xxhash import xxh3_64_intdigest

MAX_URL = 2_000  # characters of a canonical URL
_MAX_HREF = 20_000  # what is longer is not even parsed; tracking parameters and fragments may shorten the rest

# Parameters that say where a visitor came from, never what the page shows.
TRACKING = frozenset(
    "gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid twclid ttclid igshid li_fat_id mc_cid mc_eid _ga _gl _hsenc"
    " _hsmi hsctatracking mkt_tok oly_anon_id oly_enc_id vero_id s_cid wickedid __s _openstat".split()
)
_TRACKING_PREFIX = "utm_"

_PLAIN_HOST = re.compile(r"(?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*")

# Hrefs whose canonical form needs no parser: a known host or none, and segments that neither begin with a dot
# or a percent sign (".." and "%2e" are resolved by the parser) nor hold a character the parser would encode.
_SAFE = r"A-Za-z0-9_~!$&()*+,;=@.%\-"
_NAME = r"(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*"
_NUMBER = r"(?:1\d\d|[1-9]?\d)"  # of an IPv4 address, as the parser writes it; the rest of them is left to it
_PORT = r"(?::(?!(?:80|443)/)(?:[1-9]\d{1,3}|[1-5]\d{4}))?"
_SIMPLE = re.compile(
    rf"""(?:(https?://(?:{_NAME}|(?:{_NUMBER}\.){{3}}{_NUMBER}){_PORT})?      # absolute
         ((?:/(?![./%])[{_SAFE}:]*)+)                                          # or from the root
       |((?![./%])[{_SAFE}]+(?:/(?![./%])[{_SAFE}:]*)*))                               # beside the base
       (\?[{_SAFE}:/?]*)?(?:\#[ -~]*)?""",
    re.VERBOSE,
).fullmatch


def canonical(href: str, base: str | None = None) -> str | None:
    """The canonical absolute http(s) URL of `href`, or None when there is none. A bad `base` counts as no base."""
    if len(href) > _MAX_HREF:
        return None
    href = href.strip()
    if simple := _fast(href, "", ""):
        return simple
    try:
        return _clean(normalize_url(href) if base is None else join_url(base, href))
    except ValueError:
        return None if base is None else canonical(href)


def canonical_links(hrefs: list[str], base: str) -> list[str | None]:
    """`canonical(href, base)` of each, most of them without the parser."""
    home = canonical(base)
    if home is None:
        return [canonical(href, base) for href in hrefs]
    origin = homepage_of(home)[:-1]
    folder = home.partition("?")[0].rpartition("/")[0] + "/"
    return [_fast(href, origin, folder) or canonical(href, base) for href in hrefs]


def _fast(href: str, origin: str, folder: str) -> str | None:
    """The canonical form of what needs no parser, else None; without an origin only an absolute URL has one."""
    found = _SIMPLE(href)
    if found is None:
        return None
    host, path, beside, query = found.groups()
    if host is not None:
        url = host + path
    elif not origin:
        return None
    else:
        url = origin + path if beside is None else folder + beside
    if query is not None:
        url += _clean_query(query[1:])
    return url if len(url) <= MAX_URL else None


def _clean(url: str) -> str | None:
    """What the parser leaves to do: the fragment, the host's spellings, the query."""
    if not url.startswith(("http://", "https://")):
        return None
    url = url.partition("#")[0]
    start = url.index("/") + 2
    end = url.index("/", start)
    host = url[start:end]
    if _PLAIN_HOST.fullmatch(host) is None:
        cleaned = _clean_host(host)
        if cleaned is None:
            return None
        url, end = f"{url[:start]}{cleaned}{url[end:]}", start + len(cleaned)
    mark = url.find("?", end)
    if mark >= 0:
        url = url[:mark] + _clean_query(url[mark + 1 :])
    return url if len(url) <= MAX_URL else None


def _clean_host(host: str) -> str | None:
    """The authority without user, password and trailing dot; None for port 0 and empty labels."""
    host = host.rpartition("@")[2]
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        name, colon, port = host, "", ""
    name = name.removesuffix(".")
    if port == "0" or not name or name.startswith(".") or name.endswith(".") or ".." in name:
        return None
    return name + colon + port


def _clean_query(query: str) -> str:
    parts = [part for part in query.split("&") if part and not _is_tracking(part)]
    if len(parts) > 1:
        parts.sort(key=_name)
    return "?" + "&".join(parts) if parts else ""


def _name(parameter: str) -> str:
    return parameter.partition("=")[0]


def _is_tracking(parameter: str) -> bool:
    name = _name(parameter).lower()
    return name in TRACKING or name.startswith(_TRACKING_PREFIX)


def site_of(url: str) -> str:
    """The site of a canonical URL: its host, with the port when it is not the scheme's own."""
    return url.split("/", 3)[2]


def homepage_of(url: str) -> str:
    """The address of a canonical URL's site itself: scheme://host/."""
    scheme, _, site, _ = url.split("/", 3)
    return f"{scheme}//{site}/"


def key_of(url: str) -> int:
    """A signed 64-bit key that is the same in every process: fits SQLite's INTEGER and numpy's int64."""
    key: int = xxh3_64_intdigest(url.encode())
    return key - 0x1_0000_0000_0000_0000 if key >> 63 else key
