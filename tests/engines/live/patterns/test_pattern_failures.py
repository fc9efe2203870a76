"""Faults injected into a crawl by patterns: they cost the pages that were hit, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sundog.engines.live.patterns.crawl_graph import CrawlGraph
from sundog.engines.live.patterns.live_patterns import LivePatterns
from sundog.engines.live.patterns.stopping import Stopping
from sundog.engines.live.run import resume
from sundog.patterns.runner import PatternRunner
from sundog.session import CrawlSession
from sundog.store import CrawlStore, Observed
from tests.engines.live.faults import breaks
from tests.engines.live.patterns.test_live_patterns import CITIES, fill, items, rows, run
from tests.engines.live.webs import HOME, SmallWeb, stop_after

CITY = f"{HOME}c7"
ENOUGH = f'{CITIES}\n[[patterns.stop]]\nname = "enough"\nitems = 15\n'


def is_city(store: CrawlStore, event: Any, **more: Any) -> bool:
    return isinstance(event, Observed) and event.kind == "fetched" and event.candidate == 8


FAULTS: dict[str, tuple[Any, str, Any]] = {
    "read": (PatternRunner, "apply", lambda _, subject: subject.url == CITY),
    "links": (LivePatterns, "choose_links", lambda _, visit, *more: visit == 8),
    "store": (CrawlStore, "append", is_city),
    "observe": (
        CrawlSession,
        "observe",
        lambda _, decision, outcome, *now: decision.url == CITY and not hasattr(outcome, "reason"),
    ),
}


@pytest.mark.parametrize("stage", FAULTS)
@pytest.mark.parametrize("text", [CITIES, ENOUGH], ids=["all", "enough"])
def test_one_page_of_twenty(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str, text: str
) -> None:
    fill(web, 20)
    breaks(monkeypatch, *FAULTS[stage])
    with monkeypatch.context() as patch:
        stop_after(patch, 10)
        run(web, tmp_path / "c", text)
    summary = resume(tmp_path / "c")
    cities = {each["name"] for each in items(tmp_path / "c", "city")}
    wanted = [f"City {number}" for number in range(20) if number != 7]
    assert cities == set(wanted if text is CITIES else wanted[:15])
    assert summary["stopped"] == ("frontier empty" if text is CITIES else "stop pattern enough")
    assert summary["internal"] == 1
    (why,) = rows(tmp_path / "c", "SELECT fault FROM pages WHERE fault IS NOT NULL")
    assert why[0].startswith(f"internal: {stage}: InjectedError")


@pytest.mark.parametrize(
    ("owner", "name"), [(CrawlGraph, "observed"), (Stopping, "fetched"), (Stopping, "reason")]
)
def test_what_patterns_remember(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str
) -> None:
    """After a page is stored: it keeps its items."""
    fill(web, 20)
    left = 3

    def some(*_: Any, **__: Any) -> bool:
        nonlocal left
        left -= 1
        return left in (0, 1)

    breaks(monkeypatch, owner, name, some)
    run(web, tmp_path / "c", CITIES)
    assert len(items(tmp_path / "c", "city")) == 20
    assert "internal: " in (tmp_path / "c" / "errors.log").read_text()
