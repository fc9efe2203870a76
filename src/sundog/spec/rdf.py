"""The table ``[rdf]``: how a crawl for Linked Data asks, what it follows, and what dumps may cost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from sundog.errors import UsageError, nearest_or_all
from sundog.policies.presets import find_policy
from sundog.rdf.namespaces import PREFIXES

POSITIONS = ("subjects", "objects", "predicates", "types")
NAMES_RDF = re.compile(r"(?<![\w:.\"/-])rdf(?![\w:.\"/-])").search  # the syntax, as a word of an objective


@dataclass(frozen=True, kw_only=True)
class Rdf:
    """Empty lists are by the kind of the crawl, see ``followed``. Sizes are bytes, times seconds."""

    prefer: Literal["auto", "rdf", "pages"] = "auto"  # what servers are asked for
    follow: tuple[str, ...] = ()  # which URIs in statements are links
    properties: tuple[str, ...] = ()  # only subjects and objects of these
    page_links: bool = True  # links of pages, besides those that lead to RDF
    dumps: bool = True  # also packed files, if RDF is preferred
    dump_bytes: int = 50_000_000  # as sent
    dump_unpacked: int = 200_000_000
    dump_statements: int = 250_000
    dump_seconds: float = 30.0

    def check(self) -> None:
        """Raises UsageError."""
        for name in self.follow:
            if name not in POSITIONS:
                raise UsageError(f"rdf.follow: unknown '{name}'{nearest_or_all(name, POSITIONS)}")
        _ = self.property_iris

    def is_preferred(self, policy: str, objective: str) -> bool:
        """Whether the crawl looks for RDF, rather than pages."""
        if self.prefer == "auto":
            return find_policy(policy).prefers_rdf or NAMES_RDF(objective) is not None
        return self.prefer == "rdf"

    def followed(self, *, preferred: bool) -> frozenset[str] | None:
        """Positions of URIs; None: as on pages, where objects are links, but not types."""
        if self.follow:
            return frozenset(self.follow)
        if preferred:
            return frozenset(POSITIONS)
        return frozenset({"objects"}) if self.properties or not self.page_links else None

    @property
    def property_iris(self) -> frozenset[str]:
        """
        >>> Rdf(properties=("owl:sameAs",)).property_iris
        frozenset({'http://www.w3.org/2002/07/owl#sameAs'})
        """
        return frozenset(map(_full, self.properties))


def _full(name: str) -> str:
    if name.startswith(("http://", "https://")) and name.split() == [name] and (iri := _as_iri(name)):
        return iri
    prefix, colon, rest = name.partition(":")
    if not colon or not rest:
        raise UsageError(f"rdf.properties: '{name}' is no IRI; write it in full or with a prefix, as owl:sameAs")
    if prefix not in PREFIXES:
        raise UsageError(f"rdf.properties: unknown prefix '{prefix}'{nearest_or_all(prefix, PREFIXES)}")
    return PREFIXES[prefix] + rest


def _as_iri(name: str) -> str | None:
    """As it stands in statements that were read from pages."""
    from sundog.urls.iris import as_iri  # loads an RDF library, which few specs need

    return as_iri(name)
