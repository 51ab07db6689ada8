"""The project as one file, as nodes run it: the four packages, their data, and the topic if it is the user's own.

It is known by its content: a node that has it is not sent it again, a change of code or topic makes another one.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import xxhash

from focused.errors import FleetError
from focused.topic import FILE, find, is_shipped, name_of

PACKAGES = ("focused", "middlewares", "models", "spiders")
SETUP = "setup.py"
TOPICS = "focused/topics"


@dataclass(frozen=True)
class Source:
    """What goes into an egg: places in it, and the files that are put there."""

    files: dict[str, Path]

    @property
    def digest(self) -> str:
        whole = xxhash.xxh3_64()
        for name, path in sorted(self.files.items()):
            whole.update(f"{name}\0{path.stat().st_size}\0".encode())
            whole.update(path.read_bytes())
        return whole.hexdigest()

    @property
    def version(self) -> str:
        """Of two, the younger sorts last: where a version is not named, Scrapyd takes the last."""
        return f"{int(time.time())}-{self.digest}"

    def packed(self) -> bytes:
        """Built in a folder of its own, so that nothing an earlier build has left gets in."""
        with TemporaryDirectory(prefix="focused-egg-") as folder:
            for name, path in self.files.items():
                target = Path(folder, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
            built = subprocess.run(
                [sys.executable, SETUP, "-q", "bdist_egg"], cwd=folder, capture_output=True, text=True
            )
            if built.returncode:
                raise FleetError(f"The egg cannot be built ({built.stderr.strip().splitlines()[-1]}): see {SETUP}.")
            return next(Path(folder, "dist").glob("*.egg")).read_bytes()


def source(root: Path, topic: str) -> Source:
    """Of a project's folder; there must be one, for an egg cannot be packed out of an egg."""
    if not (root / SETUP).is_file():
        raise FleetError(f"{root} has no {SETUP}: run this in the folder of the project.")
    files = {str(path.relative_to(root)): path for package in PACKAGES for path in _files(root / package)}
    files[SETUP] = root / SETUP
    own = find(topic)
    if not is_shipped(topic) and isinstance(own, Path):
        files[f"{TOPICS}/{name_of(topic)}/{FILE}"] = own
    return Source(files)


def _files(package: Path) -> Iterator[Path]:
    return (path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
