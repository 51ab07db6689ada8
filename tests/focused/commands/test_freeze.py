"""scrapy freeze"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from focused.commands.freeze import Command
from focused.robots import Robots
from focused.webs.warc import WarcWeb
from tests.focused.made_crawl import MadeCrawl, small_crawl, write_warc


def run(data: Path, *arguments: str) -> Command:
    command, parser = Command(), ArgumentParser()
    command.settings = Settings({"FOCUSED_DATA_DIR": str(data)})
    command.add_options(parser)
    options, rest = parser.parse_known_args(arguments)
    command.run(rest, options)
    return command


def recorded(folder: Path, uncommitted: bytes = b"") -> MadeCrawl:
    """A crawl with its WARC, and behind it something that was never committed."""
    crawl = small_crawl(folder)
    crawl.note(topic="cycling")
    write_warc(crawl)
    warc = folder / "pages.warc.gz"
    crawl.insert("output", name="pages.warc.gz", offset=warc.stat().st_size)
    with warc.open("ab") as more:
        more.write(uncommitted)
    return crawl


def test_a_frozen_crawl_has_its_pages_and_says_how_to_replay_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(tmp_path / "cycling").save()
    assert run(tmp_path, "cycling").exitcode == 0
    path = tmp_path / "cycling" / "frozen.warc.gz"
    said = capsys.readouterr().out
    assert said.startswith(f"{path}: 4 pages, robots.txt of 0 sites\n") and "noindex" not in said
    assert f"scrapy crawl topic -a topic=cycling -a web=warc:{path} -s FOCUSED_CRAWL=cycling-replay\n" in said
    assert f"scrapy compare cycling --web warc:{path}\n" in said
    web = WarcWeb(str(path))
    assert len(web) == 4 and not web.faults
    assert b"<title>3</title>" in web.fetch("http://b.example/one").body
    assert web.fetch("http://c.example/later").status == 404


def test_a_crawl_of_another_name_is_replayed_by_its_topic_and_from_its_seeds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The seeds of the topic `cycling` are on a simulated web: on the recording it would have none."""
    crawl = recorded(tmp_path / "first-try")
    crawl.note(seeds='["http://a.example/"]')
    crawl.save()
    assert run(tmp_path, "first-try").exitcode == 0
    said = capsys.readouterr().out
    assert "scrapy crawl topic -a topic=cycling -a web=" in said and "scrapy compare cycling --web" in said
    assert said.endswith('into a file of yours: seeds = ["http://a.example/"]\n')


def test_what_is_not_committed_stays_out(tmp_path: Path) -> None:
    recorded(tmp_path / "cycling", b"\x1f\x8b\x08 half a record of a running crawl").save()
    run(tmp_path, "cycling", "-o", str(tmp_path / "web.warc.gz"))
    web = WarcWeb(str(tmp_path / "web.warc.gz"))
    assert len(web) == 4 and not web.faults


def test_robots_txt_is_in_it_for_every_agent(tmp_path: Path) -> None:
    crawl = recorded(tmp_path / "cycling")
    crawl.site("a.example", robots_status=200, robots="User-agent: focused\nDisallow: /no\n", robots_until=1.0)
    crawl.site("b.example:8080", robots_status=None, robots="User-agent: focused\n", robots_until=1.0)
    crawl.site("c.example", robots_status=404, robots="User-agent: focused\n", robots_until=1.0)
    crawl.save()
    run(tmp_path, "cycling")
    web = WarcWeb(str(tmp_path / "cycling/frozen.warc.gz"))
    rules = web.fetch("https://a.example/robots.txt")
    for agent in ("focused", "other"):
        robots = Robots.parse(rules.status, rules.body, agent)
        assert robots.allows("http://a.example/yes") and not robots.allows("http://a.example/no/way")
    assert Robots.parse(web.fetch("http://b.example:8080/robots.txt").status, b"").is_unreachable
    assert [web.fetch(f"http://{host}.example/robots.txt").status for host in "cd"] == [404, 404]


def test_pages_that_asked_not_to_be_kept_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl = recorded(tmp_path / "cycling")
    crawl.fetched("http://b.example/secret", 0.9, outcome="noindex")
    crawl.save()
    run(tmp_path, "cycling")
    said = capsys.readouterr().out
    assert "4 pages" in said and "Not in it: 1 pages that asked not to be kept" in said


def test_a_crawl_without_pages_cannot_be_frozen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    MadeCrawl(tmp_path / "empty").save()
    assert run(tmp_path, "empty").exitcode == 1
    assert "has no pages yet" in capsys.readouterr().err
    assert not list((tmp_path / "empty").glob("*.warc*"))


def test_a_recording_that_was_cut_afterwards_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(tmp_path / "cycling").save()
    warc = tmp_path / "cycling/pages.warc.gz"
    warc.write_bytes(warc.read_bytes()[:-5])
    (tmp_path / "cycling/frozen.warc.gz").write_bytes(b"an earlier one")
    assert run(tmp_path, "cycling").exitcode == 1
    assert "pages.warc.gz is not as long as the crawl says" in capsys.readouterr().err
    assert (tmp_path / "cycling/frozen.warc.gz").read_bytes() == b"an earlier one"


@pytest.mark.parametrize("name", ["pages.warc.gz", "crawl.db"])
def test_the_files_of_the_crawl_are_never_written_over(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(tmp_path / "cycling").save()
    before = (tmp_path / "cycling" / name).read_bytes()
    assert run(tmp_path, "cycling", "-o", str(tmp_path / "cycling" / "." / name)).exitcode == 1
    assert "belongs to the crawl itself" in capsys.readouterr().err
    assert (tmp_path / "cycling" / name).read_bytes() == before


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(tmp_path / "cycling").save()
    assert run(tmp_path, "cycling", "-o", str(tmp_path / "nowhere" / "x.warc.gz")).exitcode == 1
    assert "cannot be written" in capsys.readouterr().err


def test_freezing_needs_one_topic_and_a_crawl_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError):
        run(tmp_path)
    assert run(tmp_path, "sailing").exitcode == 1
    assert capsys.readouterr().err.startswith("No crawl 'sailing'")
