"""Ways by what a reader reads beside the value: labels, headings and heads of columns."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from sundog.patterns.example.expressions import Way, label_test, stable_label
from sundog.patterns.example.names import field_name
from sundog.patterns.example.sightings import text_of

HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})  # an h1 is the page's own name
CELLS = frozenset({"td", "th"})
MOST_CELLS = 2_000  # of a table whose columns are counted, which takes time for each of its cells


def by_label(node: etree._Element, start: str) -> Iterator[Way]:
    """A row of a table, a pair of a definition list, or a label right before it."""
    if node.tag == "td":
        yield from _in_a_row(node, start)
        return
    before = next(node.itersiblings(etree.Element, preceding=True), None)
    if before is None or before.tag in HEADINGS:
        return
    text = text_of(before)
    if (before.tag == "dt" or text.endswith(":")) and (test := label_test(text)):
        path = f"{start}{before.tag}[{test}]/following-sibling::*[1]"
        yield Way(path, "label", field_name(stable_label(text)), steps=2)


def _in_a_row(cell: etree._Element, start: str) -> Iterator[Way]:
    """The row's first cell is the label of the others."""
    row = cell.getparent()
    cells = [each for each in row if each.tag in CELLS] if row is not None else []
    if len(cells) < 2 or cells[0] is cell or not (test := label_test(text_of(cells[0]))):
        return
    name, labelled = field_name(stable_label(text_of(cells[0]))), f"{start}tr[*[1][{test}]]"
    if len(cells) == 2:
        yield Way(f"{labelled}/td[last()]", "label", name, steps=2)
    else:
        yield Way(f"{labelled}/*[{cells.index(cell) + 1}]", "label", name, steps=2, positions=1)


def by_heading(node: etree._Element, root: etree._Element, start: str) -> Iterator[Way]:
    """The list or table after a heading, and the way down from it by tags."""
    steps: list[str] = []
    top: etree._Element | None = node
    while top is not None and top is not root:
        for before in top.itersiblings(etree.Element, preceding=True):
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
        top = top.getparent()


def by_column(node: etree._Element, start: str) -> Iterator[Way]:
    """The cells below a table's heading, wherever that column stands."""
    cell = next((each for each in [node, *node.iterancestors("td")] if each.tag == "td"), None)
    table = next(cell.iterancestors("table"), None) if cell is not None else None
    if cell is None or table is None or len(table.xpath(".//td")) > MOST_CELLS:
        return
    place, heads = len(list(cell.itersiblings(etree.Element, preceding=True))), _heads_of(table)
    if place < len(heads) and (test := label_test(text_of(heads[place]))):
        column = f"count(ancestor::table[1]//th[{test}][1]/preceding-sibling::*)"
        path = "/".join([f"{start}td[count(preceding-sibling::*) = {column}]", *_tags_between(cell, node)])
        yield Way(path, "column", field_name(stable_label(text_of(heads[place]))), steps=2)


def _heads_of(table: etree._Element) -> list[etree._Element]:
    """The cells of its first row, if that has nothing but heads."""
    first = next(table.iter("tr"), None)
    cells = list(first.iterchildren(etree.Element)) if first is not None else []
    return cells if len(cells) > 1 and all(cell.tag == "th" for cell in cells) else []


def _tags_between(above: etree._Element, node: etree._Element) -> list[str]:
    """
    >>> tree = etree.fromstring("<td><b><a/></b></td>")
    >>> _tags_between(tree, tree[0][0])
    ['b', 'a']
    """
    tags: list[str] = []
    each: etree._Element | None = node
    while each is not None and each is not above:
        tags.insert(0, str(each.tag))
        each = each.getparent()
    return tags
