"""``python -m benchmarks.turns CHECKOUT [--pages FILE.jsonl.gz]``: extraction by this version and by that of
another checkout, page by page in turn, so that other work on the machine hits both. Of each page the least CPU
counts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.common import ROOT, print_table
from benchmarks.extraction import pages

READ = "--read"  # the word by which a version's own process is started


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.turns", description=__doc__)
    parser.add_argument("checkout", type=Path, help="the other version's")
    parser.add_argument("--pages", metavar="FILE.jsonl.gz", default="", help="real pages: url and html per line")
    parser.add_argument("--rounds", type=int, default=12)
    given = parser.parse_args()
    groups = [group for group, _, _ in all_pages(given.pages)]
    readers = [_started(checkout, given.pages) for checkout in (given.checkout, ROOT)]
    least = [[float("inf")] * len(groups) for _ in readers]
    for turn in range(given.rounds):
        for number in range(len(groups)):
            for which in (0, 1) if (turn + number) % 2 else (1, 0):
                least[which][number] = min(least[which][number], _asked(readers[which], number))
    for reader in readers:
        reader.communicate()
    rows = []
    for group in dict.fromkeys(groups):
        places = [number for number, each in enumerate(groups) if each == group]
        other, own = (sum(times[number] for number in places) / len(places) * 1e3 for times in least)
        rows.append((group, f"{other:.2f}", f"{own:.2f}", f"{own / other:.2f}"))
    print_table("Extraction, in turn: ms of CPU a page", ("pages", "other version", "this one", "of it"), rows)


def all_pages(path: str) -> Iterator[tuple[str, str, bytes]]:
    """Each with its group and URL."""
    if path:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from (("real pages", page["url"], page["html"].encode()) for page in map(json.loads, lines))
    for group, made in pages().items():
        yield from ((group, url, body) for url, body in made)


def _started(checkout: Path, path: str) -> subprocess.Popen[str]:
    """A process that has that version, and this file."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (checkout.resolve() / "src", ROOT)))}
    words = [sys.executable, "-m", "benchmarks.turns", READ, path]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def _asked(reader: subprocess.Popen[str], number: int) -> float:
    assert reader.stdin is not None
    assert reader.stdout is not None
    reader.stdin.write(f"{number}\n")
    reader.stdin.flush()
    return float(reader.stdout.readline())


def read(path: str) -> None:
    """Answers the number of a page with the seconds that it takes, until nobody asks any more."""
    from sundog.extract import extract
    from sundog.processes.memory import keep_freed_memory

    keep_freed_memory()  # as readers of crawls do
    all_of_them = list(all_pages(path))
    for line in sys.stdin:
        _, url, body = all_of_them[int(line)]
        begun = time.thread_time()
        found = extract(body, base=url)
        _ = found.counts, found.links, found.nquads()
        del found
        print(time.thread_time() - begun, flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == [READ]:
        read(sys.argv[2])
    else:
        main()
