"""Numbers and strangers' text as people read them."""

from __future__ import annotations

import time
from collections.abc import Mapping

# C0, DEL and C1 can move the cursor or set the clipboard; the others turn the direction of what follows them.
_HARMFUL = dict.fromkeys(
    [*range(0x20), *range(0x7F, 0xA0), 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)


def clean(text: str | None, length: int = 200) -> str:
    """One line without control characters and changes of direction, cut at `length`.

    >>> clean("a\\x1b[31m red\\n  title")
    'a[31m red title'
    """
    spaced = " ".join((text or "")[: 4 * length].split())
    shown = spaced.translate(_HARMFUL)
    return shown if len(shown) <= length else shown[: length - 1] + "…"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def moment(at: float | None) -> str:
    """Local date and time."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at)) if at else ""


def duration(seconds: float) -> str:
    """
    >>> duration(59), duration(3723), duration(90061)
    ('59 s', '1 h 02 min', '1 d 1 h')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


_REASONS = {
    "finished": "every link that may be followed was followed",
    "max_pages": "FOCUSED_MAX_PAGES was reached",
    "max_relevant": "FOCUSED_MAX_RELEVANT was reached",
    "max_seconds": "FOCUSED_MAX_SECONDS have passed",
    "max_revisits": "FOCUSED_MAX_REVISITS was reached",
    "refreshed": "every page was looked at again",
    "wanted_sites": "the wanted number of relevant websites was found",
    "pprs_collapse": "relevant websites have become too dear: three times the best pages per relevant site",
    "stopped": "it was interrupted",
    "shutdown": "it was interrupted",
    "disk_full": "the disk is full",
    "database_gone": "the database of FOCUSED_STORE does not answer any more",
    "lease_lost": "other workers took over its sites while it was away",
    "search_no_answers": "the search engine knows no page with the words of [search]",
    "search_down": "the search engine does not answer",
    "search_quota": "the search engine answers no more queries, or quota in [search] was reached",
    "search_refused": "the search engine refused the query",
    "stalled": "links are waiting, but none of their sites can be asked now",
}


def reason_of(stopped: str) -> str:
    """Why a crawl stopped, as a clause; a reason that is not ours is shown as it is."""
    return _REASONS.get(stopped, clean(stopped))


def about(meta: Mapping[str, str]) -> str:
    """What a crawl looks for, by which ordering, on which web.

    >>> about({"topic": "bikes", "ordering": "adaptive", "web": ""})
    'topic bikes, ordering adaptive'
    """
    return ", ".join(f"{name} {clean(meta[name])}" for name in ("topic", "ordering", "web") if meta.get(name))


def course(begun: float | None, ended: float | None, reason: str) -> str:
    """When a crawl ran and why it ended."""
    if not begun:
        return "no page yet"
    first, last = moment(begun), moment(ended)
    day, _, clock = last.partition(" ")
    dates = f"{first} to {clock if first.startswith(day) else last}"
    return f"{dates}, stopped: {reason_of(reason)}" if reason else dates
