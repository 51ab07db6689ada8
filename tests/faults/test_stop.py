"""A crawl told to stop does not wait for those that hang, and goes on later as if nothing had been."""

from __future__ import annotations

import time
from pathlib import Path
from signal import SIGINT, SIGTERM, Signals

import pytest

from tests.rig.check import forgotten, lost, meta, outputs_agree, settled
from tests.rig.plan import Shape
from tests.rig.run import Command, Ended, Run
from tests.rig.web import LoopbackWeb

PATIENCE = 600  # seconds that a peer may hang
SOON = 40  # seconds until it must have ended: 10 are promised, but the machine may be busy


def stop(web: LoopbackWeb, command: Command, signals: list[Signals]) -> Ended:
    """Lets some peers hang, sends the signals."""
    with Run(command) as run:
        web.wait(120)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and sum(entry.end is None for entry in web.log()) < 4:
            time.sleep(0.02)
        for number in signals:
            run.send(number)
            time.sleep(0.3)
        return run.wait(SOON)


@pytest.mark.parametrize("signals", [[SIGTERM], [SIGINT], [SIGTERM, SIGTERM]], ids=["TERM", "INT", "TERM twice"])
def test_a_stopped_crawl_ends_soon_and_resumes(tmp_path: Path, signals: list[Signals]) -> None:
    with LoopbackWeb(Shape(pages=240, sites=8, hanging=6, dripping=3, latency=0.01)) as web:
        command = Command(tmp_path / "data", {"topic": web.topic(tmp_path)}, {"DOWNLOAD_TIMEOUT": PATIENCE})
        ended = stop(web, command, signals)
        assert ended.code != 0, str(ended)
        if len(signals) == 1:  # told twice, it may leave without a word
            assert meta(command.db, "stop_reason") == "stopped"
            assert "Stopped: " in ended.out and "run the same command again" in ended.out, str(ended)
        assert not forgotten(web, command.db)
        over, since = settled(command.db), web.count()
        web.heal()
        resumed = command.run()
        assert resumed.code == 0, str(resumed)
        assert not over & set(web.asked(since)), "pages that were done were fetched again"
        assert settled(command.db) == web.urls()
        assert not lost(web, command.db)
        outputs_agree(command.data)
