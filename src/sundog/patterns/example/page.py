"""The page that values are looked for on, as patterns will see it."""

from __future__ import annotations

from lxml import etree

from sundog.patterns.document import PageDocument
from sundog.patterns.values import Surroundings


def page_tree(body: bytes, url: str, content_type: str) -> etree._Element:
    """The root element of the well-formed page."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, recover=True)
    document = PageDocument(url, body, content_type, "", Surroundings())
    return etree.fromstring(document.xml.encode(), parser)
