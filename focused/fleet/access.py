"""Where the nodes are, and what opens them: the environment, or a password made once and kept beside the nodes."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from focused.errors import FleetError

USERNAME, PASSWORD = "SCRAPYD_USERNAME", "SCRAPYD_PASSWORD"  # Scrapyd's own names: one pair for node and client
USER = "focused"  # as in scrapyd.conf
NODES = Path("nodes")  # a folder for each node that runs here
FILE = "password"
LOOPBACK = {"127.0.0.1", "localhost", "::1"}


class Access(NamedTuple):
    user: str
    password: str


def access(folder: Path = NODES) -> Access:
    """That of the environment, else what `scrapy fleet node` has made here; it may be empty."""
    kept = folder / FILE
    password = os.environ.get(PASSWORD) or (kept.read_text().strip() if kept.is_file() else "")
    return Access(os.environ.get(USERNAME) or USER, password)


def made_access(folder: Path = NODES) -> Access:
    """The same; if there is no password yet, one is made that only its owner may read."""
    known = access(folder)
    if known.password:
        return known
    folder.mkdir(parents=True, exist_ok=True)
    password = secrets.token_urlsafe(24)
    with os.fdopen(os.open(folder / FILE, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(f"{password}\n")
    return Access(known.user, password)


def node_urls(given: str | list[str]) -> list[str]:
    """Comma-separated addresses, each checked, none twice."""
    urls = [url.strip().rstrip("/") for url in (given.split(",") if isinstance(given, str) else given)]
    for url in urls:
        _check(url)
    return list(dict.fromkeys(urls))


def _check(url: str) -> None:
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise FleetError(f"--nodes '{url}' is not the address of a node: write it as http://127.0.0.1:6800.")
    if parts.username or parts.password:
        raise FleetError(f"--nodes {parts.hostname} comes with a password: give it by {USERNAME} and {PASSWORD}.")


def is_here(url: str) -> bool:
    """Whether a node runs on this machine."""
    return urlsplit(url).hostname in LOOPBACK
