"""What is known of candidates before any fetch: host, URL shape and tokens, as arrays.

``encode`` is the one way from URL bytes to these arrays; the catalog of a live crawl calls it for
a handful of URLs at a time, a static world once for all of its pages.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner, njit
from sundog.frontier.arrays import longer
from sundog.urls.shapes import host_range, shape_of
from sundog.urls.tokens import (
    MOST_PATH_TOKENS,
    NUMBERS,
    find_numbers,
    hash_bytes,
    hash_folded,
    hash_template,
    is_iri,
    last_elements,
    local_name,
    mix,
    most_tokens,
    tokenize,
    tokenize_path,
)


class Facts(NamedTuple):
    """Per candidate, and per text (anchors, tag paths and RDF properties have ids of their own)."""

    host: Any  # int32[candidates]
    shape: Any  # uint32[candidates, 4]: fine, coarse, directory, directory above
    token_start: Any  # int64[candidates + 1]
    tokens: Any  # int32: the paper's; none unless a source was told to keep them
    path_start: Any  # int64[candidates + 1]
    path_tokens: Any  # uint32: of path and query only, digits folded, in order
    numbers: Any  # uint16[candidates, 2]: the first short numbers of path and query, plus 1: often year and month
    text_start: Any  # int64[texts + 1]
    text_tokens: Any  # int32
    text_hash: Any  # uint64[texts, 3]: of all of it, of the last four elements, of the last two


FINE, COARSE, DIRECTORY, ABOVE = range(4)  # columns of Facts.shape
WHOLE, LAST_FOUR, LAST_TWO = range(3)  # columns of Facts.text_hash


class Names(NamedTuple):
    """Hosts found so far; the table is open-addressed, a power of two long, -1 where free."""

    table: Any  # int32
    hash: Any  # uint64[hosts]
    start: Any  # int64[hosts]: where the name stands in the URL bytes
    length: Any  # int32[hosts]
    count: Any  # int64[1]


@inner
def _same(blob: Any, one: int, other: int, length: int) -> bool:
    for i in range(length):
        if blob[one + i] != blob[other + i]:
            return False
    return True


@inner
def _host_id(names: Any, blob: Any, low: int, high: int) -> int:
    key = hash_bytes(blob, low, high)
    mask = len(names.table) - 1
    cell = np.int64(mix(key, 0) & np.uint64(mask))
    while True:
        host = names.table[cell]
        if host < 0:
            break
        if (
            names.hash[host] == key
            and names.length[host] == high - low
            and _same(blob, names.start[host], low, high - low)
        ):
            return host
        cell = (cell + 1) & mask
    host = names.count[0]
    names.count[0] = host + 1
    names.table[cell] = host
    names.hash[host], names.start[host], names.length[host] = key, low, high - low
    return host


@njit
def encode(facts: Any, names: Any, blob: Any, offsets: Any, begin: int, end: int) -> None:
    """Fill the facts of URLs ``begin`` to ``end``; all arrays must have room."""
    path_at = facts.path_start[begin]
    for row in range(begin, end):
        low, high = offsets[row], offsets[row + 1]
        first, last = host_range(blob, low, high)
        facts.host[row] = _host_id(names, blob, first, last)
        shape = shape_of(blob, first, last, high)
        facts.shape[row, FINE] = np.uint32(shape.fine)
        facts.shape[row, COARSE] = np.uint32(shape.coarse)
        facts.shape[row, DIRECTORY] = np.uint32(shape.directory)
        facts.shape[row, ABOVE] = np.uint32(shape.above)
        path_at = tokenize_path(blob, last, high, facts.path_tokens, path_at)
        facts.path_start[row + 1] = path_at
        find_numbers(blob, last, high, facts.numbers[row])


@njit
def encode_tokens(facts: Any, blob: Any, offsets: Any, begin: int, end: int) -> None:
    """Those of the URLs ``begin`` to ``end``, which only policies with the paper's features need."""
    at = facts.token_start[begin]
    for row in range(begin, end):
        at = tokenize(blob, offsets[row], offsets[row + 1], facts.tokens, at)
        facts.token_start[row + 1] = at


@njit
def encode_texts(facts: Any, blob: Any, offsets: Any, begin: int, end: int) -> None:
    at = facts.text_start[begin]
    for row in range(begin, end):
        low, high = offsets[row], offsets[row + 1]
        facts.text_hash[row, WHOLE] = hash_folded(blob, low, high)
        if is_iri(blob, low, high):  # a property: its vocabulary, and its name in whichever vocabulary
            name = local_name(blob, low, high)
            facts.text_hash[row, LAST_FOUR] = hash_bytes(blob, low, name)
            facts.text_hash[row, LAST_TWO] = hash_folded(blob, name, high)
        else:
            facts.text_hash[row, LAST_FOUR] = hash_template(blob, last_elements(blob, low, high, 4), high)
            facts.text_hash[row, LAST_TWO] = hash_folded(blob, last_elements(blob, low, high, 2), high)
        at = tokenize(blob, low, high, facts.text_tokens, at)
        facts.text_start[row + 1] = at


@njit
def rebuild_table(table: Any, keys: Any, count: int) -> None:
    """Enter all known keys into an empty, larger table."""
    mask = len(table) - 1
    for i in range(count):
        cell = np.int64(mix(keys[i], 0) & np.uint64(mask))
        while table[cell] >= 0:
            cell = (cell + 1) & mask
        table[cell] = i


def roomy_table(table: Any, keys: Any, count: int, more: int) -> Any:
    """Open addressing stays quick while at most three of four cells are taken."""
    size = len(table)
    if 4 * (count + more) <= 3 * size:
        return table
    while 3 * size < 4 * (count + more):
        size *= 2
    bigger = np.full(size, -1, np.int32)
    rebuild_table(bigger, keys, count)
    return bigger


def empty_facts() -> Facts:
    return Facts(
        host=np.zeros(16, np.int32),
        shape=np.zeros((16, 4), np.uint32),
        token_start=np.zeros(17, np.int64),
        tokens=np.zeros(0, np.int32),
        path_start=np.zeros(17, np.int64),
        path_tokens=np.zeros(256, np.uint32),
        numbers=np.zeros((16, NUMBERS), np.uint16),
        text_start=np.zeros(17, np.int64),
        text_tokens=np.zeros(64, np.int32),
        text_hash=np.zeros((16, 3), np.uint64),
    )


def empty_names() -> Names:
    return Names(
        table=np.full(64, -1, np.int32),
        hash=np.zeros(16, np.uint64),
        start=np.zeros(16, np.int64),
        length=np.zeros(16, np.int32),
        count=np.zeros(1, np.int64),
    )


def facts_with(facts: Facts, **arrays: Any) -> Facts:
    """With these arrays. If none of them is new it is the same object, and kernels can keep what they have."""
    changed = any(getattr(facts, name) is not array for name, array in arrays.items())
    return facts._replace(**arrays) if changed else facts


def roomy_facts(facts: Facts, begin: int, end: int) -> Facts:
    return facts_with(
        facts,
        host=longer(facts.host, end),
        shape=longer(facts.shape, end),
        path_start=longer(facts.path_start, end + 1),
        path_tokens=longer(facts.path_tokens, int(facts.path_start[begin]) + MOST_PATH_TOKENS * (end - begin)),
        numbers=longer(facts.numbers, end),
    )


def with_tokens(facts: Facts, blob: Any, offsets: Any, begin: int, end: int) -> Facts:
    """The facts with the tokens of these URLs; those of the URLs before are there."""
    tokens = most_tokens(int(offsets[end] - offsets[begin]), end - begin)
    facts = facts_with(
        facts,
        token_start=longer(facts.token_start, end + 1),
        tokens=longer(facts.tokens, int(facts.token_start[begin]) + tokens),
    )
    encode_tokens(facts, blob, offsets, begin, end)
    return facts


def roomy_names(names: Names, more: int) -> Names:
    """Room for as many new hosts as there are new URLs."""
    hosts = int(names.count[0])
    return Names(
        table=roomy_table(names.table, names.hash, hosts, more),
        hash=longer(names.hash, hosts + more),
        start=longer(names.start, hosts + more),
        length=longer(names.length, hosts + more),
        count=names.count,
    )
