"""What a crawl has found: pages, the graph, entities, queries, files."""

from __future__ import annotations

from time import monotonic
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse

from sundog.results.result_document import RESULT
from sundog.store.query import query as ask
from sundog.urls.identity import identity
from sundog.web.errors import NotFoundError
from sundog.web.request_bodies import QueryBody
from sundog.web.results import entity_index, graph, page_list, pattern_items
from sundog.web.results.page_list import Kind, Sort
from sundog.web.results.reading import check_begun, reading, timed
from sundog.web.site import Answer, CrawlDep, SiteDep

router = APIRouter(prefix="/api/crawls/{crawl_id}", tags=["results"])
Search = Annotated[str, Query(max_length=500)]
Offset = Annotated[int, Query(ge=0, le=10**9)]
Limit = Annotated[int, Query(ge=1, le=500)]
Number = Annotated[int, Query(ge=0, le=2**53)]
TO_ANSWER = 30.0  # seconds
MOST_ROWS = 2_000


@router.get("/pages")
def pages(
    crawl_id: str,
    crawl: CrawlDep,
    kind: Kind = "all",
    search: Search = "",
    host: Search = "",
    sort: Sort = "at",
    descending: bool = True,
    offset: Offset = 0,
    limit: Limit = 50,
) -> Answer:
    """Pages that were fetched, failed or refused, searched, sorted and paged."""
    with reading(crawl) as reader:
        return page_list.pages(
            reader,
            kind=kind,
            search=search,
            host=host,
            sort=sort,
            descending=descending,
            offset=offset,
            limit=limit,
        )


@router.get("/pages/{page}")
def page(crawl_id: str, page: int, crawl: CrawlDep) -> Answer:
    """One page: its statements, its links, what patterns found on it."""
    with reading(crawl) as reader:
        return page_list.page(reader, _sqlite_int(page))


@router.get("/explain")
async def explain(
    crawl_id: str, crawl: CrawlDep, site: SiteDep, url: Annotated[str, Query(max_length=4_000)]
) -> Answer:
    """Why a URL was fetched, or was not; also for URLs that were not."""
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
            page = reader.candidate(identity(url) or url)
            if page is None:
                raise NotFoundError(f"the crawl has not met {url[:200]}")
        return graph.graph(reader, page, most)


@router.get("/types")
def types(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Answer:
    """The types of entities that were found, the most frequent first."""
    with site.entities(crawl).reading() as (connection, behind), timed(connection):
        return {"types": entity_index.entity_types(connection), "behind": behind}


@router.get("/entities")
def entities(
    crawl_id: str,
    crawl: CrawlDep,
    site: SiteDep,
    type: Annotated[str, Query(max_length=2_000)],
    search: Search = "",
    column: Search = "",
    contains: Search = "",
    sort: Search = "",
    descending: bool = False,
    offset: Offset = 0,
    limit: Limit = 50,
) -> Answer:
    """Entities of one type as a table, searched, filtered, sorted and paged."""
    with site.entities(crawl).reading() as (connection, behind), timed(connection):
        found = entity_index.entity_table(
            connection,
            type,
            search=search,
            sort=sort,
            descending=descending,
            offset=offset,
            limit=limit,
            column=column,
            contains=contains,
        )
    return {**found, "behind": behind}


@router.post("/query")
def query(crawl_id: str, body: QueryBody, crawl: CrawlDep, site: SiteDep) -> Answer:
    """Ask in SPARQL; each page is a named graph."""
    check_begun(crawl)
    began = monotonic()
    with site.query_limit.slot():
        answer = ask(crawl.path, body.query, seconds=TO_ANSWER, most_rows=MOST_ROWS)
    return {**answer._asdict(), "seconds": round(monotonic() - began, 3)}


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
    offset: Offset = 0,
    limit: Limit = 50,
) -> Answer:
    """What a data pattern has found, searched and paged."""
    with reading(crawl) as reader:
        return pattern_items.items(reader, pattern, search=search, offset=offset, limit=limit)


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
