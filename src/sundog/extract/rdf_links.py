"""URIs in statements as links: which of them, and by which properties they are connected with the page's graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sundog.extract.siblings import Connection, sibling_groups, ungrouped
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
    pages are left out unless they lead to RDF, by what is said of them or by the name of the file. With
    ``siblings``, links that share subject and property, or property and object, get the same group.
    """

    positions: frozenset[str]
    properties: frozenset[str] = frozenset()
    page_links: bool = True
    siblings: bool = False


def with_rdf_links(
    found: list[Link], statements: Iterable[tuple[str, ...]], page_url: str, follow: Follow
) -> list[Link]:
    """The page's links, then those of its statements: one for each property that connects a target."""
    ways = _ways_by_url(statements, page_url, follow)
    links: list[Link] = []
    for link in found:
        known = ways.get(link.url)
        if known:
            name = next(iter(known))
            links.append(link._replace(property=name, group=known.pop(name)))
        elif follow.page_links or _leads_to_rdf(link):
            links.append(link)
    for url, groups in ways.items():
        links += [
            Link(url, property=name, position=at, group=group)
            for at, (name, group) in enumerate(groups.items(), len(links))
        ]
    return links


def _leads_to_rdf(link: Link) -> bool:
    return not _RELATIONS.isdisjoint(link.rel.split()) or _FILE_OF_RDF(link.url) is not None


def _ways_by_url(
    statements: Iterable[tuple[str, ...]], page_url: str, follow: Follow
) -> dict[str, dict[str, int]]:
    """The properties that connect each URL, with the groups of siblings that they make."""
    connections = _connections(statements, follow)
    resolve = LinkResolver(page_url).resolve
    urls: dict[str, str | None] = {}
    shared: dict[str, str] = {}  # else each of a dump's links would have a copy of its property
    found: dict[str, dict[str, int]] = {}
    grouped = sibling_groups(connections) if follow.siblings else ungrouped(connections)
    for (target, predicate), group in grouped.items():
        if target not in urls:
            url = urls[target] = resolve(target[1:-1])
        else:
            url = urls[target]
        if url is None or url == page_url:
            continue
        names, name = found.setdefault(url, {}), shared.setdefault(predicate, predicate[1:-1])
        if name not in names and len(names) < MOST_PROPERTIES:
            names[name] = group
        if len(found) >= MOST_LINKS:
            break
    return found


def _connections(statements: Iterable[tuple[str, ...]], follow: Follow) -> Iterator[Connection]:
    """Terms that may be links, each with a property that connects it, and with what."""
    positions = follow.positions
    subjects, objects, predicates, types = (
        name in positions for name in ("subjects", "objects", "predicates", "types")
    )
    wanted = frozenset(f"<{name}>" for name in follow.properties)
    for subject, predicate, target, *_ in statements:
        if not wanted or predicate in wanted:
            if subjects and subject.startswith("<http"):
                yield subject, predicate, target, True
            if objects and predicate != TYPE and target.startswith("<http"):
                yield target, predicate, subject, False
        if types and predicate == TYPE and target.startswith("<http"):
            yield target, TYPE, subject, False
        if predicates and predicate.startswith("<http"):
            yield predicate, PREDICATE, "", False
