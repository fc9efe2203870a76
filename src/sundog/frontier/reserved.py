"""Memory for arrays that grow where they are.

An array that is copied to grow is there twice for a while, and so are all that grow at the same moment. Addresses
cost nothing: large arrays get many more of them than they need, and memory is there once it is written to.
"""

from __future__ import annotations

import mmap
from contextlib import suppress
from typing import Any

import numpy as np

LARGE = 1 << 24  # bytes from which on an array is worth it
TIMES = 16  # as many addresses as it needs
_FLAGS = getattr(mmap, "MAP_PRIVATE", 0) | getattr(mmap, "MAP_ANONYMOUS", 0) | getattr(mmap, "MAP_NORESERVE", 0)


def reserved(rows: int, like: Any) -> Any:
    """So many rows of zeros, of the kind of ``like``; ``in_place`` makes them more."""
    size = rows * _row_bytes(like)
    if size < LARGE or not _FLAGS:
        return np.zeros((rows, *like.shape[1:]), like.dtype)
    try:
        memory = mmap.mmap(-1, TIMES * size, flags=_FLAGS)
    except OSError:  # this system counts addresses as memory
        return np.zeros((rows, *like.shape[1:]), like.dtype)
    if hasattr(mmap, "MADV_HUGEPAGE"):  # as NumPy does for its own; some systems have none
        with suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    return _rows(np.frombuffer(memory, np.uint8), rows, like)


def in_place(array: Any, rows: int) -> Any:
    """The same memory as an array of more rows; None if it has no room for them.

    What ``reserved`` made keeps what was written behind the shorter array, if anybody did.
    """
    memory = array.base
    if not isinstance(memory, np.ndarray) or not isinstance(memory.base, memoryview):
        return None
    if not isinstance(memory.base.obj, mmap.mmap) or memory.ctypes.data != array.ctypes.data:
        return None
    return _rows(memory, rows, array) if rows * _row_bytes(array) <= memory.nbytes else None


def _rows(memory: Any, rows: int, like: Any) -> Any:
    return memory[: rows * _row_bytes(like)].view(like.dtype).reshape(rows, *like.shape[1:])


def _row_bytes(like: Any) -> int:
    return int(like.dtype.itemsize * np.prod(like.shape[1:], dtype=np.int64))
