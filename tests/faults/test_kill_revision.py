"""`kill -9` while hubs are distilled, and while a model is trained: nothing that was had is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

from models.saved import read
from tests.rig.check import lost, meta, outputs_agree, rows
from tests.rig.plan import Shape
from tests.rig.run import SCRAPY, Command, Run
from tests.rig.web import ROOT, LoopbackWeb


def test_a_kill_in_the_middle_of_a_distillation_loses_nothing(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    with LoopbackWeb(Shape(pages=120, sites=6, latency=0.02)) as web:
        asked = {"topic": web.topic(tmp_path), "ordering": "tests.faults.slow_focus.SlowFocus"}
        command = Command(
            tmp_path / "data",
            {**asked, "ordering_args": f"gate={gate},promote_every=20"},
            {"FOCUSED_REVISE_EVERY": 20, "CONCURRENT_REQUESTS": 4},
        )
        for _ in range(2):
            gate.write_text("")
            with Run(command) as run:
                while run.alive() and not gate.read_text():
                    time.sleep(0.005)
                assert run.kill().code == -9, "the crawl ended before a distillation had begun"
            assert rows(command.db, "SELECT count(*) FROM hub") == [(0,)]  # none has ended yet
        gate.unlink()
        ended = command.run()
        assert ended.code == 0 and meta(command.db, "stop_reason") == "finished", str(ended)
        assert not lost(web, command.db)
        outputs_agree(command.data)
        assert rows(command.db, "SELECT count(*) > 0 FROM hub") == [(1,)]  # it was done again


def test_a_kill_in_the_middle_of_a_training_leaves_the_last_model(tmp_path: Path) -> None:
    words = [SCRAPY, "train", "cycling", "-s", f"FOCUSED_DATA_DIR={tmp_path}", "-s", "FOCUSED_WEB=sim:small,seed=1"]
    assert subprocess.run(words, cwd=ROOT, capture_output=True, timeout=200).returncode == 0
    manifest = tmp_path / "cycling/model/manifest.json"
    before = json.loads(manifest.read_text())
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        assert process.stdout is not None
        process.stdout.readline()  # it is at work
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert json.loads(manifest.read_text()) == before
    assert read(manifest.parent)[0].kind == before["kind"]  # whole, and still with its arrays
