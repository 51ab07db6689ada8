"""Finished work on disk: what was asked for once, with the same code and arguments, is not done again."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from focused.errors import StoreError

Key = Mapping[str, Any]  # all that decides what comes out; JSON


class Shelf:
    """One gzipped JSON file a key. A file that cannot be read is as good as none."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{folder} cannot be made ({error.strerror}): give another folder.") from None

    def get(self, key: Key) -> Any:
        """What was put there, None if nothing was."""
        try:
            kept = json.loads(gzip.decompress(self._path(key).read_bytes()))
            return kept["value"] if kept["key"] == json.loads(_text(key)) else None
        except (OSError, EOFError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: Key, value: Any) -> None:
        """Whole or not at all."""
        path = self._path(key)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_bytes(gzip.compress(_text({"key": key, "value": value}).encode(), 6, mtime=0))
        part.replace(path)

    def _path(self, key: Key) -> Path:
        return self.folder / f"{hashlib.blake2b(_text(key).encode(), digest_size=12).hexdigest()}.json.gz"


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
