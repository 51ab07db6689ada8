"""A process that has imported everything and forks a crawl on demand: starting Python costs 2 s, forking it 0.02 s.

What it forks is `scrapy` from its first line on: same arguments, own pid, own exit status, own interpreter's end.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import socket
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
NEEDED = ("scrapy.cmdline", "scrapy.core.engine", "scrapy.linkextractors", "focused.commands.crawl")
TABLES = ("DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "EXTENSIONS", "ITEM_PIPELINES", "DOWNLOAD_HANDLERS")


def name_of(pid: int) -> str:
    """Of the socket on which the zygote of this pid takes orders; it lives in no folder."""
    return f"\0focused-zygote-{pid}"


def warm_up() -> None:
    """Import what every crawl imports; the reactor must not be among it, for it cannot be forked."""
    from scrapy.utils.misc import walk_modules_iter
    from scrapy.utils.project import get_project_settings

    settings = get_project_settings()
    tables: list[Mapping[str, object]] = [settings.getwithbase(name) for name in TABLES]
    tables += [settings["FOCUSED_ORDERINGS"], {settings["SCHEDULER"]: 0}]
    words = [word for table in tables for entry in table.items() for word in entry]
    list(walk_modules_iter("scrapy.commands"))
    for name in (*NEEDED, *(word.rpartition(".")[0] for word in words if isinstance(word, str) and "." in word)):
        with contextlib.suppress(ImportError):  # the crawl itself will say it better
            import_module(name)
    assert "twisted.internet.reactor" not in sys.modules


def answer(connection: socket.socket) -> None:
    """In a child: fork the crawl, tell its pid, then its exit status; returns only in the crawl."""
    line = connection.makefile("rw")
    order = json.loads(line.readline())
    pid = os.fork()
    if pid == 0:
        line.close()
        connection.close()
        become(order)
        return
    print(pid, file=line, flush=True)
    _, status = os.waitpid(pid, 0)
    with contextlib.suppress(OSError):
        print(os.waitstatus_to_exitcode(status), file=line, flush=True)
    os._exit(0)


def become(order: dict[str, object]) -> None:
    """Streams, limits and arguments of the crawl."""
    for number, stream in enumerate(("stdin", "out", "err")):
        path = str(order.get(stream, os.devnull))
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY, 0o644)
        os.dup2(file, number)
        os.close(file)
    limit_files(int(str(order["file_limit"])))
    sys.argv = [str(word) for word in json.loads(str(order["argv"]))]


def limit_files(size: int) -> None:
    if size:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def main() -> None:
    os.chdir(ROOT)
    warm_up()
    server = socket.socket(socket.AF_UNIX)
    server.bind(name_of(os.getpid()))
    server.listen()
    print(os.getpid(), flush=True)
    while sys.stdin not in (ready := select.select([server, sys.stdin], [], [])[0]):
        assert server in ready
        connection, _ = server.accept()
        if os.fork() == 0:
            if os.fork() == 0:  # two forks: the middle one leaves at once, so nobody has to wait for the second
                server.close()
                answer(connection)
                from scrapy.cmdline import execute

                return execute()
            os._exit(0)
        connection.close()
        os.wait()


if __name__ == "__main__":
    main()
