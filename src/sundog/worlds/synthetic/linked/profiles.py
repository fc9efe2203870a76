"""The named parameters of a Web of Data. A profile says what it is like, never what a policy finds in it."""

from dataclasses import dataclass


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


LINKED = {
    profile.name: profile
    for profile in [LinkedProfile(name="linked-data", summary="Linked Open Data as a crawler of RDF finds it")]
}
