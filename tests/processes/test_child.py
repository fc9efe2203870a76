"""Programs of ours as processes: what they are handed, how long they run, what comes of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sundog.errors import SundogError
from sundog.processes.child import FETCHING_NAMES, Child, last_line, plain_environment, whole_environment
from sundog.processes.detached import DetachedProcess, process_started
from tests.processes.programs import PATIENCE, program, until, until_gone

NAMES = "import os; print(sorted(os.environ))"


def test_secrets_of_the_environment_stay_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    monkeypatch.setenv("SSL_CERT_FILE", "/certificates")
    assert "API_KEY" not in program(NAMES).run(PATIENCE)
    assert "SSL_CERT_FILE" not in program(NAMES).run(PATIENCE)
    fetching = program(NAMES, plain_environment(*FETCHING_NAMES)).run(PATIENCE)
    assert ("SSL_CERT_FILE" in fetching, "API_KEY" in fetching) == (True, False)
    assert "API_KEY" in program(NAMES, whole_environment()).run(PATIENCE)


def test_a_command_prints_or_complains() -> None:
    version = Child(module="sundog", words=["--version"], environment=whole_environment(), niceness=5)
    assert version.run(PATIENCE)[0].isdigit()
    with pytest.raises(SundogError, match=r"^there is no directory /nowhere$"):
        Child(module="sundog", words=["report", "/nowhere"], environment=whole_environment()).run(PATIENCE)
    with pytest.raises(SundogError, match="timeit -n1 failed"):
        program("import os; os._exit(3)").run(PATIENCE)


def test_a_command_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    slow = program(
        f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(99)"
    )
    with pytest.raises(SundogError, match="was stopped after 3 seconds"):
        slow.run(3)
    until_gone([int((tmp_path / "pid").read_text())])


def test_modules_of_the_working_directory_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "timeit.py").write_text("print('theirs')")
    monkeypatch.chdir(tmp_path)
    assert "theirs" not in program("print('ours')").run(PATIENCE)


def test_the_last_line_is_the_error() -> None:
    assert last_line("Traceback\n  ValueError: x\n") == "ValueError: x"
    assert last_line(" \n") == ""
    assert len(last_line("x" * 10_000)) == 500


# -- processes that outlive us ---------------------------------------------------------------------------


def test_a_detached_process_outlives_whoever_started_it(tmp_path: Path) -> None:
    output = tmp_path / "output.log"
    code = f"""
from pathlib import Path
from tests.processes.programs import program
process = program("import time; print('here', flush=True); time.sleep(99)").detach(Path({str(output)!r}))
print(*process)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    pid, started = done.stdout.split()
    process = DetachedProcess(int(pid), started)
    try:
        until(lambda: output.read_text() == "here\n")
        assert process.is_running
        assert os.getsid(process.pid) == process.pid
    finally:
        assert process.send_signal(signal.SIGKILL)
    until(lambda: not process.is_running)
    assert not process.send_signal(signal.SIGKILL)


def test_what_it_prints_is_appended_and_its_code_is_known(tmp_path: Path) -> None:
    output = tmp_path / "output.log"
    output.write_text("before\n")
    process = program(
        "import os, sys; print('out', flush=True); print('err', file=sys.stderr); os._exit(7)"
    ).detach(output)
    codes: list[int] = []
    until(lambda: (code := process.exit_code()) is not None and not codes.append(code))
    assert codes == [7]
    assert output.read_text().splitlines()[0] == "before"
    assert {"out", "err"} <= set(output.read_text().splitlines())
    assert process.exit_code() is None  # it can be asked once
    assert not process.is_running


def test_the_code_of_a_process_whose_first_thread_ended_first(tmp_path: Path) -> None:
    """Threads of a killed process end in any order: it has ended then, and the system does not say how yet."""
    process = program(
        "import ctypes, os, threading, time\n"
        "threading.Thread(target=lambda: (time.sleep(1), os._exit(7))).start()\n"
        "ctypes.CDLL(None).pthread_exit(None)"
    ).detach(tmp_path / "output.log")
    until(lambda: not process.is_running)
    assert process.exit_code() == 7


def test_another_process_with_the_same_id_gets_no_signal() -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(99)"]) as other:
        try:
            namesake = DetachedProcess(other.pid, "1")
            assert not namesake.is_running
            assert not namesake.send_signal(signal.SIGKILL)
            assert other.poll() is None
            assert DetachedProcess(other.pid, process_started(other.pid)).is_running
        finally:
            other.kill()
    assert not DetachedProcess().is_running
