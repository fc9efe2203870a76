"""What is known after a kill: the file as it is, opened again."""

from __future__ import annotations

import gc
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sundog.contrib.job import Job, WaitingRequest
from sundog.errors import SundogError
from sundog.model import Failed, Fetched, Link


def request(name: str) -> WaitingRequest:
    return WaitingRequest(name, name.encode(), 0, False)


def after_a_kill(path: Path) -> tuple[list[str], set[bytes], list[str]]:
    """Another connection sees what is committed."""
    job = Job(path)
    return [each.name for each in job.waiting()], set(job.seen()), [name for name, _ in job.outcomes()]


def test_what_is_known_does_not_count_on_a_page_that_is_not_done(tmp_path: Path) -> None:
    path = tmp_path / "job.db"
    job = Job(path)
    for name in ("slow", "quick", "of slow"):
        job.keep(request(name), [name.encode()])
    assert after_a_kill(path) == ([], set(), []), "not even the start is done"
    job.finish("quick", Failed("gone"))
    assert after_a_kill(path) == (["slow", "of slow"], {b"slow", b"quick", b"of slow"}, ["quick"])
    job.finish("slow", Fetched(1.0, [Link("of slow")]))
    assert after_a_kill(path) == (["of slow"], {b"slow", b"quick", b"of slow"}, ["quick", "slow"])


def test_where_a_redirect_leads_is_done_with_it(tmp_path: Path) -> None:
    path = tmp_path / "job.db"
    job = Job(path)
    for name in ("moved", "target"):
        job.keep(request(name), [name.encode()])
    job.commit()
    assert after_a_kill(path) == (["moved", "target"], {b"moved", b"target"}, [])
    job.finish("moved", Fetched(1.0), ["target"])
    assert after_a_kill(path) == ([], {b"moved", b"target"}, ["moved"])


def test_one_process_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "job.db"
    job = Job(path)
    program = f"from pathlib import Path; from sundog.contrib.job import Job; Job(Path({str(path)!r}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "job.db is in use by another process" in done.stderr
    job.close()
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_a_file_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "job.db"
    path.write_text("this is no database, but it is long enough to be read as one" * 20)
    with pytest.raises(SundogError, match=r"job\.db cannot be used: file is not a database; begin with an empty"):
        Job(path)


def test_a_job_that_nobody_holds_is_closed(tmp_path: Path) -> None:
    job = Job(tmp_path / "job")
    job.keep(WaitingRequest("a", b"{}", 0, False))
    del job
    gc.collect()
    again = Job(tmp_path / "job")
    assert [request.name for request in again.waiting()] == ["a"]
    again.close()
    again.close()  # once more does nothing


def test_another_thread_may_find_that_nobody_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "job.db"
    job = [Job(path)]
    job[0].keep(request("a"), [b"a"])
    with ThreadPoolExecutor() as threads:
        threads.submit(job.clear).result()
    assert after_a_kill(path) == (["a"], {b"a"}, [])
