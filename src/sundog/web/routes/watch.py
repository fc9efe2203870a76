"""Watching a crawl: once, or as a stream of events."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from sundog.web.site import Answer, CrawlDep, SiteDep

router = APIRouter(prefix="/api/crawls/{crawl_id}", tags=["watching"])


@router.get("/watch")
async def watch(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Answer:
    """The same data as the events, once."""
    return await site.hub.once(crawl)


@router.get("/events", response_class=StreamingResponse)
async def events(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> StreamingResponse:
    """Server-sent events: crawl, pages, hosts, found, harvest, gone."""
    site.hub.check_room()
    return StreamingResponse(site.hub.events(crawl), media_type="text/event-stream")
