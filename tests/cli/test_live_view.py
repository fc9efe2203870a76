"""The view of a live crawl, on terminals wide and narrow, and where there is none."""

from __future__ import annotations

import io
import re

import pytest
from rich.cells import cell_len
from rich.console import Console

from sundog.cli.crawls.live_view import LivePanel, live_view
from sundog.engines.live.progress import HostLine, ShardLine, Snapshot

EVIL = "\x1b[31m[bold]x[/bold]\u202e\n"
FULL = Snapshot(
    budget=5_000,
    fetched=1_250,
    relevant=430,
    reward=512.5,
    recent_fetched=200,
    recent_relevant=90,
    pages_per_second=12.5,
    elapsed=100.0,
    queued=123_456,
    hosts_found=789,
    asleep=12,
    in_flight=8,
    statements=45_678,
    refused=17,
    types={"http://schema.org/Product": 300, "http://schema.org/Offer": 290, EVIL: 3},
    hosts=[HostLine("shop.example", 120, 3), HostLine("long." * 40 + "example", 11, 1_000), HostLine(EVIL, 0, 1)],
    troubles=[("timeout-first-byte", 4), ("http-4xx", 30)],
    stage="finishing what is in flight",
    warning="nothing of this was relevant so far",
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def drawn(snapshot: Snapshot, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    console.print(LivePanel(snapshot))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize("width", [30, 60, 80, 100, 160])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    for snapshot in (FULL, Snapshot(budget=10), FULL._replace(budget=10**12, fetched=10**11, queued=10**10)):
        lines = drawn(snapshot, width)
        assert max(map(cell_len, lines)) <= width
        assert len(lines) <= 32


@pytest.mark.parametrize("width", [60, 160])
def test_everything_is_there(width: int) -> None:
    text = " ".join(" ".join(drawn(FULL, width)).split())
    for part in (
        "1,250 of 5,000 pages · 12.5 pages/s · 1:40 · about 5:00 left",
        "34.4% relevant · 45.0% of the last 200",
        "45,678 statements · 123,456 queued · 789 hosts (12 asleep) · 8 in flight",
        "17 refused",
        "finishing what is in flight",
        "nothing of this was relevant so far",
    ):
        assert part in text
    assert re.search(r"shop\.example +120 +3", text)
    assert re.search(r"schema:Product +300", text)
    assert re.search(r"http-4xx +30", text)
    assert text.index("http-4xx") < text.index("timeout-first-byte")


def test_shards_have_a_line_each() -> None:
    shards = [
        ShardLine(number, 1_000 + number, 2_000, 7, 1.5, 3, number, "budget" * number, 0, 50, 60, 4)
        for number in range(2)
    ]
    text = " ".join(" ".join(drawn(FULL._replace(shards=shards), 100)).split())
    assert "shard pages lease queued pages/s to send sent got lessons restarts" in text
    assert "1 budget 1,001 2,000 7 1.5 3 50 60 4 1" in text


def test_names_are_not_obeyed() -> None:
    text = "\n".join(drawn(FULL, 160))
    assert "[31m[bold]x[/bold]" in text
    assert "\x1b[31m" not in text
    assert "\u202e" not in text


def test_a_crawl_that_has_not_begun_or_has_no_budget() -> None:
    assert "0 of 0 pages" in " ".join(drawn(Snapshot(budget=0), 60))
    assert Snapshot(budget=0).share == 0
    assert Snapshot(budget=10, fetched=12).share == 1
    assert Snapshot(budget=10).seconds_left is None


def test_lines_where_there_is_no_terminal() -> None:
    now = 0.0
    out = io.StringIO()
    with live_view(out, clock=lambda: now) as view:
        for _ in range(30):
            view.update(FULL)
            now += 0.5
    lines = out.getvalue().splitlines()
    assert lines[:2] == ["finishing what is in flight", "nothing of this was relevant so far"]
    assert len(lines) == 4  # and a line every five seconds
    assert lines[2].startswith("1,250 of 5,000 pages · 12.5 pages/s")
    assert lines[2].endswith("34 failed")


def test_a_terminal_is_drawn_a_few_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    now = 0.0
    out = Terminal()
    with live_view(out, clock=lambda: now) as view:
        for i in range(100):
            view.update(FULL._replace(fetched=i))
            now += 0.01
    assert 3 <= out.getvalue().count("5,000 pages") <= 6


def test_a_dumb_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    out = Terminal()
    with live_view(out) as view:
        view.update(FULL)
    assert "\x1b" not in out.getvalue()


def test_a_budget_of_requests_is_shown_as_such() -> None:
    now = Snapshot(budget=100, fetched=10, requests=40, unit="requests", pages_per_second=2.0)
    assert "40 of 100 requests for 10 nodes" in " ".join(drawn(now, 100))
    assert (now.share, now.seconds_left) == (0.4, 7.5)


def test_the_budget_pays_for_later_visits_and_renderings_too() -> None:
    now = Snapshot(budget=100, fetched=10, revisited=30, besides=9.5, pages_per_second=2.0)
    assert "50 of 100 pages" in " ".join(drawn(now, 100))
    assert (now.share, now.seconds_left) == (0.5, 20.0)
