"""Crawls in separate processes, and what each cost: the crawler alone, without the server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.common import ROOT, SUNDOG, scratch
from benchmarks.live.server import DEMO_HOSTS, Requests, Served, pages_of_file, serving

CONCURRENCY = 64
SCRAPY = [sys.executable, "-m", "benchmarks.live.scrapy_spider"]


class Web(NamedTuple):
    """How it is served (given a file for the log), where to begin, and whether to stay on the seeds' hosts."""

    name: str
    serve: Callable[[Path], AbstractContextManager[Served]]
    seeds: list[str]
    stay: bool


class Done(NamedTuple):
    """A crawl that has ended; ``cpu`` is user and system time of its process, in seconds."""

    seconds: float
    cpu: float
    output: str
    errors: str
    requests: Requests


def demo_web(pages: int) -> Web:
    from sundog.demo_web.web import Web as Demo

    seeds = Demo(1, DEMO_HOSTS, pages, corners=False).seeds
    return Web(f"demo web, {pages:,} pages", partial(serving, pages), seeds, stay=False)


def real_web(path: Path) -> Web:
    """Real pages under their own host names; it begins with the shortest URL of each host."""
    shortest: dict[str, str] = {}
    for page in pages_of_file(path):
        host = page.url.split("/", 3)[2]
        shortest[host] = min(shortest.get(host, page.url), page.url, key=lambda url: (len(url), url))
    return Web("real pages", partial(serving, path), list(shortest.values()), stay=True)


def sundog(web: Web, *, budget: int, **options: Any) -> Done:
    """``sundog crawl`` with its defaults, but no delay; ``output`` is its summary as JSON."""
    return crawl(web, "", budget=budget, **options)


def crawl(web: Web, more: str, *, budget: int, **options: Any) -> Done:
    """The same, with more in its spec than seeds."""
    words = ["--budget", budget, "--delay", 0, "--concurrency", CONCURRENCY, "--json"]
    for name, value in options.items():
        words += [f"--{name.rstrip('_')}", value]
    if web.stay and "stay" not in options:
        words += ["--stay", "host"]
    with scratch() as directory:
        spec = directory / "spec.toml"
        spec.write_text(f"seeds = {json.dumps(web.seeds)}\n{more}")
        words += ["--out", directory / "crawl"]
        return _run(web, lambda address: [*SUNDOG, "crawl", spec, *words, "--connect-to", address])


def scrapy(web: Web, *, pages: int = 0, extruct: bool = False) -> Done:
    """Scrapy with the settings of ``scrapy_spider.py``; stops after ``pages``, unless that is 0."""
    words = ["--pages", pages, *(["--extruct"] if extruct else []), *(["--stay"] if web.stay else [])]
    with scratch() as directory:
        seeds = directory / "seeds.txt"
        seeds.write_text("\n".join(web.seeds))
        words += ["--seeds", seeds]
        return _run(web, lambda address: [*SCRAPY, "--port", address.partition(":")[2], *words])


def _run(web: Web, command: Any) -> Done:
    with scratch() as directory:
        output, errors = directory / "output", directory / "errors"
        with web.serve(directory / "log") as served, output.open("w") as out, errors.open("w") as err:
            begun = time.perf_counter()
            words = [str(word) for word in command(served.address)]
            process = subprocess.Popen(words, cwd=ROOT, stdout=out, stderr=err)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = time.perf_counter() - begun
        if process.returncode:
            sys.exit(errors.read_text())
        cpu = used.ru_utime + used.ru_stime
        return Done(seconds, cpu, output.read_text(), errors.read_text(), served.requests())
