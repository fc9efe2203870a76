"""Levenshtein's distance of byte strings, 64 cells of the table at a time (Myers 1999, Hyyrö 2003)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import inner, int64

WORDS = 8
LONGEST = 64 * WORDS  # bytes of a string that are compared
ALL, ONE = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(1)


def new_scratch() -> Any:
    """Where each byte stands in the pattern; the last two rows are the table's present column."""
    return np.zeros((258, WORDS), np.uint64)


@inner
def similarity(blob: Any, a: int, a_end: int, b: int, b_end: int, scratch: Any) -> float:
    """1 - distance / length of the longer one; of long strings the beginnings are compared."""
    a_end, b_end = min(a_end, a + LONGEST), min(b_end, b + LONGEST)
    longer = max(a_end - a, b_end - b)
    if longer == 0:
        return 1.0
    return 1.0 - distance(blob, a, a_end, b, b_end, scratch) / longer


@inner
def distance(blob: Any, a: int, a_end: int, b: int, b_end: int, scratch: Any) -> int:
    """What they begin and end with alike costs nothing, and URIs of one host begin alike."""
    while a < a_end and b < b_end and blob[a] == blob[b]:
        a, b = a + 1, b + 1
    while a < a_end and b < b_end and blob[a_end - 1] == blob[b_end - 1]:
        a_end, b_end = a_end - 1, b_end - 1
    if a_end - a > b_end - b:
        a, a_end, b, b_end = b, b_end, a, a_end
    if a == a_end:
        return b_end - b
    _mark(blob, a, a_end, scratch)
    found = _columns(blob, a_end - a, b, b_end, scratch)
    for i in range(a, a_end):
        scratch[blob[i], (i - a) >> 6] = np.uint64(0)
    return found


@inner
def _mark(blob: Any, a: int, a_end: int, scratch: Any) -> None:
    for i in range(a, a_end):
        scratch[blob[i], (i - a) >> 6] |= ONE << np.uint64((i - a) & 63)
    for word in range((a_end - a + 63) >> 6):
        scratch[256, word], scratch[257, word] = ALL, np.uint64(0)


@inner
def _columns(blob: Any, length: int, b: int, b_end: int, scratch: Any) -> int:
    """One column of the table for each byte of the other string; rises and falls are bits."""
    words, last = (length + 63) >> 6, ONE << np.uint64((length - 1) & 63)
    score = length
    for j in range(b, b_end):
        rise_in, fall_in = ONE, np.uint64(0)
        for word in range(words):
            up, down = scratch[256, word], scratch[257, word]
            x = scratch[blob[j], word] | fall_in
            same = (((x & up) + up) ^ up) | x | down
            rise, fall = down | ~(same | up), same & up
            if word == words - 1:
                score += int64((rise & last) != 0) - int64((fall & last) != 0)
            rise_out, fall_out = rise >> np.uint64(63), fall >> np.uint64(63)
            rise, fall = (rise << ONE) | rise_in, (fall << ONE) | fall_in
            scratch[256, word], scratch[257, word] = fall | ~(same | rise), rise & same
            rise_in, fall_in = rise_out, fall_out
    return score
