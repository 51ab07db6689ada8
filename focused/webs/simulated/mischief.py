"""What is wrong with some pages and some robots.txt of the hostile web. Links and text stay readable to the patient."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

from focused.webs.base import Answer
from focused.webs.simulated.dice import Stream
from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.shape import CONTENT, Place, Shape

MOST = 1_900_000  # bytes: below the 2 MB at which crawlers commonly stop reading
KEYWORDS = 500  # words of a page about nothing
FLOOD = 20_000  # lines of a robots.txt: more than the 500 KiB that RFC 9309 wants read
FOREIGN = "Café Müller – “naïve” façade, 5 €. "
HTML, TEXT = {"Content-Type": "text/html; charset=utf-8"}, {"Content-Type": "text/plain"}


class Mischief:
    def __init__(self, shape: Shape) -> None:
        self.shape, self.knobs = shape, shape.knobs
        knobs = shape.knobs
        self._dice = Stream(knobs.seed, "mischief")
        self._robots = Stream(knobs.seed, "badrobot")
        self._ways: tuple[Callable[[str, int], Answer], ...] = (self._huge, self._broken, self._miscoded)
        self._ends = list(accumulate((knobs.huge, knobs.broken, knobs.miscoded)))

    def answer(self, place: Place, html: str) -> Answer | None:
        """A page as the hostile web sends it; None if nothing is wrong with it."""
        if place.kind != CONTENT:
            return None
        bits = self._dice.at(place.page)
        if self.shape.is_stuffed(place.page):
            html = self._stuffed(bits, html)
        draw = (bits >> 11) * 2.0**-53
        for way, end in zip(self._ways, self._ends, strict=True):
            if draw < end:
                return way(html, bits)
        return Answer(200, HTML, html.encode()) if self.shape.is_stuffed(place.page) else None

    def _stuffed(self, bits: int, html: str) -> str:
        """The article replaced by the words of some topic, over and over."""
        lexicon = self.shape.words
        table = lexicon.titles[self.shape.dealer.any_topic((bits >> 40) / (1 << 24))]
        words = " ".join(table[n * (bits | 1) % len(table)] for n in range(KEYWORDS))
        start, _, rest = html.partition("<article>")
        return f"{start}<article>\n<p>{words}</p>\n</article>{rest.partition('</article>')[2]}"

    def _huge(self, html: str, bits: int) -> Answer:
        """The article again and again."""
        start, tag, rest = html.partition("<article>")
        article, end, tail = rest.partition("</article>")
        times = max(1, min(self.knobs.huge_bytes, MOST) // max(1, len(article)))
        return Answer(200, HTML, (start + tag + article * times + end + tail).encode()[:MOST])

    def _broken(self, html: str, bits: int) -> Answer:
        """Tags left open, crossed and doubled, quotes left out, and the end cut off."""
        html = (
            html.replace("</p>", "").replace("</li>", "").replace("</head>", "").replace("<article>", "<b><table><i>")
        )
        html = (
            html.replace("</article>", "</b></i></td>").replace("<footer>", "<body><p <footer>").replace("<h1>", "<h1")
        )
        if bits & 1:
            html = html.replace('<a href="', "<A HREF=").replace('.html">', ".html>").replace('/">', "/>")
        return Answer(200, HTML, html.encode().replace(b"<aside>", b"\x00<aside>")[: -len("</html>\n") - bits % 40])

    def _miscoded(self, html: str, bits: int) -> Answer:
        """One charset in the header, one in the page, one in the bytes."""
        html = html.replace("<p>", f"<p>{FOREIGN}")
        said, meant = (
            ("utf-8", "cp1252"),
            ("iso-8859-1", "utf-8"),
            ("x-no-such-charset", "utf-8"),
            ("utf-8", "utf-16"),  # with its byte order mark, which wins over the header
        )[bits & 3]
        return Answer(200, {"Content-Type": f"text/html; charset={said}"}, html.encode(meant))

    def robots(self, site: int) -> Answer | None:
        """A robots.txt nobody should have to read; None where the site has an ordinary one."""
        if self._robots.unit(site) >= self.knobs.bad_robots:
            return None
        return ROBOTS[self._robots.at(site) % len(ROBOTS)]


ROBOTS = (
    Answer(200, TEXT, b"User-agent: *\nDisallow: /\n"),
    Answer(200, TEXT, b"User-agent: *\n" + b"".join(b"Disallow: /closed/folder/%d\n" % n for n in range(FLOOD))),
    Answer(200, HTML, b"<html><head><title>Welcome</title></head><body>Disallow: / all of you</body></html>\n"),
    Answer(200, TEXT, b"\xef\xbb\xbf\x00user-agent : *\r\rDISALLOW\t:\x00 /\xff\r\nAllow /\nCrawl-delay: soon\n"),
    Answer(200, TEXT, b"User-agent: *\nCrawl-delay: 86400\n"),
    Answer(301, {**TEXT, "Location": "/robots.txt"}, b""),
    Answer(403, HTML, b"<html><body>Forbidden</body></html>\n"),
    Answer(503, HTML, b"<html><body>Service unavailable</body></html>\n"),
)


def is_hostile(knobs: Knobs) -> bool:
    """Whether there is anything to spoil: asked once, so that ordinary webs lose no time."""
    return any((knobs.stuffed, knobs.huge, knobs.broken, knobs.miscoded, knobs.bad_robots))
