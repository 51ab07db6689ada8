from __future__ import annotations

import pytest

from focused.leaves import leaf_starts
from focused.page import PageReader
from models.text import Vocabulary


@pytest.mark.parametrize(
    ("html", "leaves"),
    [
        ("<p>one two</p><p>three</p>", ["one two", "three"]),
        ("<p>one <b>two</b> three</p>", ["one", "two", "three"]),
        ("<title>A shop</title><table><tr><td>Zoom</td><td>3 x</td></tr></table>", ["A shop", "Zoom", "3 x"]),
        ("<p>one</p><script>var two = 2;</script><p>three four</p>", ["one", "three four"]),
        ('<p>one</p><a href="/x"><img alt="two three"></a><p>four</p>', ["one two three", "four"]),
        ("<p>same</p><p>same</p><p> - </p><p>same</p>", ["same", "same", "same"]),
        ("", []),
    ],
)
def test_each_text_of_a_page_is_a_leaf(html: str, leaves: list[str]) -> None:
    page = PageReader(Vocabulary()).read("http://a.example/", html.encode())
    starts = leaf_starts(page.tree, page.words).tolist()
    ends = [*starts, len(page.words)][1:]
    assert [" ".join(page.words[start:end]) for start, end in zip(starts, ends, strict=True)] == leaves
