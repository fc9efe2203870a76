"""Memory is a process's own: readers of a large crawl would be replaced after every page."""

from __future__ import annotations

import gc
import sys

import pytest

from sundog.processes.memory import loaded_objects_stay, peak_memory
from tests.processes.programs import PATIENCE, program

LARGE = 300 << 20


def test_a_child_of_a_large_process_is_not_large() -> None:
    assert len(b"x" * LARGE) < peak_memory()
    child = program("from sundog.processes.memory import peak_memory; print(peak_memory())")
    assert int(child.run(PATIENCE).split()[0]) < LARGE // 2


KEEPS = """
import re
from sundog.processes.memory import keep_freed_memory

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read())[1]) << 10

if {keep}:
    keep_freed_memory()
before = resident()
text = b"x" * (20 << 20)
del text
print(resident() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux how much memory is there")
@pytest.mark.parametrize("keep", [True, False])
def test_what_is_freed_is_kept_for_the_next_page(keep: bool) -> None:
    kept = int(program(KEEPS.format(keep=keep)).run(PATIENCE).split()[0])
    assert (kept > 19 << 20) == keep


def test_the_garbage_collector_looks_rarely_while_a_crawl_runs() -> None:
    gc.unfreeze()  # whatever other tests have frozen
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    with loaded_objects_stay():
        assert gc.get_threshold()[0] > before[0]
        assert gc.get_freeze_count() > frozen
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, frozen)
