"""A page's tree as query by example reads it: elements only, and text as a reader sees it."""

from __future__ import annotations

from collections.abc import Iterator

import turbohtml
from turbohtml import Text

from sundog.patterns.crawl_view import CrawlView
from sundog.patterns.document import PageDocument

Node = turbohtml.Element


def page_tree(body: bytes, url: str, content_type: str) -> Node:
    """The root element of a page."""
    root: Node = PageDocument(url, body, content_type, "", CrawlView()).tree.root
    return root


def elements(root: Node) -> list[Node]:
    """The element and all below it, in the page's order."""
    return [root, *root.iter_elements()]


def children(node: Node) -> list[Node]:
    return [child for child in node.children if isinstance(child, Node)]


def parent(node: Node) -> Node | None:
    above = node.parent
    return above if isinstance(above, Node) else None


def ancestors(node: Node) -> Iterator[Node]:
    """The nearest first."""
    return (above for above in node.ancestors if isinstance(above, Node))


def upwards(node: Node) -> list[Node]:
    """The element, and those around it."""
    return [node, *ancestors(node)]


def siblings_before(node: Node) -> Iterator[Node]:
    """The nearest first."""
    return (each for each in node.previous_siblings if isinstance(each, Node))


def attribute(node: Node, name: str) -> str:
    """Empty if there is none."""
    return node.attr(name) or ""


def plain(text: str) -> str:
    """As a reader sees it: blanks are one blank, whatever kind they are of.

    >>> plain(" 262\\u00a0992 \\n people ")
    '262 992 people'
    """
    return " ".join(text.split())


def text_of(node: Node) -> str:
    return plain(node.text)


def own_texts(node: Node) -> Iterator[Text]:
    """Its own texts, if there is something between them."""
    texts = [child for child in node.children if isinstance(child, Text) and child.text.strip()]
    if len(texts) < len(node.children):
        yield from texts
