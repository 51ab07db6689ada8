"""Topic files for the crawls of a claim, and where these begin.

A rule, not a choice: nothing here looks at how any ordering does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from focused.errors import WebError
from focused.evaluate.claims.claim import Setup
from focused.evaluate.fingerprint import fingerprint
from focused.page import PageReader
from focused.sessions import Step, write
from focused.surfing import sessions_for
from focused.topic import FILE, Topic
from focused.urls import key_of
from focused.webs import about, open_web
from focused.webs.simulated.web import SimWeb
from models.model import RELEVANT
from models.text import Vocabulary

COUNT = 5  # seeds of a crawl
NEAR, FAR = 2, 3  # links between a far seed and the nearest page on the topic
QUARTER = 4
OFFERED, PART = 20, 0.3  # seeds of which two crawls have so much each, with none in common (Chakrabarti 1999, §5.3)
CANDIDATES = 40  # pages of a neighbouring topic that are looked at


def web_of(setup: Setup, number: int) -> str:
    """The web of a trial; two trials share one where they are to be compared with each other."""
    return f"{setup.web},seed={1 + number // (1 + setup.pairs)}"


@lru_cache(maxsize=4)
def opened(spec: str) -> SimWeb:
    web = open_web(spec)
    if not isinstance(web, SimWeb):
        raise WebError(f"claims are tried on simulated webs, not on '{spec}'")
    return web


def topic_file(setup: Setup, topic: str, seeds: list[str], sessions: Path | None, folder: Path) -> Path:
    """The topic of that name with the setup's model, these seeds (none: the web offers some), this browsing."""
    shipped = Topic.load(topic)
    lines = [
        f"query = {json.dumps(shipped.query)}",
        *([f"seeds = {json.dumps(seeds)}"] if seeds else []),
        f'[sim]\ntopic = "{shipped.sim["topic"]}"\nseeds = {setup.starts}',
        *([f'examples = "{setup.examples}"'] if setup.examples else []),
        *([f"[sessions]\nfile = {json.dumps(str(sessions))}"] if sessions else []),
        setup.model.format(topic=shipped.sim["topic"]) or _own_model(shipped),
    ]
    text = "\n".join(lines) + "\n"
    path = folder / _digest(text) / shipped.name / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def _own_model(topic: Topic) -> str:
    return "\n".join(["[model]", *(f"{name} = {json.dumps(value)}" for name, value in topic.model.items())])


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def sessions_file(setup: Setup, topic: str, number: int, folder: Path) -> Path | None:
    """What the simulated surfer saw, with fewer pages of one kind; None: all that is seen is learned from."""
    if not setup.fewer:
        return None
    spec = web_of(setup, number)
    name = _digest(" ".join((spec, topic, setup.fewer, fingerprint("focused.surfing"))))
    path = folder / f"{name}.jsonl"
    if not path.exists():
        write(path, thinned(sessions_for(Topic.load(topic), spec), setup.fewer))
    return path.absolute()


def thinned(steps: list[Step], fewer: str) -> list[Step]:
    """A quarter of the pages of one kind, chosen by the hash of their URLs, and all of the other kind."""
    return [step for step in steps if step.relevant != (fewer == RELEVANT) or key_of(step.url) % QUARTER == 0]


def seeds_of(setup: Setup, topic: str, number: int) -> list[str]:
    """Where a trial begins; none: where the web says."""
    path, spec = str(Topic.load(topic).sim["topic"]), web_of(setup, number)
    if setup.pairs:
        return part_of(_offered(setup, spec, path, 0, OFFERED), number % 2)
    if topic in setup.far:
        return far_seeds(spec, path, number)
    return _offered(setup, spec, path, number, setup.starts) if setup.screened else []


def part_of(offered: list[str], nth: int) -> list[str]:
    """One of the disjoint parts of a list of seeds, drawn by the hash of their URLs."""
    size = round(PART * len(offered))
    return sorted(offered, key=key_of)[nth * size :][:size]


def _offered(setup: Setup, spec: str, topic: str, number: int, count: int) -> list[str]:
    """Seeds as the web offers them or, screened, without those that are on another topic."""
    web = opened(spec)
    if not setup.screened:
        return web.seeds(topic, count, number)
    return [url for url in web.seeds(topic, 2 * count, number) if about(web, url, topic)][:count]


def far_seeds(spec: str, topic: str, number: int) -> list[str]:
    """Seeds of neighbouring topics from which two or three links, no fewer, lead to a page on this one."""
    web = opened(spec)
    found: list[str] = []
    for url in _neighbours(web, topic, number):
        if url not in found and NEAR <= distance(web, url, topic) <= FAR:
            found.append(url)
        if len(found) == COUNT:
            return found
    raise WebError(f"web '{spec}' has fewer than {COUNT} pages two or three links away from '{topic}'")


def _neighbours(web: SimWeb, topic: str, number: int) -> Iterator[str]:
    branch = topic.partition("/")[0]
    for other in web.topics():
        if other != topic and other.startswith(f"{branch}/"):
            yield from web.seeds(other, CANDIDATES, number)


def distance(web: SimWeb, url: str, topic: str) -> int:
    """Links from a page to the nearest on the topic, FAR + 1 if it is farther than that."""
    reader = PageReader(Vocabulary())
    seen, level = {url}, [url]
    for links in range(FAR + 1):
        if any(about(web, page, topic) for page in level):
            return links
        level = [link for page in level for link in _links(web, reader, page) if link not in seen]
        seen.update(level)
    return FAR + 1


def _links(web: SimWeb, reader: PageReader, url: str) -> list[str]:
    answer = web.fetch(url)
    kind = answer.headers.get("Content-Type", "")
    if answer.status != 200 or not kind.startswith("text/html"):
        return []
    return [link.url for link in reader.read(url, answer.body, kind, 200).links]
