"""A Scrapyd node on this machine: in a folder of its own, behind a password, on loopback."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from focused.errors import FleetError
from focused.fleet.access import PASSWORD, USERNAME, Access

CONFIGURATION = "scrapyd.conf"


def prepare(root: Path, folder: Path) -> None:
    """The node's folder, with a copy of the configuration that its owner may change."""
    if find_spec("scrapyd") is None:
        raise FleetError("Scrapyd is not installed here: run `pip install scrapyd` in this environment.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / CONFIGURATION).exists():
            shutil.copyfile(root / CONFIGURATION, folder / CONFIGURATION)
    except OSError as error:
        raise FleetError(f"--folder {folder} cannot be used ({error.strerror}): give another one.") from None


def become(folder: Path, port: int, access: Access) -> None:
    """From here on this process is the node. The project's folder is not on its path: jobs run what is in the egg."""
    environment = {**os.environ, USERNAME: access.user, PASSWORD: access.password, "SCRAPYD_HTTP_PORT": str(port)}
    environment.pop("SCRAPY_SETTINGS_MODULE", None)
    os.chdir(folder)
    # No pid file: after a kill it would name a process that may be someone else's by now.
    os.execve(sys.executable, [sys.executable, "-m", "scrapyd", "--pidfile="], environment)
