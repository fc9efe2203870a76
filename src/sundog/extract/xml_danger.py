"""XML that would crash or stall the parser of RDF/XML.

pyoxigraph expands entities without limit, is quadratic in the depth of elements and in the attributes of one of
them, and writes all namespaces in scope on each outermost element of an XML literal. Honest files have little of
this; others are found before they are parsed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from sundog.extract.guards import MAX_DEPTH

MAX_EXPANDED: Final = 20_000_000  # characters, all references of a file together; the same for XML literals
MAX_ENTITIES: Final = 1_000
MAX_ATTRIBUTES: Final = 1_000  # of an element, namespaces included
_ENTITY = re.compile(r"<!ENTITY[ \t\r\n]+([\w.:-]+)[ \t\r\n]+(?:\"([^\"]*)\"|'([^']*)')[ \t\r\n]*>")
_EXTERNAL = re.compile(rb"<!ENTITY\s+(?:%\s*)?[\w.:-]+\s+(?:SYSTEM|PUBLIC)\b")
_REFERENCE = re.compile(r"&([\w.:-]+);")
_QUOTED = rb"\"[^\"]*+\"|'[^']*+'"
# What looks like a tag in a comment, a CDATA section or an instruction is none.
_TAG = re.compile(
    rb"<!--(?s:.*?)(?:-->|\Z)|<!\[CDATA\[(?s:.*?)(?:\]\]>|\Z)|<\?(?s:.*?)(?:\?>|\Z)"
    rb"|<(/?)([^\s<>!?/\"'=]++)((?:[^\"'<>/]++|/(?!>)|" + _QUOTED + rb")*+)(/?)>"
)
_ATTRIBUTE = re.compile(_QUOTED)
_NAMESPACE = re.compile(rb"\bxmlns(?::([^\s=]+))?\s*=\s*(?:" + _QUOTED + rb")")
_LITERAL = re.compile(rb"\bparseType\s*=\s*(?![\"'](?:Resource|Collection)[\"'])")
_ROOT = re.compile(
    rb"(?>\s++|<\?[^>]*+>|<!--(?s:.*?)-->|<!DOCTYPE[^>\[]*+(?:\[[^\]]*+\]\s*+)?>)*+<([\w.:-]+)[^<>]*?(/?)>"
)


def xml_danger(body: bytes) -> str:
    """Why this XML is not parsed; '' if it may be."""
    expanded = 0.0
    if b"<!ENTITY" in body:
        if danger := _entity_danger(body):
            return danger
        expanded = _expanded_size(*_entities(body))
    return _tag_danger(body, expanded)


def ends_early(body: bytes) -> bool:
    """Whether the end of the root element is missing.

    >>> ends_early(b"<?xml version='1.0'?><a:b><c></c>"), ends_early(b"<a:b><c></c></a:b >")
    (True, False)
    """
    root = _ROOT.match(body)
    if root is None or root[2]:
        return False
    return re.search(rb"</" + re.escape(root[1]) + rb"\s*>", body) is None


def _entity_danger(body: bytes) -> str:
    if _EXTERNAL.search(body):
        return "external entities are not read"
    text, declared = _entities(body)
    if len(declared) < text.count("<!ENTITY"):  # the parser is laxer than XML: it may understand what we do not
        return "an entity is declared in a way that is not read"
    if len(declared) > MAX_ENTITIES or _expanded_size(text, declared) > MAX_EXPANDED:
        return "its entities expand without measure"
    return ""


def _entities(body: bytes) -> tuple[str, list[tuple[str, str]]]:
    """The file as text, and the names and values of its entities."""
    text = body.decode("utf-8", "replace")
    return text, [(match[1], match[2] or match[3] or "") for match in _ENTITY.finditer(text)]


def _expanded_size(text: str, declared: list[tuple[str, str]]) -> float:
    """How long all entity references become, those in declarations too: pyoxigraph expands these as it meets them.

    An entity that is named before it is declared, or names itself, has no measure. One that is declared twice is
    as long as the longer one.
    """
    sizes = dict.fromkeys((name for name, _ in declared), -1.0)  # -1: not yet declared
    for name, value in declared:
        size = float(len(value))
        for inner, times in Counter(_REFERENCE.findall(value)).items():
            known = sizes.get(inner, 0.0)
            size += times * known if known >= 0 else float("inf")
        sizes[name] = max(sizes[name], size)
    return sum(times * sizes.get(name, 0.0) for name, times in Counter(_REFERENCE.findall(text)).items())


def _tag_danger(body: bytes, expanded: float) -> str:
    """``expanded``: how long its entities become, which may all be in names of namespaces."""
    depth, outermost = 0, _OutermostInLiterals()
    for closing, attributes, empty in _tags(body):
        if closing:
            depth = max(0, depth - 1)
            outermost.left(depth)
            continue
        if len(attributes) > MAX_ATTRIBUTES and len(_ATTRIBUTE.findall(attributes)) > MAX_ATTRIBUTES:
            return f"an element has more than {MAX_ATTRIBUTES:,} attributes"
        outermost.entered(depth, attributes, bool(empty))
        if not empty:
            depth += 1
            if depth > MAX_DEPTH:
                return f"nested more than {MAX_DEPTH} deep"
    if outermost.count and outermost.count * (_namespaces_size(body) + expanded) > MAX_EXPANDED:
        return "its XML literals expand without measure"
    return ""


def _tags(body: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    return ((match[1], match[3], match[4]) for match in _TAG.finditer(body) if match[2])


class _OutermostInLiterals:
    """Counts the outermost elements in literals. Any ``parseType`` that is not known means a literal."""

    def __init__(self) -> None:
        self.count = 0
        self._depth = -1  # of the property whose value is read

    def entered(self, depth: int, attributes: bytes, empty: bool) -> None:
        if self._depth >= 0:
            self.count += depth == self._depth + 1
        elif not empty and b"parseType" in attributes and _LITERAL.search(attributes):
            self._depth = depth

    def left(self, depth: int) -> None:
        if depth <= self._depth:
            self._depth = -1


def _namespaces_size(body: bytes) -> int:
    """Of the declarations of all prefixes, the longest of each, as if all were in scope at once."""
    sizes: dict[bytes, int] = {}
    for match in _NAMESPACE.finditer(body):
        name = match[1] or b""
        sizes[name] = max(sizes.get(name, 0), len(match[0]))
    return sum(sizes.values())
