"""Memory of this process: how much it has had at most, and how much it keeps of what it frees."""

from __future__ import annotations

import ctypes
import gc
import re
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_STATUS = Path("/proc/self/status")
_MOST = re.compile(rb"VmHWM:\s+(\d+) kB")
KEPT = 32 << 20  # bytes
NEW_OBJECTS = 20_000  # until the garbage collector looks at them
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of glibc's mallopt


def peak_memory() -> int:
    """In bytes. Not ``ru_maxrss`` if we can help it: Linux hands it down from the process that started us."""
    if sys.platform == "linux" and (found := _MOST.search(_STATUS.read_bytes())):
        return int(found[1]) << 10
    unit = 1 if sys.platform == "darwin" else 1 << 10  # bytes there, kilobytes elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def keep_freed_memory() -> None:
    """Up to ``KEPT`` bytes, for what comes next. A parsed page takes some hundred kilobytes, and to give them back
    and ask for them again costs a fifteenth of its time. Does nothing where the C library is another one."""
    with suppress(OSError, AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_TRIM_THRESHOLD, KEPT)
        mallopt(_MMAP_THRESHOLD, KEPT)


@contextmanager
def loaded_objects_stay() -> Iterator[None]:
    """Within, the garbage collector does not look through what there is now: the modules of a crawl alone have
    90,000 objects. And it looks more rarely: hardly anything that a page leaves is a ring."""
    were_frozen, before = gc.get_freeze_count(), gc.get_threshold()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if not were_frozen:
            gc.unfreeze()
