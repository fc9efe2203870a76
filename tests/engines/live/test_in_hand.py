"""A page that kills the crawl's own process is given up after the second death, and nothing else is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sundog.engines.live.in_hand import InHand
from sundog.engines.live.run import resume
from sundog.spec import spec_text
from sundog.store import CrawlStore
from tests.engines.live.processes import PATIENCE, killed, killed_again
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled, spec_for, urls

ROOT = Path(__file__).parents[3]
# A crawl whose process is killed when the page is read, or when it is observed.
PROGRAM = """
import os, signal, sys
import sundog.engines.live.pages.reader as reader
import sundog.engines.live.pages.intake as intake
from sundog.engines.live.run import crawl, resume
from sundog.spec.crawl import parse_spec
from tests.engines.live.pages.readings import deadly_read

stage, url, directory, spec = sys.argv[1:]

def deadly(function, url_of):
    def call(*words, **options):
        if url_of(*words) == url:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*words, **options)
    return call

if stage == "read":
    reader.read = deadly_read
else:
    intake.Intake.page = deadly(intake.Intake.page, lambda self, page, *more: page.url)
print(crawl(parse_spec(spec), directory) if spec else resume(directory))
"""


def run(stage: str, url: str, directory: Path, spec: str = "") -> int:
    command = [sys.executable, "-c", PROGRAM, stage, url, str(directory), spec]
    environment = {**os.environ, "DEADLY": url, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


@pytest.fixture
def bad(web: SmallWeb) -> str:
    pages = urls(*map(str, range(12)))
    web.product(HOME, *pages)
    for url in pages:
        web.product(url)
    return pages[5]


def test_observing_kills(web: SmallWeb, tmp_path: Path, bad: str) -> None:
    directory = tmp_path / "crawl"
    spec = spec_text(spec_for(web, concurrency=4))
    assert run("observe", bad, directory, spec) == -signal.SIGKILL
    assert run("observe", bad, directory) == -signal.SIGKILL
    assert run("observe", bad, directory) == 0, "it gets past the page"
    done, whole = Crawled(directory), crawled(web, tmp_path / "whole")
    assert done.faults == {bad: "internal: killed the reader: the crawl's process died 2 times with it in hand"}
    assert done.rewards == {**whole.rewards, bad: 0.0}


def test_reading_kills(web: SmallWeb, tmp_path: Path, bad: str) -> None:
    """After the first death, a process of its own reads the page; here nothing is wrong with that."""
    directory = tmp_path / "crawl"
    assert run("read", bad, directory, spec_text(spec_for(web, concurrency=4))) == -signal.SIGKILL
    assert run("read", bad, directory) == 0
    assert Crawled(directory).rewards == crawled(web, tmp_path / "whole").rewards


def test_pages_that_were_in_flight_are_not_blamed(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME, *urls("slow"))
    web.product(*urls("slow"), delay=30.0)
    for _ in range(3):
        asked = len(web.asked())
        with killed(web, tmp_path / "crawl") if not asked else killed_again(tmp_path / "crawl") as process:
            while urls("slow")[0] not in web.asked()[asked:]:
                assert process.poll() is None
                time.sleep(0.01)
    web.product(*urls("slow"))
    resume(tmp_path / "crawl")
    assert Crawled(tmp_path / "crawl").faults == {}


def test_what_is_left_after_a_kill(tmp_path: Path) -> None:
    """The file outlives the process; a process that ends by itself leaves nothing in it."""
    directory = tmp_path / "crawl"
    url = "http://a.example/" + "é" * 3_000
    with CrawlStore.create(directory, ""):
        pass
    for signals in (True, False, True):
        child = os.fork()
        if child == 0:
            store = CrawlStore.open(directory)
            with InHand(store).holding(url):
                os.kill(os.getpid(), signal.SIGKILL if signals else 0)
            os._exit(0)
        os.waitpid(child, 0)
    with CrawlStore.open(directory) as store:
        in_hand = InHand(store)
        assert list(in_hand._deaths.values()) == [2]
    with CrawlStore.open(directory) as store:
        assert list(InHand(store)._deaths.values()) == [2]
