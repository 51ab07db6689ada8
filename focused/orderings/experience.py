"""What a crawl has learned of the places links come from and lead to, and the features of a link that follow from it.

Harvests are found / tried, each shrunk towards that of the level above: template to directory to host to the whole
crawl. A hub's harvest is that of the links of a page that were fetched (what HITS estimates, measured), its siblings'
harvest that of the links in the same list of it. All but the likenesses are log-odds against the whole crawl's harvest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.orderings.evidence import ROW
from focused.orderings.sighting import KINDS, Rows, Sighting
from models.counters import Counters
from models.model import Floats
from models.packed import packed, unpacked

# Evidence by name: what weight it is given before anything is learned, and what it is called.
FEATURES = {
    "bias": (-1.0, "any link of this crawl"),
    "page": (0.3, "relevance of the best page that links to it"),
    "parents": (0.4, "relevance of all pages that link to it"),
    "anchor": (0.4, "words of the link"),
    "around": (0.3, "words around the link"),
    "url": (0.1, "words of the address"),
    "tokens": (0.3, "what links with these words led to"),
    "host": (0.4, "harvest of the host"),
    "directory": (0.2, "harvest of the directory"),
    "template": (0.3, "harvest of addresses like this"),
    "path": (0.2, "harvest of links at this place in pages"),
    "hub": (0.4, "harvest of the pages that link to it, as hubs"),
    "best_hub": (0.2, "harvest of the best of these hubs"),
    "siblings": (0.2, "harvest of the links beside it"),
    "ester": (0.2, "host times page (Ester)"),
    "authority": (0.2, "relevant pages that its hubs have led to (HITS)"),
    "inlinks": (0.0, "how many pages link to it"),
    "distance": (0.0, "links since a relevant page"),
    "same_host": (0.0, "on the host of the page"),
    "new_host": (0.0, "first page of a host"),
    "load": (0.0, "pages had from the host"),
    "position": (0.0, "place among the links of the page"),
}
TOGETHER = {"hub": ("best_hub",), "page": ("parents",), "balance": ("new_host", "load")}  # switched off with it
PRIOR = np.array([weight for weight, _ in FEATURES.values()])
HALF = 3.0  # tries that weigh as much as the level above; of words 2
FARTHEST = 3.9
RING, GROUPS = 1 << 14, 1 << 17  # pages and lists of links that are remembered as hubs


class Ring:
    """Found and tried of the newest things, by number; 0 is nobody."""

    def __init__(self, size: int) -> None:
        self.counts = np.zeros((2, size))
        self.next = 1

    def take(self, count: int) -> NDArray[np.int64]:
        """The places of that many new things."""
        size = self.counts.shape[1]
        at = (self.next - 1 + np.arange(count)) % (size - 1) + 1
        self.next += count
        self.counts[:, at] = 0.0
        return at

    def count(self, at: NDArray[np.integer], relevance: float) -> None:
        self.counts[:, at] += ((relevance,), (1.0,))
        self.counts[:, 0] = 0.0

    def harvest(self, at: NDArray[np.integer], above: Floats | float) -> Floats:
        found, tried = self.counts
        shrunk: Floats = (found[at] + HALF * above) / (tried[at] + HALF)
        return shrunk

    def saved(self) -> dict[str, Any]:
        return {"counts": packed(self.counts[:, : self.next]), "next": self.next}

    def restore(self, saved: dict[str, Any]) -> None:
        kept = unpacked(saved["counts"], np.float64).reshape(2, -1)
        self.next = saved["next"]
        self.counts[:, : kept.shape[1]] = kept


class Experience:
    """Belongs to one crawl."""

    def __init__(self, used: NDArray[np.bool_]) -> None:
        self._used = used  # the features that are not switched off
        self.names = {kind: Counters() for kind in KINDS}
        self.sources, self.groups = Ring(RING), Ring(GROUPS)
        self.pages: NDArray[np.uint32] = np.zeros(RING, np.uint32)  # page id by source
        self.found, self.tried = 1.0, 10.0

    @property
    def mean(self) -> float:
        """The crawl's harvest, in bounds."""
        return min(max(self.found / self.tried, 0.02), 0.5)

    # --- learning -------------------------------------------------------------------------------------------

    def learn(self, row: Rows, relevance: float) -> None:
        """A link, as an array of one row, led to a page of that relevance."""
        for kind, counters in self.names.items():
            counters.count(_distinct(row[kind]), relevance)
        self.sources.count(_distinct(row["sources"]), relevance)
        self.groups.count(_distinct(row["groups"]), relevance)
        self.found, self.tried = self.found + relevance, self.tried + 1.0

    def new_source(self, page: int) -> int:
        source = int(self.sources.take(1)[0])
        self.pages[source] = page
        return source

    def rows(self, seen: Sighting, belief: float, distance: float, source: int = 0) -> Rows:
        """Rows of the links of one page; without a source nothing is entered."""
        links = seen.links
        rows = np.zeros(len(links), ROW)
        for kind, counters in self.names.items():
            names = seen.names[kind][1:]
            slots = counters.enter(names) if source else counters.known(names)
            rows[kind] = np.append(0, slots)[links[kind]]
        if source:
            rows["sources"][:, 0] = source
            rows["groups"][:, 0] = np.append(0, self.groups.take(len(seen.names["path"]) - 1))[links["path"]]
        for name in ("page", "around", "url", "same_host", "position"):
            rows[name] = links[name]
        rows["links"], rows["distance"], rows["belief_sum"] = 1.0, distance, belief
        rows["page_max"] = rows["page_sum"] = _logit(np.clip(belief, 1e-3, 1.0 - 1e-3))
        rows["anchor_max"] = rows["anchor_sum"] = links["anchor"]
        return rows

    def best_hubs(self, most: int) -> list[tuple[int, float, float]]:
        """Pages by the harvest of their links: page id, found, tried."""
        found, tried = self.sources.counts
        order = np.argsort(-self.sources.harvest(np.arange(RING), self.mean), kind="stable")[:most]
        return [(int(self.pages[i]), float(found[i]), float(tried[i])) for i in order if tried[i]]

    # --- features -------------------------------------------------------------------------------------------

    def features(self, rows: Rows) -> Floats:
        """One row a link, one column a feature."""
        mean, links = self.mean, rows["links"]
        whole = float(_logit(mean))
        columns = np.array(
            (
                np.ones(len(rows)),
                _near(rows["page_max"] - whole) / 2,
                _near(rows["page_sum"] / links - whole) / 2,
                rows["anchor_max"],
                rows["around"],
                rows["url"],
                *self._of_names(rows, mean, whole),
                *self._of_hubs(rows, mean, whole),
                *self._of_host(rows, mean),
                rows["position"],
            )
        )
        return np.where(self._used, columns.T, 0.0)

    def _of_names(self, rows: Rows, mean: float, whole: float) -> list[Floats]:
        names = self.names
        host = names["host"].harvest(rows["host"], mean, HALF)
        directory = names["directory"].harvest(rows["directory"], host, HALF)
        template = names["template"].harvest(rows["template"], directory, HALF)
        path = names["path"].harvest(rows["path"], mean, HALF)
        words = _logit(names["tokens"].harvest(rows["tokens"], mean, 2.0)) - whole
        at_host, at_directory = _logit(host), _logit(directory)
        levels = (at_host - whole, at_directory - at_host, _logit(template) - at_directory, _logit(path) - whole)
        return [_near(words.sum(axis=1)), *map(_near, levels)]

    def _of_hubs(self, rows: Rows, mean: float, whole: float) -> list[Floats]:
        sources = rows["sources"]
        is_one = sources > 0
        count = np.maximum(is_one.sum(axis=1), 1)
        hub = self.sources.harvest(sources, mean)
        odds = np.where(is_one, _near(_logit(hub) - whole), 0.0)
        beside = self.groups.harvest(rows["groups"], hub)
        siblings = np.where(is_one, _near(_logit(beside) - _logit(hub)), 0.0)
        best = np.where(is_one, odds, -FARTHEST).max(axis=1)
        best[~is_one.any(axis=1)] = 0.0
        return [odds.sum(axis=1) / count, best, siblings.sum(axis=1) / count]

    def _of_host(self, rows: Rows, mean: float) -> list[Floats]:
        counters, links = self.names["host"], rows["links"]
        host, tried = counters.harvest(rows["host"], mean, HALF), counters.tried[rows["host"]]
        ester = np.log(host * rows["belief_sum"] / links + 1e-3) - np.log(mean * mean + 1e-3)
        led_to = np.log1p(self.sources.counts[0][rows["sources"]].sum(axis=1))
        shares = (np.log(links), rows["distance"], rows["same_host"] / links)
        return [ester, led_to, *shares, (tried == 0).astype(np.float64), np.log1p(tried)]

    # --- kill and resume ------------------------------------------------------------------------------------

    def saved(self) -> dict[str, Any]:
        names = {kind: counters.saved() for kind, counters in self.names.items()}
        rings = {"sources": self.sources.saved(), "groups": self.groups.saved(), "pages": packed(self.pages)}
        return {"names": names, **rings, "found": self.found, "tried": self.tried}

    def restore(self, saved: dict[str, Any]) -> None:
        for kind, counters in self.names.items():
            counters.restore(saved["names"][kind])
        self.sources.restore(saved["sources"])
        self.groups.restore(saved["groups"])
        self.pages = unpacked(saved["pages"], np.uint32)
        self.found, self.tried = saved["found"], saved["tried"]


def _distinct(slots: NDArray[np.int32]) -> NDArray[np.int64]:
    """np.unique at a third of its price for a handful."""
    return np.array(list(set(slots.ravel().tolist())), np.int64)


def _logit(share: Floats | float) -> Floats:
    odds: Floats = np.log(share / (1.0 - share))
    return odds


def _near(odds: Floats) -> Floats:
    return np.clip(odds, -FARTHEST, FARTHEST)
