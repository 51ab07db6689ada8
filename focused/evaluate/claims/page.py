"""The claims as a page of the documentation: docs/claims.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from focused.evaluate.claims.checks import ERRORS, LITTLE
from focused.evaluate.claims.claim import Paper, Results, Setup
from focused.evaluate.claims.curves import curves
from focused.evaluate.claims.verdicts import FAILS, HOLDS, MISSING, NOT_RUN, Verdict

HEAD = """# What the papers claim, and what comes out here

Written by `make claims`; do not edit it. Each section says when it was tried, and by which code.

{counts}

Each claim is tried on simulated webs ([simulated-web.md](simulated-web.md)) of at least {seeds} seeds, which are made
once and never fitted to a claim; only directions can be tested this way, not the printed numbers. Crawls run in strict
order and are paired: the same topic, web and seed pages. *A is more than B* if the mean of the paired differences is
above zero by more than {errors:g} standard errors (± is one standard error of a difference, one standard deviation of
anything else); *alike* means not so, either way, or a difference below {little:.0%} of the larger mean. A claim holds
if all that is asked of it does.
"""

STATUSES = (HOLDS, FAILS, MISSING, NOT_RUN)
_STATUS = re.compile(rf"\| \*{{0,2}}({'|'.join(STATUSES)})\*{{0,2}} \|$", re.MULTILINE)  # the last cell of a row


class Making(NamedTuple):
    """What a page is made with besides its verdicts."""

    remarks: Mapping[str, str]
    made: str  # when, and by which code
    results: Results
    before: str = ""  # the page as it was


def page(papers: Sequence[Paper], verdicts: Sequence[Verdict], making: Making) -> str:
    """A paper of which some claim was not run keeps the section that it had, with the code that this was tried by."""
    known = {verdict.claim.id: verdict for verdict in verdicts}
    old = sections_of(making.before)
    sections = []
    for paper in papers:
        own = [known[claim.id] for claim in paper.claims]
        is_whole = all(verdict.status != NOT_RUN for verdict in own)
        kept = "" if is_whole else old.get(paper.title, "")
        sections.append(kept or _section(paper, own, making))
    seeds = min(study.setup.seeds for verdict in verdicts for study in verdict.claim.studies)
    told = counts(status for section in sections for status in _STATUS.findall(section))
    return "\n".join([HEAD.format(counts=told, seeds=seeds, errors=ERRORS, little=LITTLE), *sections])


def sections_of(text: str) -> dict[str, str]:
    """Of such a page, by the titles of the papers."""
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0].removeprefix("## "): f"{part.rstrip()}\n" for part in parts}


def counts(statuses: Iterable[str]) -> str:
    """How many of each kind."""
    found = Counter(statuses)
    shown = [f"{status}: {found[status]}" for status in STATUSES if found[status]]
    return f"{sum(found.values())} claims; {', '.join(shown)}."


def _section(paper: Paper, verdicts: Sequence[Verdict], making: Making) -> str:
    setups = dict.fromkeys(study.setup for verdict in verdicts for study in verdict.claim.studies)
    tried = "\n".join(f"- {_tried(setup)}" for setup in setups)
    rows = "\n".join(_row(verdict, making.remarks.get(verdict.claim.id, "")) for verdict in verdicts)
    head = "| | claim | here | verdict |\n|---|---|---|---|"
    drawn = curves(dict.fromkeys(study for claim in paper.claims for study in claim.studies), making.results)
    return f"## {paper.title}\n\n{paper.differs}\n\nTried {making.made}:\n\n{tried}\n\n{head}\n{rows}\n{drawn}"


def _tried(setup: Setup) -> str:
    starts = f", {', '.join(setup.far)} from far seeds" if setup.far else ""
    fewer = f", a quarter of the {setup.fewer} pages to learn from" if setup.fewer else ""
    twice = ", two crawls a web from disjoint seeds" if setup.pairs else ""
    twice += ", all seeds on the topic" if setup.screened else ""
    webs = f"`{setup.web}`, seeds 1 to {setup.seeds}"
    lines = setup.model.replace("\n", " ")
    model = f"`{lines}`" if lines else "the topics' own models"
    model += f", learned from whole {setup.examples}" if setup.examples else ""
    settings = "".join(f"; `{setting}`" for setting in setup.settings)
    return f"{webs}: {', '.join(setup.topics)}{starts}{twice}{fewer}; {setup.pages:,} pages; {model}{settings}"


def _row(verdict: Verdict, remark: str) -> str:
    says = f"{verdict.claim.says} ({verdict.claim.where})"
    status = f"**{verdict.status}**" if verdict.status in (HOLDS, FAILS) else verdict.status
    numbers = f"{verdict.numbers} — {remark}" if remark and verdict.numbers else verdict.numbers or remark
    cells = (verdict.claim.id, says, numbers, status)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
