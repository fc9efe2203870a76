"""Crawls of the hostile corpus of ``tests/hostile``, with pages as large as a crawl fetches them."""

from __future__ import annotations

import time
from collections import Counter

from tests.hostile.attacks import ATTACKS
from tests.hostile.corpus import LARGE, SMALL
from tests.hostile.webs import HostileCrawl, HostileWeb, check

from benchmarks.common import print_table, scratch

RUNS = ((SMALL, 0), (SMALL, 1), (LARGE, 0), (LARGE, 1))


def main() -> None:
    with scratch() as folder, HostileWeb() as web:
        alone = HostileCrawl(web, folder / "good", "--workers=0")
        alone.run()
        good = alone.good_pages()
    rows = [_row(size, workers, good) for size, workers in RUNS]
    columns = (
        "bytes of a page",
        "`workers`",
        "pages",
        "seconds",
        "longest stall, s",
        "most memory, MB",
        "failed pages",
    )
    print_table(f"Hostile pages: {len(ATTACKS)} of them beside {len(good[0])} good ones", columns, rows)


def _row(size: int, workers: int, good: list[list[object]]) -> tuple[str, ...]:
    with scratch() as folder, HostileWeb(ATTACKS.values(), size) as web:
        crawl = HostileCrawl(web, folder / "crawl", f"--workers={workers}")
        began = time.monotonic()
        crawl.run()
        seconds = time.monotonic() - began
        check(crawl, good)
        troubles = Counter(trouble for ((_, trouble, _),) in crawl.outcomes.values() if trouble)
    failed = ", ".join(f"{count} {trouble}" for trouble, count in troubles.most_common())
    return (
        f"{size:,}",
        str(workers),
        str(web.budget),
        f"{seconds:.0f}",
        f"{crawl.stall:.2f}",
        f"{crawl.megabytes:.0f}",
        failed,
    )
