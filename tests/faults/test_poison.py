"""A page that kills the process is put aside after three deaths; innocent pages never are."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.rig.check import lost, outputs_agree, pages_done, rows
from tests.rig.plan import Shape
from tests.rig.run import Command, Run
from tests.rig.web import LoopbackWeb

SETTINGS = {"SPIDER_MODULES": "tests.spiders_for_tests"}


def quarantined(command: Command) -> set[str]:
    return {url for (url,) in rows(command.db, "SELECT url FROM page WHERE outcome = 'killed_process'")}


@pytest.mark.parametrize("way", ["exit", "segfault"])
def test_a_poison_page_is_put_aside_and_the_rest_is_done(tmp_path: Path, way: str) -> None:
    with LoopbackWeb(Shape(pages=150, sites=10, latency=0.01)) as web:
        poison = web.url(web.plan.of_kind("ok")[40])
        args = {"topic": web.topic(tmp_path), "poison": poison, "way": way}
        command = Command(tmp_path / "data", args, SETTINGS, spider="poison")
        codes = [command.run().code for _ in range(4)]
        assert all(codes[:3]) and codes[3] == 0, codes
        assert quarantined(command) == {poison}
        assert lost(web, command.db) == {poison}
        assert pages_done(command.db) == web.urls("ok") - {poison}
        assert web.asked()[poison] == 3
        outputs_agree(command.data)


def test_a_page_that_only_hangs_while_others_kill_is_innocent(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=60, sites=6, hanging=2)) as web:
        command = Command(tmp_path / "data", {"topic": web.topic(tmp_path)}, {"DOWNLOAD_TIMEOUT": 20})
        hanging = web.urls("hanging")
        for times in range(1, 5):
            with Run(command) as run:
                while run.alive() and min(web.asked()[url] for url in hanging) < times:
                    time.sleep(0.02)
        web.heal()
        ended = command.run()
        assert ended.code == 0, str(ended)
        assert not quarantined(command)
        assert pages_done(command.db) >= hanging
