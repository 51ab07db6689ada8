"""`python -m tests.faults.soak_polite`: 200 sites, half a second between requests. Exit status 1 on any failure."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.crawls.politeness import GRACE, measure
from tests.rig.plan import Shape


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=200)
    parser.add_argument("--delay", type=float, default=0.5)
    parser.add_argument("--pages-per-site", type=int, default=60)
    options = parser.parse_args()
    shape = Shape(options.sites * options.pages_per_site, options.sites, missing=0, moved=0, latency=0.005)
    with tempfile.TemporaryDirectory() as folder:
        manners = measure(Path(folder), shape, options.delay)
    print(manners)
    polite = manners.most_open == 1 and manners.closest >= options.delay - GRACE
    return 0 if polite and manners.share >= 0.9 and manners.ended.code == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
