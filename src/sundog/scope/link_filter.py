"""From a page's links to candidates: one name a page, only what is in scope, each once."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sundog.media_types import PACKED, PACKED_ENDINGS, RDF_ENDINGS
from sundog.model import Link
from sundog.scope.scope import Scope
from sundog.urls.identity import identity

MOST_REMEMBERED = 200_000
PACKED_FILES = tuple(f".{ending}" for ending in PACKED_ENDINGS)
PACKED_RDF = re.compile(rf"(\.(?:{'|'.join(RDF_ENDINGS)}|xml)){PACKED}$", re.IGNORECASE).search
LEADS_TO_DUMPS = frozenset({"http://rdfs.org/ns/void#dataDump", "http://www.w3.org/ns/dcat#downloadURL"})


class LinkFilter:
    """Links repeat from page to page of a site, so the names that they have got are remembered.

    ``by_property``: links to one page by several RDF properties stay several. ``dumps``: packed files of RDF are
    admitted as if they were not packed.
    """

    def __init__(self, scope: Scope, *, nofollow: bool, by_property: bool = False, dumps: bool = False) -> None:
        self.scope = scope
        self._nofollow = nofollow
        self._by_property, self._dumps = by_property, dumps
        self._known: dict[str, str | None] = {}

    def admit(self, links: Iterable[Link], depth: int) -> list[Link]:
        """Those that may be fetched, at ``depth`` links from a seed. Of links to one page the first one counts,
        with the highest score among them."""
        if self.scope.max_depth is not None and depth > self.scope.max_depth:
            return []
        known, by_property = self._known, self._by_property
        admitted: dict[str | tuple[str, str], Link] = {}
        for link in links:
            url = link.url
            name = known[url] if url in known else self._name_of(url)
            if name is None and self._dumps and link.property in LEADS_TO_DUMPS:
                name = self._dump(url)
            if name is None or (link.nofollow and self._nofollow):
                continue
            key = (name, link.property) if by_property else name
            if key not in admitted:
                admitted[key] = link if name == url else link._replace(url=name)
            elif link.score > admitted[key].score:
                admitted[key] = admitted[key]._replace(score=link.score)
        return list(admitted.values())

    def out_of_scope(self, url: str) -> str | None:
        """Why a URL may not be fetched; None: it may."""
        name = identity(url)
        return "not an http(s) URL" if name is None else self.scope.check(self._as_page(name))

    def _name_of(self, url: str) -> str | None:
        """Of the page; None if it is out of scope."""
        name = identity(url)
        if name is not None and self.scope.check(self._as_page(name)) is not None:
            name = None
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        self._known[url] = name
        return name

    def _dump(self, url: str) -> str | None:
        """A package of which the statement says that it holds RDF."""
        name = identity(url)
        if name is None or not name.lower().endswith(PACKED_FILES):
            return None
        return name if self.scope.check(name.rpartition(".")[0]) is None else None

    def _as_page(self, url: str) -> str:
        """A packed sitemap is no archive, nor is a dump where dumps are read."""
        if self._dumps and url.lower().endswith(PACKED_FILES):
            match = PACKED_RDF(url)
            return url[: match.end(1)] if match else url
        return url.removesuffix(".gz") if url.endswith(".xml.gz") else url
