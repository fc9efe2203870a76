"""Links of RDF documents: who links to a URI, and by which property."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sundog.rdf.namespaces import PREFIXES, RDF_TYPE
from sundog.worlds.synthetic.linked.kinds import (
    MEDIA,
    PAGE,
    PERSON,
    QUERY,
    RECORD,
    ROLE,
    ROLES,
    TERM,
    THING,
    LinkedProfile,
)
from sundog.worlds.synthetic.linked.publishers import Hosts, Uris, a_word

FOAF, DC, RDFS, OWL, SKOS, SIOC = (PREFIXES[name] for name in ("foaf", "dc", "rdfs", "owl", "skos", "sioc"))
COMMON = {
    THING: (
        OWL + "sameAs",
        DC + "subject",
        SKOS + "related",
        DC + "isPartOf",
        SKOS + "exactMatch",
        FOAF + "topic",
    ),
    RECORD: (RDFS + "seeAlso", FOAF + "isPrimaryTopicOf", DC + "hasFormat", DC + "isVersionOf"),
    PAGE: (
        FOAF + "page",
        FOAF + "homepage",
        DC + "source",
        DC + "license",
        SIOC + "links_to",
        FOAF + "isPrimaryTopicOf",
    ),
    PERSON: (FOAF + "knows", DC + "creator", FOAF + "maker", SIOC + "has_creator"),
    TERM: (RDF_TYPE, RDF_TYPE, RDFS + "isDefinedBy", RDFS + "subClassOf"),
    MEDIA: (FOAF + "depiction", FOAF + "img", FOAF + "logo", "http://www.w3.org/1999/xhtml/vocab#stylesheet"),
    QUERY: (DC + "source", FOAF + "page", DC + "references"),
}
LOOSE = (f"{RDFS}seeAlso", f"{DC}relation", f"{DC}references", f"{DC}source")
WEIGHTS = np.array([0.6, 0.3, 0.1])  # of the properties that a host has for a role
MOST_LINKS_IN = 400
LISTED_BY_ONE = 0.02  # of a host's URIs: what one document has room for
MOST_LINKSETS = 4  # to one host


class LinkTable(NamedTuple):
    """In the order of their sources; ``property`` is an index of ``properties``."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    property: NDArray[np.int32]
    properties: list[str]


def build_links(profile: LinkedProfile, hosts: Hosts, uris: Uris, rng: np.random.Generator) -> LinkTable:
    target = np.repeat(np.arange(len(uris.host)), _links_in(profile, len(uris.host), rng))
    source_host = _source_hosts(profile, hosts, uris, target, rng)
    documents, starts = _documents(uris, len(hosts.names))
    counts = np.diff(starts)[source_host]
    source = documents[starts[source_host] + (rng.random(len(target)) * counts).astype(np.int64)]
    kept = source != target
    source, target, source_host = source[kept], target[kept], source_host[kept]
    by_role, properties = _habits(profile, hosts, rng)
    rank = rng.choice(len(WEIGHTS), len(target), p=WEIGHTS)
    chosen = by_role[source_host, uris.role[target], rank]
    order = np.lexsort((rng.random(len(target)), chosen, source))
    return LinkTable(source[order], target[order], chosen[order], properties)


def _links_in(profile: LinkedProfile, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    fame = rng.pareto(profile.fame_tail, count)
    more = fame * (profile.links_in - 1.0) / fame.mean()
    return 1 + np.minimum(rng.poisson(np.minimum(more, MOST_LINKS_IN)), MOST_LINKS_IN)


def _documents(uris: Uris, hosts: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The URIs with RDF by host, for only these have links."""
    documents = np.flatnonzero(uris.rdf)
    documents = documents[np.argsort(uris.host[documents], kind="stable")]
    counts = np.bincount(uris.host[documents], minlength=hosts)
    return documents, np.concatenate(([0], np.cumsum(counts)))


def _source_hosts(
    profile: LinkedProfile, hosts: Hosts, uris: Uris, target: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """The host itself, one that has a set of links to it, one of its domain, or any: by their documents."""
    count, own = len(target), uris.host[target].astype(np.int64)
    documents = np.bincount(uris.host[uris.rdf], minlength=len(hosts.names)).astype(float)
    anywhere = _drawn(documents, count, rng)
    near = _drawn_near(hosts, documents, hosts.domain[own], rng)
    partners = _drawn_near(hosts, documents, np.repeat(hosts.domain, MOST_LINKSETS), rng)
    how_many = rng.integers(1, MOST_LINKSETS + 1, len(hosts.names))
    linked = partners[MOST_LINKSETS * own + (rng.random(count) * how_many[own]).astype(np.int64)]
    near = np.where(rng.random(count) < profile.linkset, linked, near)
    outside = np.where(rng.random(count) < profile.locality, near, anywhere)
    chance_own = np.array([ROLE[role].own for role in range(ROLES)])[uris.role[target]]
    room = documents / (documents + LISTED_BY_ONE * hosts.size)  # few documents do not list a large host's URIs
    at_home = rng.random(count) < chance_own * room[own]
    return np.where(at_home, own, outside)


def _drawn_near(
    hosts: Hosts, documents: NDArray[np.float64], domains: NDArray[np.int32], rng: np.random.Generator
) -> NDArray[np.int64]:
    """A host of each of these domains; any host, if none of the domain has a document."""
    near = _drawn(documents, len(domains), rng)
    for domain in np.unique(domains):
        here, weights = np.flatnonzero(domains == domain), documents * (hosts.domain == domain)
        if weights.any():
            near[here] = _drawn(weights, len(here), rng)
    return near


def _drawn(weights: NDArray[np.float64], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    ends = np.cumsum(weights)
    return np.searchsorted(ends, rng.random(count) * ends[-1], side="right").astype(np.int64)


def _habits(profile: LinkedProfile, hosts: Hosts, rng: np.random.Generator) -> tuple[NDArray[np.int32], list[str]]:
    """Of each host and role, the properties that it uses, most often the first."""
    number: dict[str, int] = {}
    table = np.zeros((len(hosts.names), ROLES, len(WEIGHTS)), np.int32)
    for host, name in enumerate(hosts.names):
        for role in range(ROLES):
            for rank in range(len(WEIGHTS)):
                chosen = _property(profile, name, role, rng)
                table[host, role, rank] = number.setdefault(chosen, len(number))
    return table, list(number)


def _property(profile: LinkedProfile, host: str, role: int, rng: np.random.Generator) -> str:
    if role != TERM and rng.random() < profile.own_property:
        return f"http://{host}/ontology/{a_word(rng)}"
    choices = LOOSE if role != TERM and rng.random() < profile.loose_property else COMMON[role]
    return choices[int(rng.integers(len(choices)))]
