"""URIs in statements as links: which of them, and by which properties they are connected with the page's graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sundog.extract.terms import RDF, TYPE
from sundog.extract.urls import LinkResolver
from sundog.model import Link

MOST_LINKS: Final = 100_000
MOST_PROPERTIES: Final = 8  # of one target
_RELATIONS: Final = frozenset({"alternate", "describedby", "meta"})
_FILE_OF_RDF: Final = re.compile(r"\.(?:nt|nq|ttl|trig|n3|rdf|owl|jsonld)(?:\.(?:gz|bz2|zip))?(?:\?|$)").search
PREDICATE: Final = f"<{RDF}predicate>"  # "leads" to the vocabulary


class Follow(NamedTuple):
    """``positions``: ``subjects``, ``objects``, ``predicates`` and ``types``, or some of them.

    ``properties``: the IRIs whose subjects and objects are followed; none: all. Without ``page_links``, links of
    pages are left out unless they lead to RDF, by what is said of them or by the name of the file.
    """

    positions: frozenset[str]
    properties: frozenset[str] = frozenset()
    page_links: bool = True


def with_rdf_links(
    found: list[Link], statements: Iterable[tuple[str, ...]], page_url: str, follow: Follow
) -> list[Link]:
    """The page's links, then those of its statements: one for each property that connects a target.

    Links with the same property are siblings of each other: they share it with a subject or an object.
    """
    properties = _properties_by_url(statements, page_url, follow)
    links: list[Link] = []
    for link in found:
        known = properties.get(link.url)
        if known:
            links.append(link._replace(property=known.pop(0)))
        elif follow.page_links or _leads_to_rdf(link):
            links.append(link)
    for url, names in properties.items():
        links += [Link(url, property=name, position=at) for at, name in enumerate(names, len(links))]
    return links


def _leads_to_rdf(link: Link) -> bool:
    return not _RELATIONS.isdisjoint(link.rel.split()) or _FILE_OF_RDF(link.url) is not None


def _properties_by_url(
    statements: Iterable[tuple[str, ...]], page_url: str, follow: Follow
) -> dict[str, list[str]]:
    resolve = LinkResolver(page_url).resolve
    urls: dict[str, str | None] = {}
    found: dict[str, list[str]] = {}
    for target, predicate in dict.fromkeys(_connections(statements, follow)):
        if target not in urls:
            url = urls[target] = resolve(target[1:-1])
        else:
            url = urls[target]
        if url is None or url == page_url:
            continue
        names, name = found.setdefault(url, []), predicate[1:-1]
        if name not in names and len(names) < MOST_PROPERTIES:
            names.append(name)
        if len(found) >= MOST_LINKS:
            break
    return found


def _connections(statements: Iterable[tuple[str, ...]], follow: Follow) -> Iterator[tuple[str, str]]:
    """Terms that may be links, each with a property that connects it."""
    positions = follow.positions
    subjects, objects, predicates, types = (
        name in positions for name in ("subjects", "objects", "predicates", "types")
    )
    wanted = frozenset(f"<{name}>" for name in follow.properties)
    for subject, predicate, target, *_ in statements:
        if not wanted or predicate in wanted:
            if subjects and subject.startswith("<http"):
                yield subject, predicate
            if objects and predicate != TYPE and target.startswith("<http"):
                yield target, predicate
        if types and predicate == TYPE and target.startswith("<http"):
            yield target, TYPE
        if predicates and predicate.startswith("<http"):
            yield predicate, PREDICATE
