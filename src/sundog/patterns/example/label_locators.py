"""Locators by what a reader reads beside a value: labels, headings, heads of columns.

Some labels are marked by their place alone: ``<p><span>Height</span><span>3,967 m</span></p>``, or ``<p>Height
<span>3,967 m</span></p>``. The title and the price of a card stand so, too: what has no colon, and is not called a
label, is trusted less. Some values are one piece of text among others: ``<b>Brand</b> Canyon<br>Room: B 12``. The
label before the piece leads to it, or the beginning of the piece itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turbohtml import Text

from sundog.patterns.example.expressions import (
    Kind,
    Locator,
    field_name,
    is_label,
    label_test,
    literal,
    stable_label,
)
from sundog.patterns.example.tree import (
    Node,
    attribute,
    children,
    parent,
    plain,
    siblings_before,
    text_of,
    upwards,
)
from sundog.patterns.field_types import Type, type_of

HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})  # an h1 is the page's own name
NAMES_OF_LABELS = ("label", "key", "term", "caption", "property")  # in classes
CELLS = frozenset({"td", "th"})
MOST_CELLS = 1_000  # of a page whose columns are counted, which takes time for each cell


def by_label(node: Node, start: str) -> Iterator[Locator]:
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
        yield Locator(path, "label", field_name(stable_label(text)), steps=2)


def by_own_label(node: Node, start: str) -> Iterator[Locator]:
    """``Founded: 1158`` in one element: what follows the colon is the value."""
    label, colon, rest = text_of(node).partition(":")
    if colon and rest and is_label(label) and stable_label(label) == label:  # the time of a day has a colon too
        test = f"starts-with(normalize-space(), {literal(label + ':')})"
        yield Locator(f"{start}{node.tag}[{test}]", "label", field_name(label), css="", steps=1)


def _in_a_row(cell: Node, start: str) -> Iterator[Locator]:
    """The row's first cell is the label of the others."""
    row = parent(cell)
    cells = [each for each in children(row) if each.tag in CELLS] if row is not None else []
    if len(cells) < 2 or cells[0] == cell or not (test := label_test(text_of(cells[0]))):
        return
    name, labelled = field_name(stable_label(text_of(cells[0]))), f"{start}tr[*[1][{test}]]"
    if len(cells) == 2:
        yield Locator(f"{labelled}/td[last()]", "label", name, steps=2)
    else:
        yield Locator(f"{labelled}/*[{cells.index(cell) + 1}]", "label", name, steps=2, positions=1)


def by_heading(node: Node, root: Node, start: str) -> Iterator[Locator]:
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
                    yield Locator(path, "heading", name, steps=2 + len(steps))
                return
        steps.insert(0, str(top.tag))
        top = parent(top)


def by_column(node: Node, start: str) -> Iterator[Locator]:
    """The cells below a table's heading, wherever that column stands."""
    cell = next((each for each in upwards(node) if each.tag == "td"), None)
    table = next((each for each in upwards(node) if each.tag == "table"), None)
    if cell is None or table is None or len(upwards(node)[-1].select("td")) > MOST_CELLS:
        return
    number, heads = len(list(siblings_before(cell))), heads_of(table)
    if number < len(heads) and (test := label_test(text_of(heads[number]))):
        column = f"count(ancestor::table[1]//th[{test}][1]/preceding-sibling::*)"
        path = "/".join([f"{start}td[count(preceding-sibling::*) = {column}]", *_tags_between(cell, node)])
        yield Locator(path, "column", field_name(stable_label(text_of(heads[number]))), steps=2)


def heads_of(table: Node) -> list[Node]:
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


def by_pair(node: Node, start: str) -> Iterator[Locator]:
    """The one element, or the one text, before it, where there is nothing else beside it."""
    above = parent(node)
    parts = [part for part in above.children if part.text.strip()] if above is not None else []
    if above is None or len(parts) != 2 or parts[1] != node:
        return
    first, text = parts[0], plain(parts[0].text)
    test = label_test(text)
    if not test or type_of(text) != "text":
        return
    if not isinstance(first, Node):
        path = f"{start}{above.tag}[text()[{test}]]/{node.tag}"
    elif _has_link(first):  # it is the name of a thing
        return
    else:
        path = f"{start}{first.tag}[{test}]/following-sibling::*[1]"
    yield Locator(path, _kind(first, text), field_name(stable_label(text)), steps=2)


def _kind(first: object, text: str) -> Kind:
    called = attribute(first, "class").lower() if isinstance(first, Node) else ""
    return "label" if text.endswith(":") or any(name in called for name in NAMES_OF_LABELS) else "pair"


def _has_link(node: Node) -> bool:
    return node.tag == "a" or node.select_one("a") is not None


class PieceLocator(NamedTuple):
    """A locator of an element, and the whole expression: from there to the piece."""

    target: Node
    locator: Locator
    xpath: str


def locators_to_piece(piece: Text, root: Node, kind: Type) -> Iterator[PieceLocator]:
    start = "//" if parent(root) is None else ".//"
    yield from _after_a_label(piece, start, kind)
    yield from _by_its_beginning(piece, start, kind)


def _after_a_label(piece: Text, start: str, kind: Type) -> Iterator[PieceLocator]:
    """The label is the element right before it; a colon may stand in the one or in the other."""
    before = piece.previous_sibling
    if not isinstance(before, Node) or not (test := label_test(text_of(before))):
        return
    labelled = Locator(f"{start}{before.tag}[{test}]", "label", field_name(stable_label(text_of(before))), steps=2)
    path = f"{labelled.xpath}/following-sibling::text()[1]"
    yield PieceLocator(before, labelled, _behind_the_colon(path, kind) if plain(piece.text)[:1] == ":" else path)


def _by_its_beginning(piece: Text, start: str, kind: Type) -> Iterator[PieceLocator]:
    """``Room: B 12``."""
    around, (label, colon, rest) = piece.parent, plain(piece.text).partition(":")
    if isinstance(around, Node) and colon and rest and is_label(label):
        text = f"text()[starts-with(normalize-space(), {literal(label + colon)})]"
        labelled = Locator(f"{start}{around.tag}[{text}]", "label", field_name(label), steps=2)
        yield PieceLocator(around, labelled, _behind_the_colon(f"{start}{around.tag}/{text}", kind))


def _behind_the_colon(path: str, kind: Type) -> str:
    """Numbers and dates are found wherever they stand."""
    return f"normalize-space(substring-after({path}, ':'))" if kind == "text" else path
