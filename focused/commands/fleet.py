"""scrapy fleet up TOPIC | status [TOPIC] | down TOPIC | node: one crawl on several Scrapyd nodes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings
from scrapy.spiderloader import SpiderLoader
from scrapy.utils.conf import arglist_to_dict, closest_scrapy_cfg

from focused.commands.console import listen
from focused.commands.folder import folder_of, open_crawl, user_errors
from focused.errors import FleetError, FocusedError, SettingError, TopicError
from focused.store.place import SHARED
from focused.topic import Topic, name_of

if TYPE_CHECKING:
    from scrapy import Spider

    from focused.fleet.fleet import Fleet, Standing
    from focused.fleet.record import Record

PORT = 6800
PATIENCE = 60.0  # seconds that `down` waits for the workers to end


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] up TOPIC | status [TOPIC] | down TOPIC | node"

    def short_desc(self) -> str:
        return "One crawl on several Scrapyd nodes: start its workers, see how they are, end them; or be a node"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        up = parser.add_argument_group("up")
        up.add_argument("--nodes", metavar="URLS", help="separated by commas (default as before, or FOCUSED_NODES)")
        up.add_argument("--workers", type=int, metavar="N", help="default: as before, or one a node")
        up.add_argument("--spider", help="default: as before, or topic")
        up.add_argument("-a", dest="spargs", action="append", default=[], metavar="NAME=VALUE", help="spider argument")
        node = parser.add_argument_group("node")
        node.add_argument("--port", type=int, default=PORT, help=f"default: {PORT}")
        node.add_argument("--folder", type=Path, help="of the node's eggs, queue and logs (default nodes/PORT)")

    def run(self, args: list[str], opts: Namespace) -> None:
        verbs = {"up": self._up, "status": self._status, "down": self._down, "node": self._node}
        verb, *rest = args or [""]
        if verb not in verbs or len(rest) > 1 or (verb in ("up", "down") and not rest) or (verb == "node" and rest):
            raise UsageError("give a verb and a topic, such as: scrapy fleet up cycling --workers 2")
        with user_errors(self):
            verbs[verb](rest[0] if rest else "", opts)

    def _up(self, topic: str, opts: Namespace) -> None:
        # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
        from focused.fleet.egg import source

        assert self.settings is not None
        fleet = self._fleet(topic)
        _take(fleet.record, topic, opts, self.settings)
        _check_shared(fleet.record)
        _check_begins(fleet.record, topic, self.settings)
        _bring(fleet.record, topic, self.settings)
        standings = fleet.up(source(_root(), topic))
        self._show(fleet.record, standings)
        print(f"Next: scrapy fleet status {fleet.record.crawl}")

    def _status(self, topic: str, opts: Namespace) -> None:
        for name in [topic] if topic else self._known():
            fleet = self._known_fleet(name)
            self._show(fleet.record, fleet.standings())

    def _down(self, topic: str, opts: Namespace) -> None:
        from focused.fleet.fleet import ALIVE

        fleet = self._known_fleet(topic)
        standings = fleet.down(PATIENCE)
        self._show(fleet.record, standings)
        if any(standing.state in ALIVE for standing in standings):
            raise FleetError(
                f"Some workers of '{fleet.record.crawl}' have not ended yet: look again with fleet status."
            )
        print("To go on: the same `scrapy fleet up` again.")

    def _node(self, _: str, opts: Namespace) -> None:
        from focused.fleet.access import NODES, made_access
        from focused.fleet.host import become, prepare

        folder = opts.folder or NODES / str(opts.port)
        listen("127.0.0.1", opts.port).close()
        prepare(_root(), folder)
        access = made_access()
        print(f"Node: http://127.0.0.1:{opts.port}, user {access.user}, in {folder}/; Ctrl-C ends it.", flush=True)
        become(folder, opts.port, access)

    def _fleet(self, topic: str) -> Fleet:
        from focused.fleet.access import access
        from focused.fleet.fleet import Fleet
        from focused.fleet.record import Record

        assert self.settings is not None
        return Fleet(Record.read(folder_of(self.settings, topic)), access())

    def _known_fleet(self, topic: str) -> Fleet:
        fleet = self._fleet(topic)
        if not fleet.record.workers:
            raise FleetError(
                f"No fleet of '{fleet.record.crawl}' was started from here: start one with `scrapy fleet up {topic}`."
            )
        return fleet

    def _known(self) -> list[str]:
        from focused.fleet.record import FILE

        assert self.settings is not None
        data = Path(self.settings.get("FOCUSED_DATA_DIR"))
        if found := sorted(path.parent.name for path in data.glob(f"*/{FILE}")):
            return found
        raise FleetError(f"No fleet was started from here ({data}/): start one with `scrapy fleet up TOPIC`.")

    def _show(self, record: Record, standings: list[Standing]) -> None:
        from rich.console import Console

        from focused.evaluate.tables import Cell, Section
        from focused.evaluate.terminal import print_lines, print_section

        assert self.settings is not None
        console = Console()
        rows: list[tuple[Cell, ...]] = [
            (one.worker.node, one.worker.number, one.worker.job, one.state) for one in standings
        ]
        print_section(Section(f"Fleet of {record.crawl}", ("node", "worker", "job", "state"), rows), console)
        remarks = dict.fromkeys(f"{one.worker.job}: {one.remark}" for one in standings if one.remark)
        print_lines([*remarks, _pages(record, self.settings)], console)


def _root() -> Path:
    return Path(closest_scrapy_cfg()).parent


def _take(record: Record, topic: str, opts: Namespace, settings: BaseSettings) -> None:
    """What is asked for now comes before what was asked for last time."""
    from focused.fleet.access import is_here, node_urls

    try:
        given, arguments = arglist_to_dict(opts.set), arglist_to_dict(opts.spargs)
    except ValueError:
        raise UsageError("-s and -a take NAME=VALUE") from None
    record.nodes = node_urls(opts.nodes or record.nodes or settings.get("FOCUSED_NODES"))
    record.wanted = _count(opts.workers, record)
    record.spider = _spider(opts.spider or record.spider, settings)
    record.arguments |= arguments | {"topic": Topic.load(topic).name}
    usual = {"FOCUSED_PROGRESS": "0", "FOCUSED_CRAWL": record.crawl}
    if all(map(is_here, record.nodes)):
        usual["FOCUSED_DATA_DIR"] = str(record.path.parent.parent.absolute())
    record.settings = usual | record.settings | given


def _count(given: int | None, record: Record) -> int:
    if given is not None and given < 1:
        raise SettingError(f"--workers {given} is not a number of workers: give 1 or more.")
    return given or record.wanted or len(record.nodes)


def _spider(name: str, settings: BaseSettings) -> str:
    known = SpiderLoader.from_settings(settings).list()
    if name not in known:
        raise SettingError(f"--spider '{name}' is not known: give one of {', '.join(sorted(known))}.")
    return name


def _check_shared(record: Record) -> None:
    """Several workers need one store; its password would stand in every process list and log of the nodes."""
    store = record.settings.get("FOCUSED_STORE", "")
    if not store.startswith(SHARED) and (record.wanted > 1 or len(record.nodes) > 1):
        raise SettingError(
            f"{record.wanted} worker(s) on {len(record.nodes)} node(s) need a store they can share: add "
            "-s FOCUSED_STORE=postgresql://HOST/DATABASE, or give one worker and one node."
        )
    if store.startswith(SHARED) and (urlsplit(store).password or "password=" in urlsplit(store).query):
        raise SettingError(
            "FOCUSED_STORE holds a password, which logs and process lists of the nodes would show: "
            "leave it out, and put it into ~/.pgpass or PGPASSWORD there and here."
        )


def _check_begins(record: Record, topic: str, settings: BaseSettings) -> None:
    """A topic without seeds is refused here: each of the workers would be refused for it, and nobody would see."""
    from focused.assemble import without_seeds

    kind, of_workers, wanted = _workers(record, settings), _of_workers(record, settings), Topic.load(topic)
    begins = wanted.seeds or wanted.search or getattr(kind, "start_urls", None) or not hasattr(kind, "topic")
    if not begins and not of_workers.get("FOCUSED_WEB"):
        raise TopicError(without_seeds(wanted.name, bool(wanted.sim), of_workers))


def _bring(record: Record, topic: str, settings: BaseSettings) -> None:
    """What a topic or an ordering names does not travel in the egg, nor does the model: the shared store has them."""
    store = record.settings.get("FOCUSED_STORE", "")
    if not store.startswith(SHARED):
        return
    from focused.agreement import agreement_of
    from focused.store.session import Unreachable

    try:
        agreement = agreement_of(store, record.path.parent, topic, _files(record, settings))
        while not agreement.bring():
            agreement.look()
    except Unreachable:
        print("The store cannot be reached from here: the topic travels in the egg, without what it names beside it.")


def _files(record: Record, settings: BaseSettings) -> dict[str, str]:
    """What the workers' ordering is told to read, by its argument."""
    from focused.assemble import ordering_of
    from focused.orderings.base import files_named

    return files_named(ordering_of(_of_workers(record, settings)))


def _workers(record: Record, settings: BaseSettings) -> type[Spider]:
    return SpiderLoader.from_settings(settings).load(record.spider)


def _of_workers(record: Record, settings: BaseSettings) -> BaseSettings:
    """The settings that the workers will have."""
    from focused.spider import ARGUMENTS

    of_workers = settings.copy()
    _workers(record, settings).update_settings(of_workers)
    given = {ARGUMENTS[name]: value for name, value in record.arguments.items() if name in ARGUMENTS}
    of_workers.setdict(record.settings | given, priority="cmdline")
    return of_workers


def _pages(record: Record, settings: BaseSettings) -> str:
    """What the crawl has so far, if its store can be read from here."""
    of_crawl = settings.copy()
    for name in {"FOCUSED_DATA_DIR", "FOCUSED_STORE", "FOCUSED_CRAWL"} & record.settings.keys():
        of_crawl.set(name, record.settings[name], priority="cmdline")
    try:
        with open_crawl(of_crawl, name_of(record.crawl)) as reading:
            summary = reading.summary()
    except FocusedError:
        return "Pages: the crawl's store cannot be read from here, or is not there yet."
    return f"Pages: {summary.pages:,}, relevant: {summary.relevant:,}, waiting: {summary.waiting:,}."
