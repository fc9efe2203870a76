"""Memory is a process's own: readers of a large crawl would be replaced after every page."""

from __future__ import annotations

from sundog.processes.memory import peak_memory
from tests.processes.programs import PATIENCE, program

LARGE = 300 << 20


def test_a_child_of_a_large_process_is_not_large() -> None:
    assert len(b"x" * LARGE) < peak_memory()
    child = program("from sundog.processes.memory import peak_memory; print(peak_memory())")
    assert int(child.run(PATIENCE).split()[0]) < LARGE // 2
