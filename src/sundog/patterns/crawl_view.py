"""What a pattern may see of the crawl, and the same as XML: ``$crawl`` and the functions ``crawl:…``.

All values are plain enough for JSON: they go to the process that runs patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr


class CrawlPage(NamedTuple):
    """A page of the crawl graph, as patterns see it. ``items`` are (pattern, fields)."""

    id: int
    url: str
    depth: int
    order: int
    matched: Sequence[str] = ()
    items: Sequence[tuple[str, Mapping[str, Any]]] = ()


class WaitingPage(NamedTuple):
    """A page of the frontier. ``via``: link patterns that lead there."""

    id: int
    url: str
    depth: int
    via: Sequence[str] = ()


class CrawlView(NamedTuple):
    """What patterns may ask of the crawl, as of one page. The last five are given only if they are asked for."""

    depth: int = 0
    order: int = 1
    pages: int = 1
    seconds: float = 0.0
    time: float = 0.0
    counts: Mapping[str, int] = {}  # items so far, by pattern
    via: Sequence[str] = ()  # link patterns that led here
    parents: Sequence[CrawlPage] = ()
    path: Sequence[CrawlPage] = ()
    items: Mapping[str, Sequence[Mapping[str, Any]]] = {}
    queued: int | None = None  # how many pages wait in all
    waiting: Sequence[WaitingPage] = ()

    def count_of(self, pattern: str = "") -> int:
        """Items of a pattern so far, or of all."""
        return self.counts.get(pattern, 0) if pattern else sum(self.counts.values())

    def came_via(self, pattern: str = "") -> bool:
        """Whether a link pattern led here, or any."""
        return pattern in self.via if pattern else bool(self.via)


FUNCTIONS = {  # ``crawl:…`` in every language; each takes so many arguments at most, the name of a pattern
    "depth": 0,
    "order": 0,
    "pages": 0,
    "seconds": 0,
    "time": 0,
    "count": 1,
    "via": 1,
    "parents": 0,
    "matched": 1,
    "path": 1,
    "items": 1,
    "waiting": 1,
}
VARIABLES = ("page", "crawl")
NUMBERS = ("depth", "order", "pages", "seconds", "time")  # functions whose answer is a number of ``CrawlView``
NAMESPACE = "urn:sundog:crawl"  # of these functions; in RDF, the graph that describes the crawl
_NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLAIN = re.compile(r"[ !#-%'-;=?-~]*").fullmatch  # most texts: there is nothing to be escaped
_NOT_IN_NAMES = re.compile(r"[^\w.-]", re.ASCII)
_NOT_WORDS = re.compile(r"[^\w.-]")  # among them code points that no parser takes


def crawl_term_iri(word: str) -> str:
    """The property by which RDF says something of a page or an item; ``word`` may be the name of a field.

    What may not stand in an IRI becomes ``_``, as in XML: so ``crawl:net_price`` can be written in a query.

    >>> crawl_term_iri("depth"), crawl_term_iri("net price"), crawl_term_iri("Größe")
    ('urn:sundog:crawl#depth', 'urn:sundog:crawl#net_price', 'urn:sundog:crawl#Größe')
    """
    from sundog.urls.iris import NOT_IN_IRI, is_strict_iri  # load an RDF library, which few patterns need

    iri = f"{NAMESPACE}#{NOT_IN_IRI.sub('_', word).replace('#', '_')}"
    return iri if is_strict_iri(iri) else f"{NAMESPACE}#{_NOT_WORDS.sub('_', word)}"


def crawl_xml(of: CrawlView, url: str) -> str:
    """
    >>> crawl_xml(CrawlView(depth=1), "http://a.example/")[:60]
    '<crawl pages="1" items="0" seconds="0.0" depth="1" order="1"'
    """
    head: dict[str, Any] = {
        "pages": of.pages,
        "items": sum(of.counts.values()),
        "seconds": of.seconds,
        "depth": of.depth,
    }
    head |= {"order": of.order, "time": of.time, "url": url, "via": " ".join(of.via)}
    counts = "".join(f"<count of={_quoted(name)}>{number}</count>" for name, number in of.counts.items())
    parents = "".join(map(page_xml, of.parents))
    path = f"<path>{''.join(map(page_xml, of.path))}</path>"
    items = "".join(item_xml(item, pattern=name) for name, found in of.items.items() for item in found)
    frontier = "" if of.queued is None else waiting_xml(of.waiting, of.queued)
    return f"<crawl{attributes(head)}>{counts}{parents}{path}<items>{items}</items>{frontier}</crawl>"


def waiting_xml(pages: Iterable[WaitingPage], count: int) -> str:
    """The frontier, or the first pages of it.

    >>> waiting_xml([WaitingPage(7, "http://a.example/", 1, ("on",))], 2)
    '<waiting pages="2"><page id="7" url="http://a.example/" depth="1" via="on"/></waiting>'
    """
    listed = "".join(f"<page{attributes({**page._asdict(), 'via': ' '.join(page.via)})}/>" for page in pages)
    return f'<waiting pages="{count:d}">{listed}</waiting>'


def page_xml(page: CrawlPage) -> str:
    head = f'id="{page.id:d}" url={_quoted(page.url)} depth="{page.depth:d}" order="{page.order:d}"'
    items = "".join(item_xml(item, pattern=pattern, page=page.id) for pattern, item in page.items)
    return f"<page {head} matched={_quoted(' '.join(page.matched))}>{items}</page>"


def item_xml(item: Any, **head: Any) -> str:
    """An item; its fields are child elements, those of a list one for each value."""
    return f"<item{attributes(head)}>{_content(item)}</item>"


def _content(value: Any) -> str:
    if isinstance(value, Mapping):
        return "".join(_members(value.items()))
    return "" if value is None else _escaped(as_text(value))


def _members(pairs: Iterable[tuple[str, Any]]) -> Iterable[str]:
    for name, value in pairs:
        element = xml_name(name)
        for each in value if isinstance(value, list | tuple) else [value]:
            if each is not None:
                yield f"<{element}>{_content(each)}</{element}>"


def as_text(value: Any) -> str:
    """A value of an item; truth values as XML and JSON write them."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def xml_name(name: str) -> str:
    """
    >>> xml_name("a b"), xml_name("1st")
    ('a_b', '_1st')
    """
    plain = _NOT_IN_NAMES.sub("_", name)
    return plain if plain[:1].isalpha() or plain[:1] == "_" else f"_{plain}"


def attributes(values: Mapping[str, Any]) -> str:
    return "".join(f" {name}={_quoted(str(value))}" for name, value in values.items())


def only_xml_characters(text: str) -> str:
    return _NOT_IN_XML.sub("", text)


def _quoted(text: str) -> str:
    return f'"{text}"' if _PLAIN(text) else quoteattr(only_xml_characters(text))


def _escaped(text: str) -> str:
    return text if _PLAIN(text) else escape(only_xml_characters(text))
