"""What the pages of a trap say: the frame of their site, a few words about nothing, and the way further in."""

from __future__ import annotations

import re

from focused.webs.simulated.markup import Markup
from focused.webs.simulated.shape import CONTENT, DOCUMENT, Place
from focused.webs.simulated.traps import SESSION, Traps

WORDS = 40
OWN_SID = re.compile(rf"[?&]{SESSION.pattern}")
CANONICAL = re.compile(r'<link rel="canonical"[^>]*>\n')
FAR = 1 << 40  # beyond the numbers of ordinary pages


class Trapped:
    def __init__(self, traps: Traps, markup: Markup) -> None:
        self.traps, self.markup = traps, markup

    def page(self, site: int, path: str) -> str | None:
        """The HTML of a page of the site's trap; None if this is not one."""
        n = self.traps.number(site, path)
        if n is None:
            return None
        links = self.traps.links(site, n)
        return self._session(site, path, links) if self.traps.of[site].on_any_path else self._plain(site, n, links)

    def _plain(self, site: int, n: int, links: list[str]) -> str:
        name = self.traps.of[site].name
        place = Place(FAR + (site << 24) + n, site, -1, CONTENT, n, self.markup.linker.shape.general)
        items = "".join(
            f'<li><a href="{link}">{name} {link.strip("/").rpartition("/")[2]}</a></li>\n' for link in links
        )
        said = " ".join(self.markup.text.blurb(place, WORDS))
        return self.markup.framed(
            site, f"{name} {n}", f"<main>\n<h1>{name} {n}</h1>\n<p>{said}</p>\n<ul>\n{items}</ul>\n</main>\n"
        )

    def _session(self, site: int, path: str, links: list[str]) -> str | None:
        """The page itself, with a fresh id in each of its links."""
        addresses = self.markup.addresses
        root = addresses.site(site).root
        page = addresses.page(root + OWN_SID.sub("", path))
        card = addresses.card(page) if page is not None else None
        if card is None or card.place.kind == DOCUMENT:
            return None
        ids = iter([link.partition("?")[2] for link in links])

        def fresh(found: re.Match[str]) -> str:
            id_, mark = next(ids, ""), "&" if "?" in found[2] else "?"
            return f'{found[1]}="{found[2]}{mark}{id_}"' if id_ else found[0]

        own = re.compile(rf'(<a href|<frame src)="(?:{re.escape(root)})?(/(?![^"]*sid=)[^"]*)"')
        return own.sub(fresh, CANONICAL.sub("", self.markup.page(card), count=1))
