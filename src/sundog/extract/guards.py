"""Walls around hostile pages: a time box for each extractor, and files that would crash or stall a parser.

pyoxigraph expands entities without limit, is quadratic in the depth of XML, and overflows its stack on deeply
nested triple terms. None of this happens in honest files; others are found before they are parsed.
"""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final

SECONDS: Final = 2.0  # of an extractor, for a page
MAX_DEPTH: Final = 500
MAX_EXPANDED: Final = 20_000_000  # characters, all references of a file together
MAX_ENTITIES: Final = 1_000
_ENTITY = re.compile(r"<!ENTITY[ \t\r\n]+([\w.:-]+)[ \t\r\n]+(?:\"([^\"]*)\"|'([^']*)')[ \t\r\n]*>")
_EXTERNAL = re.compile(rb"<!ENTITY\s+(?:%\s*)?[\w.:-]+\s+(?:SYSTEM|PUBLIC)\b")
_REFERENCE = re.compile(r"&([\w.:-]+);")
_TAG = re.compile(rb"<(/?)[A-Za-z_][^<>]*?(/?)>")
_ROOT = re.compile(
    rb"(?>\s++|<\?[^>]*+>|<!--(?s:.*?)-->|<!DOCTYPE[^>\[]*+(?:\[[^\]]*+\]\s*+)?>)*+<([\w.:-]+)[^<>]*?(/?)>"
)
_TRIPLE_TERM = re.compile(rb"<<|>>")

Report = Callable[[str], None]  # takes what is wrong with a page, in one line


class OutOfTimeError(Exception):
    """The extractor's time is over; what it has found so far counts."""


class TimeBox:
    __slots__ = ("_end", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.restart()

    def restart(self) -> None:
        """For time that is not the extractor's own: the copy of the page serves all of them."""
        self._end = perf_counter() + self.seconds

    def check(self) -> None:
        if perf_counter() > self._end:
            raise OutOfTimeError


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Thousands of new objects and no garbage among them: looking for some would take a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def xml_danger(body: bytes) -> str:
    """Why this XML is not parsed; '' if it may be."""
    if b"<!ENTITY" in body and (danger := _entity_danger(body)):
        return danger
    if _xml_depth(body) > MAX_DEPTH:
        return f"nested more than {MAX_DEPTH} deep"
    return ""


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
    text = body.decode("utf-8", "replace")
    declared = [(match[1], match[2] or match[3] or "") for match in _ENTITY.finditer(text)]
    if len(declared) < text.count("<!ENTITY"):  # the parser is laxer than XML: it may understand what we do not
        return "an entity is declared in a way that is not read"
    if len(declared) > MAX_ENTITIES or _expanded_size(text, declared) > MAX_EXPANDED:
        return "its entities expand without measure"
    return ""


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


def _xml_depth(body: bytes) -> int:
    depth = deepest = 0
    for closing, empty in _TAG.findall(body):
        if closing:
            depth -= 1
        elif not empty:
            depth += 1
            deepest = max(deepest, depth)
    return deepest


def triple_term_danger(body: bytes) -> str:
    """The same for Turtle and its relatives."""
    return TripleTermGuard().danger(body) if body.count(b"<<") > MAX_DEPTH else ""


class TripleTermGuard:
    """The same for a file that comes in pieces.

    >>> guard = TripleTermGuard()
    >>> guard.danger(b"<<" * 500 + b"<"), guard.danger(b"<")
    ('', 'nested more than 500 deep')
    """

    def __init__(self) -> None:
        self._depth = 0
        self._last = b""

    def danger(self, piece: bytes) -> str:
        """Why no more of it is parsed; '' while it may be."""
        text = self._last + piece if self._last else piece
        self._last = b""
        if b"<<" not in text and not self._depth:
            self._last = b"<" if text.endswith(b"<") else b""
            return ""
        depth, end = self._depth, 0
        for mark in _TRIPLE_TERM.finditer(text):
            depth = depth + 1 if mark[0] == b"<<" else max(0, depth - 1)
            end = mark.end()
            if depth > MAX_DEPTH:
                return f"nested more than {MAX_DEPTH} deep"
        self._depth = depth
        if text[end:].endswith((b"<", b">")):  # half a mark: the next piece has the rest
            self._last = text[-1:]
        return ""
