"""The claims as a page of the documentation: docs/claims.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from focused.evaluate.claims.checks import ERRORS, LITTLE
from focused.evaluate.claims.claim import Paper, Results, Setup
from focused.evaluate.claims.curves import curves
from focused.evaluate.claims.verdicts import FAILS, HOLDS, MISSING, NOT_RUN, Verdict

HEAD = """# What the papers claim, and what comes out here

Written by `make claims`; do not edit it. {made}.

{counts}

Each claim is tried on simulated webs ([simulated-web.md](simulated-web.md)) of at least {seeds} seeds, which are made
once and never fitted to a claim; only directions can be tested this way, not the printed numbers. Crawls run in strict
order and are paired: the same topic, web and seed pages. *A is more than B* if the mean of the paired differences is
above zero by more than {errors:g} standard errors (± is one standard error of a difference, one standard deviation of
anything else); *alike* means not so, either way, or a difference below {little:.0%} of the larger mean. A claim holds
if all that is asked of it does.
"""


def page(
    papers: Sequence[Paper], verdicts: Sequence[Verdict], remarks: Mapping[str, str], made: str, results: Results
) -> str:
    known = {verdict.claim.id: verdict for verdict in verdicts}
    seeds = min(study.setup.seeds for verdict in verdicts for study in verdict.claim.studies)
    parts = [HEAD.format(made=made, counts=counts(verdicts), seeds=seeds, errors=ERRORS, little=LITTLE)]
    for paper in papers:
        studies = dict.fromkeys(study for claim in paper.claims for study in claim.studies)
        told = _section(paper, [known[claim.id] for claim in paper.claims], remarks)
        parts.append(told + curves(studies, results))
    return "\n".join(parts)


def counts(verdicts: Iterable[Verdict]) -> str:
    """How many of each kind."""
    found = Counter(verdict.status for verdict in verdicts)
    shown = [f"{status}: {found[status]}" for status in (HOLDS, FAILS, MISSING, NOT_RUN) if found[status]]
    return f"{sum(found.values())} claims; {', '.join(shown)}."


def _section(paper: Paper, verdicts: Sequence[Verdict], remarks: Mapping[str, str]) -> str:
    setups = dict.fromkeys(study.setup for verdict in verdicts for study in verdict.claim.studies)
    tried = "\n".join(f"- {_tried(setup)}" for setup in setups)
    rows = "\n".join(_row(verdict, remarks.get(verdict.claim.id, "")) for verdict in verdicts)
    head = "| | claim | here | verdict |\n|---|---|---|---|"
    return f"## {paper.title}\n\n{paper.differs}\n\n{tried}\n\n{head}\n{rows}\n"


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
