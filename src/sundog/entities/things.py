"""The things that a page describes, as trees.

All statements of a page, in whatever syntax, are one graph of nodes. A node is a thing of its own if nothing else
on the page has it as a value, if it has an address (``@id``), or if it is called something: an author is a person
besides being part of a recipe. Whatever it has as values is nested in it: nodes without an address as deep as they
go, nodes with one (which are things of their own) only one level, deeper by their address and name. A blank node's
label is never a value.

Invariants: a tree has at most ``MOST_NODES`` nodes and ``DEEPEST`` levels, a page at most ``MOST_THINGS`` things,
whatever the statements are; lists keep their order; values have types (``values.py``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any, Final, NamedTuple

import pyoxigraph as ox

from sundog.entities.values import (
    PRICES,
    THINGS,
    Plain,
    absolute,
    clean,
    of_iri,
    price,
    value_of,
    writes_comma,
)
from sundog.entities.vocabulary import canonical, key_of, local_key
from sundog.rdf.namespaces import RDF, RDF_TYPE, SCHEMA_ORG
from sundog.store.page_texts import triples_of

Tree = dict[str, Any]  # "@id", "@type": [IRIs], and values by key: a value, a tree, or a list of them

MOST_THINGS: Final = 5_000  # of a page
MOST_NODES: Final = 300  # of a tree
MOST_VALUES: Final = 1_000  # of a property
MOST_PROPERTIES: Final = 200  # of a node
MOST_TYPES: Final = 10
DEEPEST: Final = 6
LONGEST_KEY: Final = 300  # characters
NAMES: Final = ("name", "headline", "title", "prefLabel", "label", "fn", "legalName", "alternateName")
ESCAPED: Final = frozenset((*NAMES, "email", "telephone"))  # whose texts may have HTML's entities, and no markup
ADDRESSES: Final = frozenset("url sameAs mainEntityOfPage uid contentUrl thumbnailUrl".split())  # and no things
FIRST, REST, NIL = (ox.NamedNode(f"{RDF}{name}") for name in ("first", "rest", "nil"))
HTML: Final = f"{RDF}HTML"
# Parts of other things, whatever they are called.
PARTS: Final = frozenset(
    SCHEMA_ORG + name
    for name in """ListItem Offer AggregateOffer OfferShippingDetails Rating AggregateRating HowToStep HowToSection
    HowToSupply HowToTool HowToDirection HowToTip PropertyValue PropertyValueSpecification PostalAddress
    ContactPoint MonetaryAmount MonetaryAmountDistribution QuantitativeValue NutritionInformation ImageObject
    EntryPoint SearchAction ReadAction BuyAction ViewAction CommentAction InteractionCounter GeoCoordinates
    GeoShape OpeningHoursSpecification SpeakableSpecification PriceSpecification UnitPriceSpecification
    VirtualLocation Country Comment Answer""".split()
)


class PageStatements(NamedTuple):
    """``texts``: N-Triples by syntax."""

    url: str
    texts: Mapping[str, str]


@dataclass(slots=True)
class Thing:
    """``alone``: whether it is the only one of its type that the page describes at the top."""

    tree: Tree
    types: list[str]  # canonical
    id: str  # its IRI, or ""
    syntaxes: list[str]
    nested: bool
    alone: bool = False

    @property
    def name(self) -> str:
        return name_of(self.tree)


@dataclass(slots=True)
class _Node:
    properties: dict[str, list[Any]] = field(default_factory=dict)  # by predicate, terms
    types: list[str] = field(default_factory=list)
    syntaxes: dict[str, None] = field(default_factory=dict)


def things_of(page: PageStatements) -> list[Thing]:
    """In the order in which the page first mentions them."""
    nodes = _nodes(page.texts)
    reader = _TreeReader(nodes, page)
    chosen = _chosen(nodes, reader)
    found = []
    for subject, nested in chosen:
        node = nodes[subject]
        tree = reader.tree(subject)
        address = subject.value if isinstance(subject, ox.NamedNode) else ""
        if len(tree) > 1:  # an address or a type alone says nothing
            found.append(Thing(tree, node.types, address, list(node.syntaxes), nested))
    counts = Counter(kind for thing in found if not thing.nested for kind in thing.types[:1])
    for thing in found:
        thing.alone = not thing.nested and bool(thing.types) and counts[thing.types[0]] == 1
    return found


def name_of(tree: Tree) -> str:
    """What it is called.

    >>> name_of({"foaf:name": ["Ada", "Ada L."], "@type": []}), name_of({"price": 3})
    ('Ada', '')
    >>> name_of({"rdfs:label": [{"@value": "Storey", "@language": "en"}, {"@value": "Etage", "@language": "da"}]})
    'Storey'
    """
    for name in NAMES:
        value = tree.get(name)
        if value is None:
            continue
        if found := _first_text(value):
            return found
    for key, value in tree.items():
        if ":" in key and local_key(key) in NAMES and (found := _first_text(value)):
            return found
    return ""


def _first_text(value: Any) -> str:
    value = value[0] if isinstance(value, list) and value else value
    value = value.get("@value", "") if isinstance(value, dict) else value
    return "" if isinstance(value, list | dict) else str(value)


def _nodes(texts: Mapping[str, str]) -> dict[Any, _Node]:
    nodes: dict[Any, _Node] = {}
    for syntax, text in texts.items():
        for triple in triples_of(text):
            node = nodes.get(triple.subject)
            if node is None:
                node = nodes[triple.subject] = _Node()
            node.syntaxes[syntax] = None
            predicate, thing = triple.predicate.value, triple.object
            if predicate == RDF_TYPE:
                if isinstance(thing, ox.NamedNode) and len(node.types) < MOST_TYPES:
                    kind = canonical(thing.value)
                    if kind not in node.types:
                        node.types.append(kind)
                continue
            values = node.properties.get(predicate)
            if values is None:
                if len(node.properties) < MOST_PROPERTIES:
                    node.properties[predicate] = [thing]
            elif len(values) < MOST_VALUES and (len(values) > 20 or thing not in values):
                values.append(thing)
    return nodes


def _chosen(nodes: dict[Any, _Node], reader: _TreeReader) -> list[tuple[Any, bool]]:
    """The nodes that are things, and whether they are also part of another."""
    inner = _values_of_others(nodes)
    chosen: dict[Any, bool] = {}
    for subject, node in nodes.items():
        if len(chosen) >= MOST_THINGS:
            break
        if reader.is_list(subject):
            continue
        if subject not in inner:
            if node.types or isinstance(subject, ox.NamedNode):
                chosen[subject] = False
        elif node.types and not PARTS.intersection(node.types) and _is_somebody(subject, node):
            chosen[subject] = True
    for subject, node in nodes.items():  # rings of nodes, each of which is part of another
        if node.types and subject in inner and len(chosen) < MOST_THINGS and not _is_held(subject, inner, chosen):
            chosen[subject] = False
    order = {subject: at for at, subject in enumerate(nodes)}
    return sorted(chosen.items(), key=lambda item: order[item[0]])


def _values_of_others(nodes: dict[Any, _Node]) -> dict[Any, Any]:
    """By node, the first other node that has it as a value."""
    inner: dict[Any, Any] = {}
    for subject, node in nodes.items():
        for values in node.properties.values():
            for value in values:
                if value != subject and not isinstance(value, ox.Literal) and value in nodes:
                    inner.setdefault(value, subject)
    return inner


def _is_somebody(subject: Any, node: _Node) -> bool:
    if isinstance(subject, ox.NamedNode):
        return True
    return any(local_key(key_of(predicate)) in NAMES for predicate in node.properties)


def _is_held(subject: Any, inner: Mapping[Any, Any], chosen: Mapping[Any, bool]) -> bool:
    """Whether one comes from a thing to it, by going up a few levels."""
    for _ in range(DEEPEST + 2):
        if subject in chosen:
            return True
        if subject not in inner:
            return False
        subject = inner[subject]
    return False


class _TreeReader:
    def __init__(self, nodes: dict[Any, _Node], page: PageStatements) -> None:
        self._nodes = nodes
        self._page = page
        self._comma = writes_comma(_language(nodes, page.url))
        self._room = 0
        self._lists: set[Any] = {
            subject
            for subject, node in nodes.items()
            if FIRST.value in node.properties and REST.value in node.properties
        }

    def is_list(self, subject: Any) -> bool:
        return subject in self._lists

    def tree(self, subject: Any) -> Tree:
        self._room = MOST_NODES
        return self._tree(subject, (subject,))

    def _tree(self, subject: Any, path: tuple[Any, ...]) -> Tree:
        self._room -= 1
        node = self._nodes[subject]
        tree: Tree = {}
        if isinstance(subject, ox.NamedNode):
            tree["@id"] = subject.value
        if node.types:
            tree["@type"] = node.types
        for predicate, terms in node.properties.items():
            key = key_of(predicate)[:LONGEST_KEY]
            values = self._values(key, terms, path)
            if values:
                known = tree.get(key)
                if known is not None:  # twins of one vocabulary
                    old = known if isinstance(known, list) else [known]
                    values = old + [value for value in values if value not in old]
                tree[key] = values if len(values) > 1 else values[0]
        return _with_currency(tree, node.properties)

    def _values(self, key: str, terms: Sequence[Any], path: tuple[Any, ...]) -> list[Any]:
        if len(terms) == 1 and isinstance(terms[0], ox.Literal):  # as most are
            value = self._value(key, terms[0], path)
            return [] if value is None or value == "" else [value]
        terms = list(self._flat(terms))
        if len(terms) > 1:
            terms = _without_html(terms)
        languages = {term.language for term in terms if isinstance(term, ox.Literal) and term.language}
        found: list[Any] = []
        for term in terms:
            value = self._value(key, term, path)
            if value is None or value == "" or value == {}:
                continue
            if len(languages) > 1 and isinstance(term, ox.Literal) and term.language:
                value = {"@value": value, "@language": term.language}
            if len(found) > 20 or value not in found:
                found.append(value)
        return found

    def _flat(self, terms: Iterable[Any]) -> Iterable[Any]:
        """With the members of lists in their place."""
        for term in terms:
            if term in self._lists:
                yield from self._members(term)
            elif term != NIL:
                yield term

    def _members(self, start: Any) -> Iterable[Any]:
        seen: set[Any] = set()
        while start in self._lists and start not in seen and len(seen) < MOST_VALUES:
            seen.add(start)
            properties = self._nodes[start].properties
            yield from (term for term in properties[FIRST.value][:1] if term not in self._lists)
            start = properties[REST.value][0]

    def _value(self, key: str, term: Any, path: tuple[Any, ...]) -> Any:
        if isinstance(term, ox.Literal):
            text = unescape(term.value) if "&" in term.value and local_key(key) in ESCAPED else term.value
            value = value_of(key, text, term.datatype.value, comma=self._comma, base=self._page.url)
            return _named(key, value, self._page.url)
        if isinstance(term, ox.Triple):
            return None
        is_named = isinstance(term, ox.NamedNode)
        if term not in self._nodes or (is_named and local_key(key) in ADDRESSES):
            return _named(key, of_iri(key, term.value), self._page.url) if is_named else None
        whole = self._nodes[term].types and len(path) == 1 if is_named else term not in path
        if whole and term not in path and len(path) < DEEPEST and self._room > 0:
            return self._tree(term, (*path, term))
        return self._brief(term) or (term.value if is_named else None)

    def _brief(self, subject: Any) -> Any:
        """Its address and name; nothing of a node that is not called anything, or if the tree is large already."""
        self._room -= 1
        if self._room < -MOST_NODES:
            return None
        for predicate, terms in self._nodes[subject].properties.items():
            key = key_of(predicate)
            if local_key(key) in NAMES and isinstance(terms[0], ox.Literal) and not key.startswith("og:"):
                address = {"@id": subject.value} if isinstance(subject, ox.NamedNode) else {}
                return {**address, key: clean(terms[0].value)}
        return None


def _named(key: str, value: Plain, base: str) -> Any:
    """Where a thing is meant and a text is given, the text is its name, and a URL its address.

    >>> _named("author", "Ada", ""), _named("author", "https://a.example/ada", ""), _named("genre", "Rock", "")
    ({'name': 'Ada'}, {'url': 'https://a.example/ada'}, 'Rock')
    """
    if key not in THINGS or not isinstance(value, str) or not value:
        return value
    if value.startswith(("http://", "https://", "/")) and (address := absolute(value, base)):
        return {"url": address}
    return {"name": value}


def _with_currency(tree: Tree, properties: Mapping[str, list[Any]]) -> Tree:
    """A currency that is written with the price."""
    if "priceCurrency" in tree or not any(key in PRICES for key in tree):
        return tree
    for predicate, terms in properties.items():
        if key_of(predicate) in PRICES and isinstance(terms[0], ox.Literal):
            currency = price(clean(terms[0].value))[1]
            if currency:
                tree["priceCurrency"] = currency
                break
    return tree


def _without_html(terms: list[Any]) -> list[Any]:
    """Microformats give a content as text and as HTML: the text is enough."""
    plain = [term for term in terms if not (isinstance(term, ox.Literal) and term.datatype.value == HTML)]
    return plain or terms


def _language(nodes: Mapping[Any, _Node], url: str) -> str:
    """That of most texts; or the one that things name; or the one of the country in the host's name."""
    tags: Counter[str] = Counter()
    for node in nodes.values():
        for predicate, values in node.properties.items():
            for value in values[:5]:
                if isinstance(value, ox.Literal):
                    if value.language:
                        tags[value.language] += 1
                    elif predicate.endswith(("inLanguage", "ns#locale")):
                        tags[value.value] += 10
    if tags:
        return tags.most_common(1)[0][0]
    host = url.partition("://")[2].partition("/")[0].partition(":")[0]
    return host.rpartition(".")[2]
