"""Processes that the site asks: they end when nobody waits, and are handed no secrets."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sundog.processes.sandbox import Sandbox, StoppedError
from sundog.web.errors import BusyError
from sundog.web.one_shot import ConcurrencyLimit, SandboxThreads
from sundog.web.settings import Settings
from tests.engines.live.webs import HOME, SmallWeb
from tests.processes.programs import is_alive, until, until_gone
from tests.processes.test_sandbox import ENDLESS, MANY, SETUP
from tests.web.apps import csrf, served


def endless(seconds: float) -> Sandbox:
    return Sandbox("sundog.processes.query", {**SETUP, "query": ENDLESS}, seconds=seconds, memory=1 << 30)


def test_whoever_does_not_wait_ends_the_process() -> None:
    sandbox = endless(60)
    sandbox.start()
    assert sandbox._process is not None
    pid = sandbox._process.pid

    async def leave() -> None:
        task = asyncio.create_task(SandboxThreads(1).ask(sandbox, MANY, "the answer"))
        await asyncio.sleep(0.5)
        assert is_alive(pid)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(leave())
    until_gone([pid])


def test_what_takes_too_long_says_so() -> None:
    with pytest.raises(StoppedError, match=r"^the answer was stopped after 1 seconds$"):
        asyncio.run(SandboxThreads(1).ask(endless(1), MANY, "the answer"))


def test_so_many_at_once() -> None:
    limit = ConcurrencyLimit(2, "answers")
    with limit.slot(), limit.slot(), pytest.raises(BusyError, match="2 answers are being made"), limit.slot():
        pass
    with limit.slot():
        pass


def _children_of_ours(program: str) -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and program in (folder / "cmdline").read_text():
                yield int(folder.name)
        except OSError:  # it has ended
            continue


def test_a_preview_is_handed_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_API_KEY", "open sesame")
    with SmallWeb() as web:
        web.product(f"{HOME}p/1", delay=5.0)
        with (
            served(Settings(root=tmp_path, connect_to=web.connect_to)) as client,
            ThreadPoolExecutor(1) as threads,
        ):
            body = {"url": f"{HOME}p/1", "draft": {"objective": "type:schema:Product"}}
            answer = threads.submit(client.post, "/api/preview", json=body, headers=csrf(client))
            until(lambda: any(_children_of_ours("preview_process")) or answer.done())
            (pid,) = _children_of_ours("preview_process")
            until(lambda: b"PYTHONPATH" in Path(f"/proc/{pid}/environ").read_bytes())  # not before its exec
            assert b"open sesame" not in Path(f"/proc/{pid}/environ").read_bytes()
            assert answer.result().json()["relevant"]
            until_gone([pid])
