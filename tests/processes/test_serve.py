"""Inside a process of ours: limits, and an end when nobody is left."""

from __future__ import annotations

import pytest

from sundog.errors import SundogError
from sundog.processes.serve import _refuse
from tests.processes.programs import PATIENCE, program

LIMIT = "import resource; from sundog.processes.serve import limit_this_process; "


def test_memory_is_limited_and_no_core_is_left() -> None:
    with pytest.raises(SundogError, match="MemoryError"):
        program(f"{LIMIT}limit_this_process(300 << 20); bytearray(600 << 20)").run(PATIENCE)
    shown = "print(*resource.getrlimit(resource.RLIMIT_DATA), *resource.getrlimit(resource.RLIMIT_CORE))"
    limits = program(f"{LIMIT}limit_this_process(1 << 30); {shown}").run(PATIENCE)
    assert limits.startswith(f"{1 << 30} {1 << 30} 0 0\n")


def test_children_of_a_limited_process_may_have_more() -> None:
    shown = "print(before[1] == resource.getrlimit(resource.RLIMIT_DATA)[1])"
    before = "before = resource.getrlimit(resource.RLIMIT_DATA); "
    code = f"{LIMIT}{before}limit_this_process(1 << 30, keep_hard=True); {shown}"
    assert program(code).run(PATIENCE).startswith("True\n")


@pytest.mark.parametrize("event", ["socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system"])
def test_a_program_in_a_sandbox_reaches_nobody(event: str) -> None:
    with pytest.raises(PermissionError):
        _refuse(event, ())
