"""`python -m tests.faults.soak_websites`: whole websites under kills, between traps, and very many of them.

Exit status 1 on any failure.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from focused.webs import open_web
from tests.rig.check import db_is_whole, rows
from tests.rig.run import Command, Run

STRICT = {"FOCUSED_STRICT_ORDER": 1, "CONCURRENT_REQUESTS": 1, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}
HORSES = "animals/horses"
HAD = "SELECT url FROM page WHERE visit IS NOT NULL ORDER BY visit"
CAP = 50  # pages, the default of the ordering
MIB = 1024


TOPIC = f"""query = "horses and ponies, horse riding, saddles, dressage, stables"
[sim]
topic = "{HORSES}"
[model]
kind = "centroids"
lam = "fit"
p_err = "fit"
"""


def crawl(folder: Path, web: str, args: str = "", **settings: object) -> Command:
    topic = folder.parent / "topic.toml"
    topic.write_text(TOPIC)
    arguments = {"topic": str(topic), "web": web, **({"ordering_args": args} if args else {})}
    return Command(folder, arguments, settings, spider="websites")


def kills(folder: Path, times: int = 20, pages: int = 1000) -> bool:
    """Killed at random moments, a crawl goes the same way and comes to the same verdicts."""
    settings, chance = {**STRICT, "FOCUSED_MAX_PAGES": pages}, random.Random(1)
    whole, killed = (crawl(folder / name, "sim:medium,seed=2", **settings) for name in ("whole", "killed"))
    assert whole.run(900).code == 0
    for moment in sorted(chance.sample(range(10, pages - 10), times)):
        with Run(killed) as run:
            while run.alive() and had(killed.db) < moment:
                time.sleep(0.01)
            assert run.kill().code == -9, "it ended before it could be killed"
    assert killed.run(900).code == 0
    db_is_whole(killed.db)
    same = [rows(killed.db, sql) == rows(whole.db, sql) for sql in (HAD, "SELECT host, why FROM site")]
    same.append((killed.data / "sites.jsonl").read_bytes() == (whole.data / "sites.jsonl").read_bytes())
    print(f"{times} kills over {pages} pages: same order {same[0]}, same verdicts {same[1]}, same records {same[2]}")
    return all(same)


def had(db: Path) -> int:
    try:
        return len(rows(db, HAD))
    except Exception:  # not made yet
        return 0


def traps(folder: Path) -> bool:
    """A third of the sites lead into a million pages each; the relevant ones among the others are found as before."""
    web = "sim:medium,seed=3,trap_pages=1000000,traps="
    found, dearest, trapped = {}, 0, 0
    for share in ("0", "0.35"):
        command = crawl(folder / share, web + share, FOCUSED_MAX_TRIES=1)
        assert command.run(1800).code == 0
        found[share] = {host for (host,) in rows(command.db, "SELECT host FROM site WHERE posterior > 0.5")}
        dearest = max(dearest, int(rows(command.db, "SELECT max(pages) FROM site")[0][0]))
        truth = open_web(web + share)
        trapped = len({urlsplit(url).netloc for (url,) in rows(command.db, HAD) if truth.truth(url) == "trap"})
    wanted = found["0"] & open_web(web + "0").websites(HORSES)
    kept = len(wanted & found["0.35"]) / len(wanted)
    print(
        f"dearest site {dearest} pages, traps entered on {trapped} sites, {kept:.1%} of {len(wanted)} sites still found"
    )
    return dearest <= CAP and trapped > 0 and kept >= 0.99


def many(folder: Path) -> bool:
    """A hundred thousand sites, until none is left or half a million pages are had: what the memory grows by."""
    web, before, after = "sim:large,seed=1,size_exponent=3,hubs=1", 0, 0
    command = crawl(
        folder / "data", web, "l_threshold=0,p_threshold=0.6", FOCUSED_MAX_PAGES=400_000, CONCURRENT_REQUESTS=32
    )
    with Run(command) as run:
        while run.alive():
            time.sleep(1)
            after = held(run.pid) or after
            if not before and had_sites(command.db) >= 1000:
                before = after
        ended = run.wait(60)
    sites, known = had_sites(command.db), rows(command.db, "SELECT count(*) FROM site")[0][0]
    print(
        f"{sites:,} of {known:,} sites examined, {(after - before) / MIB:.0f} MiB more than at 1,000; exit {ended.code}"
    )
    return ended.code == 0 and sites >= 100_000 and (after - before) / MIB <= 200


def held(pid: int) -> int:
    """KiB of memory; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0)


def had_sites(db: Path) -> int:
    try:
        return int(rows(db, "SELECT count(*) FROM site WHERE state = 'closed'")[0][0])
    except Exception:  # not made yet
        return 0


def main() -> int:
    parts = {"kills": kills, "traps": traps, "many": many}
    chosen = sys.argv[1:] or list(parts)
    with tempfile.TemporaryDirectory() as name:
        folders = {part: Path(name) / part for part in chosen}
        for folder in folders.values():
            folder.mkdir()
        return 0 if all([parts[part](folder) for part, folder in folders.items()]) else 1


if __name__ == "__main__":
    sys.exit(main())
