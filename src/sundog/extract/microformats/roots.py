"""Which elements are microformats: the roots of a document.

A class is a microformats2 root if it reads ``h-*`` in lower case, the specification says, whatever the name.
Taken literally this makes every page built with a CSS framework a microformat: ``h-auto`` and ``h-full`` are
heights. So:

1. ``h-`` and a name of the published vocabularies (`VOCABULARY`), also after a vendor's prefix
   (``h-vendor-card``), or of the experimental ``h-x-*``, is a root (``h-item``, ``h-app`` and ``h-news`` are left
   to rule 3: they are names in many style sheets);
2. a name that ends as a CSS size does (``full``, ``auto``, ``screen`` …) never is;
3. any other name is a root if a property that microformats know by name (``p-name``, ``u-url``, any ``dt-*`` or
   ``p-x-*`` …) is on the element, or inside it and in no nearer root.

Classic roots are a fixed list. An element with roots of both kinds is a microformats2 item, and only that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import compress
from typing import Any, NamedTuple

from sundog.extract.dom import Document, Element
from sundog.extract.microformats import classic

VOCABULARY = frozenset(
    "adr card cite entry event feed geo listing org product recipe resume review review-aggregate".split()
)
_VENDORS_OWN = tuple(f"-{name}" for name in sorted(VOCABULARY))
_SIZES = frozenset(
    "auto full screen min max fit px vh vw dvh svh lvh dvw svw lvw lh none inherit initial unset stretch content "
    "xs sm md lg xl xxl half third quarter".split()
)
_KNOWN_PROPERTIES = frozenset(
    "name url photo uid content summary description author category location note org nickname tel email adr geo "
    "latitude longitude logo video audio featured syndication in-reply-to like-of repost-of bookmark-of comment "
    "rating price brand item reviewer ingredient instructions attendee organizer given-name family-name "
    "street-address locality region postal-code country-name job-title label key read-of rsvp".split()
)
_ROOT_NAME = re.compile(r"h-((?:[a-z0-9]+-)?[a-z]+(?:-[a-z]+)*)")
# Class attributes that say nothing of roots: nearly all are so, and pages of a site have them in common.
_silent: set[str] = set()
_untelling: set[str] = set()  # and those that say nothing of properties either
_MOST_SILENT, _LONGEST_SILENT = 20_000, 200  # of them; characters
_PREFIXES = ("h-", "p-", "u-", "dt-", "e-")
_PROPERTY_NAME = re.compile(r"(p|u|dt|e)-((?:[a-z0-9]+-)?[a-z]+(?:-[a-z]+)*)")


class Root(NamedTuple):
    """The types of an item, sorted, and whether it is read by the rules of the classic formats."""

    types: tuple[str, ...]
    classic: bool


class Classes(NamedTuple):
    """What a class attribute says of roots."""

    root: Root | None = None  # a root for certain
    doubtful: Root | None = None  # a root if a known property is inside
    evidence: bool = False  # has such a property


_NOTHING = Classes()


@lru_cache(maxsize=8192)
def modern_properties(classes: str) -> tuple[classic.Property, ...]:
    """The microformats2 properties of a class attribute, each once.

    >>> [prop[:2] for prop in modern_properties("p-name u-url p-Name p- red dt-x-start")]
    [('p', 'name'), ('u', 'url'), ('dt', 'x-start')]
    """
    return tuple(_properties(dict.fromkeys(classes.split())))


def _properties(words: Iterable[str]) -> Iterator[classic.Property]:
    matches = (_PROPERTY_NAME.fullmatch(word) for word in words)
    return (classic.Property(match[1], match[2]) for match in matches if match)


@lru_cache(maxsize=8192)
def classify(classes: str) -> Classes:
    """
    >>> classify("h-card h-full").root, classify("vcard h-100").root
    (Root(types=('h-card',), classic=False), Root(types=('h-card',), classic=True))
    >>> classify("h-auto h-lg-full"), classify("h-flex").doubtful
    (Classes(root=None, doubtful=None, evidence=False), Root(types=('h-flex',), classic=False))
    """
    words = classes.split()
    modern = _root_names(words)
    evidence = any(map(_is_known_property, modern_properties(classes)))
    if any(map(_is_certain, modern)):
        return Classes(root=_root("h-" + name for name in modern), evidence=evidence)
    old = [classic.ROOTS[word] for word in words if word in classic.ROOTS]
    if modern and evidence:
        return Classes(root=_root("h-" + name for name in modern), evidence=True)
    if old:
        return Classes(root=_root(old, classic=True), evidence=evidence)
    if modern:
        return Classes(doubtful=_root("h-" + name for name in modern), evidence=evidence)
    return Classes(evidence=True) if evidence else _NOTHING


def _root_names(words: Iterable[str]) -> list[str]:
    return [match[1] for match in map(_ROOT_NAME.fullmatch, words) if match and not _is_size(match[1])]


def _is_certain(name: str) -> bool:
    return name in VOCABULARY or name.startswith("x-") or name.endswith(_VENDORS_OWN)


def _is_known_property(prop: classic.Property) -> bool:
    return prop.prefix == "dt" or prop.name in _KNOWN_PROPERTIES or prop.name.startswith("x-")


def _is_size(name: str) -> bool:
    return name.rpartition("-")[2] in _SIZES and name not in VOCABULARY


def _root(types: Iterable[str], *, classic: bool = False) -> Root:
    return Root(tuple(sorted(set(types))), classic)


def may_have_roots(classes: Iterable[str]) -> bool:
    """Whether the class attributes of a page allow for any root: a certain one, or a doubtful one and evidence.

    >>> may_have_roots(["h-auto h-6", "p-name"]), may_have_roots(["h-box"]), may_have_roots(["h-box", "p-name"])
    (False, False, True)
    """
    doubtful = evidence = False
    for each in set(classes) - _silent:
        if len(each) > classic.LONGEST:
            continue
        seen = classify(each)
        if seen.root:
            return True
        if seen is _NOTHING:
            _remember(each, _silent)
        doubtful = doubtful or seen.doubtful is not None
        evidence = evidence or seen.evidence
    return doubtful and evidence


def marked_nodes(document: Document) -> list[tuple[Any, str]]:
    """turbohtml's elements whose classes may make them roots or properties, in document order; these classes."""
    classes = document.classes()
    telling = {each for each in set(classes) - _untelling if len(each) <= classic.LONGEST and _may_tell(each)}
    # Of a page that was cut there are fewer elements: the first ones.
    both = zip(document.nodes("[class]"), classes, strict=False)
    return list(compress(both, map(telling.__contains__, classes)))


def _may_tell(classes: str) -> bool:
    words = classes.split()
    if not classic.WORDS.isdisjoint(words) or any(word.startswith(_PREFIXES) for word in words):
        return True
    _remember(classes, _untelling)
    return False


def _remember(classes: str, those: set[str]) -> None:
    if len(those) >= _MOST_SILENT:
        those.clear()
    if len(classes) <= _LONGEST_SILENT:
        those.add(classes)


def find_roots(document: Document, marked: list[tuple[Any, str]]) -> dict[Element, Root]:
    """The roots among a document's marked nodes, in document order.

    >>> from sundog.extract.dom import parse_html
    >>> text = "<div class=h-full><p class=h-x-note>Hi<p class=vcard></div><b class=h-box><i class=p-name>"
    >>> page = parse_html(text)
    >>> [root.types for root in find_roots(page, marked_nodes(page)).values()]
    [('h-x-note',), ('h-card',), ('h-box',)]
    """
    found: dict[Element, Root | None] = {}  # a doubtful root waits as None for its evidence
    doubtful: dict[Element, Root] = {}
    evidence: list[Element] = []
    for node, classes in marked:
        seen = classify(classes)
        if seen is _NOTHING or node.tag == "template":
            continue
        element = document.view(node)
        if seen.root:
            found[element] = seen.root
        elif seen.doubtful:
            found[element] = None
            doubtful[element] = seen.doubtful
        if seen.evidence and doubtful:
            evidence.append(element)
    for element in _nearest(evidence, found):
        found[element] = found[element] or doubtful[element]
    return {element: root for element, root in found.items() if root}


def _nearest(properties: list[Element], roots: dict[Element, Root | None]) -> Iterable[Element]:
    """The root around each property; climbs no element twice, so it is linear on any tree."""
    climbed: set[Element] = set()
    for element in properties:
        above = element.parent
        while above is not None and above not in climbed:
            climbed.add(above)
            if above in roots:
                yield above
                break
            above = above.parent
