"""Where a page sets out attributes and values, row by row (X-13 a).

Rows are found in the ways pages are written: tables of two columns or of pairs of columns, definition lists, boxes of
two, a label in bold or with a colon before its value. The rows of one container are a group.

Differs: the original looks at the boxes a browser draws. The tree says the same of most pages, without a browser.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from models.description import Group, Row, is_label

MAX_ROWS = 3_000  # elements of a kind that are looked at
MAX_TEXT = 1_000_000  # characters read in all: cells may hold each other

_PAIRS = ":is(div,li,p,section)>:is(div,span,p,b,strong,label,h4,h5):first-child+:is(div,span,p,b,strong,ul):last-child"
_LABELS = ":is(b,strong,em,i,u,font,span,label)"
_COLON = re.compile(r"\s*([^:]{1,42}?)\s*:(?:\s+(.*)|)", re.DOTALL)
_BLOCKS = frozenset(("td", "th", "dd", "li", "p", "div", "form", "fieldset"))
_EDGES = " :-–•·*"  # what may stand around a label
_HELP = re.compile(r"gloss|term|help|defin|^#|^javascript", re.IGNORECASE)
# What a table has above the column of its labels, if it describes one thing.
_HEADS = frozenset(
    "attribute attributes feature features specification specifications spec specs property properties"
    " characteristic characteristics detail details".split()
)


class Reading:
    """The groups of a page."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self.groups: dict[int, Group] = {}
        self._tree = tree
        self._left = MAX_TEXT
        self._used: set[int] = set()  # labels and rows that were read already
        self._controls = self._around_controls()
        for read in (self._tables, self._definitions, self._boxes, self._marked, self._lines):
            read()

    def _tables(self) -> None:
        for row in self._css("tr"):
            cells = [cell for cell in row.iter() if cell.tag in ("td", "th") and self._text(cell)]
            if len(cells) > 2 and cells[0].tag == "th" and "rowspan" in cells[0].attributes:
                del cells[0]  # the name of a section beside its rows
            table = row.parent if row.parent is None or row.parent.tag == "table" else row.parent.parent
            if table is None or len(cells) < 2:
                continue
            if all(cell.tag == "th" for cell in cells):
                self._head(table, cells)
            elif len(cells) == 2:
                self._add(table, cells[0], self._text(cells[1]), cells[0].tag == "th")
            elif len(cells) % 2 == 0 and all(map(self._is_marked, cells[::2])):
                for label, value in zip(cells[::2], cells[1::2], strict=True):
                    self._add(table, label, self._text(value), True)
            else:
                self._group(table).misses += 1

    def _head(self, table: LexborNode, cells: list[LexborNode]) -> None:
        first = self._text(cells[0]).casefold().split()
        if _HEADS.isdisjoint(first) and (len(cells) > 2 or "colspan" not in cells[0].attributes):
            self._group(table).is_list = True

    def _is_marked(self, cell: LexborNode) -> bool:
        return cell.tag == "th" or self._text(cell).endswith(":")

    def _definitions(self) -> None:
        for term in self._css("dt"):
            value = _next(term)
            around = term.parent
            if around is not None and around.tag != "dl":
                around = around.parent
            if around is not None and value is not None and value.tag == "dd":
                self._add(around, term, self._text(value), True)

    def _boxes(self) -> None:
        """Rows of two boxes and no text besides them."""
        for value in self._css(_PAIRS):
            row, label = value.parent, _previous(value)
            if row is None or row.parent is None or label is None:
                continue
            name, said = self._text(label), self._text(value)
            if len(self._text(row)) <= len(name) + len(said) + 2:
                self._used.add(row.mem_id)
                self._add(row.parent, label, said, label.tag in ("b", "strong", "label") or name.endswith(":"))

    def _marked(self) -> None:
        """A label with a colon, inside it or behind it, and what follows up to the next line or label."""
        found = []
        for label in self._css(_LABELS):
            if label.mem_id not in self._used and label.parent is not None:
                name, said = self._text(label), ""
                if name.endswith(":") or (name and _begins_with_colon(label.next)):
                    said = " ".join(self._text(node) for node in _line_after(label)).lstrip(": ")
                if said:
                    found.append((label.parent, label, said))
        rows = Counter(parent.mem_id for parent, _, _ in found)
        for parent, label, said in found:
            around = parent if rows[parent.mem_id] > 1 else parent.parent
            self._used.add(parent.mem_id)
            if around is not None:
                self._add(around, label, said, True)

    def _lines(self) -> None:
        """Plain text with a colon: a line up to a break, an item of a list, a paragraph."""
        broken = [(node, br.parent) for br in self._css("br") for node in (br.prev, br.next)]
        self._used.update(around.mem_id for _, around in broken if around is not None)
        whole = [(node, node.parent) for node in self._css(":is(li,p)")]
        for node, around in (*broken, *whole):
            if node is None or around is None or node.mem_id in self._used:
                continue
            self._used.add(node.mem_id)
            found = _COLON.fullmatch(self._text(node)) if node.is_text_node or _is_plain(node) else None
            if found and found[2]:
                self._put(self._group(around), Row(found[1], found[2], True, False))

    def _add(self, around: LexborNode, label: LexborNode, value: str, is_marked: bool) -> None:
        self._used.add(label.mem_id)
        name = self._text(label)
        row = Row(name.strip(_EDGES), value, is_marked or name.endswith(":"), _leads_away(label, name))
        self._put(self._group(around), row)

    @staticmethod
    def _put(group: Group, row: Row) -> None:
        if row.value and is_label(row.label):
            group.rows.append(row)
        else:
            group.misses += 1

    def _group(self, node: LexborNode) -> Group:
        found = self.groups.get(node.mem_id)
        if found is None:
            found = self.groups[node.mem_id] = Group(node)
        return found

    def _around_controls(self) -> set[int]:
        """The blocks just around what a user fills in: what stands there is no value."""
        around: set[int] = set()
        for node in self._css(":is(input,select,textarea)"):
            if node.attributes.get("type") != "hidden":
                while node.parent is not None and node.tag not in _BLOCKS:
                    node = node.parent
                around.add(node.mem_id)
        return around

    def _css(self, selector: str) -> list[LexborNode]:
        return list(islice(self._tree.css(selector), MAX_ROWS))

    def _text(self, node: LexborNode) -> str:
        if self._left <= 0 or node.mem_id in self._controls:
            return ""
        text = node.text(separator=" ") or ""
        self._left -= len(text)
        return " ".join(text.split())


def _leads_away(label: LexborNode, text: str) -> bool:
    """Whether the label as a whole is a link, and not to an explanation of it."""
    node: LexborNode | None = label
    for _ in range(3):
        node = next(iter(node.iter()), None) if node is not None else None
        if node is not None and node.tag == "a":
            href = node.attributes.get("href") or ""
            return len(node.text()) >= 0.8 * len(text) and not _HELP.search(href)
    return False


def _begins_with_colon(node: LexborNode | None) -> bool:
    return node is not None and node.is_text_node and (node.text_content or "").lstrip().startswith(":")


def _line_after(label: LexborNode) -> Iterator[LexborNode]:
    """What follows a label up to the end of the line or the next label."""
    node = label.next
    for _ in range(8):
        if node is None or node.tag in ("br", label.tag):
            return
        yield node
        node = node.next


def _is_plain(node: LexborNode) -> bool:
    """Whether it begins with text that has a colon."""
    first = node.first_child
    return first is not None and first.is_text_node and ":" in (first.text_content or "")


def _next(node: LexborNode) -> LexborNode | None:
    """The element after another."""
    found = node.next
    while found is not None and not found.is_element_node:
        found = found.next
    return found


def _previous(node: LexborNode) -> LexborNode | None:
    """The element before another."""
    found = node.prev
    while found is not None and not found.is_element_node:
        found = found.prev
    return found
