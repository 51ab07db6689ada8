"""`python -m tests.faults.soak_websites`: whole websites under kills, between traps, and very many of them.

Exit status 1 on any failure.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

from focused.webs import open_web
from focused.webs.simulated.traps import KINDS
from focused.webs.simulated.web import SimWeb
from tests.rig.check import db_is_whole, rows
from tests.rig.run import Command, Run

STRICT = {"FOCUSED_STRICT_ORDER": 1, "CONCURRENT_REQUESTS": 1, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}
HORSES = "animals/horses"
RELEVANT = "SELECT host FROM site WHERE posterior > 0.5"
HAD = "SELECT url FROM page WHERE visit IS NOT NULL ORDER BY visit"
CAP = 50  # downloads of a site, the default of the ordering
SMALL = "sim:small,seed=1,trap_pages=1000000,traps=0.35"
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
    """A third of the large sites lead into a million pages each: what they cost, what they keep from being found."""
    into = read_to_the_cap(folder / "into")
    beside = {share: crawl(folder / f"{share}", trapped(share), FOCUSED_MAX_TRIES=1, **STRICT) for share in (0, 0.35)}
    assert all(command.run(3600).code == 0 for command in (into, *beside.values()))
    entered = Counter(doors(SMALL)[host] for host in hosts_in_traps(into.db))
    dearest = max(downloads(command.db) for command in (into, *beside.values()))
    before, after = ({host for (host,) in rows(command.db, RELEVANT)} for command in beside.values())
    honest = (before & sim(trapped(0.35)).websites(HORSES)) - doors(trapped(0.35)).keys()
    kept = len(honest & after) / len(honest)
    print(f"{had(into.db):,} pages of sites read to the cap; of each family so many traps entered: {dict(entered)}")
    print(f"dearest site {dearest} downloads")
    print(f"{kept:.1%} of {len(honest)} relevant sites without a trap still found; lost: {sorted(honest - after)}")
    return dearest <= CAP and len(entered) == len(KINDS) and kept >= 0.99


def trapped(share: float) -> str:
    return f"sim:medium,seed=3,trap_pages=1000000,traps={share}"


def read_to_the_cap(folder: Path) -> Command:
    """Never sure of a site, the crawler stays as long as it may: so it enters what it would pass by otherwise."""
    args = {"topic": "horses", "web": SMALL, "ordering_args": "prior=0.5,p_threshold=1,collapse=0"}
    return Command(folder, args, {**STRICT, "FOCUSED_MAX_TRIES": 1, "FOCUSED_MAX_PAGES": 3000}, spider="websites")


def sim(spec: str) -> SimWeb:
    return cast(SimWeb, open_web(spec))


def doors(spec: str) -> dict[str, str]:
    """Sites that lead into a trap, and its family."""
    web = sim(spec)
    return {urlsplit(web.sites()[site][0]).netloc: family.name for site, family in web.markup.traps.of.items()}


def hosts_in_traps(db: Path) -> set[str]:
    web = sim(SMALL)
    return {urlsplit(url).netloc for (url,) in rows(db, HAD) if web.truth(url) == "trap"}


def downloads(db: Path) -> int:
    """Of the dearest site, with what failed and what was moved."""
    return int(rows(db, "SELECT max(cost) FROM (SELECT sum(tries) AS cost FROM page GROUP BY site_id)")[0][0])


def many(folder: Path, wanted: int = 100_000, pages: int = 200_000) -> bool:
    """Very many sites are examined: what the memory grows by."""
    web, before, after = "sim:large,seed=1,pages=1300000,size_exponent=3,hubs=1", 0, 0
    command = crawl(
        folder / "data",
        web,
        "l_threshold=0,p_threshold=0.6,collapse=0",
        FOCUSED_MAX_PAGES=pages,
        CONCURRENT_REQUESTS=32,
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
    return ended.code == 0 and sites >= wanted and (after - before) / MIB <= 200


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
