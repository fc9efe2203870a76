"""What is known of candidates before any fetch: host, URL group and tokens, as arrays.

``encode`` is the one way from URL bytes to these arrays; the catalog of a live crawl calls it for
a handful of URLs at a time, a static world once for all of its pages.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner, njit
from sundog.frontier.patterns import host_range, pattern_hash
from sundog.frontier.tokens import hash_bytes, mix, tokenize

GROUPS_A_HOST = 64
SHARED_GROUPS = 8  # for all further patterns of a host, so that no host can flood the arms


class Facts(NamedTuple):
    """Per candidate, and per text (anchors and tag paths have ids of their own)."""

    host: Any  # int32[candidates]
    group: Any  # int32[candidates]
    token_start: Any  # int64[candidates + 1]
    tokens: Any  # int32
    text_start: Any  # int64[texts + 1]
    text_tokens: Any  # int32
    text_hash: Any  # uint64[texts]


class Names(NamedTuple):
    """Hosts and groups found so far; tables are open-addressed, a power of two long, -1 where free."""

    host_table: Any  # int32
    host_hash: Any  # uint64[hosts]
    host_start: Any  # int64[hosts]: where the name stands in the URL bytes
    host_length: Any  # int32[hosts]
    host_groups: Any  # int32[hosts]: how many groups it has
    group_table: Any  # int32
    group_key: Any  # uint64[groups]
    group_host: Any  # int32[groups]
    counts: Any  # int64: hosts, groups


@inner
def _same(blob: Any, one: int, other: int, length: int) -> bool:
    for i in range(length):
        if blob[one + i] != blob[other + i]:
            return False
    return True


@inner
def _host_id(names: Any, blob: Any, low: int, high: int) -> int:
    key = hash_bytes(blob, low, high)
    mask = len(names.host_table) - 1
    cell = np.int64(mix(key, 0) & np.uint64(mask))
    while True:
        host = names.host_table[cell]
        if host < 0:
            break
        if (
            names.host_hash[host] == key
            and names.host_length[host] == high - low
            and _same(blob, names.host_start[host], low, high - low)
        ):
            return host
        cell = (cell + 1) & mask
    host = names.counts[0]
    names.counts[0] = host + 1
    names.host_table[cell] = host
    names.host_hash[host], names.host_start[host] = key, low
    names.host_length[host], names.host_groups[host] = high - low, 0
    return host


@inner
def _group_cell(names: Any, host: int, key: Any) -> Any:
    """The table's cell of this group, or the free one where it belongs."""
    mask = len(names.group_table) - 1
    cell = np.int64(key & np.uint64(mask))
    while names.group_table[cell] >= 0:
        group = names.group_table[cell]
        if names.group_key[group] == key and names.group_host[group] == host:
            break
        cell = (cell + 1) & mask
    return cell


@inner
def _group_id(names: Any, host: int, pattern: Any) -> int:
    key = mix(names.host_hash[host], pattern)
    cell = _group_cell(names, host, key)
    if names.group_table[cell] < 0 and names.host_groups[host] >= GROUPS_A_HOST:
        key = mix(names.host_hash[host], pattern % np.uint64(SHARED_GROUPS))
        cell = _group_cell(names, host, key)
    group = names.group_table[cell]
    if group < 0:
        group = names.counts[1]
        names.counts[1] = group + 1
        names.group_table[cell] = group
        names.group_key[group], names.group_host[group] = key, host
        names.host_groups[host] += 1
    return group


@njit
def encode(facts: Any, names: Any, blob: Any, offsets: Any, begin: int, end: int) -> None:
    """Fill the facts of URLs ``begin`` to ``end``; all arrays must have room."""
    at = facts.token_start[begin]
    for row in range(begin, end):
        low, high = offsets[row], offsets[row + 1]
        first, last = host_range(blob, low, high)
        host = _host_id(names, blob, first, last)
        facts.host[row] = host
        facts.group[row] = _group_id(names, host, pattern_hash(blob, last, high))
        at = tokenize(blob, low, high, facts.tokens, at)
        facts.token_start[row + 1] = at


@njit
def encode_texts(facts: Any, blob: Any, offsets: Any, begin: int, end: int) -> None:
    at = facts.text_start[begin]
    for row in range(begin, end):
        facts.text_hash[row] = hash_bytes(blob, offsets[row], offsets[row + 1])
        at = tokenize(blob, offsets[row], offsets[row + 1], facts.text_tokens, at)
        facts.text_start[row + 1] = at


@njit
def rebuild_table(table: Any, keys: Any, count: int, remix: bool) -> None:
    """Enter all known keys into an empty, larger table."""
    mask = len(table) - 1
    for i in range(count):
        key = mix(keys[i], 0) if remix else keys[i]
        cell = np.int64(key & np.uint64(mask))
        while table[cell] >= 0:
            cell = (cell + 1) & mask
        table[cell] = i
