"""A process that can be asked again whatever happened to it."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from sundog.errors import UsageError
from sundog.processes.sandbox import Sandbox, StoppedError
from tests.processes.programs import until_gone

SETUP = {"query": "SELECT * { ?s ?p ?o }", "most_rows": 10, "most_characters": 1000}
ENDLESS = f"SELECT (count(*) AS ?n) {{ {' '.join(f'?a{i} ?b{i} ?c{i} .' for i in range(12))} }}"
MANY = "".join(f'_:a <http://p.example/> "{i}" <http://g.example/> .\n' for i in range(99))
STATEMENT = '_:a <http://p.example/> "x" <http://g.example/> .\n'


def sandbox(seconds: float = 2.0, **changes: object) -> Sandbox:
    return Sandbox("sundog.processes.query", {**SETUP, **changes}, seconds=seconds, memory=1 << 30)


def test_it_answers_again_after_it_was_killed() -> None:
    asked = sandbox()
    assert len(asked.ask(STATEMENT)["rows"]) == 1
    assert asked._process is not None
    os.kill(asked._process.pid, signal.SIGKILL)
    with pytest.raises(StoppedError, match="out of memory or stack"):
        asked.ask(STATEMENT)
    assert len(asked.ask(STATEMENT)["rows"]) == 1
    asked.close()


def test_a_wrong_setup_is_an_error_of_the_user() -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        sandbox(query="SELECT").start()


def test_a_request_that_fails_is_one_fault() -> None:
    asked = sandbox()
    with pytest.raises(StoppedError, match="failed: "):
        asked.ask({"no": "text"})
    assert len(asked.ask(STATEMENT)["rows"]) == 1
    asked.close()


def test_an_answer_that_was_not_waited_for_is_not_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(place: int, until: float) -> bytes:
        raise KeyboardInterrupt

    asked = sandbox()
    asked.start()
    with monkeypatch.context() as patched:
        patched.setattr("sundog.processes.sandbox._read_some", interrupted)
        with pytest.raises(KeyboardInterrupt):
            asked.ask(STATEMENT)
    assert asked.ask("")["rows"] == []
    asked.close()


def test_nobody_stays_behind() -> None:
    asked = sandbox()
    asked.start()
    assert asked._process is not None
    pid = asked._process.pid
    del asked
    gc.collect()
    until_gone([pid])


def test_the_process_ends_with_the_crawl_even_if_that_is_killed() -> None:
    cross = " ".join(f"?a{i} ?b{i} ?c{i} ." for i in range(12))
    program = f"""
from sundog.processes.sandbox import Sandbox
query = "SELECT (count(*) AS ?n) {{ {cross} }}"
asked = Sandbox("sundog.processes.query", {{**{SETUP}, "query": query}}, seconds=5, memory=1 << 30)
asked.start()
print(asked._process.pid, flush=True)
asked.ask("".join(f'_:a <http://p.example/> "{{i}}" <http://g.example/> .\\n' for i in range(99)))
"""
    crawl = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert crawl.stdout is not None
    with crawl.stdout:
        pid = int(crawl.stdout.readline())
    time.sleep(0.3)
    crawl.kill()
    crawl.wait()
    until_gone([pid])


def test_another_thread_can_end_the_wait_for_an_answer() -> None:
    asked = sandbox(seconds=60, query=ENDLESS)
    asked.start()
    assert asked._process is not None
    pid = asked._process.pid
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(asked.ask, MANY)
        time.sleep(0.3)
        asked.kill()
        with pytest.raises(StoppedError):
            answer.result(timeout=30)
    until_gone([pid])
    with pytest.raises(StoppedError):  # it is of no more use
        asked.ask(STATEMENT)


def test_one_that_was_killed_before_it_started_answers_nothing() -> None:
    asked = sandbox()
    asked.kill()
    with pytest.raises(StoppedError):
        asked.ask(STATEMENT)
