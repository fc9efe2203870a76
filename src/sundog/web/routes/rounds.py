"""Rounds of a crawl: one now, a schedule of them, what has changed, and what broke."""

from __future__ import annotations

from itertools import islice

from fastapi import APIRouter, Depends

from sundog.errors import UsageError
from sundog.results.changes import changes_of
from sundog.results.health.health import health as health_of
from sundog.results.moments import checked_span
from sundog.store.rounds import rounds_of
from sundog.web.query_parameters import only_known
from sundog.web.request_bodies import RefreshBody, ScheduleBody
from sundog.web.results.reading import reading
from sundog.web.site import Answer, CrawlDep, SiteDep

router = APIRouter(prefix="/api", tags=["rounds"], dependencies=[Depends(only_known)])
MOST_CHANGES = 500
SHORTEST = 60.0  # seconds from round to round


@router.post("/crawls/{crawl_id}/refresh")
def refresh(crawl_id: str, crawl: CrawlDep, site: SiteDep, body: RefreshBody) -> Answer:
    """Make a round now: known pages that may have changed, and new ones."""
    site.supervisor.refresh(crawl, body.budget, body.revisits)
    return site.crawl_as_json(crawl)


@router.post("/crawls/{crawl_id}/schedule")
def schedule(crawl_id: str, crawl: CrawlDep, site: SiteDep, body: ScheduleBody) -> Answer:
    """Make rounds from now on, as `sundog keep` does; in place of an earlier schedule."""
    every = checked_span(body.every)
    if every < SHORTEST:
        raise UsageError(f"rounds every {body.every} are too many: a minute at least is between them")
    site.supervisor.keep(crawl, every, body.budget, body.revisits)
    return site.crawl_as_json(crawl)


@router.delete("/crawls/{crawl_id}/schedule")
def unschedule(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Answer:
    """No more rounds; one that runs goes on."""
    site.supervisor.keep(crawl, 0.0, 0)
    return site.crawl_as_json(crawl)


@router.get("/crawls/{crawl_id}/rounds")
def rounds(crawl_id: str, crawl: CrawlDep) -> Answer:
    """What each round did, the first crawl being round 0."""
    with reading(crawl) as reader:
        return {"rounds": rounds_of(reader)}


@router.get("/crawls/{crawl_id}/health")
def health(crawl_id: str, crawl: CrawlDep) -> Answer:
    """What broke, where, since when, and the likely cause."""
    with reading(crawl) as reader:
        return health_of(reader)


@router.get("/crawls/{crawl_id}/changes")
def changes(crawl_id: str, crawl: CrawlDep, since: str = "", type: str = "") -> Answer:
    """What is new, changed and gone since a round, a date or so long ago; else since the last round."""
    with reading(crawl) as reader:
        found = [change._asdict() for change in islice(changes_of(reader, since or None, type), MOST_CHANGES + 1)]
    return {"changes": found[:MOST_CHANGES], "more": len(found) > MOST_CHANGES}
