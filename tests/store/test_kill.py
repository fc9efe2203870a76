"""kill -9 loses nothing that was committed. ``python -m benchmarks.kill_store`` does it for longer."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.kill_store import check, has_begun, kill_one


@pytest.mark.parametrize("crawl", range(3))
def test_killed_at_random_moments(tmp_path: Path, crawl: int) -> None:
    steps = 0
    for kill in range(5):
        kill_one(tmp_path / "crawl", 100 * crawl + kill)
        if kill % 2 == 0 and has_begun(tmp_path / "crawl"):
            after = check(tmp_path / "crawl")
            assert after >= steps
            steps = after
    assert steps > 0
