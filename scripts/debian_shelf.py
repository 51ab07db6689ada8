"""All HTML files of the packages on one shelf, and what a link in one of them means."""

from __future__ import annotations

import json
import posixpath
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from debian_packages import LINKS
from debian_tables import Alias, Site

INDEXES = ("index.html", "index.htm")
MOST_LINKS = 20  # symbolic links on the way to a file


class Place(NamedTuple):
    package: str
    path: str


class Shelf:
    """`files` are the packages' zip files."""

    def __init__(self, sites: dict[str, Site], aliases: dict[str, Alias], files: dict[str, Path]) -> None:
        self.sites = {name: site for name, site in sites.items() if name in files}
        self.aliases = aliases
        self._files = files
        self._owner: dict[str, str] = {}
        self._links: dict[str, str] = {}
        for package, file in files.items():
            with zipfile.ZipFile(file) as content:
                self._links.update(json.loads(content.read(LINKS)))
                for name in content.namelist():
                    self._owner.setdefault(name, package)
        self.resolve = lru_cache(1 << 16)(self._resolve)
        self._roots = {name: self._real(site.docroot) for name, site in self.sites.items()}

    def landing(self, package: str) -> Place | None:
        site = self.sites.get(package)
        return self.locate(site.landing) if site else None

    def locate(self, path: str) -> Place | None:
        """The page at a path, or the index page of a folder; None if no package has it."""
        real = self._real(path)
        for candidate in (real, *(posixpath.join(real, name) for name in INDEXES)):
            name = self._real(candidate)
            if name in self._owner and self._owner[name] in self.sites:
                return Place(self._owner[name], name)
        return None

    def _real(self, path: str) -> str:
        """Without symbolic links, wherever on the way they are."""
        path = posixpath.normpath(path)
        for _ in range(MOST_LINKS):
            parts = path.split("/")
            ends = range(len(parts), 1, -1)
            at = next((end for end in ends if "/".join(parts[:end]) in self._links), None)
            if at is None:
                break
            path = posixpath.normpath(posixpath.join(self._links["/".join(parts[:at])], *parts[at:]))
        return path

    def _resolve(self, folder: str, href: str) -> Place | None:
        """The page that a link in a file of this folder leads to: a path, or a real URL with an alias."""
        try:
            parts = urlsplit(href.strip())
        except ValueError:
            return None
        if parts.scheme in ("http", "https") or (parts.netloc and not parts.scheme):
            return self._alias(parts.netloc.lower().removeprefix("www."), unquote(parts.path))
        if parts.scheme not in ("", "file") or not parts.path:
            return None
        return self.locate(posixpath.join(folder, unquote(parts.path)))

    def _alias(self, host: str, path: str) -> Place | None:
        segments = [host, *filter(None, path.split("/"))]
        for end in range(len(segments), 0, -1):
            alias = self.aliases.get("/".join(segments[:end]))
            if alias is not None:
                rest = "/".join(segments[end:])
                below = self.locate(posixpath.join(alias.docroot, rest)) if alias.docroot and rest else None
                return below or self.landing(alias.package)
        return None

    def url(self, place: Place) -> str:
        """Below the site's address as below its folder; a file from elsewhere under its whole path."""
        root = self._roots[place.package].rstrip("/") + "/"
        path = place.path.removeprefix(root) if place.path.startswith(root) else place.path.removeprefix("/usr/share/")
        return self.sites[place.package].base_url + quote(path, safe="/~+:@!$&()*,;=-._")

    def read(self, place: Place) -> bytes:
        return self._archive(place.package).read(place.path)

    @lru_cache(8)  # noqa: B019 - a shelf lives as long as its process
    def _archive(self, package: str) -> zipfile.ZipFile:
        return zipfile.ZipFile(self._files[package])
