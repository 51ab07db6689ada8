"""The tables of the models: what is measured, on a small scale, and how it is written down."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from rich.console import Console

from focused.page import PageReader
from focused.training.watching import Watch
from focused.webs import open_web
from focused.webs.pages import PagesWeb
from focused.webs.simulated.web import SimWeb
from models.text import Vocabulary
from scripts import model_table, site_table, validator_table

WEB = "sim:small,seed={seed},pages=2000"


def visitor(seed: int = 1) -> site_table.Visitor:
    web = open_web(WEB.format(seed=seed))
    assert isinstance(web, SimWeb)
    return site_table.Visitor(web, PageReader(Vocabulary()))


def test_first_pages_are_of_the_site_and_breadth_first() -> None:
    reads = visitor()
    walks = ((home, list(reads.first_pages(home, 25))) for home, _ in reads.web.sites())
    home, pages = next((home, pages) for home, pages in walks if len(pages) == 25)
    assert {page.url.split("/")[2] for page in pages} == {home.split("/")[2]}
    depth = {pages[0].url: 0}
    for page in pages:
        for url in site_table.inside(page):
            depth.setdefault(url, depth.get(page.url, 0) + 1)
    depths = [depth.get(page.url, 99) for page in pages]
    assert [d for d in depths if d < 99] == sorted(d for d in depths if d < 99)


def test_sample_of_sites_is_the_same_for_the_same_web_and_has_both_kinds() -> None:
    first, second = (site_table.sites_of(visitor().web, "home/cooking") for _ in range(2))
    assert first == second
    assert {site.is_good for site in first} == {True, False}


def test_reading_a_site_stops_when_it_is_decided_and_costs_what_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.examples.simulated.SITES_OF_TOPIC", 12)
    monkeypatch.setattr("focused.examples.simulated.SITES_OF_OTHERS", 24)
    (row,) = site_table.measured("home/cooking", [1], WEB)
    assert 1 <= row.pages_per_site < 25
    assert 0.01 <= row.p_err <= 0.49
    assert row.website[2] > 0.5
    assert row.good_sites == 12


def test_a_topic_has_the_threshold_that_the_paper_gives_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.examples.simulated.SITES_OF_TOPIC", 6)
    monkeypatch.setattr("focused.examples.simulated.SITES_OF_OTHERS", 6)
    monkeypatch.setattr(site_table, "SITE_PAGES", 5)
    pages = []
    for p_threshold in (0.9, 0.6):
        monkeypatch.setitem(site_table.PAPERS_P_THRESHOLD, "home/cooking", p_threshold)
        pages += [row.pages_per_site for row in site_table.measured("home/cooking", [1], WEB)]
    assert pages[1] < pages[0]  # who asks for less certainty is sooner sure


def test_embedded_web_is_tried_on_pages_nobody_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_table, "KINDS", ("naive_bayes",))
    monkeypatch.setattr(model_table, "TRIED", 200)
    monkeypatch.setattr("focused.examples.simulated.OF_LEAF", 40)
    (found,) = model_table.embedded("cycling", 1, Watch(Console(quiet=True)))
    assert (found.kind, found.topic) == ("naive_bayes", "cycling")
    assert found.f > 0.8
    assert found.f_web is not None


def test_corpus_gives_pages_of_the_topic_and_of_others(tmp_path: Path) -> None:
    rows = [
        {"url": f"https://s{n % 9}.org/{n}", "html": f"<p>word{n} text", "labels": ["A/B" if n % 4 == 0 else f"C/{n}"]}
        for n in range(200)
    ]
    file = tmp_path / "pages.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(json.dumps(row) for row in rows).encode()))
    found = model_table.of_corpus(PagesWeb(str(file)), "A", PageReader(Vocabulary()))
    assert {label[0] for label in found.counts()} == {"A", "C"}
    assert found.counts()["A"] > 1
    assert found.is_good("A")
    assert max(sum(page.site == f"s{n}.org" for page in found.pages) for n in range(9)) == model_table.OF_SITE


def test_document_says_what_is_missing(tmp_path: Path) -> None:
    tried = [model_table.Tried(kind, "cycling", 0.9, 0.8) for kind in model_table.KINDS for _ in range(2)]
    sites = [
        site_table.Row(topic, seed, 0.1, (0.5, 0.5, 0.5), (0.9, 0.9, 0.9), 6.0, 30 + seed)
        for topic in site_table.TOPICS
        for seed in (1, 2)
    ]
    text = model_table.document(tried, {"Schools": [], "Debian": tried}, sites)
    assert "### Schools\n\nNot measured: the corpus is not there." in text
    assert "| `svm` | .900 ± .000 | .900 |" in text
    assert "| `svm` | .800 ± .000 | .800 |" in text
    assert "| animals/horses | .500 ± .000 | .900 ± .000 | .400 ± .000 | 6.0 | 0.10 | 31 32 |" in text


def test_table_of_a_corpus_that_is_gone_stays() -> None:
    tried = [model_table.Tried(kind, "cycling", 0.9, 0.8) for kind in model_table.KINDS]
    sites = [site_table.Row(topic, 1, 0.1, (0.5, 0.5, 0.5), (0.9, 0.9, 0.9), 6.0, 35) for topic in site_table.TOPICS]
    before = model_table.document(tried, {"Schools": tried, "Debian": []}, sites)
    after = model_table.document(tried, {"Schools": [], "Debian": []}, sites, before)
    assert "### Schools\n\nAs measured before: the corpus is not there now.\n\n| model | cycling |" in after
    assert after.count("| `svm` | .900 | .900 |") == before.count("| `svm` | .900 | .900 |")
    assert "### Debian\n\nNot measured: the corpus is not there." in after
    assert model_table.document(tried, {"Schools": [], "Debian": []}, sites, after) == after


def test_validators_are_tried_on_things_and_on_what_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validator_table, "OF_SHOP", 20)
    monkeypatch.setattr(validator_table, "THINGS", 5)
    monkeypatch.setattr("focused.examples.simulated.OF_LEAF", 20)
    settings = model_table._settings(validator_table.WEB.format(seed=1))
    table, text, by_shops = validator_table.measured(settings, "cameras", 1, Watch(Console(quiet=True)))
    assert (table.kind, text.kind, table.topic) == ("`table`", "`text`", "cameras")
    assert table.pages == text.pages > 6 * 20 and 6 * 5 <= table.wanted < 0.6 * table.pages
    assert table.f > 0.9 and text.recall > 0.9 > text.precision  # what it knows of shops are the things
    assert by_shops.precision > text.precision


def test_validators_have_the_last_section_and_the_rest_stays() -> None:
    rows = [validator_table.Row(kind, "cameras", 0.5, 1.0, 0.7, 40, 96) for kind in ("`table`", "`text`")]
    once = model_table.with_validators("# Models\n\n| `svm` | .9 |\n", rows)
    assert once.startswith("# Models\n\n| `svm` | .9 |\n\n## Validators (`sim:catalogue`, seeds 1, 2, 3)\n")
    assert "| model | cameras, precision | cameras, recall | cameras, F |" in once
    assert "| `text` | .500 | 1.000 | .700 |" in once
    assert model_table.with_validators(once, rows) == once
