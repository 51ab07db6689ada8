"""Where nodes are and what opens them."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.errors import FleetError
from focused.fleet.access import access, is_here, made_access, node_urls


@pytest.fixture(autouse=True)
def _empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRAPYD_USERNAME", raising=False)
    monkeypatch.delenv("SCRAPYD_PASSWORD", raising=False)


def test_a_password_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    made = made_access(tmp_path / "nodes")
    assert (made.user, len(made.password) >= 32) == ("focused", True)
    assert made_access(tmp_path / "nodes") == access(tmp_path / "nodes") == made
    assert (tmp_path / "nodes/password").stat().st_mode & 0o777 == 0o600
    assert made_access(tmp_path / "others").password != made.password


def test_the_environment_comes_first_and_is_not_written_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRAPYD_USERNAME", "me")
    monkeypatch.setenv("SCRAPYD_PASSWORD", "mine")
    assert made_access(tmp_path / "nodes") == ("me", "mine")
    assert not (tmp_path / "nodes").exists()


def test_nodes_are_addresses_each_of_them_once() -> None:
    given = "http://127.0.0.1:6800/, https://crawl.example.org/scrapyd,http://127.0.0.1:6800"
    assert node_urls(given) == ["http://127.0.0.1:6800", "https://crawl.example.org/scrapyd"]
    assert [is_here(url) for url in node_urls(given)] == [True, False]


@pytest.mark.parametrize(
    "given", ["", "6800", "127.0.0.1:6800", "ftp://a", "http://", "http://a:b", "http://a,,http://b"]
)
def test_what_is_no_address_is_one_sentence(given: str) -> None:
    with pytest.raises(FleetError, match=r"is not the address of a node: write it as http://127\.0\.0\.1:6800"):
        node_urls(given)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(FleetError, match="comes with a password: give it by SCRAPYD_USERNAME") as refused:
        node_urls("http://me:secret@a.example:6800")
    assert "secret" not in str(refused.value)
