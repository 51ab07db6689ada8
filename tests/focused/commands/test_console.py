"""scrapy console"""

from __future__ import annotations

import socket
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from focused.commands.console import HOST, Command, listen, shown
from focused.console.crawls import Shared, where
from focused.errors import SettingError


def test_it_listens_to_this_machine_only_unless_told_otherwise() -> None:
    parser = ArgumentParser(conflict_handler="resolve")
    command = Command()
    command.settings = Settings()
    command.add_options(parser)
    assert parser.parse_args([]).host == HOST == "127.0.0.1"
    with listen(HOST, 0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"


def test_a_port_in_use_is_one_sentence() -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingError, match=f"--host {HOST} --port {port} cannot be used .*: give another --port"):
            listen(HOST, port)


@pytest.mark.parametrize(("host", "port"), [(HOST, 99_999), (HOST, -1), ("no such host", 0)])
def test_an_address_that_is_none_is_one_sentence(host: str, port: int) -> None:
    with pytest.raises(SettingError, match=r"is no port|cannot be used"):
        listen(host, port)


def test_an_ipv6_address_is_shown_in_brackets() -> None:
    assert (shown("::1"), shown("127.0.0.1")) == ("[::1]", "127.0.0.1")


@pytest.mark.parametrize(("store", "said"), [("", "crawls/"), ("postgresql://u@h/d", "the shared store")])
def test_it_says_where_the_crawls_are(store: str, said: str) -> None:
    settings = Settings({"FOCUSED_STORE": store})
    given = Shared(settings, Path("crawls"), "", lambda *_: None, lambda *_: iter(()))
    assert where(given) == said


def test_it_takes_options_only() -> None:
    with pytest.raises(UsageError, match="scrapy console --port 8765"):
        Command().run(["cycling"], ArgumentParser().parse_args([]))


def test_other_commands_do_not_pay_for_it() -> None:
    """Scrapy imports every command at every start."""
    code = (
        "import focused.commands.console, sys; print(*{'starlette', 'uvicorn', 'jinja2', 'plotly'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("", "")
