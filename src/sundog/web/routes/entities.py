"""The things that a crawl has found: tables, counts, a map, single ones, files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import FileResponse

from sundog.store.formats.format import Selection
from sundog.web.errors import NotFoundError
from sundog.web.query_parameters import only_known
from sundog.web.results import entity_tables, one_entity
from sundog.web.results.entity_tables import Asked
from sundog.web.site import Answer, CrawlDep, SiteDep

router = APIRouter(prefix="/api/crawls/{crawl_id}", tags=["entities"], dependencies=[Depends(only_known)])
Text = Annotated[str, Query(max_length=500)]
Columns = Annotated[list[Annotated[str, Query(max_length=500)]], Query(max_length=120)]
Offset = Annotated[int, Query(ge=0, le=10**9)]
Limit = Annotated[int, Query(ge=1, le=500)]
Latitude = Annotated[float, Query(ge=-90, le=90)]
Longitude = Annotated[float, Query(ge=-180, le=180)]


def _asked(
    type: Annotated[str, Query(max_length=2_000)],
    where: Annotated[list[Annotated[str, Query(max_length=4_000)]], Query(max_length=50)] = [],  # noqa: B006
    search: Text = "",
) -> Asked:
    """``where``: filters as those of ``sundog export --where``, all of which must hold."""
    return Asked(type, tuple(where), search)


AskedDep = Annotated[Asked, Depends(_asked)]


@router.get("/types")
def types(crawl_id: str, crawl: CrawlDep) -> Answer:
    """The types of entities that were found, the most frequent first."""
    with entity_tables.reading(crawl) as (database, behind):
        return {"types": entity_tables.types(database), "behind": behind}


@router.get("/entities")
def entities(
    crawl_id: str,
    crawl: CrawlDep,
    asked: AskedDep,
    column: Columns = [],  # noqa: B006
    sort: Text = "",
    descending: bool = False,
    offset: Offset = 0,
    limit: Limit = 50,
) -> Answer:
    """Entities of one type as a table, filtered, searched, sorted and paged."""
    with entity_tables.reading(crawl) as (database, behind):
        found = entity_tables.table(
            database,
            asked,
            columns=tuple(column),
            sort=sort,
            descending=descending,
            offset=offset,
            limit=limit,
        )
    return {**found, "behind": behind}


@router.get("/entities/counts")
def counts(
    crawl_id: str,
    crawl: CrawlDep,
    asked: AskedDep,
    column: Columns,
    most: Annotated[int, Query(ge=1, le=200)] = 10,
    like: Text = "",
) -> Answer:
    """Of columns their most frequent values, or how numbers and dates are spread; without their own filters."""
    with entity_tables.reading(crawl) as (database, _):
        return {"counts": entity_tables.counts(database, asked, tuple(column), most=most, like=like)}


@router.get("/entities/map")
def spots(
    crawl_id: str,
    crawl: CrawlDep,
    asked: AskedDep,
    latitude: Text = "",
    south: Latitude = -90.0,
    west: Longitude = -180.0,
    north: Latitude = 90.0,
    east: Longitude = 180.0,
) -> Answer:
    """Where entities with coordinates are; those that are close to each other together."""
    with entity_tables.reading(crawl) as (database, _):
        return entity_tables.spots(database, asked, latitude, (south, west, north, east))


@router.get("/entities/merged")
def merged(crawl_id: str, crawl: CrawlDep, asked: AskedDep, offset: Offset = 0, limit: Limit = 50) -> Answer:
    """Entities that were made of several descriptions, and why these are one thing."""
    with entity_tables.reading(crawl) as (database, _):
        return one_entity.merged(database, asked, offset=offset, limit=limit)


@router.get("/entities/export/{form}", response_class=FileResponse)
def export(
    crawl_id: str,
    form: str,
    crawl: CrawlDep,
    site: SiteDep,
    asked: AskedDep,
    column: Columns = [],  # noqa: B006
    sort: Text = "",
    descending: bool = False,
) -> FileResponse:
    """The same rows, columns and order as a file: csv, json, jsonl, parquet, sqlite or duckdb."""
    selection = Selection(
        type=asked.type,
        columns=tuple(column),
        where=asked.where,
        search=asked.search,
        sort=sort,
        descending=descending,
    )
    with entity_tables.reading(crawl) as (database, _):  # what is wrong is said before a process is started
        entity_tables.table(database, asked, columns=selection.columns, sort=sort, limit=1)
    return site.exports.export(crawl, form, selection)


@router.get("/entities/{entity}")
def entity(crawl_id: str, entity: int, crawl: CrawlDep) -> Answer:
    """One entity: its whole tree, and the pages that describe it."""
    if not 0 <= entity < 2**53:
        raise NotFoundError(f"there is no entity {str(entity)[:30]}")
    with entity_tables.reading(crawl) as (database, _):
        return one_entity.entity(database, entity)
