"""Shards 4 → 6 → 3 between the runs of one crawl: nothing is lost, nothing is requested twice.

``python -m benchmarks.cluster.reshard``: the web of ``benchmarks.cluster.kills``, a third of it in each run.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.cluster.kills import HOSTS, ended, reachable, too_soon
from benchmarks.cluster.web import requests_in, serving
from benchmarks.common import SUNDOG, environment

DELAY = 0.1


def main() -> None:
    began, pages = time.monotonic(), reachable()
    with tempfile.TemporaryDirectory() as folder:
        log, crawl = Path(folder) / "log", str(Path(folder) / "crawl")
        with serving(HOSTS, log) as address:
            options = ["--delay", str(DELAY), "--connect-to", address, "--workers", "0", "--concurrency", "8"]
            begin = ["crawl", "http://www.h0.example/0", "--for", "type:schema:Product", *options, "--out", crawl]
            third = len(pages) // 3
            for words, shards, budget in (
                (begin, 4, third),
                (["resume", crawl], 6, 2 * third),
                (["resume", crawl], 3, 10 * len(pages)),
            ):
                words = [*words, "--shards", str(shards), "--budget", str(budget), "--no-report"]
                subprocess.run([*SUNDOG, *words], env=environment(), check=True, capture_output=True)
                found = ended(Path(crawl))
                assert max(found.values()) == 1
                print(f"{shards} shards: {found.total():,} pages", flush=True)
                assert found.total() == min(budget, len(pages))
            assert set(found) == pages
            time.sleep(1.0)
        requests = requests_in(log)
        asked = Counter((request.host, request.path) for request in requests if "robots" not in request.path)
        twice = sum(count > 1 for count in asked.values())
        soon = too_soon(requests, lambda request: request.host, DELAY)
    seconds = time.monotonic() - began
    print(f"all {len(pages):,} pages, {twice} requested twice, {soon} requests too soon ({seconds:.0f} s)")


if __name__ == "__main__":
    main()
