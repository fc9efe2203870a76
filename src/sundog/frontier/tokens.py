"""Bytes to token hashes, as the Anthelion paper cuts URLs.

A text is split at everything that is not alphanumeric (bytes above 127 count as letters); tokens
of fewer than three characters are dropped; all-digit tokens become ``[NUMBER]``. A token's hash is
Java's ``String.hashCode``, the numerator of the paper's equation 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import inner

SHORTEST = 3
MOST_TOKENS = 48  # of one text: a hostile URL of 100 kB is no better known than its beginning


def java_hash(text: str) -> int:
    """``String.hashCode`` as a signed 32-bit integer.

    >>> java_hash("hello"), java_hash("[NUMBER]")
    (99162322, -1600582279)
    """
    value = 0
    for byte in text.encode():
        value = (31 * value + byte) & 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


NUMBER = np.int32(java_hash("[NUMBER]"))


@inner
def is_digit(byte: Any) -> bool:
    return 48 <= byte <= 57


@inner
def is_letter(byte: Any) -> bool:
    return 97 <= byte <= 122 or 65 <= byte <= 90 or byte >= 128


@inner
def hash_bytes(blob: Any, low: int, high: int) -> Any:
    """FNV-1a, 64 bits: the identity of whole strings (hosts, URLs, tag paths)."""
    value = np.uint64(0xCBF29CE484222325)
    for i in range(low, high):
        value = (value ^ np.uint64(blob[i])) * np.uint64(0x100000001B3)
    return value


@inner
def mix(a: Any, b: Any) -> Any:
    """One 64-bit hash of two, for crossed features and group keys."""
    z = (np.uint64(a) + np.uint64(0x9E3779B97F4A7C15)) ^ (np.uint64(b) * np.uint64(0xFF51AFD7ED558CCD))
    z = (z ^ (z >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return z ^ (z >> np.uint64(29))


@inner
def _append_new(tokens: Any, first: int, end: int, token: Any) -> int:
    """Features are binary: a token that occurs twice is kept once."""
    for i in range(first, end):
        if tokens[i] == token:
            return end
    tokens[end] = token
    return end + 1


@inner
def tokenize(blob: Any, low: int, high: int, tokens: Any, end: int) -> int:
    """Write the text's distinct token hashes to ``tokens`` from ``end`` on; return the new end."""
    first, value, length, digits = end, np.int32(0), 0, 0
    for i in range(low, high + 1):
        byte = blob[i] if i < high else np.uint8(0)
        if is_digit(byte) or is_letter(byte):
            value = np.int32(np.int32(31) * value + np.int32(byte))
            length += 1
            digits += is_digit(byte)
            continue
        if length >= SHORTEST and end - first < MOST_TOKENS:
            end = _append_new(tokens, first, end, NUMBER if digits == length else value)
        value, length, digits = np.int32(0), 0, 0
    return end


def most_tokens(byte_count: int, texts: int) -> int:
    """No set of so many texts of so many bytes together has more tokens than this."""
    return min((byte_count + texts) // (SHORTEST + 1) + texts, MOST_TOKENS * texts)
