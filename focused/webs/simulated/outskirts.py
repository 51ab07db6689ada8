"""What a simulated web answers where it has no ordinary page: robots.txt, traps, detours, shops, and nothing at all."""

from __future__ import annotations

from urllib.parse import urlsplit

from focused.webs.base import Answer
from focused.webs.simulated.catalogue import HOME, Catalogue, Spot
from focused.webs.simulated.dice import Stream
from focused.webs.simulated.markup import Markup
from focused.webs.simulated.mischief import Mischief
from focused.webs.simulated.shopfront import TALK, Shopfront
from focused.webs.simulated.trapped import Trapped

HTML = {"Content-Type": "text/html; charset=utf-8"}
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}
NOT_FOUND = Answer(404, HTML, b"<html><head><title>404 Not Found</title></head><body>Not found.</body></html>\n")
OPEN = Answer(200, PLAIN, b"User-agent: *\nDisallow:\n")
SORRY = (
    "<main>\n<h1>Sorry</h1>\n<p>We could not find what you are looking for. Try one of our other pages.</p>\n</main>\n"
)
CLOSED_FOLDERS, SLOW = 0.04, 0.03  # shares of hosts whose robots.txt closes a folder, or asks for a delay
PARTNERS = 3  # ordinary pages that a shop links to


class Outskirts:
    def __init__(self, markup: Markup, mischief: Mischief | None) -> None:
        self.markup, self._mischief = markup, mischief
        self.trapped = Trapped(markup.traps, markup)
        self.catalogue = Catalogue(markup.knobs)
        self.shopfront = Shopfront(self.catalogue, markup.text, self._partners)
        self._robots, self._soft = (Stream(markup.knobs.seed, name) for name in ("robots", "soft404"))
        self._open_doors()

    def answer(self, url: str) -> Answer:
        host, path = _parts(url)
        site = self.markup.addresses.hosts.get(host)
        if site is not None:
            return self._robots_txt(site) if path == "/robots.txt" else self._of_site(site, path)
        if host in self.catalogue.hosts:
            return OPEN if path == "/robots.txt" else self._of_shop(url)
        return NOT_FOUND

    def truth(self, url: str) -> str | None:
        """What an answer here is about; see SimWeb.truth."""
        host, path = _parts(url)
        site = self.markup.addresses.hosts.get(host)
        if site is None:
            return self.catalogue.truth(url)
        if self.trapped.page(site, path) is not None:
            return "trap"
        is_gone = path != "/robots.txt" and self._of_site(site, path).status == 200
        return "gone" if is_gone else None

    def is_soft(self, site: int) -> bool:
        """A site that says 200 where it should say 404."""
        return self._soft.unit(site) < self.markup.knobs.soft_missing

    def _of_site(self, site: int, path: str) -> Answer:
        html = self.trapped.page(site, path)
        if html is not None:
            return Answer(200, HTML, html.encode())
        detour = self.markup.detours.answer(self.markup.addresses.site(site).root, path)
        if detour is not None:
            return detour
        return Answer(200, HTML, self.markup.framed(site, "Sorry", SORRY).encode()) if self.is_soft(site) else NOT_FOUND

    def _of_shop(self, url: str) -> Answer:
        spot = self.catalogue.spot(url)
        return Answer(200, HTML, self.shopfront.page(spot).encode()) if spot else NOT_FOUND

    def _robots_txt(self, site: int) -> Answer:
        bad = self._mischief.robots(site) if self._mischief else None
        if bad is not None:
            return bad
        draw, folders = self._robots.unit(site), self.markup.addresses.site(site).folders
        if draw < CLOSED_FOLDERS and len(folders) > 1:
            return Answer(200, PLAIN, f"User-agent: *\nDisallow: /{folders[-1]}/\n".encode())
        if draw < CLOSED_FOLDERS + SLOW:
            return Answer(200, PLAIN, f"User-agent: *\nCrawl-delay: {1 + self._robots.at(site) % 2}\n".encode())
        return OPEN

    def _open_doors(self) -> None:
        """Those who talk about such things link to the shops."""
        topics = self.markup.linker.shape.words.topics
        for shop in self.catalogue.shops:
            link = f'<a href="{self.catalogue.url(Spot(shop.number, HOME))}">{shop.name}</a>'
            self.markup.doors.setdefault(topics.index(TALK[shop.domain]), []).append(link)

    def _partners(self, shop: int) -> str:
        """Links from every page of a shop to ordinary pages."""
        draws = Stream(self.markup.knobs.seed, "shoplink").units(shop, 2 * PARTNERS)
        linker, topics = self.markup.linker, self.markup.linker.shape.words.topics
        topic = topics.index(TALK[self.catalogue.shops[shop].domain])
        rows = zip(draws[::2], draws[1::2], strict=True)
        pages = dict.fromkeys(linker.popularity.page(topic, (a, b, a)) for a, b in rows)
        cards = map(self.markup.addresses.card, pages)
        return " | ".join(f'<a href="{card.url}">{card.title}</a>' for card in cards)


def _parts(url: str) -> tuple[str, str]:
    """Host, and path with query."""
    parts = urlsplit(url)
    return parts.netloc.lower(), f"{parts.path}?{parts.query}" if parts.query else parts.path
