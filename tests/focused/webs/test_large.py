from __future__ import annotations

import subprocess
import sys

WALK = """
import resource, sys, time
from focused.webs import open_web
began = time.process_time()
web = open_web("sim:large,seed=2")
opened = time.process_time() - began
def pages(start, count):
    for page in range(start, start + 50 * count, 50):
        web.fetch(web.addresses.card(page).url)
pages(0, 4000)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = time.process_time()
pages(7, 16000)
seconds = time.process_time() - began
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(opened, (after - before) / 1024, 16000 / seconds, before / 1024)
"""


def test_a_million_pages_take_no_memory_and_little_time() -> None:
    done = subprocess.run([sys.executable, "-c", WALK], capture_output=True, text=True, check=True)
    opened, grown_mib, pages_a_second, held_mib = map(float, done.stdout.split())
    assert grown_mib < 40
    assert held_mib < 300
    # CPU time on a busy machine: the rates are three times better on a quiet one.
    assert opened < 6
    assert pages_a_second > 600
