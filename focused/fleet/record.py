"""What was scheduled where: fleet.json in the crawl's folder.

A Scrapyd node that is killed forgets the jobs that were running; here they are still known.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path

import orjson

from focused.errors import FleetError
from focused.fleet.node import Order

FILE = "fleet.json"


@dataclass(slots=True)
class Worker:
    """One process of the crawl on one node."""

    number: int
    node: str
    job: str
    is_stopped: bool = False  # by `fleet down`


@dataclass(slots=True)
class Record:
    """The workers of one crawl, and what they were told."""

    path: Path
    spider: str = "topic"
    arguments: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    nodes: list[str] = field(default_factory=list)
    wanted: int = 0  # workers
    workers: list[Worker] = field(default_factory=list)

    @classmethod
    def read(cls, folder: Path) -> Record:
        """That of a crawl's folder; a new one if no fleet was ever started for it."""
        path = folder / FILE
        if not path.is_file():
            return cls(path)
        try:
            known = orjson.loads(path.read_bytes())
            return cls(path, **{**known, "workers": [Worker(**worker) for worker in known["workers"]]})
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise FleetError(f"{path} cannot be read ({error}): remove it, and `scrapy fleet up` again.") from None

    @property
    def crawl(self) -> str:
        return self.path.parent.name

    @property
    def order(self) -> Order:
        return Order(self.spider, self.arguments, self.settings)

    def save(self) -> None:
        """Whole or not at all."""
        known = {name: value for name, value in asdict(self).items() if name != "path"}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_suffix(".new")
        draft.write_bytes(orjson.dumps(known, option=orjson.OPT_INDENT_2))
        draft.replace(self.path)
