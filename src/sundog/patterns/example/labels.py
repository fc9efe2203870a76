"""Ways by what a reader reads beside the value: labels, headings and heads of columns."""

from __future__ import annotations

from collections.abc import Iterator

from sundog.patterns.example.expressions import Way, is_label, label_test, literal, stable_label
from sundog.patterns.example.names import field_name
from sundog.patterns.example.tree import (
    Node,
    children,
    parent,
    siblings_before,
    text_of,
    upwards,
)

HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})  # an h1 is the page's own name
CELLS = frozenset({"td", "th"})
MOST_CELLS = 1_000  # of a page whose columns are counted, which takes time for each cell


def by_label(node: Node, start: str) -> Iterator[Way]:
    """A row of a table, a pair of a definition list, or a label right before it."""
    if node.tag == "td":
        yield from _in_a_row(node, start)
        return
    before = next(siblings_before(node), None)
    if before is None or before.tag in HEADINGS:
        return
    text = text_of(before)
    if (before.tag == "dt" or text.endswith(":")) and (test := label_test(text)):
        path = f"{start}{before.tag}[{test}]/following-sibling::*[1]"
        yield Way(path, "label", field_name(stable_label(text)), steps=2)


def by_own_label(node: Node, start: str) -> Iterator[Way]:
    """``Founded: 1158`` in one element: what follows the colon is the value."""
    label, colon, rest = text_of(node).partition(":")
    if colon and rest and is_label(label):
        test = f"starts-with(normalize-space(), {literal(label + ':')})"
        yield Way(f"{start}{node.tag}[{test}]", "label", field_name(label), css="", steps=1)


def _in_a_row(cell: Node, start: str) -> Iterator[Way]:
    """The row's first cell is the label of the others."""
    row = parent(cell)
    cells = [each for each in children(row) if each.tag in CELLS] if row is not None else []
    if len(cells) < 2 or cells[0] == cell or not (test := label_test(text_of(cells[0]))):
        return
    name, labelled = field_name(stable_label(text_of(cells[0]))), f"{start}tr[*[1][{test}]]"
    if len(cells) == 2:
        yield Way(f"{labelled}/td[last()]", "label", name, steps=2)
    else:
        yield Way(f"{labelled}/*[{cells.index(cell) + 1}]", "label", name, steps=2, positions=1)


def by_heading(node: Node, root: Node, start: str) -> Iterator[Way]:
    """The list or table after a heading, and the way down from it by tags."""
    steps: list[str] = []
    top: Node | None = node
    while top is not None and top != root:
        for before in siblings_before(top):
            if before.tag == top.tag:
                break
            if before.tag in HEADINGS:
                if test := label_test(text_of(before)):
                    after = f"{start}{before.tag}[{test}]/following-sibling::{top.tag}[1]"
                    path = "/".join([after, *steps])
                    name = field_name(stable_label(text_of(before)))
                    yield Way(path, "heading", name, steps=2 + len(steps))
                return
        steps.insert(0, str(top.tag))
        top = parent(top)


def by_column(node: Node, start: str) -> Iterator[Way]:
    """The cells below a table's heading, wherever that column stands."""
    cell = next((each for each in upwards(node) if each.tag == "td"), None)
    table = next((each for each in upwards(node) if each.tag == "table"), None)
    if cell is None or table is None or len(upwards(node)[-1].select("td")) > MOST_CELLS:
        return
    place, heads = len(list(siblings_before(cell))), _heads_of(table)
    if place < len(heads) and (test := label_test(text_of(heads[place]))):
        column = f"count(ancestor::table[1]//th[{test}][1]/preceding-sibling::*)"
        path = "/".join([f"{start}td[count(preceding-sibling::*) = {column}]", *_tags_between(cell, node)])
        yield Way(path, "column", field_name(stable_label(text_of(heads[place]))), steps=2)


def _heads_of(table: Node) -> list[Node]:
    """The cells of its first row, if that has nothing but heads."""
    first = table.select_one("tr")
    cells = children(first) if first is not None else []
    return cells if len(cells) > 1 and all(cell.tag == "th" for cell in cells) else []


def _tags_between(above: Node, node: Node) -> list[str]:
    """
    >>> import turbohtml
    >>> page = turbohtml.parse("<p><b><a></a></b>")
    >>> _tags_between(page.select_one("p"), page.select_one("a"))
    ['b', 'a']
    """
    tags: list[str] = []
    each: Node | None = node
    while each is not None and each != above:
        tags.insert(0, str(each.tag))
        each = parent(each)
    return tags
