"""A shared crawl's topic is in its store: orderings can be compared on it where its files never were."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.rig.postgres import server

WEB = "sim:small,seed=1,pages=600"
TOPIC = 'query = "bicycle wheels, pedals and brakes"\n[sim]\ntopic = "recreation/cycling"\n'


def scrapy(*words: str, **settings: object) -> subprocess.CompletedProcess[str]:
    given = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    return subprocess.run([sys.executable, "-m", "scrapy", *words, *given], capture_output=True, text=True, timeout=280)


def test_a_topic_that_lies_nowhere_here_comes_out_of_the_shared_store(tmp_path: Path) -> None:
    topic, store = tmp_path / "there" / "pedals" / "topic.toml", server().fresh()
    topic.parent.mkdir(parents=True)
    topic.write_text(TOPIC)
    there, here = ({"FOCUSED_STORE": store, "FOCUSED_DATA_DIR": tmp_path / name} for name in ("data", "here"))
    done = scrapy("crawl", "topic", "-a", f"topic={topic}", "-a", f"web={WEB}", "-a", "max_pages=20", **there)
    assert done.returncode == 0, done.stderr
    out = tmp_path / "out"
    words = f"compare pedals --web {WEB} --orderings breadth_first --pages 20 --seeds 1 -o {out}".split()
    assert "Topic 'pedals' was not found" in scrapy(*words, FOCUSED_DATA_DIR=tmp_path / "here").stderr
    done = scrapy(*words, **here)
    assert done.returncode == 0, done.stderr
    found = json.loads((out / "compare.json").read_text())
    assert found["topic"] == "pedals" and found["orderings"]["breadth_first"]["pages"]["each"] == [20]
