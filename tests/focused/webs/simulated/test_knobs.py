from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from focused.webs.simulated.knobs import PRESETS, TRAITS, Knobs, knobs_of

TEXT = (Path(__file__).parents[4] / "docs" / "simulated-web.md").read_text("utf-8")


def test_every_knob_is_documented_with_its_default() -> None:
    found = dict(re.findall(r"^\| `(\w+)` \| `([\d.]+)` \|", TEXT, re.MULTILINE))
    assert found == {field.name: str(field.default) for field in fields(Knobs)}


def test_what_the_hostile_web_changes_is_documented() -> None:
    found = dict(re.findall(r"^\| `(\w+)` \| `[\d.]+` \| `([\d.]+)` \|", TEXT, re.MULTILINE))
    assert found == {name: str(value) for name, value in PRESETS["hostile"].items() if name != "pages"}


def test_every_preset_is_documented() -> None:
    assert [name for name in PRESETS if f"| `{name}` | " not in TEXT] == []


def test_a_preset_sets_what_it_says_and_options_win() -> None:
    for name, values in PRESETS.items():
        knobs = knobs_of(name, {})
        assert all(getattr(knobs, knob) == value for knob, value in values.items())
    assert knobs_of("hostile", {"traps": "0", "seed": "4"}).traps == 0.0


def test_topics_share_the_web() -> None:
    assert abs(sum(trait.share for trait in TRAITS.values()) - 1.0) < 0.01
    assert all(0.0 <= trait.locality < 1.0 for trait in TRAITS.values())
