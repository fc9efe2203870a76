"""Parameters of a Web of Data, its kinds of publishers, and the URIs that each of them mints.

A profile says what the Web of Data is like, never what a policy finds in it. A URI's role says what it names. The
same patterns serve several roles, and hosts of one kind differ, so a URI hints at what it leads to and does not
tell it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sundog.worlds.synthetic.profiles import check_shares


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedProfile:
    """A kind of Web of Data. All shares and probabilities lie in [0, 1]."""

    name: str
    summary: str
    strictness: float = 0.85
    """Namespaces that keep to one habit, RDF or not; the others serve RDF for a share of their URIs."""
    lapses: float = 0.04
    """URIs of a strict namespace that are an exception to its habit."""
    dead_hosts: float = 0.06
    """Hosts that no longer answer; links to them live on."""
    dead_uris: float = 0.04
    """URIs of the other hosts that are gone."""
    misdeclared: float = 0.17
    """Hosts that serve RDF/XML with another Content-Type: Hogan et al. (2010) found 17% of documents so."""
    embedded: float = 0.85
    """RDF of pages that is embedded in HTML (RDFa, JSON-LD); the rest comes by content negotiation."""
    size_tail: float = 1.1
    """Pareto exponent of the sizes of hosts of one kind."""
    largest_host: float = 0.04
    """No host is larger than this share of all URIs: crawlers cap hosts."""
    domains: int = 9
    """Subjects that datasets belong to, as the diagram of the Linked Open Data cloud has them."""
    locality: float = 0.6
    """Links from other hosts that come from the same domain."""
    linkset: float = 0.7
    """Of these, the share that comes from the one to four hosts that have a set of links to this one."""
    links_in: float = 4.0
    """Mean links that lead to a URI; every URI has one, for it was found by a crawler."""
    fame_tail: float = 1.3
    """Pareto exponent of the number of links to a URI."""
    own_property: float = 0.35
    """Chance that a host uses a property of its own vocabulary where a common one would do."""
    loose_property: float = 0.3
    """Chance that it uses one that says little, such as rdfs:seeAlso, for what it links to."""

    def __post_init__(self) -> None:
        check_shares(self, _PROBABILITIES)


_PROBABILITIES = frozenset(
    "strictness lapses dead_hosts dead_uris misdeclared embedded largest_host locality linkset own_property "
    "loose_property".split()
)


LINKED = {
    profile.name: profile
    for profile in [LinkedProfile(name="linked-data", summary="Linked Open Data as a crawler of RDF finds it")]
}
THING, RECORD, PAGE, PERSON, TERM, MEDIA, QUERY = range(7)
ROLES = 7


class Role(NamedTuple):
    """``patterns`` are written with the placeholders of ``publishers.urls_of``; ``own`` is the chance that a link
    to such a URI stands on its own host, if that has any RDF."""

    patterns: tuple[str, ...]
    own: float


ROLE: dict[int, Role] = {
    THING: Role(
        (
            "/resource/{Name}",
            "/id/{word}/{number}",
            "/{word}/{number}",
            "/{Name}",
            "/entity/Q{number}",
            "/{word}/{Name}#this",
            "/thing/{hex}",
            "/item/{number}",
            "/doc/{number}",
            "/{word}/{name}",
        ),
        0.75,
    ),
    RECORD: Role(
        (
            "/data/{Name}.rdf",
            "/{word}/{number}.rdf",
            "/export/{number}.ttl",
            "/rdf/{Name}.xml",
            "/data/{number}.n3",
            "/{word}/{number}?format=rdf",
            "/data/{Name}",
            "/doc/{number}",
            "/{name}.owl",
            "/{word}/{number}.xml",
        ),
        0.8,
    ),
    PAGE: Role(
        (
            "/page/{Name}",
            "/{word}/{number}.html",
            "/{word}/{Name}",
            "/wiki/{Name}",
            "/{year}/{name}-{word}-{number}",
            "/node/{number}",
            "/article/{number}",
            "/index.php?id={number}",
            "/item/{number}",
            "/{word}/{name}.htm",
            "/{name}-{word}-{number}.html",
            "/{word}/{name}/",
        ),
        0.5,
    ),
    PERSON: Role(
        (
            "/people/{name}{number}",
            "/~{name}{number}/foaf.rdf",
            "/foaf/{name}{number}",
            "/users/{name}{number}",
            "/{name}{number}/foaf.rdf",
            "/profile/{number}",
            "/{name}{number}#me",
            "/~{name}{number}/",
            "/author/{number}",
        ),
        0.5,
    ),
    TERM: Role(
        (
            "/ns/{Name}{number}",
            "/ns#{Name}{number}",
            "/ontology/{Name}{number}",
            "/vocab/{word}#{Name}{number}",
            "/schema/{Name}{number}",
            "/terms/{Name}{number}.owl",
        ),
        0.3,
    ),
    MEDIA: Role(
        (
            "/images/{number}.jpg",
            "/thumb/{Name}.png",
            "/photo/{number}",
            "/media/{hex}",
            "/files/{number}.pdf",
            "/static/{word}{number}.css",
            "/{word}/{hex}.gif",
            "/doc/{number}.pdf",
        ),
        0.5,
    ),
    QUERY: Role(
        (
            "/search?q={name}+{number}",
            "/sparql?query={hex}",
            "/api/{word}?id={number}",
            "/api/{number}.json",
            "/browse?{word}={number}",
            "/{word}/{number}?format=json",
        ),
        0.7,
    ),
}


class Kind(NamedTuple):
    """``hosts`` and ``uris`` are shares of all; ``roles`` the mix of a host's URIs; ``rdf`` the chance that a
    namespace of the role leads to RDF; ``prefixes`` what its host names begin with."""

    hosts: float
    uris: float
    roles: dict[int, float]
    rdf: dict[int, float]
    prefixes: tuple[str, ...]


KINDS: dict[str, Kind] = {
    "dataset": Kind(
        0.08,
        0.40,
        {THING: 0.46, RECORD: 0.09, PAGE: 0.22, TERM: 0.03, MEDIA: 0.08, QUERY: 0.12},
        {THING: 0.75, RECORD: 0.95, PAGE: 0.28, TERM: 0.75, MEDIA: 0.0, QUERY: 0.1},
        ("data.", "lod.", "www.", "id.", ""),
    ),
    "people": Kind(
        0.22,
        0.10,
        {PERSON: 0.6, PAGE: 0.3, MEDIA: 0.1},
        {PERSON: 0.75, PAGE: 0.1, MEDIA: 0.0},
        ("www.", "", "", "my."),
    ),
    "vocabulary": Kind(0.02, 0.03, {TERM: 0.8, PAGE: 0.2}, {TERM: 0.8, PAGE: 0.15}, ("", "www.", "ns.", "vocab.")),
    "cms": Kind(0.16, 0.11, {PAGE: 0.85, MEDIA: 0.15}, {PAGE: 0.38, MEDIA: 0.0}, ("www.", "", "blog.")),
    "plain": Kind(
        0.42,
        0.26,
        {PAGE: 0.84, MEDIA: 0.1, QUERY: 0.06},
        {PAGE: 0.03, MEDIA: 0.0, QUERY: 0.0},
        ("www.", "", "en."),
    ),
    "media": Kind(0.03, 0.05, {MEDIA: 0.8, PAGE: 0.2}, {MEDIA: 0.0, PAGE: 0.05}, ("img.", "static.", "www.")),
    "service": Kind(
        0.07,
        0.05,
        {QUERY: 0.6, THING: 0.2, PAGE: 0.2},
        {QUERY: 0.1, THING: 0.4, PAGE: 0.05},
        ("api.", "www.", "data."),
    ),
}
