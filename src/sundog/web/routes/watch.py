"""Watching a crawl: once, or as a stream of events."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from fastapi.responses import StreamingResponse

from sundog.web.guard.wrong_tokens import network_of
from sundog.web.query_parameters import only_known
from sundog.web.site import Answer, CrawlDep, SiteDep

router = APIRouter(prefix="/api/crawls/{crawl_id}", tags=["watching"], dependencies=[Depends(only_known)])


@router.get("/watch")
async def watch(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Answer:
    """The same data as the events, once."""
    return await site.hub.once(crawl)


@router.get("/events", response_class=StreamingResponse)
async def events(request: Request, crawl_id: str, crawl: CrawlDep, site: SiteDep) -> StreamingResponse:
    """Server-sent events: crawl, pages, hosts, found, harvest, gone."""
    network = network_of(request.client.host if request.client else "")
    site.hub.check_room(network)
    return StreamingResponse(site.hub.events(crawl, network), media_type="text/event-stream")
