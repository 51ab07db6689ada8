"""Redirects that take long or never arrive; on the hostile web some links lead over them."""

from __future__ import annotations

import re

from focused.webs.base import Answer
from focused.webs.simulated.addresses import Addresses, Card

LONGEST = 17  # redirects; browsers give up at 20
ROUND = 3  # stations of a loop
STATION = re.compile(r"/go-(to|round|on)/(\d{1,9})(?:/(\d{1,9}))?")


class Detours:
    def __init__(self, addresses: Addresses) -> None:
        self.addresses = addresses

    def chain(self, card: Card, bits: int) -> str:
        """A URL that leads to the page over 2 to 17 redirects."""
        return f"{self._root(card)}/go-to/{1 + bits % (LONGEST - 1)}/{card.place.page}"

    def loop(self, card: Card, bits: int) -> str:
        """A URL that goes round in a circle, or on and on."""
        return f"{self._root(card)}/go-{'round' if bits & 1 else 'on'}/{bits % ROUND}"

    def answer(self, root: str, path: str) -> Answer | None:
        found = STATION.fullmatch(path)
        if found is None:
            return None
        way, number, page = found[1], int(found[2]), found[3]
        if way == "to":
            target = self._nearer(root, number, int(page)) if page else None
        else:
            target = f"{root}/go-{way}/{(number + 1) % ROUND if way == 'round' else number + 1}" if not page else None
        return Answer(302, {"Content-Type": "text/html", "Location": target}, b"") if target else None

    def _nearer(self, root: str, steps: int, page: int) -> str | None:
        if page >= self.addresses.shape.knobs.pages or steps >= LONGEST:
            return None
        return f"{root}/go-to/{steps - 1}/{page}" if steps else self.addresses.card(page).url

    def _root(self, card: Card) -> str:
        return self.addresses.site(card.place.site).root
