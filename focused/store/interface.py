"""CrawlStore: what the crawl asks of its database. SQLite serves one process, PostgreSQL many workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from focused.stop import Stopped
from focused.store.rows import Fetched, Found, Kept, Lease, Look, Site, Snapshot

if TYPE_CHECKING:
    from focused.store.team import Team


class Fenced(Stopped):
    """The lease has run out and the sites are another worker's: nothing of this was committed."""

    is_final = False  # the worker can begin again

    def __init__(self) -> None:
        super().__init__("lease_lost")


class LooksAgain(Protocol):
    """Pages that were had and are looked at again; part of the store and of its transactions."""

    def lease(self, page_id: int, next_ok_at: float | None) -> tuple[Lease, Kept] | None:
        """done → leased again; see CrawlStore.lease."""

    def looked(self, page_id: int, token: int, look: Look) -> bool:
        """leased again → done. False: it is no longer ours, discard everything."""

    def pages(self) -> Iterator[tuple[Any, ...]]:
        """The pages worth another look: id, site, relevance, had at, last looked at, revisits, changes."""

    def hubs(self) -> list[tuple[int, float]]:
        """Of the last distillation."""


class CrawlStore(Protocol):
    """The truth about one crawl. What lies between two commits is one transaction."""

    @property
    def again(self) -> LooksAgain: ...

    @property
    def team(self) -> Team | None:
        """The other workers; None: there are none, ever."""

    # --- one run ------------------------------------------------------------------------------------

    def resume(self, page_in_hand: int = 0) -> int:
        """Take back what a dead process had leased; the number of links taken back."""

    def load(self) -> Snapshot:
        """What a run begins with."""

    def counts(self) -> tuple[int, int, int]:
        """Pages had, relevant ones among them, links given up."""

    def pending(self) -> int:
        """Links that wait on open sites or are leased."""

    # --- T1: lease ----------------------------------------------------------------------------------

    def lease(self, page_id: int, next_ok_at: float | None) -> Lease | None:
        """waiting → leased; the caller commits before it fetches. None: it does not wait."""

    def give_back(self, page_id: int, token: int) -> None:
        """leased → waiting, as if it had not been taken."""

    # --- T2: done -----------------------------------------------------------------------------------

    def reserve(self, count: int) -> NDArray[np.int64]:
        """Ids for new pages, ascending."""

    def enter_sites(self, hosts: Sequence[str]) -> list[Site]:
        """The sites of these hosts, each never heard of in this process."""

    def finish(self, page_id: int, token: int, fetched: Fetched) -> bool:
        """leased → done, given up or waiting again. False: it is no longer ours, discard everything."""

    def add(self, found: Found) -> None:
        """What a page brought to light."""

    def save_site(self, site: Site) -> None: ...

    def rescore(self, ids: list[int], scores: list[float]) -> None:
        """New scores of waiting links."""

    def log(self, at: float, kind: str, detail: str) -> None: ...

    def note(self, **values: Any) -> None:
        """Keep named values: topic, ordering, why it stopped."""

    def remember(self, parts: Mapping[str, str | None]) -> None:
        """Keep what ordering and budget must not forget; None: forget it."""

    def save_hubs(self, rows: Iterable[tuple[int, float, float]], at_pages: int, is_whole: bool = True) -> None:
        """The latest distillation replaces the one before; if it is not whole, on the sites of this worker only."""

    def save_robots(self, site_id: int, status: int | None, text: str, until: float) -> None: ...

    def commit(self, offsets: Mapping[str, int]) -> None:
        """Make it so. `offsets` are the sizes of the outputs that belong to what was finished.

        Raises Fenced where a lease can run out.
        """

    def roll_back(self) -> None:
        """What was not committed did not happen."""

    def close(self) -> None: ...

    # --- questions ----------------------------------------------------------------------------------

    def offsets(self) -> dict[str, int]: ...

    def meta(self) -> dict[str, Any]: ...

    def links(self) -> Iterator[tuple[NDArray[np.uint32], NDArray[np.uint32]]]:
        """All links, (sources, targets), some hundred thousand at a time."""

    def verdicts(self) -> Iterator[tuple[int | None, str | None]]:
        """Of the pages that were had, in order: whether they are relevant, and their class."""

    def relevances(self) -> list[tuple[int, float]]:
        """Of the pages that were had: id and relevance."""

    def robots(self, site_id: int) -> tuple[int | None, str, float] | None: ...
