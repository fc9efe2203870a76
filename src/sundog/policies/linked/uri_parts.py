"""Intrinsic features: the parts of a URI as hashes.

Scheme, authority, the last two labels of the host, the path's directory, its words with digits folded, its
extension, the names of the query's parameters, and the fragment.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import inner
from sundog.frontier.patterns import find_byte, host_range
from sundog.frontier.tokens import hash_bytes, hash_folded, is_digit, is_letter, mix

SLASH, QUERY, HASH, DOT, EQUALS, AMPERSAND = 47, 63, 35, 46, 61, 38
LONGEST = 400  # bytes of a URI that are looked at
MOST_WORDS, MOST_NAMES = 12, 4
MOST_PARTS = 7 + MOST_WORDS + MOST_NAMES
SCHEME, AUTHORITY, DOMAIN, DIRECTORY, WORD, EXTENSION, NAME, FRAGMENT, WHOLE = range(9)


@inner
def part_hashes(blob: Any, low: int, high: int, out: Any) -> int:
    """Write a hash for each part to ``out``, which has room for ``MOST_PARTS``; return how many there are."""
    high = min(high, low + LONGEST)
    first, path = host_range(blob, low, high)
    fragment = find_byte(blob, path, high, HASH)
    query = find_byte(blob, path, fragment, QUERY)
    slash, dot = _last(blob, path, query, SLASH), _last(blob, path, query, DOT)
    out[0] = _part(SCHEME, hash_bytes(blob, low, first))
    out[1] = _part(AUTHORITY, hash_bytes(blob, first, path))
    out[2] = _part(DOMAIN, hash_bytes(blob, _domain(blob, first, path), path))
    out[3] = _part(DIRECTORY, hash_folded(blob, path, max(slash, path)))
    at = 4
    if dot > slash and slash >= path:
        out[at] = _part(EXTENSION, hash_folded(blob, dot, query))
        at += 1
    if fragment < high:
        out[at] = _part(FRAGMENT, hash_folded(blob, fragment, high))
        at += 1
    at = _words(blob, path, query, out, at)
    return _names(blob, query + 1, fragment, out, at)


@inner
def _part(kind: int, key: Any) -> Any:
    return mix(key, np.uint64(kind))


@inner
def _last(blob: Any, low: int, high: int, byte: int) -> int:
    """Where the byte stands last, or before ``low``."""
    high -= 1
    while high >= low and blob[high] != byte:
        high -= 1
    return high


@inner
def _domain(blob: Any, low: int, high: int) -> int:
    dots = 0
    for i in range(high - 1, low - 1, -1):
        dots += blob[i] == DOT
        if dots == 2:
            return i + 1
    return low


@inner
def _words(blob: Any, low: int, high: int, out: Any, at: int) -> int:
    begin, most = low, at + MOST_WORDS
    for i in range(low, high + 1):
        inside = i < high and (is_digit(blob[i]) or is_letter(blob[i]))
        if not inside:
            if i > begin and at < most:
                out[at] = _part(WORD, hash_folded(blob, begin, i))
                at += 1
            begin = i + 1
    return at


@inner
def _names(blob: Any, low: int, high: int, out: Any, at: int) -> int:
    most = at + MOST_NAMES
    while low < high and at < most:
        end = find_byte(blob, low, high, AMPERSAND)
        out[at] = _part(NAME, hash_folded(blob, low, find_byte(blob, low, end, EQUALS)))
        at += 1
        low = end + 1
    return at
