"""Links that are there only after a script has run: what a reader of plain HTML does not see."""

from __future__ import annotations

import json
from html import escape

WAYS = 3


def menu(entries: list[tuple[str, str]], way: int) -> str:
    """A menu of (URL, label): made element by element, by clicks that change the location, or opened by the mouse."""
    return (_made, _clicked, _hovered)[way % WAYS](entries)


def written(html: str, name: str) -> str:
    """Any HTML, put into the page by a script."""
    return (
        f'<div id="{name}"></div>\n<script>\n'
        f'document.getElementById("{name}").innerHTML = {_quoted(html)};\n</script>\n'
    )


def _made(entries: list[tuple[str, str]]) -> str:
    return (
        f'<ul id="menu"></ul>\n<script>\nvar entries = {_quoted(entries)};\n'
        'for (var i = 0; i < entries.length; i += 1) {\n  var link = document.createElement("a");\n'
        "  link.href = entries[i][0];\n  link.textContent = entries[i][1];\n"
        '  document.getElementById("menu").appendChild(document.createElement("li")).appendChild(link);\n}\n</script>\n'
    )


def _clicked(entries: list[tuple[str, str]]) -> str:
    items = "".join(
        f'<li><span role="link" onclick="window.location.href=\'{escape(url)}\'">{label}</span></li>\n'
        for url, label in entries
    )
    return f"<ul>\n{items}</ul>\n"


def _hovered(entries: list[tuple[str, str]]) -> str:
    links = "".join(f'<a href="{escape(url)}">{label}</a> ' for url, label in entries)
    return (
        '<div id="menu" onmouseover="openMenu()">Menu</div>\n<script>\nfunction openMenu() {\n'
        f'  document.getElementById("menu").innerHTML = {_quoted(links)};\n}}\n</script>\n'
    )


def _quoted(value: object) -> str:
    """As JavaScript; an end tag inside would end the script."""
    return json.dumps(value).replace("</", "<\\/")
