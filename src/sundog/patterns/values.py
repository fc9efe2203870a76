"""What goes to the process that runs patterns, and what comes back. All of it is plain enough for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class CrawlPage(NamedTuple):
    """A page of the crawl graph, as patterns see it. ``items`` are (pattern, fields)."""

    id: int
    url: str
    depth: int
    order: int
    matched: Sequence[str] = ()
    items: Sequence[tuple[str, Mapping[str, Any]]] = ()


class Surroundings(NamedTuple):
    """What patterns may ask of the crawl, as of one page. The last three are given only if they are asked for."""

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


class Subject(NamedTuple):
    """A page to apply patterns to. ``statements`` are N-Triples, needed by ``sparql`` only.

    ``names``: the patterns to apply; None: all.
    """

    url: str
    body: bytes
    content_type: str = "text/html"
    statements: str = ""
    surroundings: Surroundings = Surroundings()
    names: Sequence[str] | None = None


class FoundLink(NamedTuple):
    """A URL that a link pattern found, absolute."""

    url: str
    anchor: str = ""


class Found(NamedTuple):
    """What the patterns gave for one page, by their names. ``faults`` are (pattern, what is wrong)."""

    items: Mapping[str, Sequence[Mapping[str, Any]]] = {}
    links: Mapping[str, Sequence[FoundLink]] = {}
    stops: Sequence[str] = ()
    faults: Sequence[tuple[str, str]] = ()
