"""The shape of a URL: what pages made by one template of one site tend to share.

A path segment is its kind: a number, a word with digits, a slug (long, or with two dashes), or the
word itself. The *fine* shape has the kinds of all directories, the kind of the page's own name, its
extension and the names of the query's parameters; the *coarse* shape tells apart only the first
directory's word.

Policies learn by these hashes; ``scope.traps.group_of`` is another grouping, of allowances, that people can read.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner
from sundog.urls.tokens import (
    AMPERSAND,
    AT,
    COLON,
    DASH,
    DOT,
    EQUALS,
    HASH,
    PERCENT,
    QUERY,
    SLASH,
    UNDERSCORE,
    hash_bytes,
    is_digit,
    is_letter,
    mix,
)

NUMBER, MIXED, SLUG, WORD, NOTHING = 1, 2, 3, 4, 5
LONG_SEGMENT = 15
LONG_EXTENSION = 6


class Shape(NamedTuple):
    fine: Any
    coarse: Any
    directory: Any  # hash of host and path up to the last slash
    above: Any  # and one level higher


@inner
def host_range(blob: Any, low: int, high: int) -> tuple[int, int]:
    """Where the host (with its port) stands in the URL; empty if the text is not a URL."""
    for i in range(low, high - 2):
        if blob[i] == COLON and blob[i + 1] == SLASH and blob[i + 2] == SLASH:
            start, end = i + 3, i + 3
            while end < high and blob[end] != SLASH and blob[end] != QUERY and blob[end] != HASH:
                if blob[end] == AT:
                    start = end + 1
                end += 1
            return start, end
        if blob[i] == SLASH or blob[i] == QUERY or blob[i] == HASH:
            break
    return low, low


@inner
def _kind(blob: Any, low: int, high: int) -> int:
    digits, dashes = 0, 0
    for i in range(low, high):
        digits += is_digit(blob[i])
        dashes += blob[i] == DASH or blob[i] == UNDERSCORE or blob[i] == PERCENT
    if high == low:
        return NOTHING
    if digits == high - low:
        return NUMBER
    if digits > 0:
        return MIXED
    return SLUG if dashes >= 2 or high - low > LONG_SEGMENT else WORD


@inner
def _extension(blob: Any, low: int, high: int) -> int:
    """Index of the dot that begins a short extension, or ``high``."""
    for i in range(high - 1, max(low, high - LONG_EXTENSION - 1) - 1, -1):
        if blob[i] == DOT:
            return i if i + 1 < high and is_letter(blob[i + 1]) else high
    return high


@inner
def _query_names(blob: Any, low: int, high: int) -> Any:
    """Order of parameters does not matter, their values neither."""
    names, start, in_name = np.uint64(0), low, True
    for i in range(low, high + 1):
        byte = blob[i] if i < high else np.uint8(AMPERSAND)
        if in_name and (byte == EQUALS or byte == AMPERSAND):
            names += hash_bytes(blob, start, i)
            in_name = False
        if byte == AMPERSAND:
            start, in_name = i + 1, True
    return names


@inner
def find_byte(blob: Any, low: int, high: int, byte: int) -> int:
    """Where the byte stands first, or ``high``."""
    while low < high and blob[low] != byte:
        low += 1
    return low


@inner
def shape_of(blob: Any, low: int, path: int, high: int) -> Any:
    """The shape of the URL that begins at ``low`` and whose path begins at ``path``."""
    high = find_byte(blob, path, high, HASH)
    query = find_byte(blob, path, high, QUERY)
    slash, above, end = path, path, query
    for i in range(path, query - (query > path + 1 and blob[query - 1] == SLASH)):
        if blob[i] == SLASH:
            above, slash = slash, i
    if query > slash + 1 and blob[query - 1] == SLASH:
        end = query - 1  # /a/slug/ : the last segment is the page's own name
    fine, coarse = _directories(blob, path, slash)
    dot = _extension(blob, slash + 1, end)
    own = mix(_kind(blob, slash + 1, dot), np.uint64(hash_bytes(blob, dot, end)))
    own = mix(own, np.uint64(end < query))
    if query < high:
        own = mix(own, _query_names(blob, query + 1, high))
    return Shape(mix(fine, own), mix(coarse, own), hash_bytes(blob, low, slash), hash_bytes(blob, low, above))


@inner
def _directories(blob: Any, path: int, slash: int) -> Any:
    """Hashes over the directories' kinds: words as they are, or only the first one as it is."""
    fine, coarse, at = np.uint64(0), np.uint64(0), path
    while at < slash:
        end = find_byte(blob, at + 1, slash, SLASH)
        kind = _kind(blob, at + 1, end)
        fine, coarse = mix(fine, kind), mix(coarse, kind)
        if kind == WORD:
            word = hash_bytes(blob, at + 1, end)
            fine = mix(fine, word)
            if at == path:
                coarse = mix(coarse, word)
        at = end
    return fine, coarse
