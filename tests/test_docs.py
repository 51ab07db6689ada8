"""What the documentation says is there, and what is there is in the documentation."""

from __future__ import annotations

import re
from pathlib import Path

from focused import outcomes, settings

ROOT = Path(__file__).parent.parent
DOCS = {path.name: path.read_text() for path in [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]}


def test_every_setting_is_documented_with_its_default() -> None:
    text = DOCS["settings.md"]
    names = [name for name in vars(settings) if name.startswith("FOCUSED_")]
    assert [name for name in names if f"`{name}`" not in text] == []
    source = (ROOT / "focused/settings.py").read_text()
    for name, default in re.findall(r"\| `(FOCUSED_\w+)` \| `(.*?)` \|", text):
        assert re.search(rf"^{name}(: [^=]+)? = {re.escape(default)}  # ", source, re.MULTILINE), name


def test_every_ordering_is_documented() -> None:
    assert [name for name in settings.FOCUSED_ORDERINGS if f"| `{name}` |" not in DOCS["orderings.md"]] == []


def test_every_command_is_documented() -> None:
    commands = {path.stem for path in (ROOT / "focused/commands").glob("*.py")} - {"__init__", "folder"}
    everything = "\n".join(DOCS.values())
    assert [name for name in commands if f"scrapy {name}" not in everything] == []


def test_every_outcome_is_documented() -> None:
    named = {*outcomes._NAMES.values(), outcomes.OK, outcomes.REDIRECT, outcomes.NOINDEX} - {"scheme"}
    for folder in ("focused", "middlewares"):
        for path in (ROOT / folder).rglob("*.py"):
            named |= set(re.findall(r"(?:Refused\(|failed\(visit, )\"(\w+)\"", path.read_text()))
    assert [name for name in named if f"`{name}`" not in DOCS["database.md"]] == []


def test_every_link_between_documents_leads_somewhere() -> None:
    broken = []
    for name, text in DOCS.items():
        folder = ROOT if name == "README.md" else ROOT / "docs"
        for target in re.findall(r"\]\(((?!http)[^)#]+)", text):
            if not (folder / target).exists():
                broken.append((name, target))
    assert broken == []


def test_a_crawl_of_a_shipped_topic_names_the_web_it_is_at_home_on() -> None:
    """Its seeds are there: without the web the command would be refused. `sailing` is also the example of one's own."""
    shipped = {path.parent.name for path in (ROOT / "focused/topics").glob("*/topic.toml")} - {"sailing"}
    lines = [line for name, text in DOCS.items() for line in text.splitlines()]
    crawls = [(line, found[1]) for line in lines if (found := re.match(r"scrapy crawl \w+ .*topic=(\w+)", line))]
    assert [line for line, topic in crawls if topic in shipped and "web=" not in line] == []
