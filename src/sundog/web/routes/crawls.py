"""Crawls: all of them, one of them, and what can be done with one."""

from __future__ import annotations

from fastapi import APIRouter, Response

from sundog.web.crawls import details
from sundog.web.drafts import draft_of
from sundog.web.shapes import Draft, ResumeBody
from sundog.web.site import Answer, HomeOf, SiteOf
from sundog.web.states import read_state

router = APIRouter(prefix="/api", tags=["crawls"])


@router.get("/crawls")
def crawls(site: SiteOf) -> Answer:
    return {"crawls": site.crawls.all(), "running": site.supervisor.running, "at_once": site.settings.at_once}


@router.post("/crawls", status_code=201)
def begin(draft: Draft, site: SiteOf) -> Answer:
    return site.told_anew(site.begin(draft))


@router.post("/demo", status_code=201)
def begin_demo(site: SiteOf) -> Answer:
    return site.told_anew(site.begin_demo())


@router.get("/crawls/{crawl_id}")
def crawl(crawl_id: str, home: HomeOf, site: SiteOf) -> Answer:
    return {**site.crawls.crawl(home), **details(home, read_state(home))}


@router.delete("/crawls/{crawl_id}", status_code=204)
def delete(crawl_id: str, home: HomeOf, site: SiteOf) -> Response:
    site.delete(home)
    return Response(status_code=204)


@router.post("/crawls/{crawl_id}/pause")
def pause(crawl_id: str, home: HomeOf, site: SiteOf) -> Answer:
    site.supervisor.pause(home)
    return site.told_anew(home)


@router.post("/crawls/{crawl_id}/stop")
def stop(crawl_id: str, home: HomeOf, site: SiteOf) -> Answer:
    site.supervisor.stop(home)
    return site.told_anew(home)


@router.post("/crawls/{crawl_id}/resume")
def resume(crawl_id: str, home: HomeOf, site: SiteOf, body: ResumeBody | None = None) -> Answer:
    site.supervisor.resume(home, body.budget if body else None)
    return site.told_anew(home)


@router.get("/crawls/{crawl_id}/draft")
def draft(crawl_id: str, home: HomeOf) -> Answer:
    state = read_state(home)
    return draft_of(home, state.owner, state.email)
