"""scrapy console [--port]"""

from __future__ import annotations

import secrets
import socket
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from focused.commands.folder import user_errors
from focused.errors import SettingError

HOST, PORT = "127.0.0.1", 8765
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def short_desc(self) -> str:
        return "The web console: live monitor, results, explain, topics"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--port", type=int, default=PORT, help=f"default: {PORT}; 0: any that is free")
        parser.add_argument("--host", default=HOST, help=f"address to listen on (default {HOST}, this machine only)")
        parser.add_argument("--data-dir", metavar="FOLDER", help="default: FOCUSED_DATA_DIR")

    def run(self, args: list[str], opts: Namespace) -> None:
        if args:
            raise UsageError("scrapy console takes options only, such as: scrapy console --port 8765")
        assert self.settings is not None
        if opts.data_dir:
            self.settings.set("FOCUSED_DATA_DIR", opts.data_dir, priority="cmdline")
        with user_errors(self):
            serve(self.settings, opts.host, opts.port)


def serve(settings: BaseSettings, host: str = HOST, port: int = PORT, path: str = "/") -> None:
    """Until somebody ends it; `path` is where one begins."""
    # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
    import uvicorn

    from focused.commands.explain import score_terms
    from focused.commands.judge import documents
    from focused.console.app import application
    from focused.console.crawls import Shared, names, where

    token, data = secrets.token_urlsafe(24), Path(settings.get("FOCUSED_DATA_DIR"))
    given = Shared(settings, data, token, score_terms, documents)
    names(given)  # a store that cannot be reached is told now, not on the first page
    listening = listen(host, port)
    name, real_port = shown(host), listening.getsockname()[1]
    app = application(given, sorted({*LOOPBACK, name}))
    config = uvicorn.Config(app, log_level="warning", server_header=False, timeout_graceful_shutdown=1)
    print(f"Console: http://{name}:{real_port}{path}#token={token}")
    print(f"Crawls in {where(given)}. Whoever has this address can change topics; Ctrl-C ends it.", flush=True)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    if not 0 <= port < 1 << 16:
        raise SettingError(f"--port {port} is no port: give one up to 65535, or 0 for any that is free.")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        said = error.strerror or error
        raise SettingError(f"--host {host} --port {port} cannot be used ({said}): give another --port.") from None


def shown(host: str) -> str:
    """As it stands in an address."""
    return f"[{host}]" if ":" in host else host
