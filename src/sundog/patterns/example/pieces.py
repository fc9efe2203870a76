"""Values that are one piece of text among others in an element: ``<b>Brand</b> Canyon<br>Room: B 12``.

What leads to a piece is the label before it, an element of its own or the beginning of the piece itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turbohtml import Text

from sundog.patterns.example.expressions import Way, is_label, label_test, literal, stable_label
from sundog.patterns.example.names import field_name
from sundog.patterns.example.tree import Node, parent, plain, text_of
from sundog.patterns.example.types import Type


class PieceWay(NamedTuple):
    """A way to an element, and the whole expression: from there to the piece."""

    target: Node
    way: Way
    xpath: str


def pieces(node: Node) -> Iterator[Text]:
    """Its own texts, if there is something between them."""
    texts = [child for child in node.children if isinstance(child, Text) and child.text.strip()]
    if len(texts) < len(node.children):
        yield from texts


def ways_to_piece(piece: Text, root: Node, kind: Type) -> Iterator[PieceWay]:
    start = "//" if parent(root) is None else ".//"
    yield from _after_a_label(piece, start, kind)
    yield from _by_its_beginning(piece, start, kind)


def _after_a_label(piece: Text, start: str, kind: Type) -> Iterator[PieceWay]:
    """The label is the element right before it; a colon may stand in the one or in the other."""
    before = piece.previous_sibling
    if not isinstance(before, Node) or not (test := label_test(text_of(before))):
        return
    labelled = Way(f"{start}{before.tag}[{test}]", "label", field_name(stable_label(text_of(before))), steps=2)
    path = f"{labelled.xpath}/following-sibling::text()[1]"
    yield PieceWay(before, labelled, _behind_the_colon(path, kind) if plain(piece.text)[:1] == ":" else path)


def _by_its_beginning(piece: Text, start: str, kind: Type) -> Iterator[PieceWay]:
    """``Room: B 12``."""
    around, (label, colon, rest) = piece.parent, plain(piece.text).partition(":")
    if isinstance(around, Node) and colon and rest and is_label(label):
        text = f"text()[starts-with(normalize-space(), {literal(label + colon)})]"
        labelled = Way(f"{start}{around.tag}[{text}]", "label", field_name(label), steps=2)
        yield PieceWay(around, labelled, _behind_the_colon(f"{start}{around.tag}/{text}", kind))


def _behind_the_colon(path: str, kind: Type) -> str:
    """Numbers and dates are found wherever they stand."""
    return f"normalize-space(substring-after({path}, ':'))" if kind == "text" else path
