"""URIs in statements as links: which of them, by which property, and which are siblings.

Siblings share subject and property, or property and object, in the document's graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from sundog.media_types import RDF_RELATIONS, is_rdf_file
from sundog.model import Link
from sundog.rdf.namespaces import RDF
from sundog.rdf.terms import TYPE
from sundog.urls.references import LinkResolver

MOST_LINKS: Final = 100_000
MOST_PROPERTIES: Final = 8  # of one target
PREDICATE: Final = f"<{RDF}predicate>"  # the "property" that leads to the predicates themselves
MOST_CONNECTIONS: Final = 200_000  # of a document; those of the others are not looked for
# A term, its property, the term at the other end, whether that is an object.
Connection = tuple[str, str, str, bool]


class Follow(NamedTuple):
    """``positions``: ``subjects``, ``objects``, ``predicates`` and ``types``, or some of them.

    ``properties``: the IRIs whose subjects and objects are followed; none: all. Without ``page_links``, links of
    pages are left out unless they lead to RDF, by their relation or by the name of the file. With
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
    properties = _properties_by_url(statements, page_url, follow)
    links: list[Link] = []
    for link in found:
        known = properties.get(link.url)
        if known:
            name = next(iter(known))
            links.append(link._replace(property=name, group=known.pop(name)))
        elif follow.page_links or _leads_to_rdf(link):
            links.append(link)
    for url, groups in properties.items():
        links += [
            Link(url, property=name, position=at, group=group)
            for at, (name, group) in enumerate(groups.items(), len(links))
        ]
    return links


def _leads_to_rdf(link: Link) -> bool:
    return not RDF_RELATIONS.isdisjoint(link.rel.split()) or is_rdf_file(link.url)


def _properties_by_url(
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


def with_statement_links(found: list[Link], statements: Iterable[tuple[str, ...]], page_url: str) -> list[Link]:
    """URIs in the RDF are links too, with the property that leads to them; types are not."""
    properties = _properties_by_target(statements, page_url)
    if not properties:
        return found
    found = [
        link._replace(property=properties.pop(link.url)) if link.url in properties else link for link in found
    ]
    return found + [
        Link(url, property=name, position=n) for n, (url, name) in enumerate(properties.items(), len(found))
    ]


def _properties_by_target(statements: Iterable[tuple[str, ...]], page_url: str) -> dict[str, str]:
    targets: dict[str, str] = {}  # several syntaxes often say the same
    for statement in statements:
        target = statement[2]
        if target not in targets and target.startswith("<http") and statement[1] != TYPE:
            targets[target] = statement[1]
    resolve = LinkResolver(page_url).resolve
    found: dict[str, str] = {}
    for target, predicate in targets.items():
        url = resolve(target[1:-1])
        if url is not None and url != page_url:
            found.setdefault(url, predicate[1:-1])
            if len(found) >= MOST_LINKS:
                break
    return found


def ungrouped(connections: Iterable[Connection]) -> dict[tuple[str, str], int]:
    """Terms with their properties, each once, where siblings do not matter."""
    return dict.fromkeys(((term, name) for term, name, _, _ in connections), 0)


def sibling_groups(connections: Iterator[Connection]) -> dict[tuple[str, str], int]:
    """The same with the numbers of their groups, from 1 on; 0 if unknown. Of several groups the largest counts.

    >>> seen = [("a", "knows", "x", False), ("b", "knows", "x", False), ("b", "knows", "y", False)]
    >>> sibling_groups(iter([*seen, ("c", "knows", "b", True), ("c", "likes", "x", False)]))
    {('a', 'knows'): 1, ('b', 'knows'): 1, ('c', 'knows'): 2, ('c', 'likes'): 3}
    """
    some = list(islice(connections, MOST_CONNECTIONS))
    sizes = Counter(connection[1:] for connection in some)
    largest: dict[tuple[str, str], tuple[str, str, bool]] = {}
    for term, name, other, is_object in some:
        group = name, other, is_object
        if sizes[group] > sizes[largest.setdefault((term, name), group)]:
            largest[term, name] = group
    numbers: dict[tuple[str, str, bool], int] = {}
    groups = {key: numbers.setdefault(group, len(numbers) + 1) for key, group in largest.items()}
    for term, name, _, _ in connections:
        groups.setdefault((term, name), 0)
    return groups
