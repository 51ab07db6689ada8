"""The curves of the thesis as a table — Batsakis 2007, §4.3 to §4.6: each way to crawl, averaged over its topics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from focused.evaluate.claims.checks import short
from focused.evaluate.claims.claim import Results, Study
from focused.evaluate.claims.outcome import Outcome
from focused.evaluate.curves import HEADING, Values, at_shares, mean_curve
from focused.evaluate.metrics import similar

SERIES: Mapping[str, Callable[[Outcome], Values]] = {
    "harvest": lambda outcome: outcome.found,
    "harvest by similarity above 0.75": lambda outcome: similar(outcome.likeness),
    "average similarity": lambda outcome: outcome.likeness,
}


def curves(studies: Iterable[Study], results: Results) -> str:
    """Of those whose pages were compared with known ones, as the thesis does; nothing if there are none."""
    shown = [study for study in studies if study.setup.likeness and study in results]
    if not shown:
        return ""
    lines = [["", *SERIES], ["---"] * (len(SERIES) + 1), *(_row(study, results) for study in shown)]
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return f"\nMean over the topics, {HEADING}:\n\n{table}"


def _row(study: Study, results: Results) -> list[str]:
    return [short(study), *(_points(study, results, values) for values in SERIES.values())]


def _points(study: Study, results: Results, values: Callable[[Outcome], Values]) -> str:
    crawls: dict[str, list[Values]] = {topic: [] for topic in study.setup.topics}
    for (topic, _), outcome in results[study].items():
        crawls[topic].append(values(outcome))
    topics: Sequence[list[Values]] = list(crawls.values())
    return ", ".join(f"{point:.3f}" for point in at_shares(mean_curve(topics, study.setup.pages)))
