"""How much memory this process has had at most."""

from __future__ import annotations

import re
import resource
import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")
_MOST = re.compile(rb"VmHWM:\s+(\d+) kB")


def peak_memory() -> int:
    """In bytes. Not ``ru_maxrss`` if we can help it: Linux hands it down from the process that started us."""
    if sys.platform == "linux" and (found := _MOST.search(_STATUS.read_bytes())):
        return int(found[1]) << 10
    unit = 1 if sys.platform == "darwin" else 1 << 10  # bytes there, kilobytes elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
