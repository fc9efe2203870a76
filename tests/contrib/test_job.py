"""What is known after a kill: the file as it is, opened again."""

from __future__ import annotations

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


def test_requests_wait_for_the_page_that_leads_to_them(tmp_path: Path) -> None:
    path = tmp_path / "job.db"
    job = Job(path)
    for name in ("slow", "quick"):
        job.keep(request(name), [name.encode()])
    job.keep(request("of slow"), [b"of slow"], page="slow")
    job.finish("quick", Failed("gone"))
    assert after_a_kill(path) == (["slow"], {b"slow", b"quick"}, ["quick"])
    assert job.data("of slow") == b"of slow"
    job.finish("slow", Fetched(1.0, [Link("of slow")]), [b"where it moved"])
    seen = {b"slow", b"quick", b"of slow", b"where it moved"}
    assert after_a_kill(path) == (["of slow"], seen, ["quick", "slow"])


def test_a_request_that_is_done_before_its_page(tmp_path: Path) -> None:
    """It is not made again, though its page is, and asks for it again."""
    path = tmp_path / "job.db"
    job = Job(path)
    job.keep(request("page"))
    job.keep(request("of it"), [b"of it"], page="page")
    job.finish("of it", Fetched(1.0))
    assert after_a_kill(path) == (["page"], {b"of it"}, ["of it"])
    job.finish("page", Fetched(0.0))
    assert after_a_kill(path) == ([], {b"of it"}, ["of it", "page"])


def test_a_file_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "job.db"
    path.write_text("this is no database, but it is long enough to be read as one" * 20)
    with pytest.raises(SundogError, match=r"job\.db cannot be used: file is not a database; begin with an empty"):
        Job(path)
