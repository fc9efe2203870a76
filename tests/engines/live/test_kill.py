"""kill -9 loses nothing of a crawl. ``python -m benchmarks.kill_crawl`` does it for longer."""

from __future__ import annotations

from pathlib import Path

from benchmarks.kill_crawl import Killed

from sundog.demo_web.serving import serving


def test_killed_at_random_moments(tmp_path: Path) -> None:
    with serving(seed=2, hosts=10, pages=1_000) as web:
        crawl = Killed(tmp_path / "crawl", web.connect_to, web.seeds, budget=400)
        for seconds in (0.0, 0.15, 0.05):
            crawl.run(seconds)
            crawl.check()
        assert crawl.kills == 3
        while not crawl.run(None):
            pass
        crawl.check()
        crawl.check_end()
