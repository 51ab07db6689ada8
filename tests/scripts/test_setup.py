"""`make setup` is done only when everything was found; without a browser the tests that open one say so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rig.browser import MISSING, browser_path

ROOT = Path(__file__).parents[2]
BROWSER = "chromium-browser"
TOOLS = ("sh", "dirname", "mkdir", "touch", "make")


def program(path: Path, lines: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The real scripts on a machine that has next to nothing and no root, in which nothing is installed."""
    (tmp_path / "scripts").mkdir()
    for name in ("Makefile", "scripts/setup", "requirements.txt", "requirements-dev.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "scripts/wordnet.py").write_text("")
    for tool in TOOLS:
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool) or tool)
    program(tmp_path / "bin/uv", "exit 0")
    program(tmp_path / "bin/id", "echo 1000")
    program(tmp_path / ".venv/bin/python", f'[ "$1" = -m ] || exit 0\ncd {ROOT} && exec {sys.executable} "$@"')
    return tmp_path


def made(project: Path) -> str:
    env = {**os.environ, "PATH": str(project / "bin"), "MAKEFLAGS": ""}
    done = subprocess.run(
        ["make", "--no-print-directory", "setup"], cwd=project, env=env, capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_without_a_browser_set_up_says_so_and_looks_again_next_time(project: Path) -> None:
    for _ in range(2):
        assert f"setup: {MISSING}" in made(project)
        assert not (project / ".cache/test.done").exists()
    program(project / "bin" / BROWSER, "exit 0")
    assert "browser" not in made(project)
    assert (project / ".cache/test.done").exists()
    assert "setup:" not in made(project), "what was found once is not looked for again"


def test_without_a_browser_a_test_fails_and_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.fail.Exception, match=r"no browser was found.* apt-get install chromium"):
        browser_path()
    program(tmp_path / BROWSER, "exit 0")
    assert browser_path() == str(tmp_path / BROWSER)
