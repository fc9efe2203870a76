"""Faults injected into crawls of APIs and forms: they cost the nodes that were hit, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sundog.engines.live.run import crawl, resume
from sundog.engines.live.worlds.api import ApiWorld
from sundog.engines.live.worlds.form import FormWorld
from sundog.engines.live.worlds.nodes import NodeWorld
from sundog.objectives import Judge
from sundog.session import CrawlSession
from sundog.spec import CrawlSpec
from sundog.store import CrawlStore, Observed
from tests.engines.live.faults import breaks
from tests.engines.live.webs import Crawled, stop_after
from tests.engines.live.worlds.api_service import ApiService, Network
from tests.engines.live.worlds.search_site import SearchSite, database
from tests.engines.live.worlds.specs import api_spec, form_spec

BUDGET = 100_000  # more than there is
RECORDS = """SELECT u.url, o.status, o.trouble, o.faults, l.value FROM outcomes o
  JOIN log l ON l.step = o.step JOIN urls u ON u.id = o.candidate ORDER BY 1"""


def is_hit(url: str) -> bool:
    """One node in ten, of those that others lead to, too; not the seed."""
    return sum(url.encode()) % 10 == 3


def url_in(store: CrawlStore, candidate: int) -> str:
    return store._buffer.url(candidate) or store.url(candidate)


def visits(patch: pytest.MonkeyPatch, world: Any) -> None:
    breaks(patch, world, "visit", lambda _, url, candidate: is_hit(url))


def observes(patch: pytest.MonkeyPatch, world: Any) -> None:
    breaks(patch, world, "observe", lambda _, url, *more: is_hit(url))


def finds_links(patch: pytest.MonkeyPatch, world: Any) -> None:
    breaks(patch, world, "_links", lambda _, url, *more: is_hit(url))


def learns(patch: pytest.MonkeyPatch, world: Any) -> None:
    breaks(
        patch,
        CrawlSession,
        "observe",
        lambda _, decision, outcome, *now: is_hit(decision.url) and not hasattr(outcome, "reason"),
    )


def stores(patch: pytest.MonkeyPatch, world: Any) -> None:
    breaks(
        patch,
        CrawlStore,
        "append",
        lambda store, event, **more: (
            isinstance(event, Observed) and event.kind == "fetched" and is_hit(url_in(store, event.candidate))
        ),
    )


STAGES = {"fetch": visits, "intake": observes, "links": finds_links, "observe": learns, "store": stores}


def service_and_spec(kind: str) -> tuple[Any, Callable[[Any], CrawlSpec], Any]:
    if kind == "api":
        return ApiService(Network(60)), lambda service: api_spec(service, budget=BUDGET), ApiWorld
    return SearchSite(database(60)), lambda site: form_spec(site, budget=BUDGET), FormWorld


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Crawled]:
    found = {}
    for kind in ("api", "form"):
        service, spec_of, _ = service_and_spec(kind)
        directory = tmp_path_factory.mktemp(kind) / "crawl"
        with service:
            found[kind] = Crawled(directory, crawl(spec_of(service), directory))
    return found


@pytest.mark.parametrize("kind", ["api", "form"])
@pytest.mark.parametrize("stage", STAGES)
def test_one_node_in_ten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: dict[str, Crawled], kind: str, stage: str
) -> None:
    """Stopped in the middle and resumed, so that the log is replayed with failures in it."""
    service, spec_of, world = service_and_spec(kind)
    with service:
        STAGES[stage](monkeypatch, world)
        with monkeypatch.context() as patch:
            stop_after(patch, 12)
            crawl(spec_of(service), tmp_path / "crawl")
        done = Crawled(tmp_path / "crawl", resume(tmp_path / "crawl"))
    assert done.summary["stopped"] == "frontier empty"
    reached = set(done.fetched)
    hit = {url for url in reached if is_hit(url)}
    assert hit
    assert set(done.faults) == hit
    typed = "intake" if stage == "links" else stage
    assert all(why.startswith(f"internal: {typed}: InjectedError") for why in done.faults.values())
    assert done.summary["internal"] == len(hit)
    assert reached <= set(expected[kind].fetched)
    if kind == "api":  # what a query of a form is worth depends on those before it
        wanted = [row for row in expected[kind].rows(RECORDS) if row[0] in reached - hit]
        assert [row for row in done.rows(RECORDS) if row[0] not in hit] == wanted
    assert (tmp_path / "crawl" / "errors.log").read_text().count("Traceback") == len(hit)


def test_the_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: dict[str, Crawled]) -> None:
    """A node on which it fails is worth nothing, but leads on."""
    breaks(monkeypatch, Judge, "__call__", lambda _, view: is_hit(view.url))
    service, spec_of, _ = service_and_spec("api")
    with service:
        done = Crawled(tmp_path / "crawl", crawl(spec_of(service), tmp_path / "crawl"))
    assert set(done.fetched) == set(expected["api"].fetched)
    assert done.summary["internal"] == sum(map(is_hit, done.fetched))


@pytest.mark.parametrize("kind", ["api", "form"])
def test_after_the_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: dict[str, Crawled], kind: str
) -> None:
    breaks(monkeypatch, NodeWorld, "after_step")
    service, spec_of, _ = service_and_spec(kind)
    with service:
        done = Crawled(tmp_path / "crawl", crawl(spec_of(service), tmp_path / "crawl"))
    assert done.rewards == expected[kind].rewards
