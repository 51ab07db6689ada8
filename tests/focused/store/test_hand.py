from __future__ import annotations

from pathlib import Path

from focused.store.hand import Hand


def test_the_next_process_learns_which_page_was_in_hand(tmp_path: Path) -> None:
    Hand(tmp_path / "in_hand").hold(42)  # never freed: the process died
    assert Hand(tmp_path / "in_hand").left_over == 42


def test_a_page_put_down_is_forgotten(tmp_path: Path) -> None:
    hand = Hand(tmp_path / "in_hand")
    hand.hold(42)
    hand.free()
    assert Hand(tmp_path / "in_hand").left_over == 0


def test_a_new_crawl_holds_nothing(tmp_path: Path) -> None:
    assert Hand(tmp_path / "in_hand").left_over == 0


def test_what_comes_after_the_end_is_not_taken_in_hand(tmp_path: Path) -> None:
    hand = Hand(tmp_path / "in_hand")
    hand.close()
    hand.hold(42)
    hand.free()
    assert Hand(tmp_path / "in_hand").left_over == 0
