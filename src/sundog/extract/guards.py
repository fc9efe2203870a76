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
_ENTITY = re.compile(rb"<!ENTITY\s+([\w.:-]+)\s+(?:\"([^\"]*)\"|'([^']*)')")
_EXTERNAL = re.compile(rb"<!ENTITY\s+(?:%\s*)?[\w.:-]+\s+(?:SYSTEM|PUBLIC)\b")
_REFERENCE = re.compile(rb"&([\w.:-]+);")
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
    if b"<!ENTITY" in body:
        if _EXTERNAL.search(body):
            return "external entities are not read"
        if _expanded_size(body) > MAX_EXPANDED:
            return "its entities expand without measure"
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


def _expanded_size(body: bytes) -> float:
    """How long all entity references become; infinitely, if entities name themselves or are too many to count."""
    if body.count(b"<!ENTITY") > MAX_ENTITIES:
        return float("inf")
    values = {match[1]: match[2] or match[3] or b"" for match in _ENTITY.finditer(body)}
    inner = {
        name: [each for each in _REFERENCE.findall(value) if each in values] for name, value in values.items()
    }
    sizes: dict[bytes, float] = {}
    for _ in range(len(values) + 1):  # each round knows entities that are nested one deeper
        for name in values.keys() - sizes.keys():
            if all(each in sizes for each in inner[name]):
                sizes[name] = len(values[name]) + sum(sizes[each] for each in inner[name])
        if len(sizes) == len(values):
            break
    counts = Counter(_REFERENCE.findall(body))
    return sum(count * sizes.get(name, float("inf")) for name, count in counts.items() if name in values)


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
