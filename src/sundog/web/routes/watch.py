"""Watching a crawl: once, or as a stream of events."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from sundog.web.site import Answer, HomeOf, SiteOf

router = APIRouter(prefix="/api/crawls/{crawl_id}", tags=["watching"])


@router.get("/watch")
async def watch(crawl_id: str, home: HomeOf, site: SiteOf) -> Answer:
    return await site.hub.once(home)


@router.get("/events", response_class=StreamingResponse)
async def events(crawl_id: str, home: HomeOf, site: SiteOf) -> StreamingResponse:
    site.hub.check_room()
    return StreamingResponse(site.hub.events(home), media_type="text/event-stream")
