"""Microdata to RDF, as the W3C's note of that name (second edition) says.

Items are worked off from a list, not by recursion, and each only once: chains and cycles of ``itemref`` of
any length end.

The letter drops an item with ``itemprop`` that is in no other item. Search engines read it, and on many pages such
items are all there is: here they are top-level items, and reported.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from sundog.extract.dom import BLANKS, Element
from sundog.extract.guards import Report, TimeBox
from sundog.extract.output import Statements
from sundog.extract.page import HtmlPage, language_of
from sundog.rdf.namespaces import MICROFORMATS, SCHEMA_ORG, SCHEMA_ORG_HTTPS, XSD
from sundog.rdf.terms import TYPE, BlankNodes, iri, kind_of_time, literal, quoted
from sundog.urls.references import is_absolute

# The note's registry: vocabularies whose name is not what the rule below would give, and properties that mean
# another one as well. The last two are in no vocabulary on the Web: they are what the note's test suite registers.
REGISTERED = (f"{MICROFORMATS}hcard", f"{MICROFORMATS}hcalendar")
ALSO = dict.fromkeys(
    (
        f"<{SCHEMA_ORG}additionalType>",
        f"<{SCHEMA_ORG_HTTPS}additionalType>",
        "<http://expansion/subPropertyOf>",
        "<http://expansion/equivalentProperty>",
    ),
    TYPE,
)
URL_ATTRIBUTES = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    "object": "data",
}
_INTEGER = re.compile(r"-?\d+", re.ASCII)
_DOUBLE = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def read_microdata(page: HtmlPage, box: TimeBox, out: Statements, report: Report) -> None:
    """Append the statements of all items to ``out``."""
    page.ready(box)
    _Reader(page, box, out).read(report)


class _Reader:
    def __init__(self, page: HtmlPage, box: TimeBox, out: Statements) -> None:
        self.page = page
        self.box = box
        self.out = out
        self.marked = page.document.having("itemscope", "itemprop", "itemprop-reverse")
        self.indexes = [e.index for e in self.marked]
        self.blanks = BlankNodes("md")
        self.subjects: dict[Element, str] = {}
        self.waiting: list[tuple[Element, str]] = []  # items to read, with the vocabulary around them
        self.taken: set[tuple[Element, str]] = set()  # all that were ever on that list
        self.languages: dict[Element, str] = {}
        self.predicates: dict[tuple[str, str], str | None] = {}  # by vocabulary and name

    def read(self, report: Report) -> None:
        items = [each for each in self.marked if "itemscope" in each.attrs]
        top = [each for each in items if "itemprop" not in each.attrs]
        top.sort(key=_is_reversed)  # those that are in an item are read with it
        self.read_all(top)
        lost = self.read_all(items)
        if lost:
            report(f"items with itemprop in no other item, read as top-level items: {lost:,}")

    def read_all(self, items: list[Element]) -> int:
        """Those that were not yet read, and what is in them; how many there were."""
        found = 0
        for item in items:
            if item not in self.subjects:
                found += 1
                self.subject_of(item, "")
                self.work_off()
        return found

    def work_off(self) -> None:
        while self.waiting:
            self.box.check()
            self.item(*self.waiting.pop())

    def subject_of(self, item: Element, vocabulary: str) -> str:
        """The item's node; an item met for the first time, or first in that vocabulary, is put on the list."""
        subject = self.subjects.get(item)
        if subject is None:
            identity = item.attrs.get("itemid", "").strip(BLANKS)
            subject = (iri(self.page.base.resolve(identity)) if identity else None) or self.blanks.new()
            self.subjects[item] = subject
        work = (item, "" if "itemtype" in item.attrs else vocabulary)
        if work not in self.taken:
            self.taken.add(work)
            self.waiting.append(work)
        return subject

    def item(self, item: Element, vocabulary: str) -> None:
        subject, out = self.subjects[item], self.out
        types = [name for name in item.attrs.get("itemtype", "").split() if is_absolute(name)]
        for name in types:
            kind = iri(name)
            if kind is not None:
                out.append((subject, TYPE, kind))
        if types:
            vocabulary = vocabulary_of(types[0])
        for element in self.properties(item):
            attrs = element.attrs
            value = self.subject_of(element, vocabulary) if "itemscope" in attrs else self.plain_value(element)
            for name in dict.fromkeys(attrs.get("itemprop", "").split()):
                predicate = self.predicate(name, vocabulary)
                if predicate is not None:
                    out.append((subject, predicate, value))
                    if predicate in ALSO and value[0] == "<":
                        out.append((subject, ALSO[predicate], value))
            for name in dict.fromkeys(attrs.get("itemprop-reverse", "").split()):
                predicate = self.predicate(name, vocabulary)
                if predicate is not None and value[0] != '"':
                    out.append((value, predicate, subject))

    def plain_value(self, element: Element) -> str:
        value = property_value(element, self.page, self.languages)
        self.out.spend(len(value))  # also if no name of the property is good
        return value

    def predicate(self, name: str, vocabulary: str) -> str | None:
        key = (vocabulary, name)
        if key not in self.predicates:
            self.predicates[key] = self._made_predicate(name, vocabulary)
        return self.predicates[key]

    def _made_predicate(self, name: str, vocabulary: str) -> str | None:
        if is_absolute(name):
            return iri(name)
        if not vocabulary:
            return iri(f"{self.page.base.url.partition('#')[0]}#{name}")
        return iri(vocabulary + name if vocabulary[-1] in "/#" else f"{vocabulary}#{name}")

    def properties(self, item: Element) -> list[Element]:
        """The elements that are properties of the item, in document order."""
        found = list(self.inside(item.index + 1, item.end))
        references = item.attrs.get("itemref", "").split()
        if not references:
            return found
        seen = {item, *found}
        for name in dict.fromkeys(references):
            self.box.check()
            target = self.page.by_id(name)
            if target is None or target in seen:
                continue
            for element in self.inside(target.index, target.end):
                if element not in seen:
                    seen.add(element)
                    found.append(element)
        found.sort(key=_index)
        return found

    def inside(self, start: int, end: int) -> Iterator[Element]:
        """Properties from one index to another; those of items in between belong to these."""
        marked, indexes = self.marked, self.indexes
        position, last = bisect_left(indexes, start), bisect_left(indexes, end)
        while position < last:
            element = marked[position]
            if "itemprop" in element.attrs or "itemprop-reverse" in element.attrs:
                yield element
            if "itemscope" in element.attrs and element.index >= start:
                position = bisect_left(indexes, element.end, position)
            else:
                position += 1


def _is_reversed(element: Element) -> bool:
    return "itemprop-reverse" in element.attrs


def _index(element: Element) -> int:
    return element.index


def vocabulary_of(type_iri: str) -> str:
    """
    >>> vocabulary_of("http://schema.org/Person"), vocabulary_of("http://a.example/v#Person")
    ('http://schema.org/', 'http://a.example/v#')
    """
    for name in REGISTERED:
        if type_iri.startswith(name):
            return name
    if "#" in type_iri:
        return type_iri[: type_iri.rindex("#") + 1]
    path_end = type_iri.partition("?")[0].rfind("/")
    return type_iri[: path_end + 1] if path_end > 0 else type_iri


def property_value(element: Element, page: HtmlPage, languages: dict[Element, str]) -> str:
    """The value as a term."""
    tag, attrs = element.tag, element.attrs
    if tag == "meta" and "content" in attrs:
        return literal(attrs["content"], language_of(element, languages))
    if tag in URL_ATTRIBUTES:
        reference = attrs.get(URL_ATTRIBUTES[tag])
        if reference is not None:
            reference = reference.strip(BLANKS)
            return iri(page.base.resolve(reference)) or quoted(reference)
    elif tag in ("data", "meter"):
        return number(attrs.get("value", ""))
    elif tag == "time":
        return _moment(element, page, languages)
    return literal(page.document.text_of(element), language_of(element, languages))


def number(text: str) -> str:
    """
    >>> number("4"), number("four")
    ('"4"^^<http://www.w3.org/2001/XMLSchema#integer>', '"four"')
    """
    if _INTEGER.fullmatch(text):
        return f"{quoted(text)}^^<{XSD}integer>"
    if _DOUBLE.fullmatch(text):
        return f"{quoted(text)}^^<{XSD}double>"
    return quoted(text)


def _moment(element: Element, page: HtmlPage, languages: dict[Element, str]) -> str:
    text = element.attrs.get("datetime")
    if text is None:
        text = page.document.text_of(element)
    kind = kind_of_time(text.strip(BLANKS))
    if kind:
        return f"{quoted(text.strip(BLANKS))}^^<{XSD}{kind}>"
    return literal(text, language_of(element, languages))
