"""A stranger's page, made fit to be looked at inside the console: nothing in it runs, loads or leads away.

What could is taken out, the links lead through the recorder, and the answer's policy would keep the browser from all
of it even if something was left: a sandbox without scripts, forms, windows and origin, which may load nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from selectolax.lexbor import LexborHTMLParser

from focused.html import readable
from focused.urls import canonical

POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
        "sandbox",
    )
)
TAKEN_OUT = "script, iframe, frame, frameset, object, embed, applet, base, link, meta, style, form input, button, svg"
KEPT = {"href", "colspan", "rowspan", "alt", "title", "lang", "dir", "start"}


def framed(body: bytes, content_type: str, url: str, lead: Callable[[str], str]) -> str:
    """`lead` gives the address under which the recorder follows a link."""
    tree = LexborHTMLParser(readable(body, content_type).html)
    base = next((node.attributes.get("href") or "" for node in tree.css("base[href]")), "")
    home = canonical(base, url) or url
    frames = [canonical(node.attributes.get("src") or "", home) for node in tree.css("frame[src], iframe[src]")]
    for node in tree.css(TAKEN_OUT):
        node.decompose(recursive=True)
    for node in tree.css("*"):
        href = node.attributes.get("href") if node.tag in ("a", "area") else None
        for name in list(node.attributes):
            if name not in KEPT or name == "href":
                del node.attrs[name]
        target = canonical(href, home) if href else None
        if target is not None:
            node.attrs["href"] = lead(target)
    return f"{tree.html or ''}\n{_listed([lead(frame) for frame in frames if frame])}"


def _listed(frames: list[str]) -> str:
    """What stood in frames is behind links: without them a frameset would lead nowhere."""
    items = "".join(f'<li><a href="{escape(frame)}">frame {n}</a></li>' for n, frame in enumerate(frames, 1))
    return f"<ul>{items}</ul>" if items else ""
