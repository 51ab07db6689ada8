"""scrapy judge: what the model says of files, of standard input and of URLs."""

from __future__ import annotations

import io
from argparse import ArgumentParser
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.utils.project import get_project_settings

from focused.commands.judge import Command
from focused.webs import open_web
from focused.webs.simulated.web import SimWeb
from tests.focused.commands.test_train import pages
from tests.rig.plan import Shape
from tests.rig.run import QUICK
from tests.rig.web import LoopbackWeb

WEB = "sim:small,seed=1,pages=500"


def run(*words: str, **settings: object) -> Command:
    command, parser = Command(), ArgumentParser()
    command.settings = get_project_settings()
    command.settings.update(settings, priority="cmdline")
    command.add_options(parser)
    options, rest = parser.parse_known_args(words)
    command.run(rest, options)
    return command


def test_files_and_standard_input_are_judged_with_the_words_that_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = pages(tmp_path)
    (tmp_path / "page.html").write_text(
        "<title>My bicycle</title>" + "<p>wheel chain pedal bicycle race saddle tour" * 2
    )
    (tmp_path / "empty.html").write_text("")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"<p>a garden of roses")))
    names = (str(tmp_path / "page.html"), str(tmp_path / "empty.html"), "-")
    assert run(str(topic), *names, "--data-dir", str(tmp_path / "crawls")).exitcode == 0
    page, empty, stdin, _ = capsys.readouterr().out.split("\n\n")
    assert f"{tmp_path}/page.html: My bicycle\n  relevance  " in page
    assert ", relevant (threshold 0.5)\n  class      relevant 1.000\n  words      " in page
    assert "bicycle +" in page
    assert empty == f"{tmp_path}/empty.html: empty\n  relevance  0, not relevant"
    assert stdin.startswith("standard input: (no title)\n  relevance  ")
    assert ", not relevant" in stdin
    assert "thin       too few known words to judge by" in stdin


def test_urls_come_from_the_frozen_web_with_their_place_in_the_taxonomy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    web = open_web(WEB)
    assert isinstance(web, SimWeb)
    url = next(url for url in web.pages_of("science/astronomy") if url.endswith(".html"))
    (tmp_path / "topic.toml").write_text(
        'query = "x"\n[sim]\ntopic = "science/astronomy"\n[model]\nkind = "taxonomy"\n'
    )
    command = run(str(tmp_path), url, "http://nobody.example/", "--web", WEB, "--data-dir", str(tmp_path))
    out, err = capsys.readouterr()
    assert f"{url}: " in out
    assert "  class      science 0.9" in out or "  class      science 1.0" in out
    assert " > science/astronomy " in out
    assert "good\n  words " in out
    assert err == "http://nobody.example/: not fetched (http_404)\n"
    assert command.exitcode == 1


def test_urls_of_the_real_web_are_fetched_with_its_manners(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    topic = pages(tmp_path)
    with LoopbackWeb(Shape(pages=10, sites=2, robots="User-agent: *\nDisallow: /p/\n")) as web:
        home, forbidden = web.url(0), web.url(5)
        words = (str(topic), home, forbidden, "http://10.0.0.1/", "--data-dir", str(tmp_path / "crawls"))
        command = run(*words, **QUICK | {"ROBOTSTXT_OBEY": 1})
        assert web.asked() == {home: 1}
    out, err = capsys.readouterr()
    assert f"{home}: " in out
    assert "relevance" in out
    assert f"{forbidden}: not fetched (robots)\n" in err
    assert "http://10.0.0.1/: not fetched (egress)\n" in err
    assert command.exitcode == 1


def test_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = run("cycling", "nowhere.html", "--data-dir", str(tmp_path))
    assert capsys.readouterr().err == "nowhere.html: cannot be read (No such file or directory)\n"
    assert command.exitcode == 1


def test_command_needs_a_topic_and_a_page() -> None:
    with pytest.raises(UsageError, match="scrapy judge cycling"):
        run("cycling")
