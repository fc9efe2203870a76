"""Crawls: all of them, one of them, and what can be done with one."""

from __future__ import annotations

from fastapi import APIRouter, Response

from sundog.web.new.drafts import draft_of
from sundog.web.request_bodies import Draft, ResumeBody
from sundog.web.runs.crawls import details_as_json
from sundog.web.runs.state import read_state
from sundog.web.site import Answer, CrawlDep, SiteDep

router = APIRouter(prefix="/api", tags=["crawls"])


@router.get("/crawls")
def crawls(site: SiteDep) -> Answer:
    """All crawls, the latest first."""
    return {"crawls": site.crawls.all(), "running": site.supervisor.running, "at_once": site.settings.at_once}


@router.post("/crawls", status_code=201)
def begin(draft: Draft, site: SiteDep) -> Answer:
    """Begin a crawl, by fields or by a whole spec."""
    return site.crawl_as_json(site.begin(draft))


@router.post("/demo", status_code=201)
def begin_demo(site: SiteDep) -> Answer:
    """Serve the demo's web, and begin a crawl of it."""
    return site.crawl_as_json(site.begin_demo())


@router.get("/crawls/{crawl_id}")
def crawl(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Answer:
    """One crawl, with its spec and what its process has printed."""
    return {**site.crawls.as_json(crawl), **details_as_json(crawl, read_state(crawl))}


@router.delete("/crawls/{crawl_id}", status_code=204)
def delete(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Response:
    """Delete a crawl that does not run."""
    site.delete(crawl)
    return Response(status_code=204)


@router.post("/crawls/{crawl_id}/pause")
def pause(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Answer:
    """End its process; what is in flight is finished and kept."""
    site.supervisor.pause(crawl)
    return site.crawl_as_json(crawl)


@router.post("/crawls/{crawl_id}/stop")
def stop(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Answer:
    """End it for good; it can still be resumed."""
    site.supervisor.stop(crawl)
    return site.crawl_as_json(crawl)


@router.post("/crawls/{crawl_id}/resume")
def resume(crawl_id: str, crawl: CrawlDep, site: SiteDep, body: ResumeBody | None = None) -> Answer:
    """Go on, with a larger budget if one is given."""
    site.supervisor.resume(crawl, body.budget if body else None)
    return site.crawl_as_json(crawl)


@router.get("/crawls/{crawl_id}/draft")
def draft(crawl_id: str, crawl: CrawlDep) -> Answer:
    """The crawl as a draft, to be changed and begun again."""
    state = read_state(crawl)
    return draft_of(crawl, state.owner, state.email)
