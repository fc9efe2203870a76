"""Hints before a fetch whether a URI leads to RDF: its extension, or the Content-Type that a HEAD request brought.

A URI without a hint is hard. The lists decide what is fetched in simulations too, so they change published
figures; they are not those by which a live crawl reads pages (``extract``) or skips files (``scope``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from sundog._jit import inner
from sundog.frontier.arrays import longer
from sundog.media_types import HTML, NO_PAGES, NO_TEXT, PACKED_ENDINGS, RDF_ENDINGS, RDF_TYPES, media_type
from sundog.urls.tokens import DOT, FNV_BASIS, FNV_PRIME, HASH, QUERY, SLASH, fnv_hash, is_digit, is_letter

YES, HARD, NO = 1, 0, -1
LONGEST_EXTENSION = 8
RDF_EXTENSIONS = (*RDF_ENDINGS, "trix")  # which is RDF, though nothing here reads it
# No pages either, but simulated crawls have always fetched them, and published figures rest on that.
NOT_RULED_OUT = frozenset(
    "7z aac apk avif bin epub m4a m4v map mid mjs mkv mobi msi ogv otf pkg pps psd rpm rtf tiff wasm wma "
    "woff2".split()
)
OTHER_EXTENSIONS = sorted(NO_PAGES - NOT_RULED_OUT - {*PACKED_ENDINGS})
# Packed files and pages are ruled out for ldspider only: the first may be dumps, the others may have RDFa.
PACKED_EXTENSIONS = PACKED_ENDINGS
PAGE_EXTENSIONS = (*HTML.endings, "shtml", "txt")
OTHER_TYPES = frozenset(
    "text/css text/csv text/javascript application/javascript application/pdf application/postscript".split()
)
MOST_TYPES = 1024  # that are distinguished; servers can invent any number
ANY_OTHER_TYPE = "application/octet-stream"


def by_content_type(content_type: str) -> int:
    """
    >>> by_content_type("text/turtle; charset=utf-8"), by_content_type("text/html"), by_content_type("image/png")
    (1, 0, -1)
    >>> by_content_type("application/gzip"), by_content_type("application/x-bzip2")  # may be dumps
    (0, 0)
    """
    kind = media_type(content_type)
    if kind in RDF_TYPES:
        return YES
    return NO if not kind or kind in OTHER_TYPES or kind.startswith(NO_TEXT) else HARD


def _hashes(words: Iterable[str]) -> Any:
    return np.array([fnv_hash(word) for word in words], np.uint64)


_RDF, _OTHER, _PAGES = _hashes(RDF_EXTENSIONS), _hashes(OTHER_EXTENSIONS), _hashes(PAGE_EXTENSIONS)
_PACKED = _hashes(PACKED_EXTENSIONS)


@inner
def _lower_hash(blob: Any, low: int, high: int) -> Any:
    """Of the text in lower case."""
    value = FNV_BASIS
    for i in range(low, high):
        byte = np.uint64(blob[i])
        value = (value ^ (byte + np.uint64(32) if 65 <= blob[i] <= 90 else byte)) * FNV_PRIME
    return value


@inner
def _among(value: Any, values: Any) -> bool:
    for known in values:
        if known == value:
            return True
    return False


@inner
def by_extension(blob: Any, low: int, high: int, pages_too: bool) -> int:
    """Of the last name in the URI's path; ``pages_too``: that of a web page says no as well."""
    end = low
    while end < high and blob[end] != QUERY and blob[end] != HASH:
        end += 1
    dot = _last_dot(blob, low, end)
    if dot < 0:
        return HARD
    extension = _lower_hash(blob, dot + 1, end)
    if _among(extension, _PACKED):
        before = _last_dot(blob, low, dot)
        if before >= 0 and _among(_lower_hash(blob, before + 1, dot), _RDF):
            return YES
        return NO if pages_too else HARD
    if _among(extension, _RDF):
        return YES
    no = _among(extension, _OTHER) or (pages_too and _among(extension, _PAGES))
    return NO if no else HARD


@inner
def _last_dot(blob: Any, low: int, end: int) -> int:
    """Where the extension of a name that ends here begins; -1 if it has none."""
    for i in range(end - 1, max(low, end - LONGEST_EXTENSION - 1), -1):
        if blob[i] == DOT:
            return -1 if _in_host(blob, low, i) else i
        if not is_letter(blob[i]) and not is_digit(blob[i]):
            return -1
    return -1


@inner
def _in_host(blob: Any, low: int, dot: int) -> bool:
    """Fewer than three slashes come before: the dot is the host's."""
    slashes = 0
    for i in range(low, dot):
        slashes += blob[i] == SLASH
    return slashes < 3


class KnownContentTypes:
    """URI i has the type ``codes[i]``; -1 if it has none, or nobody has asked.

    >>> known = KnownContentTypes()
    >>> known.grow(3)
    >>> known.note(1, "Text/Turtle; charset=utf-8")
    >>> known.codes.tolist()[:3], known.hints[0].item()
    ([-1, 0, -1], 1)
    """

    def __init__(self) -> None:
        self.codes = np.full(16, -1, np.int32)
        self.hints = np.zeros(MOST_TYPES, np.int64)
        self._names: dict[str, int] = {}

    def grow(self, uris: int) -> None:
        known = len(self.codes)
        self.codes = longer(self.codes, uris)
        self.codes[known:] = -1

    def note(self, uri: int, content_type: str) -> None:
        name = media_type(content_type)
        if name not in self._names and len(self._names) >= MOST_TYPES - 1:
            name = ANY_OTHER_TYPE
        code = self._names.setdefault(name, len(self._names))
        self.hints[code] = by_content_type(name)
        self.codes[uri] = code
