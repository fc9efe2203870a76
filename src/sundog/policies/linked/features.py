"""From a URI to its feature indices: those of target (t), referrer (r), properties (p) and siblings (x).

All are made of the parts of URIs, as hashes: scheme, authority, the last two labels of the host, the path's
directory, its words with digits folded, its extension, the names of the query's parameters, and the fragment.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import inner, int64
from sundog.frontier.arrays import DONE
from sundog.policies.linked.levenshtein import similarity
from sundog.policies.parameters import CROSSES, PROPERTIES, REFERRER, TARGET
from sundog.urls.shapes import find_byte, host_range
from sundog.urls.tokens import (
    AMPERSAND,
    DOT,
    EQUALS,
    HASH,
    QUERY,
    SLASH,
    hash_bytes,
    hash_folded,
    index_below,
    is_digit,
    is_letter,
    mix,
)

LONGEST = 400  # bytes of a URI that are read
MOST_WORDS, MOST_NAMES = 12, 4
MOST_PARTS = 7 + MOST_WORDS + MOST_NAMES
SCHEME, AUTHORITY, DOMAIN, DIRECTORY, WORD, EXTENSION, NAME, FRAGMENT = range(8)
MOST_SIBLINGS = 8  # with a known outcome that are used
MOST_CONSIDERED = 64
MOST_FEATURES = MOST_PARTS * (5 + MOST_SIBLINGS) + 2
OF_TARGET, OF_HEADER, OF_REFERRER, OF_PROPERTY, OF_SIBLING = 1, 2, 3, 4, 5  # salts


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


@inner
def _put(c: Any, at: int, key: Any, hashes: int) -> int:
    """Add the index of a hash, once."""
    index = index_below(key, hashes)
    if c.seen[index] == c.round[0]:
        return at
    c.seen[index] = c.round[0]
    c.features[at] = index
    return at + 1


@inner
def _intrinsic(c: Any, at: int, blob: Any, low: int, high: int, salt: Any, hashes: int) -> int:
    """A URI's parts, each crossed with ``salt``."""
    count = part_hashes(blob, low, high, c.uri_parts)
    for i in range(count):
        at = _put(c, at, mix(c.uri_parts[i], salt), hashes)
    return at


@inner
def _of_property(s: Any, at: int, text: int) -> int:
    if text < 0:
        return at
    ends = s.texts.text_ends
    return _intrinsic(
        s.scratch, at, s.texts.texts, ends[text], ends[text + 1], np.uint64(OF_PROPERTY), s.plan.hashes
    )


@inner
def content_type_of(s: Any, uri: int) -> int:
    """-1 if it is not known: by a HEAD request or because the URI was fetched."""
    known = s.w.nodes[uri].head_known or s.w.nodes[uri].state == DONE
    return int64(s.texts.content_type[uri]) if known and len(s.texts.content_type) else -1


@inner
def _of_siblings(s: Any, at: int, uri: int) -> int:
    """Crosses of parts, Content-Type, similarity and relevance, of siblings whose relevance is known."""
    w, blob, ends = s.w, s.texts.urls, s.texts.url_ends
    begin, used = w.nodes[uri].siblings, 0
    for i in range(begin, begin + min(int64(w.nodes[uri].sibling_count), MOST_CONSIDERED)):
        other = int64(w.members[i])
        if other == uri or w.nodes[other].state != DONE or used == MOST_SIBLINGS:
            continue
        used += 1
        alike = similarity(blob, ends[uri], ends[uri + 1], ends[other], ends[other + 1], s.scratch.table)
        salt = mix(np.uint64(OF_SIBLING), np.uint64(content_type_of(s, other) + 1))
        salt = mix(salt, np.uint64(2 * (alike > s.plan.similar) + w.nodes[other].good))
        at = _intrinsic(s.scratch, at, blob, ends[other], ends[other + 1], salt, s.plan.hashes)
    return at


@inner
def gather(s: Any, uri: int) -> int:
    """Write the URI's feature indices to the scratch; return how many there are."""
    node, c, hashes = s.w.nodes[uri], s.scratch, s.plan.hashes
    blob, ends = s.texts.urls, s.texts.url_ends
    c.round[0] += 1
    at = 0
    if s.plan.features & TARGET:
        at = _intrinsic(c, at, blob, ends[uri], ends[uri + 1], np.uint64(OF_TARGET), hashes)
        header = content_type_of(s, uri) if node.head_known else -1
        if header >= 0:
            at = _put(c, at, mix(np.uint64(header), np.uint64(OF_HEADER)), hashes)
    parent = int64(node.parent)
    if s.plan.features & REFERRER and parent >= 0:
        at = _intrinsic(c, at, blob, ends[parent], ends[parent + 1], np.uint64(OF_REFERRER), hashes)
    if s.plan.features & PROPERTIES:
        at = _of_property(s, at, int64(node.first_property))
        at = _of_property(s, at, int64(node.second_property))
        at = _of_property(s, at, int64(node.third_property))
    if s.plan.features & CROSSES:
        at = _of_siblings(s, at, uri)
    return at
