"""SPARQL over a crawl: a read-only endpoint of the SPARQL 1.1 Protocol, and the questions of the results page."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Annotated, TypeVar
from urllib.parse import parse_qsl

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from sundog.errors import SundogError, UsageError
from sundog.processes.child import stopped_after
from sundog.processes.sandbox import StoppedError
from sundog.rdf.answer_formats import CSV, formats_of
from sundog.rdf.namespaces import PREFIXES
from sundog.rdf.sparql import check_query
from sundog.store.query import Graphs, query_text
from sundog.store.query import query as ask
from sundog.web.request_bodies import QueryBody, SavedQueryBody
from sundog.web.results.negotiation import preferred
from sundog.web.results.reading import check_begun
from sundog.web.results.saved_queries import LONGEST_NAME, delete_query, save_query, saved_queries
from sundog.web.runs.directories import CrawlDirectory
from sundog.web.site import Answer, CrawlDep, Site, SiteDep

router = APIRouter(prefix="/api/crawls/{crawl_id}", tags=["SPARQL"])
MOST_ROWS = 2_000  # of a table that a browser shows
MOST_FIELDS = 1_000  # of a request: one query, all others name graphs
FORM, SPARQL, UPDATE = "application/x-www-form-urlencoded", "application/sparql-query", "application/sparql-update"
NO_UPDATES = "nothing can be changed here: only queries are answered"
Made = TypeVar("Made")


@router.get("/sparql", response_class=Response)
async def sparql_by_get(request: Request, crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Response:
    """The SPARQL 1.1 Protocol: query=, default-graph-uri=, named-graph-uri=; the format by Accept."""
    return await _endpoint(request, crawl, site, _fields(request.url.query))


@router.post("/sparql", response_class=Response)
async def sparql_by_post(request: Request, crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Response:
    """The same: as a form, or with the query itself as application/sparql-query."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type == UPDATE:
        raise HTTPException(403, NO_UPDATES)
    if media_type not in (FORM, SPARQL):
        raise HTTPException(415, f"a query is sent as {FORM} or {SPARQL}, not as '{media_type[:80]}'")
    body = _text(await request.body())
    fields = _fields(body) if media_type == FORM else [("query", body), *_fields(request.url.query)]
    return await _endpoint(request, crawl, site, fields)


@router.post("/query")
def query(crawl_id: str, body: QueryBody, crawl: CrawlDep, site: SiteDep) -> Answer:
    """Ask in SPARQL; each page is a named graph."""
    check_begun(crawl)
    began = monotonic()
    try:
        answer = _asked(site, lambda seconds: ask(crawl.path, body.query, seconds=seconds, most_rows=MOST_ROWS))
    except StoppedError as error:
        raise SundogError(str(error)) from None
    return {**answer._asdict(), "seconds": round(monotonic() - began, 3)}


@router.get("/vocabulary")
async def vocabulary(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Answer:
    """What a query can name: prefixes that need no declaration, and types and properties that were found."""
    return {"prefixes": PREFIXES, **await site.hub.vocabulary(crawl)}


@router.get("/queries")
def queries(crawl_id: str, crawl: CrawlDep) -> Answer:
    """Queries that are saved with the crawl, by name."""
    return {"queries": saved_queries(crawl)}


@router.post("/queries")
def save(crawl_id: str, body: SavedQueryBody, crawl: CrawlDep) -> Answer:
    """Save a query, in the place of the one that has its name."""
    save_query(crawl, body.name, body.query)
    return {"queries": saved_queries(crawl)}


@router.delete("/queries")
def forget(crawl_id: str, crawl: CrawlDep, name: Annotated[str, Query(max_length=LONGEST_NAME)]) -> Answer:
    """Delete a query that was saved."""
    delete_query(crawl, name)
    return {"queries": saved_queries(crawl)}


async def _endpoint(
    request: Request, crawl: CrawlDirectory, site: Site, fields: list[tuple[str, str]]
) -> Response:
    check_begun(crawl)
    sparql, graphs = _query_of(fields), _graphs_of(fields)
    offered = formats_of(check_query(sparql))
    form = preferred(",".join(request.headers.getlist("accept")), offered)
    if form is None:
        names = ", ".join(each.media_type for each in offered)
        raise HTTPException(406, f"the answer to this query can be {names}")

    def answer(seconds: float) -> tuple[str, int]:
        return query_text(crawl.path, sparql, form, seconds=seconds, graphs=graphs)

    try:
        text, behind = await run_in_threadpool(_asked, site, answer)
    except StoppedError as error:
        raise HTTPException(503, str(error)) from None
    headers = {"vary": "accept", "sundog-pages-behind": str(behind)}
    parameters = "; charset=utf-8" + ("; header=present" if form == CSV else "")
    media_type = form.media_type + (parameters if form.media_type.startswith("text/") else "")
    return Response(text.encode(), headers={**headers, "content-type": media_type})


def _asked(site: Site, answer: Callable[[float], Made]) -> Made:
    """The answer, within the seconds that this site has for a query."""
    seconds = site.settings.query_seconds
    with site.query_limit.slot():
        try:
            return answer(seconds)
        except StoppedError as error:
            if stopped_after(seconds) not in str(error):
                raise
            raise StoppedError(
                f"the query was stopped after {seconds:g} s: ask for less, or start the site with more "
                "--query-seconds; the command sundog query has a limit of its own"
            ) from None


def _query_of(fields: list[tuple[str, str]]) -> str:
    names = [name for name, _ in fields]
    if any(name in ("update", "using-graph-uri", "using-named-graph-uri") for name in names):
        raise HTTPException(403, NO_UPDATES)
    if names.count("query") != 1:
        raise UsageError("the request needs one parameter 'query', with a SPARQL query in it")
    return dict(fields)["query"]


def _graphs_of(fields: list[tuple[str, str]]) -> Graphs | None:
    default, named = (
        [value for name, value in fields if name == wanted] for wanted in ("default-graph-uri", "named-graph-uri")
    )
    return Graphs(default, named) if default or named else None


def _fields(encoded: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(encoded, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except UnicodeDecodeError:
        raise UsageError("the parameters cannot be read: they are not UTF-8") from None
    except ValueError:
        raise UsageError(f"a request may have {MOST_FIELDS:,} parameters at most") from None


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise UsageError("the query cannot be read: it is not UTF-8") from None
