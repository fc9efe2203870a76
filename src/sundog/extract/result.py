"""What an extraction gives: statements, counts, types, links, microformats and faults."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from sundog.extract import microformats
from sundog.extract.links import find_links, with_statement_links
from sundog.extract.page import Page
from sundog.extract.rdf_links import Follow, with_rdf_links
from sundog.extract.terms import TYPE, iri, value_of
from sundog.extract.timebox import no_garbage_collection
from sundog.model import Link


class Fault(NamedTuple):
    """What went wrong, and in which syntax. The rest of the extraction is not touched by it."""

    syntax: str
    reason: str


class Extraction:
    """The result. ``by_syntax`` has tuples of N-Quads terms; three of them, or four in a graph of its own."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.by_syntax: dict[str, list[tuple[str, ...]]] = {}
        self.faults: list[Fault] = []
        self.page: Page | None = None

    def __del__(self) -> None:
        if self.page is not None:
            self.page.document.release()

    @property
    def counts(self) -> dict[str, int]:
        """Statements by syntax; only syntaxes that were asked for."""
        return {name: len(found) for name, found in self.by_syntax.items()}

    @property
    def statements(self) -> Iterator[tuple[str, ...]]:
        for found in self.by_syntax.values():
            yield from found

    def nquads(self) -> str:
        """All statements, one a line; the page's URL is the graph of those that have none of their own."""
        graph = iri(self.base) or ""
        end = f" {graph} .\n" if graph else " .\n"
        return "".join(
            [" ".join(statement) + (end if len(statement) == 3 else " .\n") for statement in self.statements]
        )

    @cached_property
    def types(self) -> list[str]:
        """The types on the page: IRIs, schema.org's with http; root classes for microformats."""
        found = dict.fromkeys(value_of(statement[2]) for statement in self.statements if statement[1] == TYPE)
        return list(dict.fromkeys(_known_as(name) for name in found))

    @cached_property
    def mf2(self) -> dict[str, Any]:
        """The canonical microformats JSON: items, rels and rel-urls."""
        if self.page is None:
            return {"items": [], "rels": {}, "rel-urls": {}}
        return microformats.parse(self.page.document, self.page.base.url)

    @cached_property
    def links(self) -> list[Link]:
        """Links on the page in document order, then URIs in its statements."""
        return self.find_links()

    def find_links(self, *, with_context: bool = True, follow: Follow | None = None) -> list[Link]:
        """The same; without the text around links it takes less time. ``follow`` says which URIs are links."""
        with no_garbage_collection():
            found = find_links(self.page, with_context=with_context) if self.page is not None else []
            if follow is not None:
                return with_rdf_links(found, self.statements, self.base, follow)
            return with_statement_links(found, self.statements, self.base)


def _known_as(type_iri: str) -> str:
    if type_iri.startswith("https://schema.org/"):
        return "http" + type_iri[5:]
    return type_iri.removeprefix(microformats.NAMESPACE)
