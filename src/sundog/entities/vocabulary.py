"""Names of types and properties: one for each, however pages spell it, and short where that is unambiguous.

Vocabularies have twins: schema.org is written with http and https, with and without ``www``. The table says which
spellings are one; nothing is guessed. A property of schema.org or of microformats, which no thing mixes, has its
local name as its key (``name``); one of another vocabulary has a prefix (``foaf:name``), or its whole IRI if no
prefix is known. In the table of a type, names of its own vocabulary are the short ones. So two properties never
share a name.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sundog.rdf.namespaces import MICROFORMATS, PREFIXES, SCHEMA_ORG

OPEN_GRAPH: Final = PREFIXES["og"]
PLAIN: Final = (SCHEMA_ORG, MICROFORMATS)
# Spelling of a namespace -> the one that stands for all.
TWINS: Final = {
    "https://schema.org/": SCHEMA_ORG,
    "http://www.schema.org/": SCHEMA_ORG,
    "https://www.schema.org/": SCHEMA_ORG,
    "http://schema.org#": SCHEMA_ORG,
    "https://schema.org#": SCHEMA_ORG,
    "http://schema.org/#": SCHEMA_ORG,
    "https://schema.org/#": SCHEMA_ORG,
    "https://ogp.me/ns#": OPEN_GRAPH,
    "http://ogp.me/ns/": OPEN_GRAPH,
    "http://opengraphprotocol.org/schema/": OPEN_GRAPH,
    "http://rdf.data-vocabulary.org/": "http://rdf.data-vocabulary.org/#",
    "http://data-vocabulary.org/": "http://rdf.data-vocabulary.org/#",
    "http://www.data-vocabulary.org/": "http://rdf.data-vocabulary.org/#",
    "https://data-vocabulary.org/": "http://rdf.data-vocabulary.org/#",
    "https://xmlns.com/foaf/0.1/": PREFIXES["foaf"],
    "http://xmlns.com/foaf/0.1#": PREFIXES["foaf"],
    "https://purl.org/dc/terms/": PREFIXES["dcterms"],
    "http://purl.org/dc/terms#": PREFIXES["dcterms"],
    "https://purl.org/dc/elements/1.1/": PREFIXES["dc11"],
    "http://purl.org/goodrelations/v1/": PREFIXES["gr"],
    "https://purl.org/goodrelations/v1#": PREFIXES["gr"],
    "https://www.w3.org/2006/vcard/ns#": PREFIXES["vcard"],
    "https://www.w3.org/ns/dcat#": PREFIXES["dcat"],
}
# OpenGraph's objects have namespaces of their own, which everybody knows by these prefixes.
_OPEN_GRAPH_PARTS: Final = "article book fb music product profile video".split()
PREFIX_OF: Final = {
    **{start: name for name, start in reversed(PREFIXES.items())},
    **{f"http://ogp.me/ns/{name}#": name for name in _OPEN_GRAPH_PARTS},
    PREFIXES["dcterms"]: "dc",
}


def split_iri(iri: str) -> tuple[str, str]:
    """Namespace and local name; the namespace as the one that stands for its twins.

    >>> split_iri("https://schema.org/Recipe"), split_iri("http://v.example/ns#x")
    (('http://schema.org/', 'Recipe'), ('http://v.example/ns#', 'x'))
    """
    start = iri.rfind("#") + 1 or iri.rfind("/") + 1
    space, name = iri[:start], iri[start:]
    return TWINS.get(space, space), name


@lru_cache(maxsize=20_000)
def canonical(iri: str) -> str:
    """
    >>> canonical("https://www.schema.org/Recipe"), canonical("https://a.example/Recipe")
    ('http://schema.org/Recipe', 'https://a.example/Recipe')
    """
    space, name = split_iri(iri)
    return space + name


@lru_cache(maxsize=50_000)
def key_of(predicate: str) -> str:
    """
    >>> key_of("https://schema.org/name"), key_of("http://microformats.org/profile/name")
    ('name', 'name')
    >>> key_of("http://xmlns.com/foaf/0.1/name"), key_of("http://v.example/p")
    ('foaf:name', 'http://v.example/p')
    """
    space, name = split_iri(predicate)
    if space in PLAIN and name:
        return name
    prefix = PREFIX_OF.get(space)
    return f"{prefix}:{name}" if prefix and name else space + name


def path_for(path: str, type_iri: str) -> str:
    """A path of keys as the table of a type shows it: names of the type's own vocabulary need no prefix.

    >>> path_for("foaf:knows.foaf:name", "http://xmlns.com/foaf/0.1/Person")
    'knows.name'
    >>> path_for("name", "http://xmlns.com/foaf/0.1/Person"), path_for("foaf:name", "http://schema.org/Person")
    ('schema:name', 'foaf:name')
    >>> path_for("foaf:knows.http://v.example/nick", "http://xmlns.com/foaf/0.1/Person")
    'knows.http://v.example/nick'
    """
    home = split_iri(type_iri)[0]
    if home in PLAIN:
        return path
    prefix = PREFIX_OF.get(home)
    before, sign, rest = path.partition("://")
    keys = before.split(".")
    if not sign:
        return ".".join([_key_at(key, prefix) for key in keys])
    iri = f"{keys.pop()}{sign}{rest}"  # and what comes behind it: IRIs have points, too
    return ".".join([*(_key_at(key, prefix) for key in keys), iri if prefix else iri.replace(home, "")])


def _key_at(key: str, prefix: str | None) -> str:
    start, colon, name = key.partition(":")
    if not colon:
        return key if key == "id" else f"schema:{key}"
    return name if start == prefix else key


@lru_cache(maxsize=20_000)
def local_key(key: str) -> str:
    """What is looked up in tables of properties: a key without prefix or namespace.

    >>> local_key("name"), local_key("foaf:name"), local_key("og:image:width"), local_key("http://v.example/ns#p")
    ('name', 'name', 'image:width', 'p')
    """
    if "://" in key:
        return split_iri(key)[1]
    return key.partition(":")[2] or key


@lru_cache(maxsize=20_000)
def short_type(iri: str) -> str:
    """A type as people write it: schema.org's and microformats' without a prefix.

    >>> short_type("http://schema.org/Recipe"), short_type("http://xmlns.com/foaf/0.1/Person")
    ('Recipe', 'foaf:Person')
    >>> short_type("http://microformats.org/profile/h-card"), short_type("http://v.example/T")
    ('h-card', 'http://v.example/T')
    """
    space, name = split_iri(iri)
    if space in PLAIN and name:
        return name
    prefix = PREFIX_OF.get(space)
    return f"{prefix}:{name}" if prefix and name else space + name
