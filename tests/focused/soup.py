"""Tag soup for property tests: pieces of markup in any order, well or badly nested."""

from __future__ import annotations

from hypothesis import strategies as st

_TAGS = "p div span b i a ul li table tr td main section h1 svg object noscript script style template title form select"
_PIECES = [f"<{tag}>" for tag in _TAGS.split()] + [f"</{tag}>" for tag in _TAGS.split()]
_PIECES += [f"<a href=/{number}>" for number in range(4)] + ["</a>"] * 4
_PIECES += [
    "one",
    "two words",
    " ",
    "drei ß",
    "—",
    "x&#0;y",
    "\0",
    "&amp;",
    "<!-- c -->",
    "<!--",
    "-->",
    "<br>",
    "<",
    ">",
]
_PIECES += ["<img alt='picture words'>", "<iframe src=/frame>", "</iframe>", "<area href=/area>", "<frameset>"]
_PIECES += ["<base href=/base/>", "<frame src=/f>", "<meta name=robots content=none>", "<div role=main>", "<html>"]
_PIECES += [
    "<link rel=canonical href=/canonical>",
    "<meta http-equiv=refresh content='1;url=/refresh'>",
    "<a href='",
    '"',
]

SOUP = st.lists(st.sampled_from(_PIECES), max_size=40).map("".join)
