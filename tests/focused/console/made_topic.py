"""A topic with a tree, its examples taken from the simulated web."""

from __future__ import annotations

from pathlib import Path

from focused.webs import open_web

WEB = "sim:small"
CLASSES = {
    "Recreation/Cycling": "recreation/cycling",
    "Recreation/Sailing": "recreation/sailing",
    "Business/Investing": "business/investing",
}
PAGES = 6  # examples a class
FROM = 40  # pages of each that are no examples


def write_topic(folder: Path, good: str = "Recreation/Cycling") -> None:
    """topic.toml, taxonomy.toml and the pages, as a person would put them there."""
    web = open_web(WEB)
    seeds = []
    tree = ""
    for path, name in CLASSES.items():
        urls = list(web.pages_of(name))  # type: ignore[attr-defined]
        seeds += urls[:3]
        place = folder / path
        place.mkdir(parents=True)
        for number, url in enumerate(urls[FROM : FROM + PAGES]):
            (place / f"{number}.html").write_bytes(web.fetch(url).body)
        tree += f'["{path}"]\nexamples = ["{path}/*.html"]\n\n'
    (folder / "taxonomy.toml").write_text(tree)
    head = f'query = "bicycles"\nseeds = {seeds}\n'.replace("'", '"')
    (folder / "topic.toml").write_text(f'{head}\n[taxonomy]\ntree = "taxonomy.toml"\ngood = ["{good}"]  # for now\n')
