"""Examples in files: single ones, patterns, folders, and files that list URLs."""

from __future__ import annotations

import os
import re
from pathlib import Path

from focused.examples.collection import MOST_BYTES, PLAIN, Document, Skipped
from focused.urls import canonical

TEXTS = (".txt", ".md", ".text")
LISTS = (".txt", ".urls", ".list")
_PATTERN = re.compile(r"[*?\[]")
# A folder named like a host, as mirroring programs make them: its files are one site.
_HOST = re.compile(r"([a-z0-9-]{1,63}\.)+[a-z]{2,63}", re.IGNORECASE)


def is_url(entry: str) -> bool:
    return entry.lower().startswith(("http://", "https://"))


def files_of(entry: str, folder: Path) -> list[Path]:
    """The files an entry of a list means: itself, those that fit a pattern, those of a folder. In a fixed order."""
    path = folder / entry
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.is_file() and not file.name.startswith("."))
    if path.is_file() or not _PATTERN.search(entry):
        return [path] if path.is_file() else []
    root, pattern = (Path("/"), entry.lstrip("/")) if entry.startswith("/") else (folder, entry)
    return sorted(file for file in root.glob(pattern) if file.is_file())


def from_here(entry: str, folder: Path) -> str:
    """A file that a person names as seen from where they are, as the topic's folder sees it; anything else as it is."""
    is_here = Path(entry).is_file() and not is_url(entry) and not (folder / entry).exists()
    return os.path.relpath(entry, folder) if is_here else entry


def urls_in(path: Path) -> list[str] | None:
    """The URLs of a file that lists them, a line each; None if it is a text."""
    if path.suffix.lower() not in LISTS or path.stat().st_size > MOST_BYTES:
        return None
    lines = [line.strip() for line in path.read_bytes().decode("utf-8-sig", "replace").splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    return lines if lines and all(map(is_url, lines)) else None


def document_of(path: Path, folder: Path) -> Document | Skipped:
    """A file as a document; one that is too large is not even opened."""
    name = str(path.relative_to(folder)) if path.is_relative_to(folder) else str(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            return Skipped(name, f"larger than {MOST_BYTES // 1024**2} MiB")
        body = path.read_bytes()
    except OSError as error:
        return Skipped(name, f"cannot be read ({error.strerror})")
    return Document(name, _url_of(path, folder), body, PLAIN if path.suffix.lower() in TEXTS else "")


def _url_of(path: Path, folder: Path) -> str:
    parts = path.relative_to(folder).parts if path.is_relative_to(folder) else path.parts
    for at, part in enumerate(parts[:-1]):
        if _HOST.fullmatch(part):
            return canonical("https://" + "/".join(parts[at:])) or ""
    return ""
