"""What may be given with -a."""

from __future__ import annotations

import pytest
from scrapy.crawler import Crawler

from focused.errors import SettingError
from focused.spider import FocusedSpider


class News(FocusedSpider):
    name = "news"
    section = "world"


def test_arguments_become_settings_and_what_the_class_has_a_value_for_is_its_own() -> None:
    crawler = Crawler(News)
    spider = News.from_crawler(crawler, max_pages="7", section="sports")
    assert crawler.settings.get("FOCUSED_MAX_PAGES") == "7"
    assert vars(spider)["section"] == "sports"


def test_what_scrapyd_adds_is_taken() -> None:
    News.from_crawler(Crawler(News), _job="1", _version="r5")


def test_an_argument_that_is_spelt_wrong_is_refused() -> None:
    with pytest.raises(SettingError, match="-a max_page is no argument of spider 'news': it takes topic, "):
        News.from_crawler(Crawler(News), max_page="7")
