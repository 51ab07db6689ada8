from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from focused import settings as shipped
from focused.errors import SettingError
from focused.options import Options


def settings(**given: Any) -> Settings:
    made = Settings()
    made.setmodule("focused.settings", priority="project")
    made.setdict(given, priority="cmdline")
    return made


def test_the_defaults_are_polite() -> None:
    options = Options.read(settings(), "cycling")
    assert (options.delay, options.per_site, options.site_budget) == (1.0, 1, 500)
    assert options.folder == Path("crawls/cycling")


def test_a_frozen_web_is_not_spared_unless_asked_for() -> None:
    assert Options.read(settings(FOCUSED_WEB="sim:small"), "x").delay == 0.0
    assert Options.read(settings(FOCUSED_WEB="sim:small", DOWNLOAD_DELAY=2), "x").delay == 2.0


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("FOCUSED_MAX_PAGES", "many", "is not a number"),
        ("FOCUSED_MAX_PAGES", "-1", "below 0"),
        ("FOCUSED_MAX_PAGES", "1.5", "not a whole number"),
        ("FOCUSED_STRICT_ORDER", "maybe", "neither true nor false"),
        ("FOCUSED_SITE_BUDGET", "lots", "number of pages, or none"),
        ("FOCUSED_SYNC", "OFF", "NORMAL or FULL"),
        ("FOCUSED_REVISE_EVERY", "0", "at least 1"),
        ("FOCUSED_MAX_TRIES", "0", "at least 1"),
        ("FOCUSED_CRAWL", "..", "no name of a folder"),
    ],
)
def test_a_bad_value_is_named_with_its_setting(name: str, value: str, said: str) -> None:
    with pytest.raises(SettingError, match=said) as error:
        Options.read(settings(**{name: value}), "x")
    assert name in str(error.value)


def test_every_setting_used_is_listed_with_a_comment() -> None:
    used = set()
    for folder in ("focused", "middlewares", "models", "spiders"):
        for path in Path(folder).rglob("*.py"):
            used |= set(re.findall(r"FOCUSED_[A-Z_]*[A-Z]", path.read_text()))
    listed = {name for name in vars(shipped) if name.startswith("FOCUSED_")}
    assert used == listed
    lines = Path("focused/settings.py").read_text().splitlines()
    uncommented = [line for line in lines if re.match(r"FOCUSED_\w+ = [^{]", line) and "  # " not in line]
    assert uncommented == []
