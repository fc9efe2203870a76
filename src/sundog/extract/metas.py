"""Metas that describe the page for those who share it: OpenGraph, Twitter cards, Dublin Core."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sundog.extract.guards import TimeBox
from sundog.extract.page import HtmlPage
from sundog.rdf.namespaces import PREFIXES
from sundog.rdf.terms import Triple, iri, literal

OPENGRAPH: Final = {
    "og": PREFIXES["og"],
    "al": "http://ogp.me/ns/applinks#",
    **{
        name: f"http://ogp.me/ns/{name}#"
        for name in "article book business fb music place product profile restaurant video".split()
    },
}
TWITTER: Final = {"twitter": "https://dev.twitter.com/cards#"}
DUBLIN_CORE: Final = {
    "dc": PREFIXES["dc11"],
    "dcterms": PREFIXES["dcterms"],
    "dcmi": PREFIXES["dctype"],
}
_LONGEST_REMEMBERED: Final = 200  # characters
_SOCIAL = OPENGRAPH.keys() | TWITTER.keys()
_OTHER_RDFA = frozenset({"about", "typeof", "resource", "rel", "rev", "datatype", "inlist", "vocab", "prefix"})


def is_social(attrs: dict[str, str]) -> bool:
    """Whether the ``property`` of a meta is of these kinds, and nothing else on it is of RDFa."""
    if not _OTHER_RDFA.isdisjoint(attrs):
        return False
    names = attrs["property"]
    return _are_social(names) if len(names) <= _LONGEST_REMEMBERED else _are_social.__wrapped__(names)


@lru_cache(maxsize=1024)
def _are_social(names: str) -> bool:
    words = names.split()
    return bool(words) and all(word.partition(":")[0].lower() in _SOCIAL and ":" in word for word in words)


def read_opengraph(page: HtmlPage, box: TimeBox, out: list[Triple]) -> None:
    _read(page, OPENGRAPH, ":", box, out)


def read_twitter(page: HtmlPage, box: TimeBox, out: list[Triple]) -> None:
    _read(page, TWITTER, ":", box, out)


def read_dublin_core(page: HtmlPage, box: TimeBox, out: list[Triple]) -> None:
    _read(page, DUBLIN_CORE, ".", box, out)


def _read(page: HtmlPage, vocabularies: dict[str, str], separator: str, box: TimeBox, out: list[Triple]) -> None:
    """``<meta property="og:title" content="…">``, with ``name`` instead of ``property`` too."""
    subject = iri(page.url)
    if subject is None:
        return
    for word, attrs in page.named_metas:
        prefix, _, name = word.partition(separator)
        vocabulary = vocabularies.get(prefix.lower()) if name else None
        predicate = iri(vocabulary + name) if vocabulary else None
        if predicate is not None:
            box.check()
            out.append((subject, predicate, literal(attrs["content"], attrs.get("lang", ""))))
