"""Pages are looked at again through any deaths of the process."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from focused.store.rows import AGAIN
from tests.focused.changing_web import ChangingWeb, begun, run
from tests.focused.test_maintenance import PAGE, kinds, refreshed
from tests.rig.check import rows


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 60), max_size=5))
def test_deaths_at_any_moment_lose_no_change_and_double_nothing(seed: int, deaths: list[int]) -> None:
    web = ChangingWeb(25, seed)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "c"
        run(begun(folder, web), web)
        web.pass_time()
        crawl = begun(folder, web, FOCUSED_MAINTAIN=1)
        for step in range(1000):
            if (visit := crawl.next()) is None:
                break
            crawl.commit()
            assert rows(folder / "crawl.db", f"SELECT id FROM page WHERE state = {AGAIN}") == [(visit.id,)]
            if step not in deaths:
                web.answer(crawl, visit)
            if step in deaths or step + 30 in deaths:
                crawl.abandon()  # what was not committed did not happen
                crawl = begun(folder, web, FOCUSED_MAINTAIN=1)
        run(crawl, web)
        after = rows(folder / "crawl.db", PAGE)
        assert (len(after), {row[4] for row in after}, sum(row[5] for row in after)) == (25, {1}, web.changed)
        assert kinds(folder).count("response") == 25 + web.changed


def test_a_page_that_kills_the_process_thrice_is_not_looked_at_again(tmp_path: Path) -> None:
    web = ChangingWeb(1, 4)
    crawl = refreshed(tmp_path / "c", web)
    for _ in range(3):
        visit = crawl.next()
        assert visit is not None
        crawl.commit()
        crawl.hand.hold(visit.id)
        crawl.abandon()
        crawl = begun(tmp_path / "c", web, FOCUSED_MAINTAIN=1)
    assert crawl.next() is None
    assert rows(crawl.store.path, "SELECT state, outcome, visit FROM page") == [(2, "ok", 1)]
    crawl.abandon()
