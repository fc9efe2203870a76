"""Bytes of URLs and other texts to hashes.

Tokens are those of the Anthelion paper: a text is split at everything that is not alphanumeric (bytes above 127
count as letters); tokens of fewer than three characters are dropped; all-digit tokens become ``[NUMBER]``. A
token's hash is Java's ``String.hashCode``, the numerator of the paper's equation 1. All other hashes are FNV-1a.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import inner

# bytes that mean something in URLs and tag paths
SPACE, SLASH, QUERY, HASH, DOT, COLON, AT = 32, 47, 63, 35, 46, 58, 64
DASH, UNDERSCORE, PERCENT, AMPERSAND, EQUALS = 45, 95, 37, 38, 61
FNV_BASIS, FNV_PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)

SHORTEST = 3
MOST_TOKENS = 48  # of one text: a hostile URL of 100 kB is no better known than its beginning
MOST_PATH_TOKENS = 12
LONGEST_TEXT = 400
NUMBERS, SHORT_NUMBER = 2, 4  # how many numbers of a URL are kept as they are, and how many digits they may have


def java_hash(text: str) -> int:
    """``String.hashCode`` as a signed 32-bit integer.

    >>> java_hash("hello"), java_hash("[NUMBER]")
    (99162322, -1600582279)
    """
    value = 0
    for byte in text.encode():
        value = (31 * value + byte) & 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def fnv_hash(text: str) -> int:
    """What ``hash_bytes`` gives for the text's bytes.

    >>> hex(fnv_hash("a"))
    '0xaf63dc4c8601ec8c'
    """
    value = int(FNV_BASIS)
    for byte in text.encode():
        value = (value ^ byte) * int(FNV_PRIME) % (1 << 64)
    return value


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
    value = FNV_BASIS
    for i in range(low, high):
        value = (value ^ np.uint64(blob[i])) * FNV_PRIME
    return value


@inner
def mix(a: Any, b: Any) -> Any:
    """One 64-bit hash of two, for crossed features and group keys."""
    z = (np.uint64(a) + np.uint64(0x9E3779B97F4A7C15)) ^ (np.uint64(b) * np.uint64(0xFF51AFD7ED558CCD))
    z = (z ^ (z >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return z ^ (z >> np.uint64(29))


@inner
def index_below(key: Any, n: int) -> Any:
    """A hash to an index below ``n``, by multiplication: several times quicker than a remainder."""
    return np.int32(((key >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


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


@inner
def _folded(byte: Any, previous: Any) -> Any:
    """Lower case, and a run of digits as one 0: what differs between pages of one template vanishes."""
    if is_digit(byte):
        return np.uint8(0) if is_digit(previous) else np.uint8(48)
    return np.uint8(byte + 32) if 65 <= byte <= 90 else byte


@inner
def hash_folded(blob: Any, low: int, high: int) -> Any:
    value, previous = FNV_BASIS, np.uint8(SPACE)
    for i in range(low, min(high, low + LONGEST_TEXT)):
        byte = _folded(blob[i], previous)
        previous = blob[i]
        if byte:
            value = (value ^ np.uint64(byte)) * FNV_PRIME
    return value


@inner
def hash_template(blob: Any, low: int, high: int) -> Any:
    """Hash of a tag path by tags and first classes only: ``ul#menu.nav.top li`` counts as ``ul.nav li``."""
    value, previous = FNV_BASIS, np.uint8(SPACE)
    classes, in_id = 0, False
    for i in range(low, high):
        byte = blob[i]
        if byte == SPACE:
            classes, in_id = 0, False
        elif byte == DOT:
            classes, in_id = classes + 1, False
        elif byte == HASH:
            in_id = True
        folded = _folded(byte, previous)
        previous = byte
        if folded and classes < 2 and not in_id:
            value = (value ^ np.uint64(folded)) * FNV_PRIME
    return value


@inner
def last_elements(blob: Any, low: int, high: int, count: int) -> int:
    """Where the last ``count`` space-separated elements of a tag path begin."""
    for i in range(high - 1, low - 1, -1):
        if blob[i] == SPACE:
            count -= 1
            if count == 0:
                return i + 1
    return low


@inner
def is_iri(blob: Any, low: int, high: int) -> bool:
    """Whether a text is one IRI, as a property is: ``://`` comes before any space or slash."""
    for i in range(low, high - 2):
        if blob[i] == SPACE or blob[i] == SLASH:
            return False
        if blob[i] == COLON:
            return blob[i + 1] == SLASH and blob[i + 2] == SLASH
    return False


@inner
def local_name(blob: Any, low: int, high: int) -> int:
    """Where an IRI's own name begins: after the last ``#`` or ``/`` that something follows."""
    for i in range(high - 2, low - 1, -1):
        if blob[i] == HASH or blob[i] == SLASH:
            return i + 1
    return low


@inner
def tokenize_path(blob: Any, low: int, high: int, tokens: Any, end: int) -> int:
    """The same for path and query: tokens of any length, folded, in order and with repetitions."""
    first, value, length, previous = end, FNV_BASIS, 0, np.uint8(SPACE)
    for i in range(low, high + 1):
        byte = blob[i] if i < high else np.uint8(0)
        if is_digit(byte) or is_letter(byte):
            folded = _folded(byte, previous)
            if folded:
                value = (value ^ np.uint64(folded)) * FNV_PRIME
            length += 1
        elif length > 0:
            if end - first < MOST_PATH_TOKENS:
                tokens[end] = np.uint32(value ^ (value >> np.uint64(32)))
                end += 1
            value, length = FNV_BASIS, 0
        previous = byte
    return end


@inner
def find_numbers(blob: Any, low: int, high: int, numbers: Any) -> None:
    """The first numbers of up to four digits, plus 1; 0 where there are no more."""
    numbers[:] = 0
    found, value, digits = 0, 0, 0
    for i in range(low, high + 1):
        byte = blob[i] if i < high else np.uint8(0)
        if is_digit(byte):
            value, digits = min(10 * value + int(byte) - 48, 10_000), digits + 1
            continue
        if 0 < digits <= SHORT_NUMBER and found < len(numbers):
            numbers[found] = value + 1
            found += 1
        value, digits = 0, 0


def most_tokens(byte_count: int, texts: int) -> int:
    """No set of so many texts of so many bytes together has more tokens than this."""
    return min((byte_count + texts) // (SHORTEST + 1) + texts, MOST_TOKENS * texts)
