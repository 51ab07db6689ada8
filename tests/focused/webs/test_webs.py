from __future__ import annotations

import pytest

from focused.errors import WebError
from focused.webs import Answer, is_same, open_web
from focused.webs.simulated.web import SimWeb


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("", "no known kind"),
        ("sin:small", "no known kind"),
        ("sim", "small, medium, large, catalogue, hostile"),
        ("sim:tiny", "'tiny'"),
        ("sim:small,speed=3", "'speed'"),
        ("sim:small,seed=x", "'x'"),
        ("sim:small,seed", "seed=NUMBER"),
        ("sim:small,pages=3", "at least 100"),
        ("sim:small,strays=nan", "'nan'"),
        ("sim:catalogue,per_list=0", "'per_list'"),
        ("sim:hostile,shops=1.5", "'1.5'"),
        ("warc:", "warc:"),
        ("warc:/nowhere/at.warc", "/nowhere/at.warc"),
    ],
)
def test_a_web_that_cannot_be_opened_is_named_in_one_sentence(spec: str, said: str) -> None:
    with pytest.raises(WebError, match=said) as raised:
        open_web(spec)
    assert "\n" not in str(raised.value)


def test_options_reach_the_simulated_web() -> None:
    web = open_web("sim:small, seed=7,pages=500,strays=0.2")
    assert isinstance(web, SimWeb)
    assert (web.knobs.seed, web.knobs.pages, web.knobs.strays) == (7, 500, 0.2)


def test_an_answer_has_status_headers_and_body() -> None:
    web = open_web("sim:small,pages=300")
    url = web.seeds("home/cooking", 1, 0)[0]
    answer = web.fetch(url)
    assert isinstance(answer, Answer)
    assert answer.status == 200 and answer.headers["Content-Type"].startswith("text/html") and answer.body


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("sim:small", "sim:small,seed=1", True),
        ("sim:small,seed=1,traps=0", "sim:small,traps=0", True),
        ("sim:small", "sim:small,seed=2", False),
        ("sim:small", "sim:medium", False),
        ("sim:small", "sim:small,gone=1", False),
        ("warc:a.warc.gz", "warc:./a.warc.gz", True),
        ("warc:a.warc.gz", "pages:a.warc.gz", False),
        ("", "warc:a.warc.gz", False),
        ("", "", True),
    ],
)
def test_one_web_may_be_spelt_in_two_ways(one: str, other: str, same: bool) -> None:
    assert is_same(one, other) is same is is_same(other, one)
