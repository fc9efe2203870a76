"""Namespaces and the prefixes for them, once; schema.org's names are the same with http and https.

RDFa's initial context and schema.org's JSON-LD context are tables of standards: they stand with their readers.
"""

from __future__ import annotations

from typing import Final

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
SCHEMA_ORG: Final = "http://schema.org/"
SCHEMA_ORG_HTTPS: Final = "https://schema.org/"
MICROFORMATS: Final = "http://microformats.org/profile/"
RDF_TYPE: Final = f"{RDF}type"
XSD_STRING: Final = f"{XSD}string"

# Known in queries, in objectives and in specs; a prefix that a query declares itself counts instead.
PREFIXES: Final = {
    "rdf": RDF,
    "rdfs": RDFS,
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": XSD,
    "schema": SCHEMA_ORG,
    "og": "http://ogp.me/ns#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "dc": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "dc11": "http://purl.org/dc/elements/1.1/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "gr": "http://purl.org/goodrelations/v1#",
    "sioc": "http://rdfs.org/sioc/ns#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "prov": "http://www.w3.org/ns/prov#",
    "void": "http://rdfs.org/ns/void#",
    "dctype": "http://purl.org/dc/dcmitype/",
    "bibo": "http://purl.org/ontology/bibo/",
    "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "org": "http://www.w3.org/ns/org#",
    "doap": "http://usefulinc.com/ns/doap#",
    "mf": MICROFORMATS,
}
# How pages also write them: whoever looks for one of these names means all its spellings.
OTHER_SPELLINGS: Final = {
    "schema": (SCHEMA_ORG_HTTPS,),
    "og": ("https://ogp.me/ns#",),
    "dc": (PREFIXES["dc11"],),
}


def with_http(iri: str) -> str:
    """
    >>> with_http("https://schema.org/Recipe"), with_http("https://a.example/")
    ('http://schema.org/Recipe', 'https://a.example/')
    """
    return "http" + iri[5:] if iri.startswith(SCHEMA_ORG_HTTPS) else iri


def one_schema_org(text: str) -> str:
    """The same for all IRIs in angle brackets: of statements, queries and shapes alike.

    >>> one_schema_org('_:a a <https://schema.org/Recipe> .')
    '_:a a <http://schema.org/Recipe> .'
    """
    return text.replace(f"<{SCHEMA_ORG_HTTPS}", f"<{SCHEMA_ORG}")


def type_name(iri: str) -> str:
    """A type as crawls and objectives know it: schema.org's with http, root classes for microformats.

    >>> type_name("https://schema.org/Recipe"), type_name("http://microformats.org/profile/h-card")
    ('http://schema.org/Recipe', 'h-card')
    """
    return with_http(iri).removeprefix(MICROFORMATS)


def shortened(iri: str) -> str:
    """An IRI as people read it.

    >>> shortened("https://schema.org/Product"), shortened("http://v.example/T"), shortened("h-card")
    ('schema:Product', 'http://v.example/T', 'h-card')
    """
    iri = with_http(iri)
    for name, start in PREFIXES.items():
        if iri.startswith(start):
            return f"{name}:{iri[len(start) :]}"
    return iri
