from __future__ import annotations

import subprocess
import sys

WALK = """
import time
from focused.webs import open_web

def held():
    # Not ru_maxrss: a child begins with that of the process it was forked from.
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20

def pages(web, start, count):
    began = time.process_time()
    for page in range(start, start + 7 * count, 7):
        web.fetch(web.addresses.card(page).url)
    return count / (time.process_time() - began)

began = time.process_time()
usual = open_web("sim:large,seed=2")
opened = time.process_time() - began
rate = pages(usual, 500_000, 1_000)
short = open_web("sim:large,seed=2,words_most=100,out_most=8")  # what is kept does not depend on the length of a page
pages(short, 0, 5_000)
before = held()
pages(short, 300_000, 15_000)
print(opened, rate, before, held())
"""


def test_a_million_pages_take_no_memory_and_little_time() -> None:
    done = subprocess.run([sys.executable, "-c", WALK], capture_output=True, text=True, check=True)
    opened, pages_a_second, before, after = map(float, done.stdout.split())
    assert after - before < 30 and after < 350, "MiB"
    # CPU time, a tenth of what a quiet machine needs: 0.6 s, and more than 2,000 pages a second.
    assert opened < 12
    assert pages_a_second > 100
