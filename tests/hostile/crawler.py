"""A crawl in a process of its own that measures how long its loop was busy without a pause.

``python -m tests.hostile.crawler FILE crawl …``: ``sundog crawl …``, and the longest such time is in FILE. It is
processor time of the loop's thread, so a busy machine changes nothing.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from sundog.cli import main
from sundog.engines.live.loop import LiveCrawl

PAUSE = 0.01  # seconds between two samples


async def watch(file: Path) -> None:
    longest = float(file.read_text()) if file.exists() else 0.0
    before = time.thread_time()
    while True:
        await asyncio.sleep(PAUSE)
        now = time.thread_time()
        if now - before > longest:
            longest = now - before
            file.write_text(f"{longest:.3f}")
        before = now


def watch_loop(file: Path) -> None:
    run = LiveCrawl.run

    async def watched(live: LiveCrawl) -> str:
        watcher = asyncio.create_task(watch(file))
        try:
            return await run(live)
        finally:
            watcher.cancel()

    LiveCrawl.run = watched  # type: ignore[method-assign]


if __name__ == "__main__":
    watch_loop(Path(sys.argv.pop(1)))
    main()
