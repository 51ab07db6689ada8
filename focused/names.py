"""Short names in settings and what they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy.utils.misc import load_object

from focused.errors import SettingError


def load(given: str, table: Mapping[str, str], where: str) -> Any:
    """A class by its short name or by its import path."""
    path = table.get(given, given if "." in given else None)
    if path is None:
        known = ", ".join(sorted(table))
        raise SettingError(
            f"{where}={given!r} is not known: use one of {known}, or an import path such as my.module.Name."
        )
    try:
        return load_object(path)
    except (ImportError, NameError, ValueError) as error:
        raise SettingError(f"{where}={given!r} cannot be imported ({error}).") from None
