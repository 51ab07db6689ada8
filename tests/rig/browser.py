"""The browser of the tests. There must be one: a test that cannot open it fails, and says how to get it."""

from __future__ import annotations

import sys

import pytest

from middlewares.browser import NAMES, path_of

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
MISSING = (
    f"no browser was found, none of {', '.join(NAMES)} is on the PATH: the tests that open one fail. "
    "Install the package 'chromium' (on Debian, as root: apt-get install chromium), then run `make setup` again."
)


def browser_path() -> str:
    """Of a Chromium on the PATH, under any of the names that a crawl looks for."""
    return path_of("") or pytest.fail(MISSING, pytrace=False)


if __name__ == "__main__":  # for scripts/setup
    sys.exit(0 if path_of("") else MISSING)
