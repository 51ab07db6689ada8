"""The link graph of the fetched pages as GraphML, written as a stream: a graph need not fit into memory."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import BinaryIO
from xml.sax.saxutils import escape

from focused.store.answers import Choice
from focused.store.queries import Reading

# What XML 1.0 cannot hold, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEAD = """<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="url" for="node" attr.name="url" attr.type="string"/>
<key id="title" for="node" attr.name="title" attr.type="string"/>
<key id="relevance" for="node" attr.name="relevance" attr.type="double"/>
<key id="relevant" for="node" attr.name="relevant" attr.type="boolean"/>
<key id="anchor" for="edge" attr.name="anchor" attr.type="string"/>
<key id="score" for="edge" attr.name="score" attr.type="double"/>
<graph edgedefault="directed">
"""

Value = str | float | bool | None


def write_graphml(reading: Reading, choice: Choice, out: BinaryIO) -> int:
    """The chosen pages and the links between them; returns the number of pages."""
    out.write(_HEAD.encode())
    count = 0
    for page_id, url, title, relevance, relevant in reading.nodes(choice):
        data = _data({"url": url, "title": title, "relevance": relevance, "relevant": bool(relevant)})
        out.write(f'<node id="{page_id}">{data}</node>\n'.encode())
        count += 1
    for source, target, anchor, score in reading.edges(choice):
        data = _data({"anchor": anchor, "score": score})
        out.write(f'<edge source="{source}" target="{target}">{data}</edge>\n'.encode())
    out.write(b"</graph>\n</graphml>\n")
    return count


def _data(values: Mapping[str, Value]) -> str:
    return "".join(f'<data key="{key}">{_text(value)}</data>' for key, value in values.items() if _is_said(value))


def _is_said(value: Value) -> bool:
    return value is not None and not (isinstance(value, float) and not math.isfinite(value))


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else escape(_NOT_XML.sub("", str(value)))
