"""The robots.txt of one site, RFC 9309: which of its URLs we may ask for, and how often.

The group that is ours is cut out here (2.2.1: whole names, and all groups of one name are one group); protego matches
the paths in it (2.2.2: the longest rule wins, Allow where two are as long). No answer means no (2.3.1.4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from protego import Protego

AGENT = "focused"
MAX_BYTES = 500 * 1024  # 2.5: at least as much must be read
MAX_WILDCARDS = 1000  # each costs up to 15 µs a page; plain paths, a thousandth of it, are all kept
LONGEST_DELAY = 60.0  # a site that wants more between two pages is left alone

_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_TOO_MANY = 429  # a 4xx that says "later", not "there is none"
_LINE = re.compile(
    r"[ \t]*(user[ -]?agent|allow|diss?all?ow|diasllow|disallaw|crawl[ -]delay)[ \t]*[: \t]([^#]*)", re.IGNORECASE
)
# Of a URL that is spelled in one way only: no escapes, nothing to be escaped. What begins with // names a host.
_PATH = re.compile(r"(?:https?://[\w.:\[\]-]+|(?!//))(/[!-$&-~]*)", re.ASCII).fullmatch
_FIELDS = {"a": "Allow", "d": "Disallow", "c": "Crawl-delay"}


@dataclass(frozen=True, slots=True)
class Robots:
    """What one site's robots.txt says to one agent. `text` says the same in few lines, to be kept and read again."""

    status: int | None  # of the answer after its redirects; None: there was none
    text: str
    agent: str
    delay: float | None = None  # seconds between two requests
    size: int = 0  # rules held in memory
    _rules: Protego | None = None
    _prefixes: tuple[str, ...] = ()  # a URL that has none of these,
    _needles: tuple[str, ...] = ()  # nor these in it, is not disallowed: most are settled so

    @classmethod
    def parse(cls, status: int | None, body: bytes, agent: str = AGENT) -> Self:
        """2xx: what it says. 3xx (redirects without end or aim), 4xx: there is none. Anything else: do not come."""
        head = heading(agent)
        if status is None or not 200 <= status < 300:
            return cls(status, head, agent)
        lines = list(_bounded(_group(_lines(body), agent)))
        text = head + "".join(lines)
        rules = Protego.parse(text)
        size = sum(not line.startswith("Crawl") for line in lines)
        return cls(status, text, agent, rules.crawl_delay(agent), size, rules if size else None, *_sieve(lines))

    @property
    def is_unreachable(self) -> bool:
        return self.status is None or self.status == _TOO_MANY or not 200 <= self.status < 500

    @property
    def is_parked(self) -> bool:
        return self.delay is not None and self.delay > LONGEST_DELAY

    def allows(self, url: str) -> bool:
        """Of a URL of this site, or of its path."""
        if self._rules is None:
            return not self.is_unreachable
        path = _PATH(url)
        if path and not path[1].startswith(self._prefixes) and not _has_any(path[1], self._needles):
            return True
        return self._rules.can_fetch(url, self.agent)


def agent_of(user_agent: str) -> str:
    """The name robots.txt knows us by: the product before the first slash.

    >>> agent_of("focused/0.1 (somebody@example.org)")
    'focused'
    """
    found = re.match(r"[\w.-]+", user_agent.strip())
    return found[0].lower() if found else "*"


def heading(agent: str) -> str:
    """The first line of every `text`: whom it was cut out for."""
    return f"User-agent: {agent}\n"


def _lines(body: bytes) -> list[str]:
    text = body[:MAX_BYTES]
    if len(body) > MAX_BYTES:  # half a rule is another rule
        text = text[: max(text.rfind(b"\n"), text.rfind(b"\r")) + 1]
    for bom in _BOMS:
        text = text.removeprefix(bom)
    return text.replace(b"\0", b"").decode("utf-8", "replace").splitlines()


def _group(lines: Iterable[str], agent: str) -> list[str]:
    """The rules under our name, or, where no group names us, those under `*`; lines we do not know end no group."""
    groups: dict[str, list[str]] = {}
    named: set[str] = set()  # of agent and *, those the next rules are for
    is_naming = False
    for found in filter(None, map(_LINE.match, lines)):
        field, value = found[1].lower(), found[2].strip()
        if field.startswith("user"):
            named = ({_name(value)} & {agent, "*"}) | (named if is_naming else set())
            for name in named:
                groups.setdefault(name, [])
        elif value:
            for name in named:
                groups[name].append(f"{_FIELDS[field[0]]}: {value}\n")
        is_naming = field.startswith("user")
    return groups.get(agent, groups.get("*", []))


def _name(value: str) -> str:
    """`Focused/1.0`, `focused 1.0` and `focused*` name `focused`."""
    name = re.split(r"[/\s]", value)[0].lower()
    return name.strip("*") or name[:1]


def _bounded(rules: Iterable[str]) -> Iterator[str]:
    wildcards = 0
    for rule in rules:
        wildcards += "*" in rule or "$" in rule
        if wildcards <= MAX_WILDCARDS or not ("*" in rule or "$" in rule):
            yield rule


def _sieve(lines: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a path must begin with, or have in it, for a Disallow to match: the rule, or its longest piece."""
    values = [line.removeprefix("Disallow: ").rstrip("\n") for line in lines if line.startswith("Disallow")]
    prefixes = tuple(v for v in values if v[0] == "/" and _PATH(v) and "*" not in v and "$" not in v)
    others = set(values).difference(prefixes)
    # every path has the empty string in it: rules with escapes are always left to protego
    return prefixes, tuple(max(re.split(r"[*$]", v), key=len) if "%" not in v else "" for v in others)


def _has_any(path: str, needles: tuple[str, ...]) -> bool:
    for needle in needles:  # any() would take twice as long
        if needle in path:
            return True
    return False
