"""What became of each claim."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import NamedTuple

from focused.errors import TopicError
from focused.evaluate.claims import batsakis, chakrabarti, ester, tsoi, xcrawl
from focused.evaluate.claims.claim import Claim, Paper, Results, Study
from focused.evaluate.runs import entries_of
from focused.topic import Topic

PAPERS: Sequence[Paper] = (ester.PAPER, xcrawl.PAPER, tsoi.PAPER, batsakis.PAPER, chakrabarti.PAPER)
HOLDS, FAILS, MISSING, NOT_RUN = "holds", "does not hold", "not yet measurable", "not run with this version"


class Verdict(NamedTuple):
    claim: Claim
    status: str
    numbers: str


@dataclass(slots=True, frozen=True)
class Inventory:
    """What there is to run: names of orderings and of models."""

    orderings: Collection[str]
    models: Collection[str]

    def lacks(self, study: Study) -> str:
        """What a study needs and is not there; empty if all is."""
        ordering = entries_of(study.ordering)[0].ordering
        if ordering not in self.orderings:
            return f"ordering {ordering} does not exist"
        kind = tomllib.loads(study.setup.model.replace("{topic}", "")).get("model", {}).get("kind", "")
        if kind and kind not in self.models:
            return f"model {kind} does not exist"
        unknown = [topic for topic in study.setup.topics if not _exists(topic)]
        return f"topic {unknown[0]} does not exist" if unknown else ""

    def lacking(self, claim: Claim) -> str:
        return claim.missing or next(filter(None, map(self.lacks, claim.studies)), "")


def _exists(topic: str) -> bool:
    try:
        return bool(Topic.load(topic).sim.get("topic"))
    except TopicError:
        return False


def verdict_of(claim: Claim, results: Results, inventory: Inventory) -> Verdict:
    if claim.given:
        return Verdict(claim, HOLDS, claim.given)
    if lacking := inventory.lacking(claim):
        return Verdict(claim, MISSING, lacking)
    if any(study not in results for study in claim.studies):
        return Verdict(claim, NOT_RUN, "")
    findings = [check.look(results) for check in claim.checks]
    numbers = "; ".join(f"{found.numbers}{'' if found.holds or len(findings) == 1 else ': no'}" for found in findings)
    return Verdict(claim, HOLDS if all(found.holds for found in findings) else FAILS, numbers)


def chosen(only: str) -> list[Claim]:
    """The claims whose ids begin with one of the names in "W,B2", all if there is none."""
    names = tuple(name.strip() for name in only.split(",") if name.strip()) or ("",)
    return [claim for paper in PAPERS for claim in paper.claims if claim.id.startswith(names)]


def remarks() -> Mapping[str, str]:
    """What a person has to say of a claim, by its id: why it does not hold here, most of all."""
    text = resources.files("focused.evaluate.claims").joinpath("remarks.toml").read_text("utf-8")
    found: Mapping[str, str] = tomllib.loads(text)
    return found
