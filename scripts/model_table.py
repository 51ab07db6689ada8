"""make models: how good each kind of page model is, and what reading whole sites gains → docs/model-table.md.

Numbers of the embedded web come from seeds that are named; numbers of real pages from corpora that are not part of the
project: of one that is not there the document keeps what it had, and says so.

`python -m scripts.model_table validators` measures only the validators; the rest of the document stays as it is.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, stdev
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from rich.console import Console
from scrapy.settings import BaseSettings
from scrapy.utils.project import get_project_settings

from focused.errors import FocusedError
from focused.examples import Examples, gather
from focused.examples.collection import Document, read
from focused.examples.simulated import OF_LEAF
from focused.page import Page, PageReader
from focused.topic import Topic
from focused.training.fitting import train
from focused.training.kinds import Kind, kind_of
from focused.training.quality import scores
from focused.training.watching import Watch
from focused.webs import about, open_web
from focused.webs.base import Web
from focused.webs.pages import PagesWeb
from focused.webs.simulated.web import SimWeb
from models.text import Vocabulary
from scripts import site_table, validator_table

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "model-table.md"
KINDS = ("similarity", "naive_bayes", "taxonomy", "svm", "centroids")
TOPICS, SEEDS = ("cycling", "astronomy", "horses", "investing"), (1, 2, 3)
TRIED = 1_000  # pages of the web itself, at random
OF_TOPIC, OF_OTHERS, OF_SITE = 150, 400, 10  # pages of a corpus to learn from
CORPORA = {
    "Schools Wikipedia 2007": (
        ROOT.parent / "shared/corpora/schools-wikipedia-2007.jsonl.gz",
        ("schools-astronomy", "schools-birds", "schools-it", "schools-music"),
    ),
    "Debian documentation": (
        ROOT / ".cache/webs/debian.jsonl.gz",
        ("debian-astronomy", "debian-mathematics", "debian-multimedia"),
    ),
}
MISSING = "Not measured: the corpus is not there."
TEXT = """# How good the models are

Written by `make models`; do not edit. F is that of the verdict *relevant*, mean ± standard deviation over the
seeds. Every model has its defaults; none was tuned to these pages.

## The embedded web (`sim:small`, seeds {seeds})

Learned from {learned} pages of each of the 17 topics of a web with another seed. First by 10-fold cross-validation
grouped by site on these pages:

{validated}
Then on {tried} random pages of the web that would be crawled, of which one in twenty is on the topic:

{on_web}
## Real pages

{corpora}
Schools Wikipedia: articles of one site with the subjects its editors gave them; up to 150 pages of the topic and
400 of all others, 10-fold cross-validation, which cannot be grouped by site here. Debian documentation (`make
web-debian`): pages of many sites, labelled by site and roughly; folds grouped by site.

## Whole websites against homepages

Ester, Kriegel and Schubert 2004, §5.2, Table 2, on the embedded web (`sim:medium`). Both classifiers are
`centroids`, learned from 35 sites of the topic and 132 others of the web with seed {learned_from} and tried on as
many sites of each of the webs with seeds 1 to 5, or all of the topic that a web has. The website classifier reads
pages until it is sure or has had 50; sure is 0.9, and 0.8 for cycling, as the paper has it for mountain biking. `lam`
and `p_err` are fitted by cross-validation. The prior is even: the share of relevant sites so far (W-11) feeds on its
own verdicts, and with it F fell from .98 to .17 on one web (`sim:small,seed=1`, gardening).

{sites}
The paper: F of the homepage classifier .63 to .84, of the website classifier .79 to .95, gain .05 to .27, with 3.2
to 7.4 pages a site.
"""


class Tried(NamedTuple):
    """One kind on one topic: F by cross-validation and, on the embedded web, on pages of the web that is crawled."""

    kind: str
    topic: str
    f: float
    f_web: float | None


def embedded(topic: str, seed: int, watch: Watch) -> Iterator[Tried]:
    """Learned from a web of another seed, as a crawl does it."""
    settings = _settings(f"sim:small,seed={seed}")
    known, reader = Topic.load(topic), PageReader(Vocabulary())
    with TemporaryDirectory() as folder:
        examples = gather(settings, known, reader, Path(folder), watch)
    web = open_web(settings["FOCUSED_WEB"])
    assert isinstance(web, SimWeb)
    urls = [url for path in web.topics() for url in web.pages_of(path)]
    chosen = random.Random(seed).sample(urls, min(TRIED, len(urls)))
    pages = [_page(web, reader, url) for url in chosen]
    truth = np.array([about(web, url, known.sim["topic"]) for url in chosen])
    for kind in _kinds(settings, known):
        training = train(kind, examples, watch)
        verdicts = np.array([training.model.judge(page).relevant for page in pages])
        yield Tried(kind.name, topic, training.quality.f, scores(truth, verdicts)[2])


def real(corpus: Path, topics: Sequence[str], watch: Watch) -> Iterator[Tried]:
    """Cross-validated on pages that people have labelled."""
    web = PagesWeb(str(corpus))
    for name in topics:
        topic = Topic.load(str(ROOT / "tests/webs/topics" / name))
        examples = of_corpus(web, str(topic.sim["topic"]), PageReader(Vocabulary()))
        for kind in _kinds(_settings(""), topic):
            yield Tried(kind.name, name, train(kind, examples, watch).quality.f, None)


def of_corpus(web: PagesWeb, wanted: str, reader: PageReader) -> Examples:
    """Pages of the topic, and of all others; few of each site, so that no site is the topic."""
    examples, dice, sites = Examples(reader, [wanted]), random.Random(1), dict[str, int]()
    urls = web.urls()
    left = {True: OF_TOPIC, False: OF_OTHERS}
    one_site = len({url.split("/")[2] for url in urls}) == 1
    for url in dice.sample(urls, len(urls)):
        labels = web.labels(url)
        good, site = about(web, url, wanted), url.split("/")[2]
        if labels and left[good] and (one_site or sites.get(site, 0) < OF_SITE):
            left[good] -= 1
            sites[site] = sites.get(site, 0) + 1
            examples.add(_document(web, url), wanted if good else labels[0])
    return examples


def _kinds(settings: BaseSettings, topic: Topic) -> list[Kind]:
    return [kind_of(settings, topic, name) for name in KINDS]


def _settings(web: str) -> BaseSettings:
    settings = get_project_settings()
    settings.set("FOCUSED_WEB", web, priority="cmdline")
    return settings


def _document(web: Web, url: str) -> Document:
    answer = web.fetch(url)
    return Document(url, url, answer.body, answer.headers.get("Content-Type", ""))


def _page(web: Web, reader: PageReader, url: str) -> Page:
    return read(reader, _document(web, url))


# --- the document -----------------------------------------------------------------------------------------------


def spread(values: Sequence[float]) -> str:
    """
    >>> spread([0.5, 0.7]), spread([0.5])
    ('.600 ± .141', '.500')
    """
    shown = f"{mean(values):.3f}" + (f" ± {stdev(values):.3f}" if len(values) > 1 else "")
    return shown.replace("0.", ".")


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def by_kind(tried: Sequence[Tried], of_web: bool = False) -> list[str]:
    topics = list(dict.fromkeys(one.topic for one in tried))
    rows = []
    for kind in KINDS:
        own = [one for one in tried if one.kind == kind]
        values = [[_f(one, of_web) for one in own if one.topic == topic] for topic in topics]
        rows.append([f"`{kind}`", *map(spread, values), spread([mean(found) for found in values]).partition(" ")[0]])
    return table(["model", *topics, "mean"], rows)


def _f(one: Tried, of_web: bool) -> float:
    return one.f_web if of_web and one.f_web is not None else one.f


def by_site(rows: Sequence[site_table.Row]) -> list[str]:
    lines = []
    for topic in site_table.TOPICS:
        own = [row for row in rows if row.topic == topic]
        figures = [[row.homepage[2] for row in own], [row.website[2] for row in own]]
        gain = [row.website[2] - row.homepage[2] for row in own]
        cost = f"{mean(row.pages_per_site for row in own):.1f}"
        sites = " ".join(str(row.good_sites) for row in own)
        lines.append([topic, *map(spread, figures), spread(gain), cost, f"{own[0].p_err:.2f}", sites])
    return table(["topic", "F, homepage", "F, website", "gain", "pages a site", "p_err", "sites of the topic"], lines)


def kept(before: str, name: str) -> list[str]:
    """Of a corpus that is not there: the table the document had, which took its pages to make.

    >>> kept("### Schools\\n\\n| model |\\n| `svm` |\\n\\n### Debian", "Schools")
    ['As measured before: the corpus is not there now.', '', '| model |', '| `svm` |', '']
    """
    _, _, section = before.partition(f"### {name}\n")
    table = [line for line in section.partition("\n#")[0].splitlines() if line.startswith("|")]
    return ["As measured before: the corpus is not there now.", "", *table, ""] if table else [MISSING, ""]


def document(
    sim: Sequence[Tried], corpora: dict[str, Sequence[Tried]], sites: Sequence[site_table.Row], before: str = ""
) -> str:
    """`before` is the document as it is."""
    of_corpora = []
    for name, tried in corpora.items():
        of_corpora += [f"### {name}", "", *(by_kind(tried) if tried else kept(before, name))]
    return TEXT.format(
        seeds=", ".join(map(str, SEEDS)),
        validated="\n".join(by_kind(sim)),
        tried=f"{TRIED:,}",
        on_web="\n".join(by_kind(sim, of_web=True)),
        corpora="\n".join(of_corpora),
        learned=OF_LEAF,
        learned_from=f"{site_table.LEARNED_FROM:,}",
        sites="\n".join(by_site(sites)),
    )


def with_validators(text: str, rows: Sequence[validator_table.Row]) -> str:
    """The document with these figures in its last section."""
    topics = list(dict.fromkeys(row.topic for row in rows))
    headings = ["model", *(f"{topic}, {name}" for topic in topics for name in ("precision", "recall", "F"))]
    lines = [[kind, *map(spread, found)] for kind, found in validator_table.columns(rows).items()]
    section = validator_table.TEXT.format(
        heading=validator_table.HEADING,
        seeds=", ".join(map(str, validator_table.SEEDS)),
        pages=round(mean(row.pages for row in rows) / 10) * 10,
        wanted=mean(row.wanted / row.pages for row in rows),
        of_shop=validator_table.OF_SHOP,
        things=validator_table.THINGS,
        table="\n".join(table(headings, lines)),
        learned=OF_LEAF,
    )
    return f"{text.partition(validator_table.HEADING)[0].rstrip()}\n\n{section}"


def validated(watch: Watch) -> list[validator_table.Row]:
    return [
        row
        for topic in validator_table.TOPICS
        for seed in validator_table.SEEDS
        for row in validator_table.measured(_settings(validator_table.WEB.format(seed=seed)), topic, seed, watch)
    ]


def only_validators() -> None:
    with Watch(Console(stderr=True)) as watch:
        rows = validated(watch)
    TARGET.write_text(with_validators(TARGET.read_text("utf-8"), rows), "utf-8")


def main() -> None:
    with Watch(Console(stderr=True)) as watch:
        sim = [one for topic in TOPICS for seed in SEEDS for one in embedded(topic, seed, watch)]
        corpora: dict[str, Sequence[Tried]] = {}
        for name, (file, topics) in CORPORA.items():
            corpora[name] = list(real(file, topics, watch)) if file.is_file() else []
        sites = []
        for number, topic in enumerate(site_table.TOPICS, 1):
            sites += site_table.measured(topic, site_table.SEEDS)
            watch("judging whole sites", number, len(site_table.TOPICS))
        rows = validated(watch)
    before = TARGET.read_text("utf-8") if TARGET.is_file() else ""
    TARGET.write_text(with_validators(document(sim, corpora, sites, before), rows), "utf-8")
    print(f"{TARGET.relative_to(ROOT)} was written")


if __name__ == "__main__":
    try:
        only_validators() if sys.argv[1:] == ["validators"] else main()
    except FocusedError as error:
        sys.exit(str(error))
