"""The table of all orderings as a page of the documentation: docs/compare.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from statistics import fmean

from focused.evaluate.curves import HEADING, SHARES, at_shares
from focused.evaluate.standings import Standing, mean_harvest
from focused.evaluate.wording import clean
from focused.topic import name_of

HEAD = """# Orderings on the same webs

Written by `scrapy standings`; do not edit it. {made}.

Area under the harvest curve as a share of the oracle's, mean ± standard deviation over {seeds} seed sets, of {pages}
pages of a crawl; strict order, each ordering with its defaults. The oracle knows which pages are relevant but may only
follow links it has found; what is relevant is said by the web itself. **Bold**: the best, and what two standard errors
of the paired differences do not tell from it. No constant was fitted to these topics; those of `adaptive` were tried on
others of the same webs ([adaptive.md](adaptive.md)). What `hmm` learns from is the browsing of a simulated reader, who
sees the web of another seed or, on a real web, only pages that no chain of links leads to from the seeds: nothing of it
can be found.
"""
NOTES = "\nCrawls that failed, and are not in these means: {}.\n"


def page(standings: Sequence[Standing], skipped: Sequence[str], made: str, champion: str = "") -> str:
    """`champion` is set against the best of the others on each topic, if one is named."""
    lengths = sorted({standing.pages for standing in standings}, reverse=True)
    told = " and of the first ".join(f"{pages:,}" for pages in lengths)
    parts = [HEAD.format(made=made, seeds=len(standings[0].prospects), pages=told)]
    for pages in lengths:
        fields = [standing for standing in standings if standing.pages == pages]
        parts += [_section(web, list(group)) for web, group in groupby(fields, key=lambda standing: standing.at.web)]
        parts += [_overall(fields), _curves(fields), _against(champion, fields) if champion else ""]
    parts += [f"\n{sentence}\n" for sentence in skipped]
    return "".join(parts)


def _section(web: str, fields: Sequence[Standing]) -> str:
    names = [name_of(standing.at.topic) for standing in fields]
    means = {name: [standing.stat(name).mean for standing in fields] for name in fields[0].areas}
    order = sorted(means, key=lambda name: (-fmean(mean or 0.0 for mean in means[name]), name))
    rows = [[f"`{name}`", *(_cell(standing, name) for standing in fields)] for name in order]
    facts = [
        ["*pages within reach*", *(f"{standing.mean_of(lambda seen: seen.reachable):,.0f}" for standing in fields)],
        ["*of them relevant*", *(f"{standing.mean_of(lambda seen: seen.relevant):,.0f}" for standing in fields)],
    ]
    why = {name: reason for name, at in zip(names, fields, strict=True) if (reason := at.not_discriminating())}
    heads = [f"{name} (not discriminating)" if name in why else name for name in names]
    told = "".join(f"\n{name} does not discriminate: {reason}.\n" for name, reason in why.items())
    head = f"\n## `{_shown(web)}`, {fields[0].pages:,} pages\n\n"
    return f"{head}{_table(['', *heads], [*facts, *rows])}{told}{_failures(fields)}"


def _overall(standings: Sequence[Standing]) -> str:
    """The mean over all topics, for orderings that ran on each."""
    names = [name for name in standings[0].areas if all(_mean(standing, name) is not None for standing in standings)]
    means = {name: fmean(_mean(standing, name) or 0.0 for standing in standings) for name in names}
    rows = [[f"`{name}`", f"{means[name]:.3f}"] for name in sorted(means, key=lambda name: (-means[name], name))]
    return f"\n## Over all {len(standings)} topics, {standings[0].pages:,} pages\n\n{_table(['', 'mean'], rows)}"


def _curves(standings: Sequence[Standing]) -> str:
    """How the harvest of each goes, as a mean over the topics."""
    names = [name for name in standings[0].found if all(standing.found.get(name) for standing in standings)]
    points = {name: at_shares(mean_harvest(standings, name)) for name in names}
    order = sorted(points, key=lambda name: (-points[name][-1], name))
    rows = [[f"`{name}`", *(f"{point:.3f}" for point in points[name])] for name in order]
    heads = ["", *(f"{share:.0%}" for share in SHARES)]
    return f"\nHarvest, mean over the topics, {HEADING}:\n\n{_table(heads, rows)}" if rows else ""


def _against(champion: str, standings: Sequence[Standing]) -> str:
    """One ordering beside the best of the others on each topic, the best of them known only afterwards."""
    rows = []
    for standing in standings:
        means = {name: mean for name in standing.areas if (mean := _mean(standing, name)) is not None}
        mine = means.pop(champion, None)
        best = max(means, key=lambda name: means[name], default=None)
        between = standing.between(champion, best) if best is not None and mine is not None else None
        if between is not None:
            at = name_of(standing.at.topic) + (" (not discriminating)" if standing.not_discriminating() else "")
            rows.append(
                [at, f"{mine:.3f}", f"{means[str(best)]:.3f} `{best}`", f"{between.mean:+.3f} ± {between.error:.3f}"]
            )
    heads = ["", f"`{champion}`", "best of the others", "difference ± standard error"]
    return f"\n## `{champion}` beside the best of the others, {standings[0].pages:,} pages\n\n{_table(heads, rows)}"


def _mean(standing: Standing, name: str) -> float | None:
    return standing.stat(name).mean if name in standing.areas else None


def _cell(standing: Standing, name: str) -> str:
    stat = standing.stat(name)
    if stat.mean is None or stat.sd is None:
        return "–"
    shown = f"{stat.mean:.3f} ± {stat.sd:.3f}"
    return f"**{shown}**" if name in standing.best else shown


def _failures(fields: Sequence[Standing]) -> str:
    errors: Mapping[str, str] = {name: error for standing in fields for name, error in standing.errors.items()}
    lost = {name: sum(standing.areas[name].count(None) for standing in fields) for name in errors}
    named = [f"`{name}`, {lost[name]} ({clean(error.partition(' (status')[0])})" for name, error in errors.items()]
    return NOTES.format("; ".join(named)) if named else ""


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _shown(web: str) -> str:
    """A web by its name, without the folder of a file."""
    kind, _, rest = web.partition(":")
    return f"{kind}:{Path(rest).name}"
