"""The settings a crawl goes by, read once and checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from focused.errors import SettingError

PROJECT = 20  # Scrapy's number for what settings.py says; what a person says stands higher


class Settings(Protocol):
    """The part of Scrapy's settings that is read here."""

    def get(self, name: str, default: Any = None) -> Any: ...
    def getpriority(self, name: str) -> int | None: ...


@dataclass(slots=True, frozen=True)
class Options:
    """One value a setting; 0 means no limit."""

    folder: Path
    topic: str
    max_pages: int
    max_relevant: int
    max_depth: int
    max_seconds: float
    site_budget: int | str  # pages, or the name of a rule
    maintain: float  # share of the fetches that go to pages had before; 1: nothing else is fetched
    max_revisits: int
    strict: bool
    seed: int
    revise_every: int
    max_tries: int
    max_links: int
    sync: str
    delay: float
    is_frozen: bool  # the web is a recording or a simulation: nobody has to be spared
    per_site: int
    render_budget: int
    room: int  # requests under way
    deadline: float  # seconds a fetch may take
    lease: float  # seconds

    @classmethod
    def read(cls, settings: Settings, name: str) -> Options:
        """`name` is the topic's; it names the folder unless FOCUSED_CRAWL does."""
        return cls(
            folder=folder_of(settings, name),
            topic=settings.get("FOCUSED_TOPIC"),
            max_pages=whole(settings, "FOCUSED_MAX_PAGES"),
            max_relevant=whole(settings, "FOCUSED_MAX_RELEVANT"),
            max_depth=whole(settings, "FOCUSED_MAX_DEPTH"),
            max_seconds=number(settings, "FOCUSED_MAX_SECONDS"),
            site_budget=_site_budget(settings),
            maintain=_share(settings, "FOCUSED_MAINTAIN"),
            max_revisits=whole(settings, "FOCUSED_MAX_REVISITS"),
            strict=truth(settings, "FOCUSED_STRICT_ORDER"),
            seed=whole(settings, "FOCUSED_SEED"),
            revise_every=_at_least_one(settings, "FOCUSED_REVISE_EVERY"),
            max_tries=_at_least_one(settings, "FOCUSED_MAX_TRIES"),
            max_links=whole(settings, "FOCUSED_MAX_LINKS"),
            sync=_sync(settings),
            delay=_delay(settings),
            is_frozen=bool(settings.get("FOCUSED_WEB")),
            per_site=max(1, whole(settings, "CONCURRENT_REQUESTS_PER_DOMAIN")),
            render_budget=whole(settings, "FOCUSED_RENDER_BUDGET"),
            room=max(1, whole(settings, "CONCURRENT_REQUESTS")),
            deadline=number(settings, "DOWNLOAD_TIMEOUT"),
            lease=_lease(settings),
        )


def folder_of(settings: Settings, name: str) -> Path:
    """Of the crawl with that name, unless FOCUSED_CRAWL names another."""
    crawl = str(settings.get("FOCUSED_CRAWL") or name)
    if crawl != Path(crawl).name or crawl == "..":
        raise SettingError(
            f"FOCUSED_CRAWL='{crawl}' is no name of a folder: give a name; FOCUSED_DATA_DIR is above it."
        )
    return Path(settings.get("FOCUSED_DATA_DIR")) / crawl


def number(settings: Settings, name: str) -> float:
    given = settings.get(name)
    try:
        value = float(given)
    except (TypeError, ValueError):
        raise SettingError(f"{name}={given!r} is not a number: give one, 0 for none.") from None
    if value < 0:
        raise SettingError(f"{name}={given} is below 0: give 0 for none.")
    return value


def whole(settings: Settings, name: str) -> int:
    value = number(settings, name)
    if value != int(value):
        raise SettingError(f"{name}={settings.get(name)} is not a whole number.")
    return int(value)


def _at_least_one(settings: Settings, name: str) -> int:
    value = whole(settings, name)
    if value < 1:
        raise SettingError(f"{name}={settings.get(name)} is below 1: give at least 1.")
    return value


def _share(settings: Settings, name: str) -> float:
    value = number(settings, name)
    if value > 1:
        raise SettingError(f"{name}={settings.get(name)} is above 1: give a share of the fetches, 0 to 1.")
    return value


def truth(settings: Settings, name: str) -> bool:
    given = str(settings.get(name)).lower()
    if given not in {"1", "true", "yes", "on", "0", "false", "no", "off", "none", ""}:
        raise SettingError(f"{name}={settings.get(name)!r} is neither true nor false: give 1 or 0.")
    return given in {"1", "true", "yes", "on"}


def _delay(settings: Settings) -> float:
    """A frozen web needs no politeness, unless it is asked for by name."""
    given = number(settings, "DOWNLOAD_DELAY")
    is_default = (settings.getpriority("DOWNLOAD_DELAY") or 0) <= PROJECT
    return 0.0 if settings.get("FOCUSED_WEB") and is_default else given


def _site_budget(settings: Settings) -> int | str:
    given = str(settings.get("FOCUSED_SITE_BUDGET")).lower()
    if given in {"none", "0", ""}:
        return 0
    if given in {"verdict", "yield"}:
        return given
    if not given.isdigit():
        raise SettingError(
            f"FOCUSED_SITE_BUDGET={given!r} is not known: give verdict, yield, a number of pages, or none."
        )
    return int(given)


def _lease(settings: Settings) -> float:
    lease, deadline = number(settings, "FOCUSED_LEASE"), number(settings, "DOWNLOAD_TIMEOUT")
    if str(settings.get("FOCUSED_STORE") or "").startswith("postgres") and lease < 1.5 * deadline:
        raise SettingError(
            f"FOCUSED_LEASE={lease:g} is too short for DOWNLOAD_TIMEOUT={deadline:g}: give at least {1.5 * deadline:g}."
        )
    return lease


def _sync(settings: Settings) -> str:
    given = str(settings.get("FOCUSED_SYNC")).upper()
    if given not in {"NORMAL", "FULL"}:
        raise SettingError(f"FOCUSED_SYNC={given!r} is not known: give NORMAL or FULL.")
    return given
