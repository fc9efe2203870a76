"""Pickles of large arrays of which much was never written to.

Arrays are made with room for more: memory that nobody has written to is not there yet. A plain pickle would write
those zeros, and whoever reads it would have them all in memory. Here the arrays follow the pickle, without the
blocks that are nothing but zeros.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import orjson

BLOCK = 1 << 16  # bytes
LENGTH = 8  # bytes of the number at the beginning


def dump(value: Any, write: Callable[[Any], object]) -> None:
    """Length of the head; head: length of the pickle, size and runs of each array; the pickle; the runs."""
    buffers: list[pickle.PickleBuffer] = []
    body = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    arrays = [np.frombuffer(buffer.raw(), np.uint8) for buffer in buffers]
    runs = [runs_of_use(array) for array in arrays]
    head = orjson.dumps([len(body), [[len(array), of_it] for array, of_it in zip(arrays, runs, strict=True)]])
    write(len(head).to_bytes(LENGTH, "little"))
    write(head)
    write(body)
    for array, of_it in zip(arrays, runs, strict=True):
        for begin, end in of_it:
            write(array[begin:end].data)


def load(data: bytes | memoryview) -> Any:
    """What ``dump`` wrote. Like every pickle it can run anything: look only at what is trusted."""
    view = memoryview(data)
    at = LENGTH + int.from_bytes(view[:LENGTH], "little")
    length, layout = orjson.loads(view[LENGTH:at])
    body = view[at : at + length]
    at += length
    arrays = []
    for size, runs in layout:
        array = np.zeros(size, np.uint8)
        for begin, end in runs:
            array[begin:end] = np.frombuffer(view[at : at + end - begin], np.uint8)
            at += end - begin
        arrays.append(array)
    return pickle.loads(body, buffers=arrays)


def runs_of_use(array: Any) -> list[list[int]]:
    """Where blocks begin and end that are not all zeros, neighbours as one.

    >>> runs_of_use(np.repeat(np.array([1, 0, 1, 1], np.uint8), BLOCK)[:-5])
    [[0, 65536], [131072, 262139]]
    """
    begins = np.arange(0, len(array), BLOCK)
    used = np.flatnonzero(np.maximum.reduceat(array, begins)) if len(array) else begins
    breaks = np.flatnonzero(np.diff(used) > 1) + 1
    return [
        [int(part[0]) * BLOCK, min((int(part[-1]) + 1) * BLOCK, len(array))]
        for part in np.split(used, breaks)
        if len(part)
    ]
