"""What a crawl says of itself at its end: ``summary.json``, and the result of its patterns."""

from __future__ import annotations

from typing import Any

from sundog.engines.live.commits import Spending
from sundog.engines.live.control.signals import interrupted_by_signals
from sundog.engines.live.loop import LiveCrawl
from sundog.engines.live.page_failures import ErrorLog, StageError
from sundog.engines.live.rounds.round import end_round
from sundog.engines.live.worlds.counted_requests import Ledger
from sundog.errors import SundogError
from sundog.files import write_whole
from sundog.learn.files import model_bytes
from sundog.model import INTERNAL, INTERRUPTED
from sundog.results.entities_left import entities_left
from sundog.results.health.health import alarms_told
from sundog.results.result_document import write_result
from sundog.results.sitemaps import sitemap_pages
from sundog.spec import CrawlSpec
from sundog.store import CrawlStore, rendered_pages
from sundog.store.directory import MODEL
from sundog.store.rounds import rounds_of

Summary = dict[str, Any]


def end_crawl(
    live: LiveCrawl, stopped: str, spec: CrawlSpec, store: CrawlStore, spending: Spending, ledger: Ledger | None
) -> Summary:
    """Save what is open, and tell the totals of the whole crawl, also from before it was resumed."""
    spending.save()
    if stopped != INTERRUPTED:
        end_round(store)
    store.index()
    summary = {**store.totals(), **spending.so_far, "stopped": stopped, "rounds": rounds_of(store)}
    if ledger is not None:
        summary["requests"] = ledger.made
    visits = sum(each["revisited"] for each in summary["rounds"])
    rendered = rendered_pages(store.render_actions())
    if rendered:
        summary["rendered"] = rendered
    spent = spent_of_budget(spec, ledger, summary["fetched"] + visits) + rendered.get("cost", 0)
    summary |= {"unit": spec.world_kind.unit, "spent": spent}
    with live.journal.errors.survived("show"):
        summary["left"] = _left(live, store)
        if (listed := sitemap_pages(store)) is not None:
            summary["sitemaps"] = listed._asdict()
    if len(summary["rounds"]) > 1:
        with live.journal.errors.survived("report", ""):
            summary["health"] = alarms_told(store)
    if spec.patterns:
        summary["patterns"] = store.match_counts(spec.patterns.names_on_pages)
    if refused := store.pages_not_indexed:
        summary["not_indexed"] = refused
    if live.pause:
        summary["paused"] = live.pause
    if store.index_fault:
        summary["index_fault"] = store.index_fault
    live.keep_checkpoint()
    if (model := live.journal.session.model) is not None:
        write_whole(store.directory / MODEL, model_bytes(model))
    store.write_summary(summary)
    return summary


def spent_of_budget(spec: CrawlSpec, ledger: Ledger | None, fetched: int) -> int:
    return spec.world_kind.spent(fetched, ledger.made if ledger else 0)


def _left(live: LiveCrawl, store: CrawlStore) -> dict[str, Any]:
    told = live.left.look()
    found = {**told.all.as_json(), "hosts": live.left.hosts}
    if round(told.all.high) and (entities := entities_left(store, told.all)) is not None:
        found["entities"] = entities.as_json()
    return found


def with_result(summary: Summary, spec: CrawlSpec, store: CrawlStore) -> Summary:
    """A result that cannot be made is no reason to fail: the crawl is done, and it can be made anew."""
    found: Summary
    try:
        with interrupted_by_signals():
            found = {"result": write_result(store, spec.patterns).name}
    except SundogError as error:
        found = {"result_fault": str(error)}
    except Exception as error:
        failed = StageError("report", error)
        ErrorLog(store.directory).write("", failed)
        found = {"result_fault": f"{INTERNAL}: {failed}; errors.log has the traceback"}
    except KeyboardInterrupt:
        found = {"result_fault": "interrupted while it was made"}
    store.write_summary({**summary, **found})
    return {**summary, **found}
