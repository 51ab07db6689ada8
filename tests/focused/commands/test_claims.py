"""scrapy claims: real crawls of a small claim, kept, told, and written down."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.utils.project import get_project_settings

from focused.commands.claims import Command
from focused.evaluate.archive import Archive
from focused.evaluate.claims import verdicts
from focused.evaluate.claims.claim import Claim
from focused.evaluate.claims.trials import Trials, trials_of
from focused.evaluate.claims.verdicts import FAILS, HOLDS, MISSING, NOT_RUN, PAPERS, Inventory, chosen, verdict_of
from tests.focused.evaluate.claims.made import BEST, BREADTH, PAPER, SMALL

SETTINGS = get_project_settings()


def options(folder: Path, *words: str) -> Namespace:
    parser, command = ArgumentParser(), Command()
    command.settings = SETTINGS
    command.add_options(parser)
    return parser.parse_args(["--cache", str(folder / "cache"), "-o", str(folder / "claims.md"), *words])


def run(folder: Path, *words: str) -> int:
    command = Command()
    command.settings = SETTINGS
    command.run([], options(folder, *words))
    return command.exitcode


@pytest.fixture(autouse=True)
def one_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "PAPERS", (PAPER,))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("claims")


def test_a_claim_is_tried_and_written_down(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder) == 0
    said = capsys.readouterr()
    assert "4 claims; " in said.out and len(said.err.splitlines()) == 4  # a line a crawl
    assert "T2\tnot yet measurable\tSo does magic." in said.out
    text = (folder / "claims.md").read_text()
    assert (
        "## A paper of our own\n\nNothing differs.\n\nTried 20" in text
        and ":\n\n- `sim:small,pages=1000`, seeds 1 to 2: cycling; 40 pages" in text
    )
    assert (
        "| T1 | Best-first finds more than breadth-first. (§1) | harvest: best_first 0." in text and "2 pairs)" in text
    )
    assert "| T2 | So does magic. (§2) | ordering magic does not exist | not yet measurable |" in text
    assert "| T3 | Water is wet. (§3) | by construction | **holds** |" in text
    assert "| T4 | It is quick. (§4) | a watch | not yet measurable |" in text
    curves = text.partition("Mean over the topics, after 10, 25, 50 and 100 % of the pages:\n\n")[2]
    assert curves.startswith("|  | harvest | harvest by similarity above 0.75 | average similarity |\n")
    harvest = text.partition("harvest: best_first ")[2][:5]
    assert f", {harvest} | " in curves.partition("| best_first | ")[2].splitlines()[0]  # it ends where the claim looks


def test_the_second_time_nothing_is_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (folder / "claims.md").read_text()
    assert run(folder) == 0 and capsys.readouterr().err == ""
    assert (folder / "claims.md").read_text() == before


def test_what_was_measured(folder: Path) -> None:
    results = Trials(Archive.of(folder / "cache", SETTINGS), folder / "cache").known([BEST, BREADTH])
    for outcome in results[BEST].values():
        assert len(outcome.found) == len(outcome.likeness) == len(outcome.run.relevance) == SMALL.pages
        assert outcome.run.depths[0] == 0 and max(outcome.run.depths) > 0
        assert 0.01 < outcome.base_rate < 0.2  # one of 17 topics
        assert sum(outcome.found) > 3 and outcome.websites and set(outcome.websites) <= set(outcome.sites)
        on, off = (
            [like for like, yes in zip(outcome.likeness, outcome.found, strict=True) if yes is is_on]
            for is_on in (True, False)
        )
        assert sum(on) / len(on) > sum(off) / len(off)  # pages on the topic are like pages on the topic


def test_other_code_or_arguments_are_other_crawls(folder: Path) -> None:
    archive = Archive.of(folder / "cache", SETTINGS)
    trials = Trials(archive, folder / "cache")
    plan, job = trials.task_of(trials_of(BEST)[0])
    assert archive.get((plan, job)) is not None
    assert archive.get((plan, job._replace(seed=7))) is None
    changed = Archive(archive.shelf, archive.orderings, archive.models, {**archive.settings, "FOCUSED_MAX_LINKS": 9})
    assert changed.get((plan, job)) is None
    moved = Archive(
        archive.shelf, {"best_first": "focused.orderings.breadth_first.X"}, archive.models, archive.settings
    )
    assert moved.get((plan, job)) is None


def test_a_crawl_that_fails_is_told_and_tried_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trials = Trials(Archive.of(tmp_path / "cache", SETTINGS), tmp_path / "cache")
    broken = BEST._replace(ordering="best_first:on=nose")
    trials.run(trials_of(broken)[:1], lambda trial, run: None)
    assert len(trials.errors) == 1 and "on=nose is not known" in trials.errors[0]
    assert len(trials.missing([broken])) == 2 and trials.known([broken]) == {}


def test_what_was_not_run_keeps_the_section_it_had(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "claims.md"
    assert run(tmp_path, "--dry") == 0 and f"| {NOT_RUN} |" in path.read_text()  # there was none yet
    old = "## A paper of our own\n\nTried long ago:\n\n| T1 | It is. (§1) | 0.5 | **holds** |\n"
    path.write_text(f"# Before\n\n{old}")
    assert run(tmp_path, "--dry") == 0
    text = path.read_text()
    assert text.endswith(f"\n{old}") and "# Before" not in text and "1 claims; holds: 1." in text


def test_nothing_is_run_when_only_looking(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "--dry") == 0
    assert f"T1\t{NOT_RUN}" in capsys.readouterr().out and not (tmp_path / "cache/runs").exists()


@pytest.mark.parametrize(
    ("words", "said"), [(["--only", "Q"], "--only Q names no claim"), (["--jobs", "0"], "--jobs 0 is below 1")]
)
def test_mistakes_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert run(tmp_path, *words) == 1
    assert said in capsys.readouterr().err and not (tmp_path / "claims.md").exists()


def test_no_words_besides_options() -> None:
    with pytest.raises(UsageError, match="--only"):
        Command().run(["W"], Namespace())


def test_an_interrupt_keeps_what_was_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Trials, "run", interrupt)
    assert run(tmp_path) == 130
    assert capsys.readouterr().err.startswith("Interrupted: what was finished is kept")


# --- the papers' own claims ------------------------------------------------------------------------------------

OF_PAPERS = [claim for paper in PAPERS for claim in paper.claims]


def test_every_claim_has_an_id_of_its_own_and_a_way_to_be_decided() -> None:
    assert len({claim.id for claim in OF_PAPERS}) == len(OF_PAPERS)
    for paper in PAPERS:
        assert all(claim.id.startswith(paper.letter) for claim in paper.claims)
    assert all(sum(map(bool, (claim.checks, claim.missing, claim.given))) == 1 for claim in OF_PAPERS)
    assert all(study.setup.seeds >= 5 for claim in OF_PAPERS for study in claim.studies)


def test_remarks_are_about_claims() -> None:
    assert set(verdicts.remarks()) <= {claim.id for claim in OF_PAPERS}


def test_claims_by_the_beginnings_of_their_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "PAPERS", PAPERS)
    assert len(chosen("")) == len(OF_PAPERS)
    assert {claim.id[0] for claim in chosen("W, B2")} == {"W", "B"} and len(chosen("B2")) == 3


def test_what_is_lacking_is_named() -> None:
    everything = Inventory(SETTINGS.getdict("FOCUSED_ORDERINGS"), SETTINGS.getdict("FOCUSED_MODELS"))
    assert everything.lacks(BEST) == ""
    assert Inventory(["breadth_first"], ["similarity"]).lacks(BEST) == "ordering best_first does not exist"
    assert Inventory(["best_first"], []).lacks(BEST) == "model similarity does not exist"
    strange = BEST._replace(setup=SMALL.__class__("sim:small", ("cyclnig",), 9, SMALL.model))
    assert everything.lacks(strange) == "topic cyclnig does not exist"


def test_verdicts(folder: Path) -> None:
    everything = Inventory(["best_first", "breadth_first"], ["similarity"])
    results = Trials(Archive.of(folder / "cache", SETTINGS), folder / "cache").known([BEST, BREADTH])
    statuses = [verdict_of(claim, results, everything).status for claim in PAPER.claims]
    assert statuses[0] in (HOLDS, FAILS) and statuses[1:] == [MISSING, HOLDS, MISSING]
    assert verdict_of(Claim("T5", "§5", "Both.", PAPER.claims[0].checks), {}, everything).status == NOT_RUN
