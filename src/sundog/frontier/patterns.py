"""The URL group of a URL: its host and the shape of its path and query.

Pages made by one template of one site tend to share it. The first path segment counts as it
stands, later ones by their kind (number, slug, word, …); the extension and the names of query
parameters count as they stand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import inner
from sundog.frontier.tokens import hash_bytes, is_digit, mix

NUMBER, MIXED, SLUG, WORD, EMPTY = 1, 2, 3, 4, 5
SLASH, QUERY, HASH, DOT, COLON, AT = 47, 63, 35, 46, 58, 64
DASHES = (45, 95)  # - and _
AMPERSAND, EQUALS = 38, 61
LONG_EXTENSION = 6


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
        dashes += blob[i] == DASHES[0] or blob[i] == DASHES[1]
    if high == low:
        return EMPTY
    if digits == high - low:
        return NUMBER
    if dashes > 0:
        return SLUG
    return MIXED if digits > 0 else WORD


@inner
def _extension(blob: Any, low: int, high: int) -> int:
    """Index of the dot that begins a short extension, or ``high``."""
    for i in range(high - 1, max(low, high - LONG_EXTENSION) - 1, -1):
        if blob[i] == DOT:
            return i
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
def pattern_hash(blob: Any, path: int, high: int) -> Any:
    """Hash of the URL's shape from ``path``, the index where its path begins."""
    shape, depth, i = np.uint64(0), 0, path
    while i < high and blob[i] == SLASH:
        start = i + 1
        end = start
        while end < high and blob[end] != SLASH and blob[end] != QUERY and blob[end] != HASH:
            end += 1
        last = end >= high or blob[end] != SLASH
        dot = _extension(blob, start, end) if last else end
        kind = _kind(blob, start, dot)
        shape = mix(shape, kind)
        if depth == 0 and not last and kind != NUMBER:
            shape = mix(shape, hash_bytes(blob, start, end))
        if dot < end:
            shape = mix(shape, hash_bytes(blob, dot, end))
        depth += 1
        i = end
    if i < high and blob[i] == QUERY:
        end = i
        while end < high and blob[end] != HASH:
            end += 1
        shape = mix(shape, _query_names(blob, i + 1, end))
    return mix(shape, depth)
