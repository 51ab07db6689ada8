"""Small pages in the ways real ones are written: such that present one thing, and such that look a little like it."""

from __future__ import annotations

import re
from pathlib import Path

NAV = (
    '<ul id="nav"><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li><li><a href="/help">Help</a></li></ul>'
)
TALK = "<p>It was tested for two weeks in all weathers and did what it should, though the strap could be longer.</p>"


def pages(name: str) -> dict[str, str]:
    """Those of a file, by what the comment above each says."""
    text = (Path(__file__).parent / "pages" / f"{name}.html").read_text()
    _, *parts = re.split(r"^<!-- (.+) -->$", text.replace("{nav}", NAV).replace("{talk}", TALK), flags=re.MULTILINE)
    return {name: page(body) for name, body in zip(parts[::2], parts[1::2], strict=True)}


def page(body: str) -> str:
    return f"<!DOCTYPE html><html><head><title>A page</title></head><body>{NAV}{body}</body></html>"


PRESENT_ONE, PRESENT_NONE = pages("one"), pages("none")
