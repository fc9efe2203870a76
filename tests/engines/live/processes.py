"""``sundog`` in a process of its own, to be killed or interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sundog
from sundog.errors import SundogError
from sundog.store import open_readonly
from tests.engines.live.webs import HOME, SmallWeb

COMMAND = [sys.executable, "-c", "from sundog.cli import main; main()"]
QUICK = ["--delay=0", "--set", "following.patience=2", "following.retries=0"]
SOURCES = str(Path(sundog.__file__).parent.parent)
PATIENCE = 60.0


def start(*words: object) -> subprocess.Popen[str]:
    """Its output is read when it ends."""
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    return subprocess.Popen(
        [*COMMAND, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )


def start_crawl(web: SmallWeb, directory: Path, *options: object, seed: str = HOME) -> subprocess.Popen[str]:
    return start("crawl", "--json", f"--out={directory}", f"--connect-to={web.connect_to}", *options, *QUICK, seed)


def ended(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The summary that it prints."""
    out, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err, err
    assert process.returncode == 0, err
    summary: dict[str, Any] = json.loads(out)
    return summary


@contextmanager
def killed(web: SmallWeb, directory: Path, *options: object, seed: str = HOME) -> Iterator[subprocess.Popen[str]]:
    """A crawl that is killed at the end of the block."""
    with start_crawl(web, directory, *options, seed=seed) as process:
        yield process
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)


@contextmanager
def killed_again(directory: Path) -> Iterator[subprocess.Popen[str]]:
    """It is resumed, and killed at the end of the block."""
    with start("resume", "--json", directory) as process:
        yield process
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)


def until_committed(directory: Path, event: str, count: int, process: subprocess.Popen[str]) -> None:
    """Wait until the log on disk has so many events of a kind."""
    while committed(directory, event) < count:
        assert process.poll() is None
        time.sleep(0.01)


def committed(directory: Path, event: str) -> int:
    try:
        with open_readonly(directory) as reader:
            ((count,),) = reader.connection.execute("SELECT count(*) FROM log WHERE event = ?", (event,))
            return int(count)
    except SundogError:  # it has not begun yet
        return 0
