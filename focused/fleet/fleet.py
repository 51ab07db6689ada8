"""The workers of one crawl: how they stand, starting those that are missing, ending them."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from focused.errors import FleetError
from focused.fleet.access import Access
from focused.fleet.egg import Source
from focused.fleet.node import EmptyNode, Node, SilentNode
from focused.fleet.record import Record, Worker

PENDING, RUNNING, FINISHED = "pending", "running", "finished"  # Scrapyd's words
FAILED, GONE, STOPPED, SILENT = "failed", "gone", "stopped", "no answer"  # ours
ALIVE = {PENDING, RUNNING}
AT_ONCE = 16  # nodes asked at the same time
LOOK_EVERY = 0.5  # seconds between two looks while workers end

Answer = TypeVar("Answer")


class Standing(NamedTuple):
    """How a worker is, and what there is to say about it."""

    worker: Worker
    state: str
    remark: str = ""


class Fleet:
    """Follows the record; the nodes are asked each time."""

    def __init__(self, record: Record, access: Access) -> None:
        self.record = record
        self.access = access

    def standings(self) -> list[Standing]:
        """Of every worker in the record. A node that cannot be asked is told of, once a worker."""
        answers = self._asked(self._nodes(worker.node for worker in self.record.workers), _states)
        return [self._standing(worker, answers[worker.node]) for worker in self.record.workers]

    def _standing(self, worker: Worker, known: dict[str, str] | FleetError) -> Standing:
        if isinstance(known, SilentNode):
            return Standing(worker, SILENT, str(known))
        if isinstance(known, FleetError):
            raise known
        state = known.get(worker.job)
        if worker.is_stopped and state not in ALIVE:
            return Standing(worker, STOPPED)
        if state is None:
            return Standing(worker, GONE, "the node has lost it: `scrapy fleet up` starts it again")
        said = self._node(worker.node).last_words(self.record.spider, worker.job) if state == FINISHED else ""
        return Standing(worker, FAILED if said else state, said)

    def up(self, source: Source) -> list[Standing]:
        """Start what is missing to the wanted number, on the nodes that answer; what runs is left alone."""
        answers = self._asked(self._nodes(self.record.nodes), _states)
        ready = [url for url, known in answers.items() if not isinstance(known, FleetError)]
        troubles = [known for known in answers.values() if isinstance(known, FleetError)]
        if serious := [trouble for trouble in troubles if not isinstance(trouble, SilentNode)]:
            raise serious[0]
        if not ready:
            raise troubles[0] if len(troubles) == 1 else SilentNode(_all_silent(troubles))
        kept = [standing for standing in self.standings() if standing.state in {*ALIVE, SILENT}]
        self.record.workers = [standing.worker for standing in kept]
        alive = [standing.worker for standing in kept if standing.state in ALIVE]
        if (missing := self.record.wanted - len(alive)) > 0:
            self._start(missing, self._deployed(ready, source), Counter(worker.node for worker in alive))
        return self.standings()

    def _deployed(self, urls: list[str], source: Source) -> dict[str, str]:
        """The version that each node has of this code; where there is none it is brought there."""
        digest = source.digest
        versions = self._asked(self._nodes(urls), lambda node: node.version_of(digest) or "")
        lacking = [url for url, version in versions.items() if version == ""]
        if lacking:
            version, egg = source.version, source.packed()
            versions |= self._asked(self._nodes(lacking), lambda node: _added(node, version, egg))
        return {url: _sound(version) for url, version in versions.items()}

    def _start(self, count: int, versions: dict[str, str], busy: Counter[str]) -> None:
        """Each on the node that has the fewest."""
        for _ in range(count):
            url = min(versions, key=lambda url: busy[url])
            number = next(n for n in range(1, 1 << 20) if n not in {worker.number for worker in self.record.workers})
            worker = Worker(number, url, f"{self.record.crawl}-{number}-{secrets.token_hex(3)}")
            self._node(url).schedule(worker.job, versions[url], self.record.order)
            busy[url] += 1
            self.record.workers.append(worker)
            self.record.save()

    def down(self, patience: float) -> list[Standing]:
        """Ask all workers to end and wait for it: they give back what they have leased."""
        for standing in self.standings():
            if standing.state in ALIVE:
                self._node(standing.worker.node).cancel(standing.worker.job)
            standing.worker.is_stopped = standing.state != SILENT
        self.record.save()
        until, now = time.monotonic() + patience, self.standings()
        while any(one.state in ALIVE for one in now) and time.monotonic() < until:
            time.sleep(LOOK_EVERY)
            now = self.standings()
        return now

    def _node(self, url: str) -> Node:
        return Node(url, self.access)

    def _nodes(self, urls: Iterable[str]) -> list[Node]:
        return [self._node(url) for url in dict.fromkeys(urls)]

    def _asked(self, nodes: list[Node], question: Callable[[Node], Answer]) -> dict[str, Answer | FleetError]:
        """All at once: a node that is silent must not keep the others waiting."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return dict(pool.map(lambda node: (node.url, _answer(node, question)), nodes))


def _answer(node: Node, question: Callable[[Node], Answer]) -> Answer | FleetError:
    try:
        return question(node)
    except FleetError as error:
        return error


def _states(node: Node) -> dict[str, str]:
    """A node without the project has no jobs of it."""
    try:
        return node.states()
    except EmptyNode:
        return {}


def _all_silent(troubles: list[FleetError]) -> str:
    return f"None of the {len(troubles)} nodes answers; the first: {troubles[0]}"


def _added(node: Node, version: str, egg: bytes) -> str:
    node.add(version, egg)
    return version


def _sound(answer: Answer | FleetError) -> Answer:
    if isinstance(answer, FleetError):
        raise answer
    return answer
