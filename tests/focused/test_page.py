"""A response read once: its links and their spans, rules for robots, the tree for spiders."""

from __future__ import annotations

import pytest

from focused.page import AROUND, Link, Page, PageReader, Revealed
from models.text import Vocabulary

URL = "https://www.example.com/dir/page.html"
SITE = "https://www.example.com"
READER = PageReader(Vocabulary())


def read(html: str | bytes, url: str = URL, content_type: str = "", robots_tag: str = "") -> Page:
    body = html if isinstance(html, bytes) else html.encode()
    return READER.read(url, body, content_type, robots_tag=robots_tag)


def link_of(html: str) -> Link:
    (link,) = read(html).links
    return link


# --- links: which -------------------------------------------------------------------------------------


def test_links_of_every_kind_are_found() -> None:
    page = read(
        "<head><link rel=stylesheet href=/s.css><link rel='canonical' href=/canonical>"
        "<meta http-equiv=Refresh content='5; URL=/refresh'></head>"
        "<a href=/a>a</a><a name=x>no link</a><map><area href=/area alt='an area'></map><iframe src=/iframe></iframe>"
        "<iframe></iframe><svg><a href=/svg>s</a><a xlink:href=/xlink>x</a><use href=/use></use></svg>"
        "<noscript><a href=/noscript>n</a></noscript><template><a href=/template>t</a></template>"
    )
    assert [(link.url.removeprefix(SITE), link.kind) for link in page.links] == [
        ("/canonical", "canonical"),
        ("/refresh", "refresh"),
        ("/a", "a"),
        ("/area", "a"),
        ("/iframe", "frame"),
        ("/svg", "a"),
        ("/xlink", "a"),
        ("/noscript", "a"),
    ]
    assert page.canonical == SITE + "/canonical"
    assert [link.anchor for link in page.links] == ["", "", "a", "an area", "", "s", "x", ""]


def test_the_frames_of_a_frameset_are_links() -> None:
    page = read("<frameset><frame src=one.html title=Menu><frame src=two.html><noframes>x <a href=y>z</a></noframes>")
    assert [(link.url, link.kind, link.anchor) for link in page.links] == [
        (SITE + "/dir/one.html", "frame", "Menu"),
        (SITE + "/dir/two.html", "frame", ""),
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("0;url=/x", ["/x"]),
        ("0; URL='/x'", ["/x"]),
        ('3 ;url = "/x" trailing', ["/x"]),
        ("0.5,/x", ["/x"]),
        ("5 /x", ["/x"]),
        (";url=/x", ["/x"]),
        ("5", []),
        ("", []),
        ("0;url=", []),
        ("0;url=javascript:x()", []),
    ],
)
def test_the_url_of_a_refresh_is_a_link(content: str, expected: list[str]) -> None:
    quote = "'" if '"' in content else '"'
    page = read(f"<meta http-equiv=refresh content={quote}{content}{quote}>")
    assert [link.url.removeprefix(SITE) for link in page.links] == expected


def test_urls_are_canonical_and_relative_to_the_base() -> None:
    hrefs = "".join(
        f"<a href='{href}'>x</a>" for href in ("x.html", "/y#z", "?b=2&a=1", "//other.example", "../z?utm_id=1")
    )
    assert [link.url for link in read(hrefs).links] == [
        SITE + "/dir/x.html",
        SITE + "/y",
        URL + "?a=1&b=2",
        "https://other.example/",
        SITE + "/z",
    ]
    urls = [link.url for link in read("<base href='/other/'><base href='/no/'>" + hrefs).links]
    assert urls[:3] == [SITE + "/other/x.html", SITE + "/y", SITE + "/other/?a=1&b=2"]
    for bad in ("javascript:x", "data:,x", "http://a..b/", ""):
        assert read(f"<base href='{bad}'>" + hrefs).links[0].url == SITE + "/dir/x.html"


def test_the_page_itself_is_no_link_of_it() -> None:
    page = read(
        f"<link rel=canonical href={URL}><a href=''>x</a><a href>x</a><a href='#top'>x</a><a href=page.html#y>z</a>"
    )
    assert page.links == [] and page.refused_links == page.dropped_links == 0
    assert page.canonical == URL


def test_what_cannot_be_fetched_is_counted() -> None:
    page = read("<a href=mailto:x@y>x</a><a href='javascript:void(0)'>x</a><a href=ftp://a/>x</a><a href=/x>x</a>")
    assert len(page.links) == 1 and page.refused_links == 3


def test_a_page_whose_own_url_is_bad_has_absolute_links_only() -> None:
    assert [
        link.url for link in read("<a href=/x>x</a><a href=//a.b/>x</a><a href=http://c.d/>x</a>", "nonsense").links
    ] == ["http://c.d/"]


def test_one_link_a_url_with_the_first_anchor_that_has_words() -> None:
    page = read(
        "<a href=/x rel=nofollow><img src=i></a><a href=/y>why</a>"
        "<p><a href=/x#f>first</a> <a href=/x>second longer one</a>"
    )
    assert [(link.url, link.anchor) for link in page.links] == [(SITE + "/x", "first"), (SITE + "/y", "why")]
    assert page.links[0].dom_path == "/html/body/p/a[1]"
    assert not page.links[0].nofollow


def test_a_text_is_a_better_anchor_than_what_stands_for_one() -> None:
    logo, label, text = "<a href=/x><img alt=logo></a>", "<a href=/x title=label></a>", "<a href=/x>text</a>"
    none = "<a href=/x></a>"
    for html, anchor in ((logo + text, "text"), (none + logo + label, "logo"), (none + label + text + logo, "text")):
        assert link_of(html).anchor == anchor
    assert link_of(text + logo).anchor == "text" and link_of(none + none).anchor == ""


def test_links_beyond_the_limit_are_counted() -> None:
    html = "".join(f"<a href=/{number % 30}>{number}</a>" for number in range(60)) + "<a href=mailto:x>x</a>"
    page = PageReader(READER.vocabulary, max_links=10).read(URL, html.encode())
    assert [link.anchor for link in page.links] == [str(number) for number in range(10)]
    assert page.dropped_links == 40 and page.refused_links == 1
    assert len(page.starts) == len(page.ends) == 10
    page = PageReader(READER.vocabulary, max_links=1).read(URL, html.encode())
    assert len(page.links) == 1 and page.dropped_links + page.refused_links >= 59


@pytest.mark.parametrize(
    ("rel", "nofollow"),
    [
        ("nofollow", True),
        ("NoFollow", True),
        ("noopener ugc", True),
        ("sponsored", True),
        ("noopener", False),
        ("", False),
    ],
)
def test_rel_says_whether_a_link_is_to_be_followed(rel: str, nofollow: bool) -> None:
    assert link_of(f"<a href=/x rel='{rel}'>x</a>").nofollow is nofollow


# --- links: where -------------------------------------------------------------------------------------


def test_a_link_knows_its_words_and_those_around_it() -> None:
    before, after = [f"b{n}" for n in range(30)], [f"a{n}" for n in range(30)]
    page = read(f"<p>{' '.join(before)} <a href=/x>The <b>anchor</b>, text</a> {' '.join(after)}")
    (link,) = page.links
    assert link.anchor == "The anchor text"
    assert (link.start, link.end) == (30, 33) == (page.starts[0], page.ends[0])
    assert link.around.split() == [*before[-AROUND:], "The", "anchor", "text", *after[:AROUND]]
    assert link.score == 0.0 and link.trail is None


@pytest.mark.parametrize(
    ("link", "anchor"),
    [
        ("<a href=/x title=t><img alt='a picture'></a>", "a picture"),
        ("<a href=/x title=t><img alt='' title='of what'></a>", "of what"),
        ("<a href=/x title=t><img><b><img alt='the second'></b></a>", "the second"),
        ("<a href=/x title='t, u' aria-label=l><img></a>", "t u"),
        ("<a href=/x title=' ' aria-label='a label'></a>", "a label"),
        ("<a href=/x title=t>words</a>", "words"),
        ("<a href=/x> — </a>", ""),
        ("<a href=/x><script>no</script></a>", ""),
        (f"<a href=/x title='{'word ' * 99}'></a>", " ".join(["word"] * 50)),
    ],
)
def test_an_anchor_without_words_is_what_stands_for_it(link: str, anchor: str) -> None:
    page = read(f"<p>before {link} after")
    assert page.links[0].anchor == anchor
    assert page.words == ["before", *anchor.split(), "after"]
    assert page.links[0].around == " ".join(page.words)


def test_links_in_links_keep_their_spans() -> None:
    page = read("<a href=/out>one<table><tr><td>two<a href=/in>three</a>four</table>five</a><a href=/next>six</a>")
    assert [(link.url.removeprefix(SITE), link.anchor) for link in page.links] == [
        ("/out", "one two three four five"),
        ("/in", "three"),
        ("/next", "six"),
    ]


def test_a_link_has_a_dom_path() -> None:
    page = read("<div></div><div><ul><li><a href=/1>x</a><li><li><b><a href=/2>y</a></b></ul></div><a href=/3>z</a>")
    assert [link.dom_path for link in page.links] == [
        "/html/body/div[2]/ul/li[1]/a",
        "/html/body/div[2]/ul/li[3]/b/a",
        "/html/body/a",
    ]


# --- robots -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("meta", "tag", "noindex", "nofollow"),
    [
        ("", "", False, False),
        ("<meta name=robots content=noindex>", "", True, False),
        ("<meta name=ROBOTS content='NOINDEX, NoFollow'>", "", True, True),
        ("<meta name=robots content=none>", "", True, True),
        ("<meta name=robots content='index,follow'>", "", False, False),
        ("<meta name=focused content=nofollow><meta name=robots content=noindex>", "", True, True),
        ("<meta name=otherbot content=none><meta name=description content=noindex>", "", False, False),
        ("<body><p>x<meta name=robots content=nofollow>", "", False, True),
        ("", "noindex, nofollow", True, True),
        ("", "none", True, True),
        ("", "otherbot: noindex, nofollow", False, False),
        ("", "otherbot: noindex, focused: nofollow", False, True),
        ("", "unavailable_after: Sat, 25 Jun 2050 15:00:00 GMT, nofollow", False, True),
        ("", "max-snippet:5, noindex", True, False),
    ],
)
def test_a_page_may_ask_not_to_be_kept_or_followed(meta: str, tag: str, noindex: bool, nofollow: bool) -> None:
    page = read(meta, robots_tag=tag)
    assert (page.noindex, page.nofollow) == (noindex, nofollow)


# --- the tree -----------------------------------------------------------------------------------------


def test_a_spider_sees_the_tree_without_marks() -> None:
    body = '<body><main><h1>A <a href="/x">b</a></h1><script>s()</script></main></body>'
    html = f"<html><head><title>t</title></head>{body}</html>"
    page = read(html)
    assert page.texts("h1") == ["A b"]
    assert page.css("a")[0].text() == "b" and page.css("script")[0].text() == "s()"
    assert page.tree.html == html
    assert page.tree is page.tree
    assert page.words == ["t", "A", "b"]


def test_a_page_made_by_hand_has_an_empty_tree() -> None:
    page = Page("https://example.com/")
    assert page.texts("p") == [] and page.text == "" and page.relevance == 0.0 and page.links == []


def test_links_found_in_a_browser_have_words_of_their_own_that_are_not_judged() -> None:
    reader = PageReader(Vocabulary())
    page = reader.read("http://a.example/", b'<title>t</title><p>some words</p><a href="/known">known</a>')
    before = page.judged_terms.tolist()
    found = [
        Revealed("http://a.example/known", "again", "/x"),
        Revealed("http://a.example/menu#top", "All lenses, new", "/html/body/li[2]"),
        Revealed("http://a.example/menu", "twice", "/x"),
        Revealed("http://a.example/", "itself", "/x"),
        Revealed("javascript:void(0)", "nothing", "/x"),
        Revealed("http://b.example/", "", ""),
    ]
    reader.reveal(page, found)
    told = [(link.url, link.anchor, link.dom_path) for link in page.links]
    assert told == [
        ("http://a.example/known", "known", "/html/body/a"),
        ("http://a.example/menu", "All lenses new", "/html/body/li[2]"),
        ("http://b.example/", "", ""),
    ]
    assert page.judged_terms.tolist() == before
    assert len(page.terms) == len(page.words)
    spans = [page.words[start:end] for start, end in zip(page.starts, page.ends, strict=True)]
    assert spans == [["known"], ["All", "lenses", "new"], []]


def test_links_found_in_a_browser_count_among_the_most_a_page_may_have() -> None:
    reader = PageReader(Vocabulary(), max_links=2)
    page = reader.read("http://a.example/", b'<a href="/1">1</a>')
    reader.reveal(page, [Revealed(f"http://a.example/{n}", "", "") for n in (2, 3)])
    assert [link.url for link in page.links] == ["http://a.example/1", "http://a.example/2"]
