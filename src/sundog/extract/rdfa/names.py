"""Names in RDFa: the initial context, prefixes and vocabulary in scope, and how they become terms."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count, pairwise
from typing import Final

from sundog.extract.dom import BLANKS
from sundog.extract.guards import GivenUpError
from sundog.rdf.terms import BlankNodes, iri
from sundog.urls.references import Base, is_absolute

XHV: Final = "http://www.w3.org/1999/xhtml/vocab#"
PREFIXES: Final = {
    "": XHV,
    "as": "https://www.w3.org/ns/activitystreams#",
    "cc": "http://creativecommons.org/ns#",
    "csvw": "http://www.w3.org/ns/csvw#",
    "ctag": "http://commontag.org/ns#",
    "dc": "http://purl.org/dc/terms/",
    "dc11": "http://purl.org/dc/elements/1.1/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcterms": "http://purl.org/dc/terms/",
    "dqv": "http://www.w3.org/ns/dqv#",
    "duv": "https://www.w3.org/ns/duv#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "gr": "http://purl.org/goodrelations/v1#",
    "grddl": "http://www.w3.org/2003/g/data-view#",
    "ical": "http://www.w3.org/2002/12/cal/icaltzd#",
    "jsonld": "http://www.w3.org/ns/json-ld#",
    "ldp": "http://www.w3.org/ns/ldp#",
    "ma": "http://www.w3.org/ns/ma-ont#",
    "oa": "http://www.w3.org/ns/oa#",
    "odrl": "http://www.w3.org/ns/odrl/2/",
    "og": "http://ogp.me/ns#",
    "org": "http://www.w3.org/ns/org#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#",
    "qb": "http://purl.org/linked-data/cube#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfa": "http://www.w3.org/ns/rdfa#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "rev": "http://purl.org/stuff/rev#",
    "rif": "http://www.w3.org/2007/rif#",
    "rr": "http://www.w3.org/ns/r2rml#",
    "schema": "http://schema.org/",
    "sd": "http://www.w3.org/ns/sparql-service-description#",
    "sioc": "http://rdfs.org/sioc/ns#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "skosxl": "http://www.w3.org/2008/05/skos-xl#",
    "sosa": "http://www.w3.org/ns/sosa/",
    "ssn": "http://www.w3.org/ns/ssn/",
    "time": "http://www.w3.org/2006/time#",
    "v": "http://rdf.data-vocabulary.org/#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "void": "http://rdfs.org/ns/void#",
    "wdr": "http://www.w3.org/2007/05/powder#",
    "wdrs": "http://www.w3.org/2007/05/powder-s#",
    "xhv": XHV,
    "xml": "http://www.w3.org/XML/1998/namespace",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
TERMS: Final = {
    "describedby": "http://www.w3.org/2007/05/powder-s#describedby",
    "license": f"{XHV}license",
    "role": f"{XHV}role",
}
_TERM = re.compile(r"[^\W\d][^\s:]*")
MOST_PREFIXES: Final = 1_000  # in scope: each element that adds one has a copy of them
_NUMBERS = count(1)
_DECLARING = frozenset({"vocab", "prefix", "lang", "xml:lang"})
Lists = dict[str, list[str]]


def _prefixes(text: str) -> dict[str, str]:
    """
    >>> _prefixes("a: http://a.example/ B: http://b.example/")
    {'a': 'http://a.example/', 'b': 'http://b.example/'}
    """
    words = text.split()
    return {name[:-1].lower(): uri for name, uri in pairwise(words) if name[-1] == ":"}


class Scope:
    """The names that are known: prefixes, the default vocabulary, the language."""

    __slots__ = ("language", "number", "prefixes", "vocabulary")

    def __init__(self, prefixes: dict[str, str], vocabulary: str, language: str, number: int = 0) -> None:
        self.prefixes = prefixes
        self.number = number  # scopes with the same one have the same prefixes
        self.vocabulary = vocabulary
        self.language = language

    def changed_by(self, attrs: dict[str, str], base: Base) -> Scope:
        """The scope inside an element; the same one if it declares nothing."""
        for name in attrs:
            if name in _DECLARING or name[:6] == "xmlns:":
                return self._changed_by(attrs, base)
        return self

    def _changed_by(self, attrs: dict[str, str], base: Base) -> Scope:
        names = [name for name in attrs if name in _DECLARING or name[:6] == "xmlns:"]
        declared = {name[6:].lower(): attrs[name] for name in names if name[:6] == "xmlns:"}
        inner = Scope(self.prefixes, self.vocabulary, self.language, self.number)
        if "prefix" in names:
            declared |= _prefixes(attrs["prefix"])
        for fixed in ("", "_"):  # stand for the same on every page
            declared.pop(fixed, None)
        if declared:
            inner.prefixes = {**self.prefixes, **declared}
            if len(inner.prefixes) > MOST_PREFIXES:
                raise GivenUpError(f"more than {MOST_PREFIXES:,} prefixes are declared")
            inner.number = next(_NUMBERS)
        if "vocab" in names:
            vocabulary = attrs["vocab"].strip(BLANKS)
            inner.vocabulary = base.resolve(vocabulary) if vocabulary else ""
        if "xml:lang" in names or "lang" in names:
            inner.language = attrs.get("xml:lang", attrs.get("lang", "")).strip(BLANKS)
        return inner


TOP = Scope(PREFIXES, "", "")


class EvaluationContext:
    """The evaluation context: what the elements around have set."""

    __slots__ = ("incomplete", "lists", "object", "subject", "subject_lists")

    def __init__(
        self,
        subject: str,
        object_: str,
        subject_lists: Lists,
        lists: Lists,
        incomplete: list[tuple[str, str]],
    ) -> None:
        self.subject = subject
        self.object = object_
        self.subject_lists = subject_lists
        self.lists = lists  # of the object: what is inside speaks of it
        self.incomplete = incomplete  # (kind, predicate); kind is "rel", "rev" or "list"


class Names:
    """Turns what attributes say into terms."""

    def __init__(self, base: Base, spend: Callable[[int], None]) -> None:
        self.base = base
        self._spend = spend  # a vocabulary or prefix may be long, and be repeated in many names
        self.blanks = BlankNodes("r")
        self._labels: dict[str, str] = {}
        self._known: dict[tuple[int, str, str], list[str]] = {}
        self._predicates: dict[tuple[int, str, str], list[str]] = {}

    def resource(self, value: str, scope: Scope) -> str | None:
        """@about and @resource: a CURIE in brackets, a CURIE, or an IRI."""
        value = value.strip(BLANKS)
        if value[:1] == "[" and value[-1:] == "]":
            return self._curie(value[1:-1], scope) if value != "[]" else None
        return self._curie(value, scope) or self.reference(value)

    def reference(self, value: str) -> str | None:
        """@href and @src: an IRI."""
        return self._iri(self.base.resolve(value.strip(BLANKS)))

    def types(self, value: str, scope: Scope) -> list[str]:
        """@typeof: terms, CURIEs and absolute IRIs; others are left out."""
        key = (scope.number, scope.vocabulary, value)
        known = self._known.get(key)
        if known is None:
            found = (self.name(word, scope) for word in value.split())
            known = self._known[key] = list(dict.fromkeys(each for each in found if each is not None))
        return known

    def predicates(self, value: str, scope: Scope) -> list[str]:
        """@property, @rel, @rev: the same without blank nodes."""
        key = (scope.number, scope.vocabulary, value)
        known = self._predicates.get(key)
        if known is None:
            known = self._predicates[key] = [each for each in self.types(value, scope) if each[0] == "<"]
        return known

    def name(self, word: str, scope: Scope) -> str | None:
        if ":" not in word:
            if scope.vocabulary:
                return self._iri(scope.vocabulary + word) if _TERM.fullmatch(word) else None
            known = TERMS.get(word) or TERMS.get(word.lower())
            return iri(known) if known else None
        return self._curie(word, scope) or (iri(word) if is_absolute(word) else None)

    def _iri(self, text: str) -> str | None:
        self._spend(len(text))
        return iri(text)

    def _curie(self, value: str, scope: Scope) -> str | None:
        prefix, colon, rest = value.partition(":")
        if not colon or (rest[:2] == "//" and prefix.lower() not in scope.prefixes):
            return None
        if prefix == "_":
            return self._labels.get(rest) or self._labels.setdefault(rest, self.blanks.new())
        known = scope.prefixes.get(prefix.lower())
        return self._iri(self.base.resolve(known + rest)) if known is not None else None
