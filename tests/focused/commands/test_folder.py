"""focused.commands.folder: the crawl of a topic is found, or its absence is one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.settings import Settings

from focused.commands.folder import folder_of, open_crawl, user_errors
from focused.commands.report import Command
from focused.errors import StoreError, TopicError
from tests.focused.made_crawl import small_crawl


def settings(data: Path, **values: str) -> Settings:
    return Settings({"FOCUSED_DATA_DIR": str(data), "FOCUSED_CRAWL": "", "FOCUSED_STORE": ""} | values)


@pytest.mark.parametrize("topic", ["cycling", "topics/cycling/topic.toml", "lists/cycling.toml", "topics/cycling/"])
def test_folder_has_the_short_name_of_the_topic(tmp_path: Path, topic: str) -> None:
    assert folder_of(settings(tmp_path), topic) == tmp_path / "cycling"


def test_crawl_has_a_name_of_its_own_where_one_is_given(tmp_path: Path) -> None:
    small_crawl(tmp_path / "second").save()
    with open_crawl(settings(tmp_path, FOCUSED_CRAWL="second"), "cycling") as reading:
        assert reading.folder == tmp_path / "second"


def test_database_may_be_elsewhere(tmp_path: Path) -> None:
    path = small_crawl(tmp_path / "far").save()
    with open_crawl(settings(tmp_path, FOCUSED_STORE=f"sqlite:///{path}"), "cycling") as reading:
        assert (reading.path, reading.folder) == (path, tmp_path / "cycling")


def test_missing_crawl_names_those_that_are_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"No crawl 'x' in .*/: run `scrapy crawl topic -a topic=x` first"):
        open_crawl(settings(tmp_path), "x")
    small_crawl(tmp_path / "horses").save()
    with pytest.raises(StoreError, match="give one of horses, or run"):
        open_crawl(settings(tmp_path), "x")


def test_mistake_of_the_user_is_one_sentence_and_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    command = Command()
    with user_errors(command):
        raise TopicError("Topic 'x' was not found.")
    assert capsys.readouterr() == ("", "Topic 'x' was not found.\n")
    assert command.exitcode == 1


def test_fault_of_the_program_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError), user_errors(Command()):
        raise ZeroDivisionError
