"""A full disk stops a crawl with that reason; with room again it goes on and nothing is lost or torn."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.rig.check import forgotten, lost, meta, outputs_agree, pages_done
from tests.rig.plan import Shape
from tests.rig.run import Command, Ended
from tests.rig.web import LoopbackWeb

SHAPE = Shape(pages=400, sites=8, words=1500)


@contextmanager
def tiny_disk(folder: Path, size: str) -> Iterator[Path]:
    folder.mkdir()
    try:
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True)
    except OSError:
        pytest.skip("there is no mount command")
    if made.returncode:
        pytest.skip("mounting is not permitted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def told_disk_full(web: LoopbackWeb, command: Command, ended: Ended) -> None:
    assert ended.code != 0, str(ended)
    assert "the disk is full" in ended.out + ended.err, str(ended)
    assert "Traceback" not in ended.out + ended.err, str(ended)
    assert 0 < len(pages_done(command.db)) < len(web.urls("ok"))
    assert not forgotten(web, command.db)


def goes_on(web: LoopbackWeb, command: Command) -> None:
    ended = command.run()
    assert ended.code == 0, str(ended)
    assert meta(command.db, "stop_reason") == "finished"
    assert not lost(web, command.db)
    outputs_agree(command.data)


def test_a_full_disk_is_told_and_survived(tmp_path: Path) -> None:
    with LoopbackWeb(SHAPE) as web, tiny_disk(tmp_path / "disk", "1536k") as disk:
        command = Command(disk, {"topic": web.topic(tmp_path)})
        told_disk_full(web, command, command.run())
        told_disk_full(web, command, command.run())  # still full
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        goes_on(web, command)


@pytest.mark.parametrize("limit", [200_000, 500_000])
def test_files_that_may_not_grow_are_told_and_survived(tmp_path: Path, limit: int) -> None:
    with LoopbackWeb(SHAPE) as web:
        command = Command(tmp_path / "data", {"topic": web.topic(tmp_path)})
        limited = replace(command, file_limit=limit)
        told_disk_full(web, command, limited.run())
        goes_on(web, command)
