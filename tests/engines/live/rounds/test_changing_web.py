"""A web that changes under a schedule. ``python -m benchmarks.rounds`` does more rounds."""

from __future__ import annotations

from pathlib import Path

from benchmarks.rounds import ChangingWeb, Kept


def test_killed_rounds_have_what_the_server_said(tmp_path: Path) -> None:
    with ChangingWeb(3, hosts=3, products=8, delay=0.005) as web:
        kept = Kept(tmp_path / "crawl", web, 3)
        kept.begin()
        kept.round()
        kept.round()
        assert kept.check() == []
        expected = web.expected()
        assert any(versions[-1][1] == "gone" for versions in expected.values())
        assert any(len(versions) > 1 for versions in expected.values())
