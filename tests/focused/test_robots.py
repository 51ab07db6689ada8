"""RFC 9309 as a table: status, file and path give the verdict."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from protego import Protego

from focused.robots import LONGEST_DELAY, MAX_BYTES, MAX_WILDCARDS, Robots, agent_of, heading

NONE = "User-agent: *\nDisallow: /\n"
PRIVATE = "User-agent: *\nDisallow: /private\n"
BOTH = "User-agent: focused\nDisallow: /ours\n\nUser-agent: *\nDisallow: /all\n"
HTML = (
    "<!DOCTYPE html><html><head><title>404</title></head><body><p>User-agent: *</p>\n<p>Disallow: /</p></body></html>"
)
TWICE = "User-agent: focused\nDisallow: /a\n\nUser-agent: b\nDisallow: /\n\nUser-agent: focused\nDisallow: /c\n"
RFC_5_1 = """User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: focused
Disallow: /example/page.html

User-Agent: quxbot
"""
RFC_5_2 = "User-Agent: *\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n"

# status, robots.txt, path, may it be fetched
TABLE: list[tuple[int | None, str | bytes, str, bool]] = [
    # 2.3.1.1 to 2.3.1.4: what the status means
    (200, NONE, "/", False),
    (200, "", "/", True),
    (204, "", "/", True),
    (203, PRIVATE, "/private/x", False),
    (206, PRIVATE, "/private/x", False),
    (301, NONE, "/", True),
    (302, NONE, "/", True),
    (304, NONE, "/", True),
    (308, NONE, "/", True),
    (400, NONE, "/", True),
    (401, NONE, "/", True),
    (403, NONE, "/", True),
    (404, NONE, "/", True),
    (410, NONE, "/", True),
    (418, NONE, "/", True),
    (451, NONE, "/", True),
    (429, "", "/", False),
    (500, "", "/", False),
    (502, "", "/", False),
    (503, "User-agent: *\nAllow: /\n", "/", False),
    (504, "", "/", False),
    (599, "", "/", False),
    (600, "", "/", False),
    (999, "", "/", False),
    (101, "", "/", False),
    (0, "", "/", False),
    (None, "", "/", False),
    (None, "User-agent: *\nAllow: /\n", "/", False),
    # 2.2.1: whose group it is
    (200, BOTH, "/ours", False),
    (200, BOTH, "/all", True),
    (200, "User-agent: FOCUSED\nDisallow: /\n", "/", False),
    (200, "User-agent: focused/0.1\nDisallow: /\n", "/", False),
    (200, "User-agent: focused 0.1 beta\nDisallow: /\n", "/", False),
    (200, "User-agent: focused*\nDisallow: /\n", "/", False),
    (200, "User-agent: **\nDisallow: /\n", "/", False),
    (200, "User-agent: focus\nDisallow: /\n", "/", True),
    (200, "User-agent: focusedbot\nDisallow: /\n", "/", True),
    (200, "User-agent: focused-news\nDisallow: /\n", "/", True),
    (200, "User-agent: un focused\nDisallow: /\n", "/", True),
    (200, "User-agent: a\nUser-agent: focused\nUser-agent: b\nDisallow: /\n", "/", False),
    (200, "User-agent: a\n\n# and\nUser-agent: focused\nDisallow: /\n", "/", False),
    (200, "User-agent: a\nSitemap: https://x/s.xml\nNoindex: /n\nUser-agent: focused\nDisallow: /\n", "/", False),
    (200, "User-agent: a\nDisallow: /\nUser-agent: focused\nDisallow: /x\n", "/", True),
    (200, "User-agent: a\nDisallow:\nUser-agent: focused\nDisallow: /x\n", "/x", False),
    (200, TWICE, "/c", False),
    (200, TWICE, "/a", False),
    (200, TWICE, "/b", True),
    (200, "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n", "/a", False),
    (200, "User-agent: focused\nDisallow:\n\nUser-agent: *\nDisallow: /\n", "/", True),
    (200, "User-agent: focused\n\nUser-agent: *\nDisallow: /\n", "/", False),  # one group: nothing stands between them
    (200, "Disallow: /\nUser-agent: b\nDisallow: /x\n", "/", True),
    (200, "User-agent:\nDisallow: /\n", "/", True),
    # 2.2.2: which rule it is
    (200, PRIVATE, "/public", True),
    (200, PRIVATE, "/private", False),
    (200, PRIVATE, "/private/page?x=1", False),
    (200, PRIVATE, "/privateer", False),
    (200, PRIVATE, "/Private", True),
    (200, "User-agent: *\nDisallow: /a\nAllow: /a/b\n", "/a/b/c", True),
    (200, "User-agent: *\nAllow: /a/b\nDisallow: /a\n", "/a/c", False),
    (200, "User-agent: *\nDisallow: /a\nAllow: /a\n", "/a", True),
    (200, "User-agent: *\nAllow: /\nDisallow: /$\n", "/", False),
    (200, "User-agent: *\nAllow: /$\nDisallow: /\n", "/", True),
    (200, "User-agent: *\nAllow: /$\nDisallow: /\n", "/x", False),
    (200, NONE, "/robots.txt", True),
    (200, "User-agent: *\nDisallow: private\n", "/private", True),
    (200, "User-agent: *\nDisallow: /x/\nAllow: /x/index.html\n", "/x/?q=1", False),
    (200, "User-agent: *\nDisallow: /?\n", "?q=1", False),
    (200, RFC_5_1, "/example/page.html", False),
    (200, RFC_5_1, "/example/other.html", True),
    (200, RFC_5_2, "/example/page/disallowed.gif", False),
    (200, RFC_5_2, "/example/page/allowed.gif", True),
    # 2.2.3: * and $
    (200, "User-agent: *\nDisallow: *.gif$\n", "/a/b.gif", False),
    (200, "User-agent: *\nDisallow: *.gif$\n", "/a/b.gif?x", True),
    (200, "User-agent: *\nDisallow: /*/private/\n", "/a/private/b", False),
    (200, "User-agent: *\nDisallow: /*/private/\n", "/private/b", True),
    (200, "User-agent: *\nDisallow: /*?\n", "/a?b=1", False),
    (200, "User-agent: *\nDisallow: /a$b\n", "/a$b", False),
    (200, "User-agent: *\nDisallow: /path/file-with-a-%2A.html\n", "/path/file-with-a-*.html", False),
    (200, "User-agent: *\nDisallow: *\n", "/anything", False),
    # the octets compared
    (200, "User-agent: *\nDisallow: /ツ\n", "/%E3%83%84", False),
    (200, "User-agent: *\nDisallow: /%e3%83%84\n", "/%E3%83%84/x", False),
    (200, "User-agent: *\nDisallow: /%62%61%7A\n", "/baz", False),
    (200, "User-agent: *\nDisallow: /a%2Fb\n", "/a/b", True),
    (200, "User-agent: *\nDisallow: /foo/bar?baz=https://foo.bar\n", "/foo/bar?baz=https://foo.bar", False),
    # ends of line, comments, forms the RFC tolerates or nobody can forbid
    (200, "User-agent: *\r\nDisallow: /x\r\n", "/x", False),
    (200, "User-agent: *\rDisallow: /x\r", "/x", False),
    (200, "\n\nUser-agent:*\n \t Disallow :\t/x   # why\n", "/x", False),
    (200, "User-agent: * # all\nDisallow: /x#y\n", "/x", False),
    (200, "#User-agent: *\n#Disallow: /\n", "/", True),
    (200, "USER-AGENT: *\nDISALLOW: /x", "/x", False),
    (200, "useragent: *\ndissallow: /x\n", "/x", False),
    (200, "User agent: *\nDisalow: /x\n", "/x", False),
    (200, "User-agent *\nDisallow /x\n", "/x", False),
    (200, "User-agent: *\nDisallowed: /x\n", "/x", True),
    # not what one hopes for
    (200, HTML, "/", True),
    (200, b"\xef\xbb\xbfUser-agent: *\nDisallow: /x\n", "/x", False),
    (200, "User-agent: *\nDisallow: /x\n".encode("utf-16"), "/x", False),
    (200, "User-agent: *\nDisallow: /x\n".encode("utf-16-be"), "/x", False),
    (200, b"User-agent: *\0\n\0Disallow: /x\0\n", "/x", False),
    (200, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8, "/", True),
    (200, b"User-agent: *\nDisallow: /\xff\xfe\nDisallow: /x\n", "/x", False),
    (200, b"\0" * 1000, "/", True),
]  # fmt: skip


@pytest.mark.parametrize(("status", "text", "path", "allowed"), TABLE)
def test_the_verdict_is_the_one_of_rfc_9309(status: int | None, text: str | bytes, path: str, allowed: bool) -> None:
    robots = Robots.parse(status, text.encode() if isinstance(text, str) else text)
    assert robots.allows("https://example.com" + path) is allowed
    assert robots.allows(path) is allowed
    assert Robots.parse(status, robots.text.encode()).allows("https://example.com" + path) is allowed


def test_no_answer_is_not_the_same_as_no_file() -> None:
    assert [s for s in (None, 0, 200, 301, 404, 429, 499, 500, 503, 999) if Robots.parse(s, b"").is_unreachable] == [
        None, 0, 429, 500, 503, 999,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "delay"),
    [
        ("Crawl-delay: 5", 5.0),
        ("crawl-delay:0.5", 0.5),
        ("Crawl delay: 7", 7.0),
        ("Crawl-delay: 60", 60.0),
        ("Crawl-delay: 1e9", 1e9),
        ("Crawl-delay: 0", 0.0),
        ("Crawl-delay: -5", None),
        ("Crawl-delay: inf", None),
        ("Crawl-delay: nan", None),
        ("Crawl-delay: five", None),
        ("Crawl-delay:", None),
        ("Crawl-delay: 3 # seconds", 3.0),
    ],
)
def test_crawl_delay_is_read_where_it_is_a_number(line: str, delay: float | None) -> None:
    robots = Robots.parse(200, f"User-agent: *\n{line}\n".encode())
    assert robots.delay == delay
    assert robots.is_parked is (delay is not None and delay > LONGEST_DELAY)
    assert robots.allows("/")
    assert Robots.parse(200, robots.text.encode()).delay == delay


def test_crawl_delay_is_that_of_our_own_group() -> None:
    text = b"User-agent: *\nCrawl-delay: 9\n\nUser-agent: focused\nCrawl-delay: 2\n\nUser-agent: b\nCrawl-delay: 7\n"
    assert Robots.parse(200, text).delay == 2.0
    assert Robots.parse(200, text, "other").delay == 9.0
    assert Robots.parse(200, b"User-agent: b\nCrawl-delay: 7\n").delay is None
    assert Robots.parse(503, text).delay is None


def test_a_file_of_three_megabytes_counts_up_to_the_last_whole_line_of_500_kib() -> None:
    line = b"Disallow: /number/%d\n"
    body = b"User-agent: *\n" + b"".join(line % i for i in range(150_000))
    last = body[:MAX_BYTES].count(b"\n") - 2
    started = time.process_time()
    robots = Robots.parse(200, body)
    assert time.process_time() - started < 20
    assert len(body) > 3_000_000
    assert not robots.allows(f"/number/{last}")
    assert robots.size == last + 1
    assert robots.allows("/other")


def test_half_a_rule_at_the_cut_is_no_rule() -> None:
    body = b"User-agent: *\n" + b"#" * (MAX_BYTES - 14 - 12) + b"\nDisallow: /private/area\n"
    assert body[:MAX_BYTES].endswith(b"Disallow: /")
    assert Robots.parse(200, body).allows("/")


@pytest.mark.parametrize(
    "pattern", ["/" + "*a" * 5000 + "b", "/" + "a*" * 5000 + "$", "*" * 10_000, "/" + "(a+)+" * 100 + "$", "/*aab"]
)
def test_no_pattern_makes_a_verdict_slow(pattern: str) -> None:
    rules = "".join(f"Disallow: {pattern}{i}\n" for i in range(min(3000, 400_000 // len(pattern))))
    robots = Robots.parse(200, f"User-agent: *\n{rules}".encode())
    url = "https://example.com/" + "a" * 1900
    robots.allows(url)
    started = time.process_time()
    robots.allows(url)
    assert time.process_time() - started < 4


def test_wildcards_are_bounded_and_plain_rules_are_not() -> None:
    rules = [f"Disallow: /*/{i}/\nDisallow: /plain{i}/\n" for i in range(2 * MAX_WILDCARDS)]
    robots = Robots.parse(200, ("User-agent: *\n" + "".join(rules)).encode())
    assert not robots.allows(f"/x/{MAX_WILDCARDS - 1}/")
    assert robots.allows(f"/x/{MAX_WILDCARDS}/")
    assert not robots.allows(f"/plain{2 * MAX_WILDCARDS - 1}/")


def test_many_names_times_many_rules_is_not_a_product() -> None:
    names = b"".join(b"User-agent: a%d\nUser-agent: *\n" % i for i in range(6000))
    started = time.process_time()
    robots = Robots.parse(200, names + b"".join(b"Disallow: /%d\n" % i for i in range(15_000)))
    assert time.process_time() - started < 20
    assert not robots.allows("/7")


def test_the_text_kept_is_our_group_and_names_us() -> None:
    robots = Robots.parse(
        200, b"Sitemap: https://x/s.xml\nUser-agent: b\nDisallow: /b\n\nUser-agent: *\nDisallow:/all # x\n"
    )
    assert robots.text == "User-agent: focused\nDisallow: /all\n"
    assert robots.text.startswith(heading("focused"))
    assert Robots.parse(503, b"x").text == heading("focused")


@pytest.mark.parametrize(
    ("user_agent", "agent"),
    [
        ("focused/0.1 (a; b)", "focused"),
        ("Focused", "focused"),
        ("my-bot_2/1.0", "my-bot_2"),
        ("Mozilla/5.0 (compatible; focused)", "mozilla"),
        ("  a b", "a"),
        ("", "*"),
        ("/1.0", "*"),
    ],
)
def test_the_agent_is_the_product_before_the_slash(user_agent: str, agent: str) -> None:
    assert agent_of(user_agent) == agent
    assert not Robots.parse(200, f"User-agent: {agent}\nDisallow: /\n".encode(), agent).allows("/")


@given(st.binary(max_size=400), st.text(max_size=40))
def test_no_bytes_make_it_stumble_and_what_is_kept_says_the_same(body: bytes, path: str) -> None:
    robots = Robots.parse(200, b"User-agent: *\n" + body)
    again = Robots.parse(200, robots.text.encode())
    assert robots.allows("/" + path) is again.allows("/" + path)
    assert robots.delay == again.delay


PARTS = st.sampled_from(["/", "a", "b", "/index.html", "?", "q=", "&", "%61", "ü", ".", "*", "$", ";"])
PATHS = st.lists(PARTS, max_size=5).map(lambda parts: "/" + "".join(parts))
VALUES = PATHS | st.sampled_from(["*", "a", "https://example.com/a", "*a$", "/$"])


@settings(max_examples=1000)
@example([("Disallow", "https://example.com/a")], "/https://example.com/a", "/")
@example([("Disallow", "/?")], "//?", "/")
@example([("Disallow", "/x/"), ("Allow", "/x/index.html")], "/x/", "/")
@given(st.lists(st.tuples(st.sampled_from(["Allow", "Disallow", "Disallow"]), VALUES), max_size=4), PATHS, PATHS)
def test_the_short_cuts_change_no_verdict(rules: list[tuple[str, str]], path: str, query: str) -> None:
    text = "User-agent: *\n" + "".join(f"{field}: {value}\n" for field, value in rules)
    robots, protego = Robots.parse(200, text.encode()), Protego.parse(text)
    for url in ("https://example.com" + path, "http://h:81" + path + "?q" + query, path, "/a" + path + "#" + query):
        assert robots.allows(url) is protego.can_fetch(url, "focused"), url
