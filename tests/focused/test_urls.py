"""One spelling a URL: rules, hostile input, and the fast form against the plain one."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from focused.urls import MAX_URL, canonical, canonical_links, homepage_of, key_of, site_of

BASE = "https://www.example.com/dir/page.html?b=2&a=1"

SPELLINGS = [
    ("https://example.com", "https://example.com/"),
    ("  \thttps://example.com/a\n", "https://example.com/a"),
    ("\u00a0https://example.com/a\u3000", "https://example.com/a"),
    ("HTTPS://EXAMPLE.com/A", "https://example.com/A"),
    ("https://example.com:443/", "https://example.com/"),
    ("http://example.com:80/", "http://example.com/"),
    ("http://example.com:443/", "http://example.com:443/"),
    ("https://example.com:0443/", "https://example.com/"),
    ("https://example.com./a", "https://example.com/a"),
    ("https://example.com.:8080/a", "https://example.com:8080/a"),
    ("https://user:secret@example.com/a", "https://example.com/a"),
    ("https://example.com/a#part", "https://example.com/a"),
    ("https://example.com/a?#part", "https://example.com/a"),
    ("https://example.com/a?", "https://example.com/a"),
    ("https://example.com/?b=1&a=2", "https://example.com/?a=2&b=1"),
    ("https://example.com/?b=2&a=1&b=1", "https://example.com/?a=1&b=2&b=1"),
    ("https://example.com/?b=&a&c=%20+", "https://example.com/?a&b=&c=%20+"),
    ("https://example.com/?a=1&&b=2&", "https://example.com/?a=1&b=2"),
    ("https://example.com/?a=x?y/z", "https://example.com/?a=x?y/z"),
    ("https://example.com/?utm_source=x&id=7&UTM_Medium=y&gclid=1&fbclid=2&msclkid=3", "https://example.com/?id=7"),
    ("https://example.com/?mc_cid=1&mc_eid=2&_ga=3", "https://example.com/"),
    ("https://example.com/?utmost=1", "https://example.com/?utmost=1"),
    ("https://bücher.example/straße?q=ä", "https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%A4"),
    ("https://BU\u0308CHER.example/", "https://xn--bcher-kva.example/"),
    ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
    ("https://example\u3002com/", "https://example.com/"),
    ("https://example.com/a/../b/./c", "https://example.com/b/c"),
    ("https://example.com/a/%2e%2E/b", "https://example.com/b"),
    ("https://example.com/../../x", "https://example.com/x"),
    ("https://example.com/%7euser/%C3%A3", "https://example.com/%7euser/%C3%A3"),
    ("https://example.com/a b", "https://example.com/a%20b"),
    ("https:\\\\example.com\\a\\b", "https://example.com/a/b"),
    ("http://2130706433/", "http://127.0.0.1/"),
    ("http://0x7f000001/", "http://127.0.0.1/"),
    ("http://0177.0.0.1/", "http://127.0.0.1/"),
    ("http://１２７.0.0.1/", "http://127.0.0.1/"),
    ("http://0x7f./", "http://0.0.0.127/"),
    ("http://[::FFFF:127.0.0.1]:8000/", "http://[::ffff:7f00:1]:8000/"),
    ("http://a\r\n.example/x\ty", "http://a.example/xy"),
    ("\x00http://a.example/", "http://a.example/"),
    ("http://a.example/\x00", "http://a.example/"),
    ("http://a.example/\x00b", "http://a.example/%00b"),
    ("http://a.example/\u202e", "http://a.example/%E2%80%AE"),
]

REFUSED = [
    "",
    "/relative",
    "page.html",
    "#top",
    "mailto:someone@example.com",
    "javascript:void(0)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "ftp://example.com/",
    "file:///etc/passwd",
    "ws://example.com/",
    "view-source:https://example.com/",
    "tel:+123",
    "https://",
    "https:///",
    "http://exa mple.com/",
    "http://a\u202eb.example/",
    "http://a\x00b.example/",
    "http://a.example/\ud800",
    "http://\udfff.example/",
    "http://a.example:0/",
    "http://a.example:00/",
    "http://a.example:99999/",
    "http://a.example:x/",
    "http://a..example/",
    "http://.example/",
    "http://a.example../",
    "http://0x7f../",
    "http://./",
    "http://../",
    "http://1.2.3.4.5/",
    "http://256.1.1.1/",
    "http://[::1/",
    "http://[fe80::1%25eth0]/",
    "http://example.com/" + "x" * MAX_URL,
    "http://example.com/" + "ä" * 700,
    "http://example.com/" + "x" * 1_000_000,
    "x" * 1_000_000,
    "http://" + "a." * 500_000 + "com/",
]

RELATIVE = [
    ("", "https://www.example.com/dir/page.html?a=1&b=2"),
    ("#top", "https://www.example.com/dir/page.html?a=1&b=2"),
    ("?c=1", "https://www.example.com/dir/page.html?c=1"),
    ("/", "https://www.example.com/"),
    ("/x/y.html#z", "https://www.example.com/x/y.html"),
    ("x.html", "https://www.example.com/dir/x.html"),
    ("./x.html", "https://www.example.com/dir/x.html"),
    ("../x.html", "https://www.example.com/x.html"),
    (".hidden", "https://www.example.com/dir/.hidden"),
    ("a/../b", "https://www.example.com/dir/b"),
    ("/a/%2e%2e/b", "https://www.example.com/b"),
    ("/a/.%2E/b", "https://www.example.com/b"),
    ("/%41", "https://www.example.com/%41"),
    ("//other.example/x", "https://other.example/x"),
    ("///other.example/x", "https://other.example/x"),
    ("/a//b", "https://www.example.com/a//b"),
    ("\\x", "https://www.example.com/x"),
    ("https:x", "https://www.example.com/dir/x"),
    ("x:y", None),
    ("/x:y", "https://www.example.com/x:y"),
    ("/x?utm_source=1", "https://www.example.com/x"),
    ("/x?b=1&a=1&b=0", "https://www.example.com/x?a=1&b=1&b=0"),
    ("/list?page=2", "https://www.example.com/list?page=2"),
    ("/it's", "https://www.example.com/it's"),
    ("/x?q='", "https://www.example.com/x?q=%27"),
    ("/São", "https://www.example.com/S%C3%A3o"),
    ("http://other.example", "http://other.example/"),
    ("https://other.example/x?b&a", "https://other.example/x?a&b"),
    ("https://1.2.3/", "https://1.2.0.3/"),
    ("https://a.1b/", "https://a.1b/"),
    ("https://a.0x1/", None),
    ("/x#\ud800", None),
    ("mailto:x@example.com", None),
    ("x" * 3000, None),
]


@pytest.mark.parametrize(("href", "expected"), SPELLINGS)
def test_spellings_of_one_page_become_one_url(href: str, expected: str) -> None:
    assert canonical(href) == expected
    assert canonical(expected) == expected


@pytest.mark.parametrize("href", REFUSED, ids=lambda href: ascii(href[:40]))
def test_what_is_no_usable_http_url_is_refused(href: str) -> None:
    assert canonical(href) is None
    assert canonical_links([href], "about:blank") == [None]


@pytest.mark.parametrize(("href", "expected"), RELATIVE, ids=lambda value: ascii(value)[:40])
def test_relative_hrefs_are_resolved_alike_one_by_one_and_as_a_batch(href: str, expected: str | None) -> None:
    assert canonical(href, BASE) == expected
    assert canonical_links([href], BASE) == [expected]


def test_a_bad_base_counts_as_none() -> None:
    hrefs = ["https://example.com/a", "/a", "a"]
    for base in ("", "nonsense", "mailto:x@example.com", "http://a..b/", "http://\ud800/", "data:,x"):
        assert canonical("https://example.com/a", base) == "https://example.com/a"
        assert canonical_links(hrefs, base) == [canonical(href, base) for href in hrefs]


def test_a_long_url_may_become_short_enough() -> None:
    assert canonical("https://example.com/?utm_campaign=" + "x" * 5000) == "https://example.com/"
    longest = "https://example.com/" + "x" * (MAX_URL - 20)
    assert canonical(longest) == longest
    assert canonical_links([longest, longest + "x"], BASE) == [longest, None]


PIECES = (
    "http https : / // \\ ? # & = @ . .. ... %2e %2E %00 % %zz a b A xn-- xn--a xn--bcher-kva ß İ ı ﬀ 。 \u200d \u00ad"
    " example com www 127 0 1 256 0x7f 0x [ ] [::1] [::ffff:1.2.3.4] :80 :443 :0 :65535 :65536 utm_source=1 gclid b=1"
    " a=2 a ; , ' \" < > ^ ` { } | ~ _ - + \x00 \t \n \x1f \x7f \u202e \u0301 \ud800 \U0001f600 mailto: javascript:"
    " file: ftp:".split(" ")
)
URLISH = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=10).map(lambda parts: "http://" + "".join(parts)),
    st.lists(st.sampled_from(PIECES), max_size=10).map(lambda parts: "https://example.com/" + "".join(parts)),
)


@settings(max_examples=300, deadline=None)
@given(URLISH, st.one_of(st.none(), st.just(BASE), URLISH))
@example("http://xn--a.0x7f./", None)
def test_canonical_never_raises_and_is_idempotent(href: str, base: str | None) -> None:
    url = canonical(href, base)
    if url is not None:
        assert canonical(url) == url
        assert canonical(url, base) == url
        assert url.isascii() and len(url) <= MAX_URL and "#" not in url and url.startswith("http")


@settings(max_examples=300, deadline=None)
@given(st.lists(URLISH, max_size=4), st.one_of(st.just(BASE), URLISH))
def test_the_batch_equals_one_by_one(hrefs: list[str], base: str) -> None:
    assert canonical_links(hrefs, base) == [canonical(href, base) for href in hrefs]


def test_thousands_of_made_up_hrefs_have_one_canonical_form() -> None:
    rng = random.Random(1)
    for base in (BASE, "http://user:pw@a.b.:81/x//y/../z?q#f"):
        heads = rng.choices(["http://", "https://a.example/", "/", ""], k=10_000)
        hrefs = [head + "".join(rng.choices(PIECES, k=rng.randrange(8))) for head in heads]
        urls = canonical_links(hrefs, base)
        assert urls == [canonical(href, base) for href in hrefs]
        assert all(canonical(url) == url for url in urls if url is not None)
        assert sum(url is not None for url in urls) > 2_000


@given(URLISH)
@settings(max_examples=200, deadline=None)
def test_site_and_homepage_belong_to_the_url(href: str) -> None:
    url = canonical(href, BASE)
    if url is not None:
        home = homepage_of(url)
        assert url.startswith(home) and canonical(home) == home and site_of(home) == site_of(url)
        assert home.endswith(f"//{site_of(url)}/")


def test_a_site_is_the_host_and_an_unusual_port() -> None:
    assert site_of("https://www.example.com/a?b") == "www.example.com"
    assert site_of("http://example.com:8080/") == "example.com:8080"
    assert homepage_of("http://example.com:8080/a/b?c") == "http://example.com:8080/"


def test_keys_are_signed_stable_and_fit_int64() -> None:
    urls = [f"https://example.com/{n}" for n in range(1000)]
    keys = [key_of(url) for url in urls]
    assert len(set(keys)) == 1000
    assert min(keys) < 0 < max(keys)
    assert np.array(keys, dtype=np.int64).tolist() == keys
    assert key_of("https://example.com/") == 5_522_761_390_303_137_003
