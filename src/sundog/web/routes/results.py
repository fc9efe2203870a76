"""What a crawl has found: pages, the graph, items of patterns, files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import FileResponse

from sundog.results.result_document import RESULT
from sundog.urls.identity import identity
from sundog.web.errors import NotFoundError
from sundog.web.query_parameters import only_known
from sundog.web.results import graph, page_list, pattern_items, renders
from sundog.web.results.addresses import with_scheme
from sundog.web.results.page_list import PageQuery
from sundog.web.results.reading import check_begun, reading
from sundog.web.site import Answer, CrawlDep, SiteDep

router = APIRouter(prefix="/api/crawls/{crawl_id}", tags=["results"], dependencies=[Depends(only_known)])
Search = Annotated[str, Query(max_length=500)]
Offset = Annotated[int, Query(ge=0, le=10**9)]
Limit = Annotated[int, Query(ge=1, le=500)]
Number = Annotated[int, Query(ge=0, le=2**53)]


@router.get("/pages")
def pages(crawl_id: str, crawl: CrawlDep, wanted: Annotated[PageQuery, Query()]) -> Answer:
    """Pages that were fetched, failed or refused, filtered, sorted and paged."""
    with reading(crawl) as reader:
        return page_list.pages(reader, wanted)


@router.get("/pages/{page}")
def page(crawl_id: str, page: int, crawl: CrawlDep) -> Answer:
    """One page: its statements, its links, what patterns found on it."""
    with reading(crawl) as reader:
        return page_list.page(reader, _sqlite_int(page))


@router.get("/pages/{page}/screenshot", response_class=FileResponse)
def screenshot(crawl_id: str, page: int, crawl: CrawlDep) -> FileResponse:
    """The picture of a rendered page, if the crawl keeps such."""
    return FileResponse(renders.screenshot(crawl.path, _sqlite_int(page)), media_type="image/jpeg")


@router.get("/rendering")
def rendering(crawl_id: str, crawl: CrawlDep) -> Answer:
    """Pages, time and data by action: fetched plainly, rendered, rendered as a check."""
    with reading(crawl) as reader:
        return {"actions": renders.actions(reader)}


@router.get("/explain")
async def explain(
    crawl_id: str, crawl: CrawlDep, site: SiteDep, url: Annotated[str, Query(max_length=4_000)]
) -> Answer:
    """Why a URL was fetched, or was not; also for URLs that were not, and for addresses without a scheme."""
    if "\0" in url:
        raise NotFoundError("no URL has a NUL in it")
    check_begun(crawl)
    return await site.explainer.explain(crawl, url)


@router.get("/graph")
def around(
    crawl_id: str,
    crawl: CrawlDep,
    page: Number | None = None,
    url: Annotated[str, Query(max_length=4_000)] = "",
    most: Annotated[int, Query(ge=5, le=300)] = 60,
) -> Answer:
    """Pages and links around a page, or around the seeds."""
    with reading(crawl) as reader:
        if page is None and url:
            url = with_scheme(reader, url)
            page = reader.candidate(identity(url) or url)
            if page is None:
                raise NotFoundError(f"the crawl has not met {url[:200]}")
        return graph.graph(reader, page, most)


@router.get("/export/{form}", response_class=FileResponse)
def export(crawl_id: str, form: str, crawl: CrawlDep, site: SiteDep) -> FileResponse:
    """A file in one of the export formats, made now; tables as a ZIP."""
    return site.exports.export(crawl, form)


@router.get("/result", response_class=FileResponse)
def result(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> FileResponse:
    """What the result pattern makes of the crawl so far."""
    return site.exports.export(crawl, RESULT.name)


@router.get("/items")
def items(
    crawl_id: str,
    crawl: CrawlDep,
    pattern: Annotated[str, Query(max_length=200)],
    search: Search = "",
    sort: Search = "",
    descending: bool = False,
    offset: Offset = 0,
    limit: Limit = 50,
) -> Answer:
    """What a data pattern has found, searched, sorted by a field and paged."""
    with reading(crawl) as reader:
        return pattern_items.items(
            reader, pattern, search=search, sort=sort, descending=descending, offset=offset, limit=limit
        )


@router.get("/patterns")
def patterns(crawl_id: str, crawl: CrawlDep) -> Answer:
    """How often each pattern matched."""
    with reading(crawl) as reader:
        return {"patterns": pattern_items.pattern_counts(reader)}


@router.get("/report", response_class=FileResponse)
def report(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> FileResponse:
    """The report as one HTML file, made now."""
    return site.exports.report(crawl)


def _sqlite_int(number: int) -> int:
    if not 0 <= number < 2**53:
        raise NotFoundError(f"the crawl knows no page {str(number)[:30]}")
    return number
