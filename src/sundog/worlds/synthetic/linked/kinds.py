"""What kinds of publishers there are on the Web of Data, and what kinds of URIs each of them mints.

A URI's role says what it names. The same patterns serve several roles, and hosts of one kind differ, so a URI
hints at what it leads to and does not tell it.
"""

from typing import NamedTuple

THING, RECORD, PAGE, PERSON, TERM, MEDIA, QUERY = range(7)
ROLES = 7


class Role(NamedTuple):
    """``patterns`` are written with the placeholders of ``names.py``; ``own`` is the chance that a link to such a
    URI stands on its own host, if that has any RDF."""

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
