"""Prefixes that a query may use without declaring them; one that it declares itself counts instead."""

from __future__ import annotations

PREFIXES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "schema": "http://schema.org/",
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
    "mf": "http://microformats.org/profile/",
}


HTTP, HTTPS = "<http://schema.org/", "<https://schema.org/"


def one_schema_org(text: str) -> str:
    """schema.org's names are the same with http and https: of statements, queries and shapes alike.

    >>> one_schema_org('_:a a <https://schema.org/Recipe> .')
    '_:a a <http://schema.org/Recipe> .'
    """
    return text.replace(HTTPS, HTTP)


def shortened(iri: str) -> str:
    """An IRI as people read it.

    >>> shortened("https://schema.org/Product"), shortened("http://v.example/T"), shortened("h-card")
    ('schema:Product', 'http://v.example/T', 'h-card')
    """
    iri = one_schema_org(f"<{iri}")[1:]
    for name, start in PREFIXES.items():
        if iri.startswith(start):
            return f"{name}:{iri[len(start) :]}"
    return iri
