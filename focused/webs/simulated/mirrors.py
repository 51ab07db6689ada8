"""Copies of sites on other hosts (Bharat and Broder 1999). Half of them say whose copy they are."""

from __future__ import annotations

from focused.webs.base import Answer
from focused.webs.simulated.addresses import Addresses
from focused.webs.simulated.dice import Stream
from focused.webs.simulated.shape import Shape


class Mirrors:
    def __init__(self, shape: Shape, addresses: Addresses) -> None:
        self.addresses, self._share = addresses, shape.knobs.mirror_links
        self._dice = Stream(shape.knobs.seed, "mirrors")
        self.hosts: dict[str, int] = {}  # host of a copy → the site it is a copy of
        self.host_of: dict[int, str] = {}
        for site in range(shape.site_count):
            is_worth = shape.size(site) >= shape.knobs.mirror_least and not shape.is_island(site)
            if is_worth and self._dice.unit(site) < shape.knobs.mirrors:
                self.host_of[site] = host = self._name(site)
                self.hosts[host] = site

    def _name(self, site: int) -> str:
        bare = self._host(site).removeprefix("www.")
        label, way = bare.partition(".")[0], self._dice.at(site) % 3
        return (f"mirror.{bare}", f"www2.{bare}", f"{label}-{site}.mirrors.example")[way]

    def _host(self, site: int) -> str:
        return self.addresses.site(site).root.partition("://")[2]

    def linked(self, site: int, url: str, draw: float) -> str:
        """Where a link from another site to a page of a copied one leads: the page, or its copy."""
        return self._moved(site, url) if draw < self._share else url

    def original(self, url: str) -> str | None:
        """The URL of what a URL on a copy is the copy of; None if it is not on a copy."""
        host, slash, path = url.partition("://")[2].partition("/")
        site = self.hosts.get(host.lower())
        return f"{self.addresses.site(site).root}{slash or '/'}{path}" if site is not None else None

    def copied(self, url: str, answer: Answer) -> Answer:
        """What the copy answers instead of the original: the same, with its own host in the links."""
        site = self.hosts[url.partition("://")[2].partition("/")[0].lower()]
        headers = dict(answer.headers)
        if "Location" in headers:
            headers["Location"] = self._moved(site, headers["Location"])
        own, other = (f"//{host}/".encode() for host in (self._host(site), self.host_of[site]))
        body = answer.body.replace(own, other)
        if self._dice.at(site) >> 63:
            start, named, rest = body.partition(b'<link rel="canonical" href="')
            body = start + named + rest.replace(other, own, 1)
        return Answer(answer.status, headers, body)

    def _moved(self, site: int, url: str) -> str:
        return url.replace(f"//{self._host(site)}/", f"//{self.host_of[site]}/", 1)
