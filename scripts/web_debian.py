"""make web-debian: 511 documentation packages of Debian 12 as a web of 511 sites, .cache/webs/debian.jsonl.gz.

Replay it with -a web=pages:.cache/webs/debian.jsonl.gz. What was downloaded (488 MB) and unpacked is kept: whoever
breaks it off and starts it again loses little. Packages that the archive no longer has are left out and counted.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterable
from multiprocessing import get_context
from pathlib import Path

import debian_tables
from debian_packages import download, package_file, sizes, unpack
from debian_pages import line, walk
from debian_shelf import Place, Shelf
from rich.progress import Progress

CACHE = Path(__file__).resolve().parent.parent / ".cache"
KNOWN = "511 sites, about 18,500 pages, 766,000 links with those that lead to files left out, 19,500 across sites"
JOBS = 2

# Of this process and, through fork, of those that help it.
shelf: Shelf
there: frozenset[Place]


def main() -> None:
    options = _options()
    sites = debian_tables.sites()
    chosen = list(sites)[: options.sites] if options.sites else list(sites)
    with Progress() as bars:
        files = _unpacked(_downloaded(chosen, bars), bars)
        counts = make(Shelf(sites, debian_tables.aliases(), files), options.output, bars)
    print(
        "{sites:,} sites, {pages:,} pages, {links:,} links, {across:,} of them across sites; {beyond:,} more lead to "
        "files that are left out".format_map(counts)
    )
    print(f"Known from elsewhere: {KNOWN}\nReplay it: -a web=pages:{options.output}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=0, help="only the first so many")
    parser.add_argument("-o", "--output", type=Path, default=CACHE / "webs" / "debian.jsonl.gz")
    return parser.parse_args()


def _downloaded(packages: list[str], bars: Progress) -> dict[str, Path]:
    folder = CACHE / "debian"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = sizes(packages)
    bar = bars.add_task("packages", total=len(wanted))
    for count in download(folder, wanted):
        bars.advance(bar, count)
    found = {name: package_file(folder, name, size) for name, size in wanted.items()}
    missing = sorted(name for name in packages if not found.get(name))
    if missing:
        bars.print(f"Not to be had, left out: {len(missing)} packages ({', '.join(missing[:10])} ...)")
    return {name: file for name, file in found.items() if file}


def _unpacked(packages: dict[str, Path], bars: Progress) -> dict[str, Path]:
    folder = CACHE / "debian" / "html"
    folder.mkdir(exist_ok=True)
    targets = {name: folder / f"{file.stem}.zip" for name, file in packages.items()}
    todo = [(packages[name], target) for name, target in targets.items() if not target.is_file()]
    bar = bars.add_task("unpacked", total=len(targets), completed=len(targets) - len(todo))
    with get_context("fork").Pool(JOBS) as pool:
        for _ in pool.imap_unordered(_unpack, todo):
            bars.advance(bar)
    return targets


def _unpack(task: tuple[Path, Path]) -> None:
    unpack(*task)


def make(from_shelf: Shelf, output: Path, bars: Progress) -> Counter[str]:
    """Write the web; returns how large it is."""
    global shelf
    shelf = from_shelf
    with get_context("fork").Pool(JOBS) as pool:
        walked = list(bars.track(pool.imap(_walk, shelf.sites), total=len(shelf.sites), description="walked"))
    pages = _all_pages(walked)
    counts: Counter[str] = Counter(sites=len({place.package for place in pages}))
    with get_context("fork").Pool(JOBS, initializer=_know, initargs=(frozenset(pages),)) as pool:
        lines = bars.track(pool.imap(_line, pages, chunksize=16), total=len(pages), description="pages")
        _write(output, lines, counts)
    return counts


def _walk(package: str) -> tuple[list[Place], set[Place]]:
    return walk(shelf, package)


def _all_pages(walked: list[tuple[list[Place], set[Place]]]) -> list[Place]:
    """Site by site, the landing page first, what only other sites lead to last."""
    of_site: dict[str, dict[Place, None]] = {}
    for pages, _ in walked:
        for place in pages:
            of_site.setdefault(place.package, {})[place] = None
    for place in sorted(set[Place]().union(*(others for _, others in walked))):
        of_site.setdefault(place.package, {}).setdefault(place)
    return [place for places in of_site.values() for place in places]


def _know(pages: frozenset[Place]) -> None:
    global there
    there = pages


def _line(place: Place) -> tuple[bytes, dict[str, int]]:
    """The line, compressed where there are several to do it, and what is to be counted."""
    page, across, beyond = line(shelf, place, there)
    counts = {"pages": 1, "links": len(page["links"]), "across": across, "beyond": beyond}
    return gzip.compress(json.dumps(page).encode() + b"\n", mtime=0), counts


def _write(output: Path, lines: Iterable[tuple[bytes, dict[str, int]]], counts: Counter[str]) -> None:
    output.parent.mkdir(parents=True, exist_ok=True)
    draft = output.with_name(f"{output.name}.part")
    with draft.open("wb") as out:
        for content, more in lines:
            out.write(content)
            counts.update(more)
    draft.replace(output)


if __name__ == "__main__":
    main()
