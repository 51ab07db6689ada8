"""The script that turns Debian's documentation packages into a web, on packages made here: nothing is downloaded."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from focused.webs.pages import PagesWeb

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not on this machine")

SITES = """package source docroot landing host base_url host_is_real topics
stars-doc stars ~/stars/html ~/stars/html/index.html stars.org https://stars.org/doc/ 1 astronomy,physics
sound-doc sound ~/sound ~/sound/start.htm sound.example https://sound.example/ 0 multimedia
gone-doc gone ~/gone ~/gone/index.html gone.example https://gone.example/ 0 games
"""
ALIASES = """url_prefix kind package docroot
stars.org/doc docs stars-doc ~/stars/html
stars.org/doc home stars-doc @
github.com/me/sound home sound-doc @
"""
PAGES = {
    "stars": {
        "html/real.html": '<title>Stars</title><a href="sub/a.html#x">A</a> <a href="../../sound/start.htm">sound</a>'
        '<a href="http://www.github.com/me/sound/issues">bugs</a> <a href="missing.html">no</a> <a href="http://x.org/">x</a>',
        "html/sub/a.html": '<a href="../index.html">up</a> <a href="file:///usr/share/doc/stars/html/b.html">B</a>',
        "html/b.html": "<p>caf\xe9</p><a href='a%20b.html'>spaced</a>",
        "html/a b.html": "last",
        "html/hidden.html": "only others lead here",
        "html/notes.txt": "not a page",
    },
    "sound": {
        "start.htm": '<meta http-equiv="Refresh" content="0; URL=more.html">'
        '<a href="https://stars.org/doc/hidden.html">secret</a><a href="https://stars.org/doc/nowhere.html">home</a>',
        "more.html": '<a href="mailto:x@y.z">me</a> <a href="">self</a> <a href="http://[bad">bad</a>',
    },
}


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import web_debian

    yield web_debian
    for name in [name for name in sys.modules if name == "web_debian" or name.startswith("debian_")]:
        del sys.modules[name]


def table(text: str, path: Path) -> Path:
    """Of words with blanks between them; ~ is where documentation is, @ nothing."""
    full = text.replace("~", "/usr/share/doc").replace("@", "")
    lines = ["\t".join(line.split(" ")) for line in full.splitlines()]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def package(name: str, folder: Path) -> Path:
    """A .deb with one symbolic link in it."""
    tree = folder / name
    (tree / "DEBIAN").mkdir(parents=True)
    control = f"Package: {name}-doc\nVersion: 1:2.0\nArchitecture: all\nMaintainer: x <x@y.z>\nDescription: x\n"
    (tree / "DEBIAN/control").write_text(control)
    for path, content in PAGES[name].items():
        file = tree / "usr/share/doc" / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode("latin-1"))
    if name == "stars":
        (tree / "usr/share/doc/stars/html/index.html").symlink_to("real.html")
    target = folder / f"{name}-doc_1%3a2.0_all.deb"
    subprocess.run(["dpkg-deb", "--build", str(tree), str(target)], check=True, capture_output=True)
    return target


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An apt that has two of the three packages; each call of it leaves a line in calls."""
    debs = [package(name, tmp_path) for name in PAGES]
    tools = tmp_path / "bin"
    tools.mkdir()
    shown = "".join(f"Package: {deb.name.partition('_')[0]}\nSize: {deb.stat().st_size}\n\n" for deb in debs)
    (tools / "apt-cache").write_text(f"#!/bin/sh\ncat <<'END'\n{shown}END\n")
    copy = f"for name; do test -e {tmp_path}/$name\\_* && cp {tmp_path}/$name\\_* .; done; true"
    get = f'echo "$@" >> {tmp_path}/calls\n{copy}'
    (tools / "apt-get").write_text(f"#!/bin/sh\n{get}\n")
    for tool in tools.iterdir():
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    return tmp_path


@pytest.fixture
def built(archive: Path, script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Builds the web; what it said and the file."""
    sites, aliases = table(SITES, archive / "sites.gz"), table(ALIASES, archive / "aliases.gz")
    read = script.debian_tables
    monkeypatch.setattr(script, "CACHE", archive / "cache")
    tables = SimpleNamespace(sites=lambda: read.sites(sites), aliases=lambda: read.aliases(aliases))
    monkeypatch.setattr(script, "debian_tables", tables)
    output = archive / "web.jsonl.gz"

    def build(*words: str) -> tuple[str, Path]:
        monkeypatch.setattr(sys, "argv", ["web_debian.py", "-o", str(output), *words])
        script.main()
        return " ".join(capsys.readouterr().out.split()), output

    return build


def lines(path: Path) -> dict[str, dict[str, Any]]:
    with gzip.open(path, "rt") as text:
        return {page["url"]: page for page in map(json.loads, text)}


def test_packages_become_sites_that_link_to_each_other(built: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    said, path = built()
    assert "2 sites, 7 pages, 9 links, 4 of them across sites" in said, said
    assert "left out: 1 packages (gone-doc" in said
    pages = lines(path)
    stars, sound = "https://stars.org/doc/", "https://sound.example/"
    assert list(pages) == [
        *(stars + name for name in ("real.html", "sub/a.html", "b.html", "a%20b.html", "hidden.html")),
        *(sound + name for name in ("start.htm", "more.html")),
    ]
    assert pages[f"{stars}real.html"]["links"] == [
        {"url": f"{stars}sub/a.html", "anchor": "A"},
        {"url": f"{sound}start.htm", "anchor": "sound"},
        {"url": f"{sound}start.htm", "anchor": "bugs"},
    ]
    assert [link["url"] for link in pages[f"{sound}start.htm"]["links"]] == [
        f"{sound}more.html",
        f"{stars}hidden.html",
        f"{stars}real.html",
    ]
    assert (
        pages[f"{stars}b.html"]["labels"] == ["astronomy", "physics"] and pages[f"{stars}real.html"]["title"] == "Stars"
    )


def test_the_web_replays_with_exactly_these_links(built: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, path = built()
    monkeypatch.chdir(path.parent)
    web = PagesWeb(str(path))
    assert len(web) == 7 and not web.faults
    body = web.fetch("https://stars.org/doc/real.html").body.decode()
    assert '<a href="https://sound.example/start.htm">sound</a>' in body and "<a>no</a>" in body and "<a>x</a>" in body
    assert "café" in web.fetch("https://stars.org/doc/b.html").body.decode()
    assert set(web.seeds("physics", 1, 0)) < set(lines(path))


def test_a_site_is_cut_at_its_cap_but_for_what_others_lead_to(built: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import debian_pages

    monkeypatch.setattr(debian_pages, "CAP", 2)
    said, path = built()
    stars = [url for url in lines(path) if "stars" in url]
    assert [url.rpartition("/")[2] for url in stars] == ["real.html", "a.html", "hidden.html"]
    assert "1 more lead to files that are left out" in said


def test_what_was_downloaded_and_unpacked_is_not_done_again(built: Any, archive: Path, script: Any) -> None:
    _, path = built()
    first, calls = path.read_bytes(), (archive / "calls").read_text()
    zips = {file: file.stat().st_mtime_ns for file in (archive / "cache/debian/html").iterdir()}
    assert len(zips) == 2
    _, path = built()
    assert path.read_bytes() == first and (archive / "calls").read_text() == calls
    assert {file: file.stat().st_mtime_ns for file in zips} == zips


def test_half_a_package_is_downloaded_again(built: Any, archive: Path) -> None:
    built()
    deb = next((archive / "cache/debian").glob("stars-doc_*.deb"))
    deb.write_bytes(deb.read_bytes()[:-10])
    calls = (archive / "calls").read_text().count("\n")
    built()
    assert (archive / "calls").read_text().splitlines()[calls:] != [] and deb.stat().st_size > 10


def test_only_so_many_sites_when_asked(built: Any) -> None:
    said, path = built("--sites", "1")
    assert "1 sites, 4 pages" in said and {page["host"] for page in lines(path).values()} == {"stars.org"}


def test_only_html_is_taken_out_of_a_package(archive: Path, script: Any) -> None:
    from debian_packages import LINKS, unpack

    unpack(next(archive.glob("stars-doc_*.deb")), archive / "stars.zip")
    with zipfile.ZipFile(archive / "stars.zip") as content:
        names = set(content.namelist())
        assert json.loads(content.read(LINKS)) == {
            "/usr/share/doc/stars/html/index.html": "/usr/share/doc/stars/html/real.html"
        }
    assert {Path(name).name for name in names} == {"real.html", "a.html", "b.html", "a b.html", "hidden.html", LINKS}


def test_the_shipped_tables_are_whole(script: Any) -> None:
    import debian_tables

    sites, aliases = debian_tables.sites(), debian_tables.aliases()
    assert len(sites) == 511 and len(aliases) == 653
    assert all(site.base_url.startswith("https://") and site.base_url.endswith("/") for site in sites.values())
    assert {alias.package for alias in aliases.values()} <= set(sites)
    assert sum("astronomy" in site.topics for site in sites.values()) == 28
