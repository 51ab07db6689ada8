"""Where a crawl's database is: FOCUSED_STORE read once, the same way for those who write and those who read."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from focused.errors import SettingError, StoreError

DATABASE = "crawl.db"
SQLITE = "sqlite:///"
SHARED = ("postgresql://", "postgres://")


def place_of(given: str | None, folder: Path) -> Path | str:
    """A file, or the URL of a PostgreSQL database that holds the crawl in a schema of the folder's name."""
    if not given:
        return folder / DATABASE
    if given.startswith(SQLITE):
        return Path(given.removeprefix(SQLITE))
    if given.startswith(SHARED):
        return given
    raise SettingError(
        f"FOCUSED_STORE={given!r} is not known: give sqlite:///PATH or postgresql://USER@HOST/DATABASE, "
        "or leave it empty."
    )


def tellable(place: str) -> str:
    """The URL of a database as others may read it: without its password, which libpq finds elsewhere."""
    parts = urlsplit(place)
    user, at, host = parts.netloc.rpartition("@")
    query = "&".join(one for one in parts.query.split("&") if not one.startswith("password="))
    return urlunsplit(parts._replace(netloc=user.partition(":")[0] + at + host, query=query))


def made(folder: Path) -> Path:
    """The folder of a crawl's files: a crawl that is shared may have been crawled on other machines only."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"FOCUSED_DATA_DIR: {folder} cannot be made ({error.strerror}); give another one.") from None
    return folder


def reachable(folder: Path) -> Path:
    """The folder of a crawl, whether it is there or not; one behind a closed door is a mistake."""
    try:
        folder.exists()
    except OSError as error:
        raise StoreError(f"FOCUSED_DATA_DIR: {folder} cannot be read ({error.strerror}); give another one.") from None
    return folder
